#include "Process.h"
#include <csignal>
#include <cstdlib>
#include <fcntl.h>
#include <filesystem>
#include <spawn.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>
#include <vector>

using namespace tessera::bench;
using llvm::ArrayRef;

/// Returns 0 if the program cannot be started.
static pid_t spawn(ArrayRef<std::string> command, posix_spawn_file_actions_t &actions) {
  std::vector<char *> words;
  for (const std::string &word : command)
    words.push_back(const_cast<char *>(word.c_str()));
  words.push_back(nullptr);
  pid_t child = 0;
  int error = posix_spawn(&child, words[0], &actions, nullptr, words.data(), environ);
  return error ? 0 : child;
}

static double seconds(const timeval &time) {
  return time.tv_sec + time.tv_usec * 1e-6;
}

Finished tessera::bench::runProcess(ArrayRef<std::string> command, const std::string &output) {
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, 1, output.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
  pid_t child = spawn(command, actions);
  posix_spawn_file_actions_destroy(&actions);
  int status = 0;
  rusage usage;
  if (!child || wait4(child, &status, 0, &usage) != child)
    return {127, 0};
  return {WIFEXITED(status) ? WEXITSTATUS(status) : 128,
          seconds(usage.ru_utime) + seconds(usage.ru_stime)};
}

Server::Server(ArrayRef<std::string> command) {
  int in[2], out[2];
  if (pipe2(in, O_CLOEXEC) || pipe2(out, O_CLOEXEC))
    return;
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, in[0], 0);
  posix_spawn_file_actions_adddup2(&actions, out[1], 1);
  child = spawn(command, actions);
  posix_spawn_file_actions_destroy(&actions);
  close(in[0]);
  close(out[1]);
  requests = fdopen(in[1], "w");
  answers = fdopen(out[0], "r");
}

Server::~Server() {
  if (requests)
    fclose(requests);
  if (answers)
    fclose(answers);
  wake();
  if (child)
    waitpid(child, nullptr, 0);
}

std::string Server::ask(llvm::StringRef line) {
  if (!requests)
    return "";
  wake();
  fprintf(requests, "%s\n", line.str().c_str());
  fflush(requests);
  return listen();
}

void Server::wake() {
  if (child)
    kill(child, SIGCONT);
}

std::string Server::listen() {
  char answer[512] = "";
  if (!answers || !fgets(answer, sizeof answer, answers))
    return "";
  kill(child, SIGSTOP);
  return llvm::StringRef(answer).rtrim().str();
}

ScratchFolder::ScratchFolder(bool isInMemory) {
  isInMemory &= access("/dev/shm", W_OK) == 0;
  std::string name = isInMemory ? "/dev/shm/tessera-bench-XXXXXX" : "/tmp/tessera-bench-XXXXXX";
  folder = mkdtemp(name.data()) ? name : "";
}

ScratchFolder::~ScratchFolder() {
  std::error_code ignored;
  if (!folder.empty())
    std::filesystem::remove_all(folder, ignored);
}
