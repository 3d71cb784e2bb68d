#include "Apart.h"
#include <algorithm>
#include <cstdio>
#include <sys/wait.h>
#include <unistd.h>

std::string tessera::apart(llvm::function_ref<std::string()> work) {
  int ends[2];
  if (pipe(ends))
    abort();
  fflush(stdout); // Otherwise the child's output would begin with ours.
  pid_t pid = fork();
  if (pid == 0) {
    close(ends[0]);
    std::string result = work();
    write(ends[1], result.data(), std::min<size_t>(result.size(), 60000));
    _exit(0);
  }
  close(ends[1]);
  std::string result;
  char buffer[4096];
  for (ssize_t size; (size = read(ends[0], buffer, sizeof buffer)) > 0;)
    result.append(buffer, size);
  close(ends[0]);
  int status = 0;
  waitpid(pid, &status, 0);
  return WIFSIGNALED(status) ? "ended by signal " + std::to_string(WTERMSIG(status)) : result;
}
