/// BatchLoops.h as a peer. Variant `eigen`: products of small matrices by Eigen.
#include "BatchLoops.h"

#pragma clang diagnostic ignored "-Wpass-failed" // A loop that is not vectorized is a result, too.

using namespace tessera::bench;

namespace tessera::bench::batches {

/// Kernels without loops here.
template <int...> Answer tiny_skinny(Request &) {
  return {};
}
template <int...> Answer tiny_tasks(Request &) {
  return {};
}
template <int...> Answer tiny_coop(Request &) {
  return {};
}
template <int...> Answer tiny_hundred(Request &) {
  return {};
}

} // namespace tessera::bench::batches

namespace {

struct Entry {
  std::string_view kernel;
  Answer (*prepare)(Request &);
};

constexpr Entry table[] = {
#define KERNEL(name, family, ...) {name, batches::family<__VA_ARGS__>},
#include "../Batches.def"
};

bool isProduct(Family family) {
  return factsOf(family).file == "tinytc/gemm.tinytc";
}

Answer prepare(Request &r) {
  if (r.variant == "eigen" && !isProduct(r.kernel.family))
    return {};
  for (const Entry &entry : table)
    if (entry.kernel == r.kernel.name)
      return entry.prepare(r);
  return {};
}

} // namespace

int main(int argc, char **argv) {
  return serve(argc, argv, {[](Family family) { return factsOf(family).isBatch(); }, prepare});
}
