#include "Program.h"
#include "compiler/Session.h"
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

/// Never from the cache: what is timed is what this compiler makes.
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
  if (program)
    entry = program->find(function, failure);
  if (entry)
    outputs.resize(entry->num_results);
}

bool Call::compile() {
  if (!entry && failure.empty())
    load();
  return entry;
}

void Call::useRecords(const std::string &path, int threads) {
  book.emplace();
  book->threads = threads;
  auto buffer = llvm::MemoryBuffer::getFile(path);
  if (!buffer)
    return;
  SourceFile source(path, (*buffer)->getBuffer().str());
  std::optional<schedule::Mistake> mistake;
  book->shelves = {schedule::parseRecords(source, mistake)};
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

bool Call::run() {
  if (!compile())
    return false;
  // Their memory serves the next results, as in a program that calls in a loop.
  for (tessera_view &output : outputs) {
    tessera_free(&output);
    output = {};
  }
  if (tessera_rt_invoke(entry, arguments.data(), outputs.data()) == TESSERA_OK)
    return true;
  failure = tessera_last_error();
  return false;
}

ArrayRef<float> Call::result() {
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
