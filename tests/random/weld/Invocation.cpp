#include "Invocation.h"
#include "runtime/Type.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include <unistd.h>

using namespace tessera;
using namespace tessera::weld;
using namespace tessera::weld::random;

/// Anything slower counts as a hang.
static constexpr unsigned maxSeconds = 60;

static int enter(llvm::function_ref<void()> body) {
  return tessera_rt_enter([](void *body) { (*static_cast<llvm::function_ref<void()> *>(body))(); },
                          &body);
}

/// The number of words that hold a value of the type.
static std::vector<uint64_t> roomFor(const int32_t *type) {
  return std::vector<uint64_t>(size_t(runtime::Type(type).size()) / 8 + 1);
}

Invocation::Invocation(const tessera_program &entry, const Type &type, llvm::ArrayRef<Value> values)
    : entry(entry), arguments(roomFor(entry.arguments)) {
  std::vector<Value> bytes;
  serialize(type, Value::of(values.vec()), bytes, /*isInput=*/true);
  std::string packed;
  for (const Value &byte : bytes)
    packed += char(byte.integer);
  tessera_vector view{packed.data(), int64_t(packed.size())};
  enter([&] {
    region = tessera_rt_region_create(nullptr);
    tessera_rt_deserialize(entry.arguments, &view, region, nullptr, arguments.data());
  });
}

Invocation::~Invocation() {
  if (region)
    tessera_rt_region_free(region);
}

Run Invocation::run(int threads) {
  tessera_set_threads(threads);
  std::vector<uint64_t> result = roomFor(entry.result);
  tessera_run *memory = nullptr;
  Run run;
  alarm(maxSeconds);
  run.status = tessera_rt_run(&entry, arguments.data(), result.data(), &memory);
  alarm(0);
  if (run.status != TESSERA_OK) {
    run.error = tessera_last_error();
  } else {
    enter([&] {
      tessera_region *scratch = tessera_rt_region_create(nullptr);
      tessera_vector bytes{};
      tessera_rt_serialize(entry.result, result.data(), scratch, nullptr, &bytes);
      run.bytes.assign(static_cast<const char *>(bytes.data), size_t(bytes.count));
      tessera_rt_region_free(scratch);
    });
  }
  tessera_run_free(memory);
  return run;
}

std::optional<Value> random::valueOf(const Type &type, const std::string &bytes) {
  std::vector<Value> values;
  for (char byte : bytes)
    values.push_back(Value::ofInt(byte));
  llvm::ArrayRef<Value> rest = values;
  try {
    Value value = deserialize(type, rest);
    return rest.empty() ? std::optional(value) : std::nullopt;
  } catch (const Failure &) {
    return std::nullopt;
  } catch (const Unclear &) { // A duplicate key.
    return std::nullopt;
  }
}
