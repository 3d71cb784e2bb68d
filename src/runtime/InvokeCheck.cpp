/// Compares views with a signature. Every complaint names the parameter and both values.
#include "runtime/Cpu.h"
#include "runtime/Invoke.h"
#include "runtime/View.h"

using namespace tessera::runtime;

namespace {

constexpr int32_t cpuDevice = 1;

/// One view against one parameter; `role` is "argument" or "result".
struct Check {
  const char *role;
  const tessera_parameter &expected;
  const tessera_view &view;
  Text &error;

  void name() { error.add("%s `%s`: ", role, expected.name); }

  bool device() {
    if (view.device.device_type == cpuDevice)
      return true;
    name();
    error.add("on device type %d, expected %d (CPU)", view.device.device_type, cpuDevice);
    return false;
  }

  bool type() {
    if (view.dtype == expected.dtype)
      return true;
    name();
    error.add("element type %s, expected %s", nameOf(view.dtype).text, nameOf(expected.dtype).text);
    return false;
  }

  bool rank() {
    if (view.ndim == expected.ndim && (view.ndim == 0 || view.shape))
      return true;
    name();
    const char *plural = view.ndim == 1 ? "" : "s";
    if (view.ndim == expected.ndim)
      error.add("%d dimension%s, but no shape", view.ndim, plural);
    else
      error.add("%d dimension%s, expected %d", view.ndim, plural, expected.ndim);
    return false;
  }

  bool size(int32_t dim, int64_t wanted) {
    int64_t found = view.shape[dim];
    if (found >= 0 && (wanted < 0 || found == wanted))
      return true;
    name();
    if (found < 0)
      error.add("negative size %lld in dimension %d", (long long)found, dim);
    else
      error.add("size %lld in dimension %d, expected %lld", (long long)found, dim,
                (long long)wanted);
    return false;
  }

  bool sizes(const int64_t *wanted) {
    for (int32_t dim = 0; dim < expected.ndim; ++dim)
      if (!size(dim, wanted[dim]))
        return false;
    return true;
  }

  bool memory() {
    int64_t bytes;
    if (!countBytes(view.ndim, view.shape, elementBytes(view.dtype), bytes)) {
      name();
      error.add("more elements than memory can hold");
      return false;
    }
    if (view.data || bytes == 0)
      return true;
    name();
    error.add("no data (null), expected %lld bytes", (long long)bytes);
    return false;
  }

  bool everything() { return device() && type() && rank() && sizes(expected.shape) && memory(); }
};

} // namespace

bool tessera::runtime::checkCpu(const tessera_signature &signature, Text &error) {
  char buffer[256];
  Text missing(buffer, sizeof buffer);
  listMissing(signature.cpu, detectCpu(), missing);
  if (missing.empty())
    return true;
  error.add("`%s` was compiled for %s, but this CPU lacks %s", signature.name, signature.cpu,
            missing.str());
  return false;
}

bool tessera::runtime::checkArguments(const tessera_signature &signature,
                                      const tessera_view *arguments, Text &error) {
  if (signature.num_parameters && !arguments) {
    error.add("no arguments (null), expected %d", signature.num_parameters);
    return false;
  }
  for (int32_t index = 0; index < signature.num_parameters; ++index)
    if (!Check{"argument", signature.parameters[index], arguments[index], error}.everything())
      return false;
  return true;
}

bool tessera::runtime::checkResults(const tessera_signature &signature, const tessera_view *results,
                                    Text &error) {
  if (signature.num_results && !results) {
    error.add("no results (null), expected %d", signature.num_results);
    return false;
  }
  for (int32_t index = 0; index < signature.num_results; ++index)
    if (results[index].data &&
        !Check{"result", signature.results[index], results[index], error}.everything())
      return false;
  return true;
}

bool tessera::runtime::checkResultSizes(const tessera_parameter &result, const tessera_view &view,
                                        const int64_t *sizes, Text &error) {
  return Check{"result", result, view, error}.sizes(sizes);
}
