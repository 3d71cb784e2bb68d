#include "cli/Worker.h"
#include "llvm/Support/Errno.h"
#include <atomic>
#include <cerrno>
#include <chrono>
#include <cmath>
#include <csignal>
#include <cstring>
#include <fcntl.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace tessera::cli;
using llvm::StringRef;
using Kind = Worker::Answer::Kind;

namespace {

double now() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

std::atomic<bool> interrupted = false;
struct sigaction before[2];
constexpr int interrupts[] = {SIGINT, SIGTERM};

extern "C" void noteInterrupt(int) {
  interrupted = true;
}

bool writeAll(int descriptor, const void *data, size_t size) {
  auto *next = static_cast<const char *>(data);
  while (size > 0) {
    ssize_t written = write(descriptor, next, size);
    if (written < 0 && errno == EINTR)
      continue;
    if (written <= 0)
      return false;
    next += written;
    size -= written;
  }
  return true;
}

/// Waits until there is something to read, and then returns Given.
Kind await(int descriptor, double end) {
  while (true) {
    if (InterruptFlag::isSet())
      return Kind::Interrupted;
    double left = end - now();
    if (left <= 0)
      return Kind::Late;
    // Short, so that an interrupt just before it is noticed soon.
    pollfd wanted{descriptor, POLLIN, 0};
    if (poll(&wanted, 1, int(std::ceil(std::min(left, 0.1) * 1000))) > 0)
      return Kind::Given;
  }
}

/// Returns Given, or why it was not read completely.
Kind readAll(int descriptor, void *data, size_t size, double end) {
  auto *next = static_cast<char *>(data);
  while (size > 0) {
    if (Kind kind = await(descriptor, end); kind != Kind::Given)
      return kind;
    ssize_t count = read(descriptor, next, size);
    if (count < 0 && errno == EINTR)
      continue;
    if (count <= 0)
      return Kind::Died;
    next += count;
    size -= count;
  }
  return Kind::Given;
}

/// A size, then as many bytes.
bool sendText(int descriptor, StringRef text) {
  uint64_t size = text.size();
  return writeAll(descriptor, &size, sizeof size) && writeAll(descriptor, text.data(), size);
}

Kind receiveText(int descriptor, std::string &text, double end) {
  uint64_t size = 0;
  Kind kind = readAll(descriptor, &size, sizeof size, end);
  if (kind != Kind::Given)
    return kind;
  text.resize(size);
  return readAll(descriptor, text.data(), size, end);
}

/// Faults end a child as they end any process; the parent handles the user's interrupts.
void setUpChild(pid_t parent) {
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != parent) // It had ended before.
    _exit(0);
  for (int signal : interrupts)
    ::signal(signal, SIG_IGN);
  for (int signal : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGPIPE})
    ::signal(signal, SIG_DFL);
  rlimit none{0, 0};
  setrlimit(RLIMIT_CORE, &none);
  if (int nowhere = open("/dev/null", O_RDWR); nowhere >= 0)
    for (int descriptor : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO})
      dup2(nowhere, descriptor);
}

} // namespace

InterruptFlag::InterruptFlag() {
  interrupted = false;
  for (size_t i = 0; i < std::size(interrupts); ++i) {
    struct sigaction action = {};
    action.sa_handler = noteInterrupt;
    sigaction(interrupts[i], &action, &before[i]);
    if (before[i].sa_handler == SIG_IGN)
      sigaction(interrupts[i], &before[i], nullptr);
  }
}

InterruptFlag::~InterruptFlag() {
  for (size_t i = 0; i < std::size(interrupts); ++i)
    sigaction(interrupts[i], &before[i], nullptr);
}

bool InterruptFlag::isSet() {
  return interrupted;
}

void Worker::serveForever() {
  constexpr double forever = 1e9;
  std::string request;
  while (receiveText(toChild, request, now() + forever) == Kind::Given)
    if (!sendText(fromChild, serve(request)))
      break;
  _exit(0);
}

bool Worker::start() {
  int requests[2], answers[2];
  if (pipe2(requests, O_CLOEXEC) != 0)
    return false;
  if (pipe2(answers, O_CLOEXEC) != 0) {
    close(requests[0]);
    close(requests[1]);
    return false;
  }
  pid_t parent = getpid();
  child = fork();
  bool isChild = child == 0;
  close(requests[isChild ? 1 : 0]);
  close(answers[isChild ? 0 : 1]);
  toChild = requests[isChild ? 0 : 1];
  fromChild = answers[isChild ? 1 : 0];
  if (isChild) {
    setUpChild(parent);
    serveForever();
  }
  return child > 0;
}

/// Ends the child; says how it ended if it did so by itself.
Worker::Answer Worker::fail(Answer::Kind kind) {
  int status = 0;
  if (kind != Kind::Died)
    kill(child, SIGKILL);
  waitpid(child, &status, 0);
  child = -1;
  stop();
  if (kind != Kind::Died)
    return {kind, ""};
  return {kind, WIFSIGNALED(status)
                    ? strsignal(WTERMSIG(status))
                    : "it ended with status " + std::to_string(WEXITSTATUS(status))};
}

Worker::Answer Worker::ask(StringRef request, double seconds) {
  if (child < 0 && !start())
    return {Kind::Died, "cannot start a process: " + llvm::sys::StrError()};
  double end = now() + seconds;
  struct sigaction ignore = {}, saved;
  ignore.sa_handler = SIG_IGN; // A dead child reads no request.
  sigaction(SIGPIPE, &ignore, &saved);
  bool isSent = sendText(toChild, request);
  sigaction(SIGPIPE, &saved, nullptr);
  Answer answer;
  Kind kind = isSent ? receiveText(fromChild, answer.text, end) : Kind::Died;
  return kind == Kind::Given ? answer : fail(kind);
}

void Worker::stop() {
  for (int *descriptor : {&toChild, &fromChild}) {
    if (*descriptor >= 0)
      close(*descriptor);
    *descriptor = -1;
  }
  if (child > 0) {
    kill(child, SIGKILL);
    waitpid(child, nullptr, 0);
  }
  child = -1;
}
