/// Loops.h as a peer, built with different compilers.
#include "Loops.h"

#ifdef __clang__
#pragma clang diagnostic ignored                                                                   \
    "-Wpass-failed" // It is a result if clang cannot vectorize a function.
#endif

using namespace tessera::bench;

namespace {

using Loop = void (*)(const Operands &);

struct Loops {
  std::string_view kernel;
  Loop whole, halves[2];
};

constexpr Loops table[] = {
#define KERNEL(name, family, ...)                                                                  \
  {name,                                                                                           \
   loops::family<0, 1, __VA_ARGS__>,                                                               \
   {loops::family<0, 2, __VA_ARGS__>, loops::family<1, 2, __VA_ARGS__>}},
#include "../Kernels.def"
};

const Loops *loopsOf(const Kernel &kernel) {
  for (const Loops &loops : table)
    if (loops.kernel == kernel.name)
      return &loops;
  return nullptr;
}

Answer prepare(Request &r) {
  const Loops *loops = loopsOf(r.kernel);
  if (r.threads == 1)
    return {[=, &r] { loops->whole(r.operands); }};
  return {[=, &r] { inParallel(2, [&](int part) { loops->halves[part](r.operands); }); }};
}

} // namespace

int main(int argc, char **argv) {
  return serve(argc, argv, {[](Family) { return true; }, prepare});
}
