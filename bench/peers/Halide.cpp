/// Halide, ahead of time: the kernel is in a library that is built when it is first needed and kept
/// next to this program. The variant names the autoscheduler.
#include "Serve.h"
#include <HalideRuntime.h>
#include <cstdlib>
#include <dlfcn.h>
#include <filesystem>

using namespace tessera::bench;

namespace {

std::string folder() {
  return std::filesystem::read_symlink("/proc/self/exe").parent_path();
}

/// Adams2019 needs minutes for some kernels; those that take longer than this have no schedule.
constexpr const char *limit = "timeout 60 ";

std::string compiled(const Request &r) {
  std::string kept = folder() + "/halide", threads = std::to_string(r.threads);
  std::filesystem::create_directories(kept);
  std::string base = kept + "/" + std::string(r.kernel.name) + "-" + r.variant + "-" + threads;
  if (std::filesystem::exists(base + ".so") || std::filesystem::exists(base + ".failed"))
    return base + ".so";
  std::string command = limit + folder() + "/bench-halide-compile " + std::string(r.kernel.name) +
                        " " + r.variant + " " + threads + " " + base + ".o >" + base +
                        ".log 2>&1 && clang-22 -shared " + base + ".o -o " + base +
                        ".so || touch " + base + ".failed";
  return system(command.c_str()) == 0 ? base + ".so" : "";
}

/// A buffer's description, which Halide requires for each operand.
struct Array {
  halide_buffer_t buffer = {};
  std::vector<halide_dimension_t> dims;
};

Array describe(const Operand &operand, void *data) {
  Array array;
  array.dims.resize(operand.sizes.size());
  int stride = 1, dim = 0;
  for (auto size = operand.sizes.rbegin(); size != operand.sizes.rend(); ++size, ++dim) {
    array.dims[dim] = halide_dimension_t(0, int(*size), stride);
    stride *= *size;
  }
  array.buffer.host = static_cast<uint8_t *>(data);
  array.buffer.dimensions = dim;
  array.buffer.dim = array.dims.data();
  auto code = operand.element == Element::I32 ? halide_type_int : halide_type_float;
  array.buffer.type = halide_type_t(code, operand.element == Element::F64 ? 64 : 32);
  return array;
}

Answer prepare(Request &r) {
  void *library = dlopen(compiled(r).c_str(), RTLD_NOW | RTLD_LOCAL);
  if (!library)
    return {.failure = "Halide has no code for it: halide/" + std::string(r.kernel.name) + "-" +
                       r.variant + "-" + std::to_string(r.threads) + ".log says why"};
  reinterpret_cast<int (*)(int)>(dlsym(library, "halide_set_num_threads"))(r.threads);
  auto call = reinterpret_cast<int (*)(void **)>(dlsym(library, "kernel_argv"));
  static std::vector<Array> arrays;
  for (size_t i = 0; i < r.shape.inputs.size(); ++i)
    arrays.push_back(describe(r.shape.inputs[i], r.operands.inputs[i]));
  for (size_t i = 0; i < r.shape.results.size(); ++i)
    arrays.push_back(describe(r.shape.results[i], r.operands.results[i]));
  static std::vector<void *> arguments;
  for (Array &array : arrays)
    arguments.push_back(&array.buffer);
  return {[call] { call(arguments.data()); }};
}

} // namespace

int main(int argc, char **argv) {
  return serve(argc, argv, {[](Family) { return true; }, prepare});
}
