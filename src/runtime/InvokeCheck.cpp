/// Compares views with a signature. Every message names the parameter and both values.
#include "runtime/Cpu.h"
#include "runtime/Invoke.h"
#include "runtime/Overlap.h"
#include "runtime/View.h"
#include <cstring>

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

  bool sizesAndMemory() { return sizes(expected.shape) && memory(); }
  bool everything() { return device() && type() && rank() && sizesAndMemory(); }
};

/// A view and what is expected of it. Arguments come first, then results; results in memory of the
/// runtime have no view yet.
struct Place {
  const char *role;
  const tessera_parameter *expected;
  const tessera_view *view;

  bool isGiven() const { return expected != nullptr; }
};

struct Places {
  const tessera_signature &signature;
  const tessera_view *arguments, *results;

  int32_t count() const { return signature.num_parameters + signature.num_results; }
  Place operator[](int32_t index) const {
    if (index < signature.num_parameters)
      return {"argument", &signature.parameters[index], &arguments[index]};
    index -= signature.num_parameters;
    if (!results[index].data)
      return {};
    return {"result", &signature.results[index], &results[index]};
  }
};

/// The position of a size.
struct SizePlace {
  Place place;
  int32_t dim;
  int64_t size() const { return place.view->shape[dim]; }
};

/// The first occurrence of the size with this code, which determines it.
SizePlace firstPlaceOf(const Places &places, int64_t code) {
  for (int32_t index = 0;; ++index)
    if (Place place = places[index]; place.isGiven())
      for (int32_t dim = 0; dim < place.expected->ndim; ++dim)
        if (place.expected->shape[dim] == code)
          return {place, dim};
}

bool checkNamedSize(const Places &places, SizePlace found, Text &error) {
  int64_t code = found.place.expected->shape[found.dim];
  if (code > -2)
    return true;
  SizePlace first = firstPlaceOf(places, code);
  if (first.size() == found.size())
    return true;
  error.add("%s `%s`: size `%s` is %lld in dimension %d, but %lld in dimension %d of %s `%s`",
            found.place.role, found.place.expected->name, places.signature.sizes[-2 - code],
            (long long)found.size(), found.dim, (long long)first.size(), first.dim,
            first.place.role, first.place.expected->name);
  return false;
}

/// The initial value of a result may have the same memory as the result.
bool isUpdateInPlace(const Place &place, const Place &result) {
  return place.expected->is_initial && !strcmp(place.expected->name, result.expected->name) &&
         areTheSame(*place.view, *result.view);
}

bool checkOverlap(const Place &earlier, const Place &result, Text &error) {
  if (!earlier.isGiven() || isUpdateInPlace(earlier, result) ||
      !overlap(*earlier.view, *result.view))
    return true;
  error.add("result `%s`: overlaps %s `%s`", result.expected->name, earlier.role,
            earlier.expected->name);
  return false;
}

bool checkPlaces(const Place &result, Text &error) {
  if (!overlapsItself(*result.view))
    return true;
  error.add("result `%s`: overlaps itself: two of its elements have the same address",
            result.expected->name);
  return false;
}

} // namespace

bool tessera::runtime::checkNamedSizes(const tessera_signature &signature,
                                       const tessera_view *arguments, const tessera_view *results,
                                       Text &error) {
  if (!signature.sizes)
    return true;
  Places places{signature, arguments, results};
  for (int32_t index = 0; index < places.count(); ++index)
    if (Place place = places[index]; place.isGiven())
      for (int32_t dim = 0; dim < place.expected->ndim; ++dim)
        if (!checkNamedSize(places, {place, dim}, error))
          return false;
  return true;
}

bool tessera::runtime::checkOverlaps(const tessera_signature &signature,
                                     const tessera_view *arguments, const tessera_view *results,
                                     Text &error) {
  Places places{signature, arguments, results};
  for (int32_t index = signature.num_parameters; index < places.count(); ++index)
    if (Place result = places[index]; result.isGiven()) {
      if (!checkPlaces(result, error))
        return false;
      for (int32_t earlier = 0; earlier < index; ++earlier)
        if (!checkOverlap(places[earlier], result, error))
          return false;
    }
  return true;
}

bool tessera::runtime::checkCpu(const char *name, const char *cpu, Text &error) {
  char buffer[256];
  Text missing(buffer, sizeof buffer);
  listMissing(cpu, detectCpu(), missing);
  if (missing.empty())
    return true;
  error.add("`%s` was compiled for %s, but this CPU lacks %s", name, cpu, missing.str());
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

bool tessera::runtime::checkMemory(const tessera_view &view, const char *name, Text &error) {
  tessera_parameter expected{name, view.dtype, view.ndim, view.shape, 0};
  return Check{"result", expected, view, error}.sizesAndMemory();
}

bool tessera::runtime::checkResultSizes(const tessera_parameter &result, const tessera_view &view,
                                        const int64_t *sizes, Text &error) {
  return Check{"result", result, view, error}.sizes(sizes);
}
