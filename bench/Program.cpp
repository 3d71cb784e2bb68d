#include "Program.h"
#include "compiler/Session.h"
#include "runtime/Table.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Support/MemoryBuffer.h"

using namespace tessera;
using namespace tessera::bench;
using llvm::ArrayRef;
using llvm::StringRef;

Call::Call(StringRef file, StringRef function)
    : file((BENCH_FOLDER "/" + file).str()), function(function.str()) {}

Call::~Call() {
  for (tessera_view &output : outputs)
    tessera_free(&output);
  tessera_run_free(lastRun);
}

/// The values of a function's size variables.
static SizeBindings sizesOf(const Checked &program, StringRef function,
                            ArrayRef<tessera_view> arguments) {
  llvm::StringMap<int64_t> values;
  for (const Signature &signature : program.functions)
    if (signature.name == function)
      for (auto [parameter, argument] : llvm::zip(signature.parameters, arguments))
        for (auto [dim, name] : llvm::enumerate(parameter.sizeNames))
          if (!name.empty())
            values[name] = argument.shape[dim];
  SizeBindings bindings;
  for (auto &value : values)
    bindings.emplace_back(value.first().str(), value.second);
  return bindings;
}

/// Never from the cache: this times the present compiler.
void Call::load() {
  auto buffer = llvm::MemoryBuffer::getFile(file);
  const Language *language = languageOf(file);
  if (!buffer || !language) {
    failure = "cannot read " + file;
    return;
  }
  SourceFile source(file, (*buffer)->getBuffer().str());
  CompileOptions options;
  options.language.standard = language->standards.front().str();
  options.language.entry = function;
  options.language.definitions = definitions;
  options.backend = backendNamed("cpu");
  DiagnosticEngine diagnostics;
  Checked checked = language->check(source, options.language, diagnostics);
  if (checked.isCorrect && language->specialize && !isGeneric) {
    options.sizes = sizesOf(checked, function, arguments);
    checked = language->specialize(checked, function, options.sizes, options.language, diagnostics);
  }
  if (!checked.isCorrect || diagnostics.hasErrors()) {
    failure = "tessera check " + file + " reports errors";
    return;
  }
  if (checked.functions.size() == 1) // A Weld program has the name of its file.
    function = checked.functions.front().name;
  if (book) {
    book->processor = options.backend->processor(options.target);
    options.reschedule = [this](ArrayRef<schedule::Kernel> kernels,
                                llvm::MutableArrayRef<schedule::Contraction> schedules) {
      for (auto [kernel, schedule] : llvm::zip_equal(kernels, schedules)) {
        schedule::Choice choice = book->choose(kernel);
        foundRecord |= choice.origin == schedule::Origin::Tuned;
        if (choice.origin == schedule::Origin::Tuned)
          schedule = choice.schedule;
      }
    };
  }
  Session session(options);
  std::optional<std::string> object = session.compile(*language, checked, Artifact::Object);
  if (!object) {
    failure = "compiler bug: " + session.bug().message;
    return;
  }
  program = jit::Program::load(std::move(*object), /*forDebugger=*/false, failure);
  if (!program)
    return;
  if (checked.functions.front().kernel)
    return findKernel();
  language->name == "weld" ? findOnData() : find();
}

void Call::find() {
  entry = program->find(function, failure);
  if (entry)
    outputs.resize(entry->num_results);
}

/// The arguments as a C struct: scalars, and vectors as {data, count}.
static std::vector<uint64_t> packed(runtime::Type type, ArrayRef<tessera_view> arguments) {
  std::vector<uint64_t> memory(type.size() / sizeof(uint64_t) + 1);
  for (auto [index, argument] : llvm::enumerate(arguments)) {
    char *to = runtime::at(memory.data(), type.offset(index));
    if (argument.ndim == 0) {
      memcpy(to, argument.data, type.part(index).size());
      continue;
    }
    tessera_vector vector{argument.data, argument.shape[0]};
    memcpy(to, &vector, sizeof vector);
  }
  return memory;
}

void Call::findOnData() {
  dataEntry = program->findProgram(function, failure);
  if (!dataEntry)
    return;
  argumentData = packed(runtime::Type(dataEntry->arguments), arguments);
  resultData.resize(runtime::Type(dataEntry->result).size() / sizeof(uint64_t) + 1);
}

void Call::launchWith(std::vector<std::string> names, int64_t groups) {
  definitions = std::move(names);
  launch.groups = groups;
  launch.alone = true;
}

/// The arguments of a kernel: each memref's pointer and its dynamic sizes and strides. Arrays have
/// no gaps.
static std::vector<uint64_t> packedMemrefs(const tessera_kernel &kernel,
                                           ArrayRef<tessera_view> arguments) {
  std::vector<uint64_t> memory;
  for (auto [parameter, argument] :
       llvm::zip_equal(ArrayRef(kernel.parameters, kernel.num_parameters), arguments)) {
    memory.push_back(reinterpret_cast<uint64_t>(argument.data));
    std::vector<uint64_t> strides;
    uint64_t stride = 1;
    for (int64_t mode = 0; mode < parameter.order; ++mode) {
      if (parameter.shape[mode] < 0)
        memory.push_back(argument.shape[mode]);
      if (parameter.strides[mode] < 0)
        strides.push_back(stride);
      stride *= argument.shape[mode];
    }
    memory.insert(memory.end(), strides.begin(), strides.end());
  }
  return memory;
}

void Call::findKernel() {
  kernel = program->findKernel(function, failure);
  if (kernel)
    argumentData = packedMemrefs(*kernel, arguments);
}

bool Call::compile() {
  if (!entry && !dataEntry && !kernel && failure.empty())
    load();
  return entry || dataEntry || kernel;
}

void Call::useRecords(const std::string &path, int threads) {
  book.emplace();
  book->threads = threads;
  auto buffer = llvm::MemoryBuffer::getFile(path);
  if (!buffer)
    return;
  SourceFile source(path, (*buffer)->getBuffer().str());
  std::vector<schedule::Mistake> mistakes;
  book->shelves = {schedule::parseRecords(source, mistakes)};
}

Call &Call::with(int32_t scalar) {
  scalars.push_back(scalar);
  arguments.push_back({&scalars.back(), {1, 0}, 0, {TESSERA_INT, 32, 1}, nullptr, nullptr, 0});
  return *this;
}

Call &Call::with(const void *elements, tessera_dtype type, ArrayRef<int64_t> sizes) {
  shapes.push_back(sizes.vec());
  arguments.push_back({const_cast<void *>(elements),
                       {1, 0},
                       int32_t(sizes.size()),
                       type,
                       shapes.back().data(),
                       nullptr,
                       0});
  return *this;
}

Call &Call::with(ArrayRef<float> elements, ArrayRef<int64_t> sizes) {
  return with(elements.data(), {TESSERA_FLOAT, 32, 1}, sizes);
}

Call &Call::with(ArrayRef<double> elements, ArrayRef<int64_t> sizes) {
  return with(elements.data(), {TESSERA_FLOAT, 64, 1}, sizes);
}

Call &Call::with(ArrayRef<int32_t> elements, ArrayRef<int64_t> sizes) {
  return with(elements.data(), {TESSERA_INT, 32, 1}, sizes);
}

bool Call::runOnData() {
  tessera_run_free(std::exchange(lastRun, nullptr));
  if (tessera_rt_run(dataEntry, argumentData.data(), resultData.data(), &lastRun) == TESSERA_OK)
    return true;
  failure = tessera_last_error();
  return false;
}

bool Call::run() {
  if (!compile())
    return false;
  if (dataEntry)
    return runOnData();
  if (kernel) {
    if (tessera_rt_launch(kernel, argumentData.data(), &launch) == TESSERA_OK)
      return true;
    failure = tessera_last_error();
    return false;
  }
  // Their memory is reused for the next results, as in a program that calls in a loop.
  for (tessera_view &output : outputs) {
    tessera_free(&output);
    output = {};
  }
  if (tessera_rt_invoke(entry, arguments.data(), outputs.data()) == TESSERA_OK)
    return true;
  failure = tessera_last_error();
  return false;
}

template <typename T> static float numberAt(const void *memory) {
  T number;
  memcpy(&number, memory, sizeof number);
  return float(number);
}

static float scalarAt(runtime::Type type, const void *memory) {
  switch (type.kind()) {
  case TESSERA_KIND_F32:
    return numberAt<float>(memory);
  case TESSERA_KIND_F64:
    return numberAt<double>(memory);
  case TESSERA_KIND_I64:
    return numberAt<int64_t>(memory);
  case TESSERA_KIND_I32:
    return numberAt<int32_t>(memory);
  default:
    return numberAt<int8_t>(memory);
  }
}

/// All numbers of a value, in order.
static void flatten(runtime::Type type, const void *value, std::vector<float> &numbers) {
  if (type.isScalar())
    return numbers.push_back(scalarAt(type, value));
  if (type.kind() == TESSERA_KIND_VECTOR) {
    tessera_vector vector = runtime::vectorAt(value);
    for (int64_t index = 0; index < vector.count; ++index)
      flatten(type.part(0), runtime::at(vector.data, index * type.part(0).size()), numbers);
    return;
  }
  for (int32_t part = 0; part < type.numParts(); ++part)
    flatten(type.part(part), runtime::at(value, type.offset(part)), numbers);
}

ArrayRef<float> Call::result() {
  if (dataEntry) {
    converted.clear();
    flatten(runtime::Type(dataEntry->result), resultData.data(), converted);
    return converted;
  }
  const tessera_view &output = outputs.front();
  size_t size = 1;
  for (int32_t dim = 0; dim < output.ndim; ++dim)
    size *= output.shape[dim];
  if (output.dtype.code == TESSERA_FLOAT && output.dtype.bits == 32)
    return {static_cast<float *>(output.data), size};
  if (output.dtype.code == TESSERA_FLOAT)
    converted.assign(static_cast<double *>(output.data), static_cast<double *>(output.data) + size);
  else
    converted.assign(1, *static_cast<int32_t *>(output.data));
  return converted;
}
