#include "Program.h"
#include "compiler/Session.h"
#include "llvm/Support/MemoryBuffer.h"

using namespace tessera;
using namespace tessera::bench;
using llvm::ArrayRef;
using llvm::StringRef;

Call::Call(StringRef file, StringRef function) {
  load((BENCH_FOLDER "/" + file).str(), function);
}

Call::~Call() {
  tessera_free(&output);
}

/// Never from the cache: what is timed is what this compiler makes.
void Call::load(StringRef file, StringRef function) {
  auto buffer = llvm::MemoryBuffer::getFile(file);
  const Language *language = languageOf(file);
  if (!buffer || !language) {
    failure = ("cannot read " + file).str();
    return;
  }
  SourceFile source(file.str(), (*buffer)->getBuffer().str());
  CompileOptions options;
  options.language.standard = language->standards.front().str();
  options.language.entry = function.str();
  options.backend = backendNamed("cpu");
  DiagnosticEngine diagnostics;
  Checked checked = language->check(source, options.language, diagnostics);
  if (!checked.isCorrect || diagnostics.hasErrors()) {
    failure = ("tessera check " + file + " reports errors").str();
    return;
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
}

Call &Call::with(int32_t scalar) {
  scalars.push_back(scalar);
  arguments.push_back({&scalars.back(), {1, 0}, 0, {TESSERA_INT, 32, 1}, nullptr, nullptr, 0});
  return *this;
}

Call &Call::with(ArrayRef<float> elements, ArrayRef<int64_t> sizes) {
  shapes.push_back(sizes.vec());
  arguments.push_back({const_cast<float *>(elements.data()),
                       {1, 0},
                       int32_t(sizes.size()),
                       {TESSERA_FLOAT, 32, 1},
                       shapes.back().data(),
                       nullptr,
                       0});
  return *this;
}

bool Call::run() {
  if (!entry)
    return false;
  tessera_free(&output); // Its memory serves the next result, as in a program that calls in a loop.
  if (tessera_rt_invoke(entry, arguments.data(), &output) == TESSERA_OK)
    return true;
  failure = tessera_last_error();
  return false;
}

ArrayRef<float> Call::result() {
  if (output.ndim == 0) {
    number = *static_cast<int32_t *>(output.data);
    return number;
  }
  int64_t size = 1;
  for (int32_t dim = 0; dim < output.ndim; ++dim)
    size *= output.shape[dim];
  return {static_cast<float *>(output.data), size_t(size)};
}
