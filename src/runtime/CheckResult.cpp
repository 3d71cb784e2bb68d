/// Checks what C functions return before a program uses it.
#include "runtime/Table.h"
#include "runtime/ThreadState.h"
#include "runtime/Type.h"

using namespace tessera::runtime;

static void check(Type type, const void *value, const tessera_site *site) {
  if (type.kind() == TESSERA_KIND_STRUCT)
    for (int32_t part = 0; part < type.numParts(); ++part)
      check(type.part(part), at(value, type.offset(part)), site);
  if (type.kind() != TESSERA_KIND_VECTOR)
    return;
  tessera_vector vector = vectorAt(value);
  if (vector.count < 0)
    trapAt(site, "a vector has the length %lld", (long long)vector.count);
  if (vector.count > 0 && !vector.data)
    trapAt(site, "a vector has the length %lld, but its pointer is null", (long long)vector.count);
  Type element = type.part(0);
  for (int64_t index = 0; !element.holdsNoPointers() && index < vector.count; ++index)
    check(element, at(vector.data, index * element.size()), site);
}

void tessera_rt_check_result(const int32_t *type, const void *value, const tessera_site *site) {
  check(Type(type), value, site);
}
