#include "Kernel.h"
#include "compiler/ModuleLanguage.h"
#include "compiler/Session.h"
#include "llvm/Support/FormatVariadic.h"
#include <cstring>

using namespace tessera;
using namespace tessera::math_test;

[[noreturn]] static void fail(const std::string &what) {
  fprintf(stderr, "tessera-math: %s\n", what.c_str());
  exit(70);
}

/// A function f of one or two vectors.
static std::string moduleText(const Operation &operation, unsigned bits) {
  std::string element = llvm::formatv("f{0}", bits),
              tensor = llvm::formatv("tensor<?x{0}>", element);
  bool isBinary = operation.operands == 2;
  auto both = [&](const std::string &first, const std::string &second) {
    return isBinary ? first + ", " + second : first;
  };
  // The argument belongs to the caller, so its memory must not become the result.
  auto parameter = [&](const char *name) {
    return llvm::formatv("%{0}: {1} {{tessera.name = \"{0}\", bufferization.writable = false}",
                         name, tensor)
        .str();
  };
  return llvm::formatv("func.func @f({0}) -> {1} attributes {{tessera.entry = \"f\"} {{\n"
                       "  %c0 = arith.constant 0 : index\n"
                       "  %n = tensor.dim %x, %c0 : {1}\n"
                       "  %e = tensor.empty(%n) : {1}\n"
                       "  %r = linalg.generic {{indexing_maps = [{2}, affine_map<(i) -> (i)>], "
                       "iterator_types = [\"parallel\"]} ins({3}) outs(%e : {1}) {{\n"
                       "  ^body({4}, %o: {5}):\n"
                       "    %v = math.{6} {7} : {5}\n"
                       "    linalg.yield %v : {5}\n"
                       "  } -> {1}\n"
                       "  return %r : {1}\n"
                       "}\n",
                       both(parameter("x"), parameter("y")), tensor,
                       both("affine_map<(i) -> (i)>", "affine_map<(i) -> (i)>"),
                       both("%x", "%y") + " : " + both(tensor, tensor),
                       both("%a: " + element, "%b: " + element), element,
                       operation.name == "pow" ? "powf" : operation.name, both("%a", "%b"));
}

static std::string compile(const std::string &text, const Target &target) {
  SourceFile source("math.mlir", text);
  CompileOptions options;
  options.language.standard = "core";
  options.language.entry = "f";
  options.backend = backendNamed("cpu");
  options.target = target;
  tessera::DiagnosticEngine diagnostics;
  Checked checked = moduleLanguage.check(source, options.language, diagnostics);
  if (!checked.isCorrect)
    fail("the module is not legal:\n" + text);
  Session session(options);
  std::optional<std::string> object = session.compile(moduleLanguage, checked, Artifact::Object);
  if (!object)
    fail(session.bug().message);
  return *object;
}

template <typename Float> Kernel<Float>::Kernel(const Operation &operation, const Target &target) {
  std::string object = compile(moduleText(operation, 8 * sizeof(Float)), target), error;
  program = jit::Program::load(std::move(object), /*forDebugger=*/false, error);
  entry = program ? program->find("f", error) : nullptr;
  if (!entry)
    fail(error);
}

template <typename Float>
std::vector<Float> Kernel<Float>::run(const std::vector<std::vector<Float>> &operands) {
  int64_t size = operands[0].size();
  std::vector<Float> result(size);
  tessera_dtype type{TESSERA_FLOAT, 8 * sizeof(Float), 1};
  auto viewOf = [&](const Float *data) {
    return tessera_view{const_cast<Float *>(data), {1, 0}, 1, type, &size, nullptr, 0};
  };
  std::vector<tessera_view> arguments;
  for (const std::vector<Float> &operand : operands)
    arguments.push_back(viewOf(operand.data()));
  tessera_view output = viewOf(result.data());
  if (tessera_rt_invoke(entry, arguments.data(), &output) != TESSERA_OK)
    fail(tessera_last_error());
  return result;
}

template class tessera::math_test::Kernel<float>;
template class tessera::math_test::Kernel<double>;
