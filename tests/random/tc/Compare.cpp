#include "Compare.h"
#include "../Apart.h"
#include "../Kind.h"
#include "../Random.h"
#include "compiler/Session.h"
#include "jit/Jit.h"
#include "llvm/ADT/STLExtras.h"
#include <unistd.h>

using namespace tessera;
using namespace tessera::tc;
using namespace tessera::tc::random;

namespace {

/// Anything slower counts as a hang.
constexpr unsigned maxSeconds = 60;
constexpr int64_t callsWithoutSizes = 6;

struct Mode {
  const char *name;
  unsigned optLevel;
  bool isChecked, isSpecialized;
  /// Slow modes alternate: the remainder of the seed divided by 2; -1 for every seed.
  int turn;
};
constexpr Mode modes[] = {
    {"-O2", 2, false, true, -1},
    {"-O2 for all sizes", 2, false, false, -1},
    {"-O0", 0, false, true, 0},
    {"-O0 for all sizes", 0, false, false, 1},
    {"-O2 --checked for all sizes", 2, true, false, 0},
    {"-O0 --checked", 0, true, true, 1},
};

/// The outcome of one run.
struct Run {
  int status = 0;
  std::string error;
  std::vector<std::string> results; ///< As bytes.
  std::vector<std::vector<int64_t>> shapes;
};

/// A call by a user: allocates memory for each argument.
class Invocation {
public:
  Invocation(const tessera_signature &entry, llvm::ArrayRef<Array> arguments) : entry(entry) {
    for (const Array &array : arguments) {
      memory.push_back(encoded(array));
      shapes.emplace_back();
      for (const Interval &range : array.box)
        shapes.back().push_back(range.size());
    }
  }

  Run run(int threads) {
    std::vector<tessera_view> views, results(size_t(entry.num_results));
    for (size_t i = 0; i < memory.size(); ++i)
      views.push_back({memory[i].data(),
                       {1, 0},
                       int32_t(shapes[i].size()),
                       entry.parameters[i].dtype,
                       shapes[i].data(),
                       nullptr,
                       0});
    tessera_set_threads(threads);
    Run run;
    alarm(maxSeconds);
    run.status = tessera_rt_invoke(&entry, views.data(), results.data());
    alarm(0);
    if (run.status != TESSERA_OK)
      run.error = tessera_last_error();
    for (tessera_view &view : results) {
      if (run.status == TESSERA_OK)
        take(view, run);
      tessera_free(&view);
    }
    return run;
  }

private:
  static void take(const tessera_view &view, Run &run) {
    int64_t bytes = view.dtype.bits / 8;
    run.shapes.emplace_back(view.shape, view.shape + view.ndim);
    for (int64_t size : run.shapes.back())
      bytes *= size;
    run.results.emplace_back(static_cast<const char *>(view.data), size_t(bytes));
  }

  const tessera_signature &entry;
  std::vector<std::string> memory;
  std::vector<std::vector<int64_t>> shapes;
};

std::string shapeText(llvm::ArrayRef<int64_t> sizes) {
  std::string text;
  for (int64_t size : sizes)
    text += (text.empty() ? "" : "x") + std::to_string(size);
  return "(" + text + ")";
}

/// Everything known about one program and one call.
class Comparison {
public:
  Comparison(const SourceFile &file, const Program &program, const Call &call)
      : file(file), def(*defNamed(program, call.entry)), call(call),
        expected(interpret(program, call, maxSteps)) {}

  std::string run() {
    if (expected.end == End::TooLong)
      return "";
    DiagnosticEngine diagnostics;
    general = language.check(file, {}, diagnostics);
    if (!general.isCorrect)
      return mayBeRejected() ? "" : "check: " + described(diagnostics);
    if (std::string text = specialize(); !text.empty())
      return text;
    for (const Mode &mode : modes)
      if (mode.turn < 0 || uint64_t(mode.turn) == call.seed % 2)
        if (std::string text = compareMode(mode); !text.empty())
          return llvm::formatv("{0}: {1}", mode.name, text);
    return "";
  }

private:
  /// A read out of range may or may not be detected before the program runs.
  bool mayBeRejected() const {
    return expected.end == End::Rejected || expected.end == End::Undefined ||
           expected.end == End::Unclear;
  }

  std::string described(DiagnosticEngine &diagnostics) {
    std::string text = "rejected, but the interpreter finds nothing wrong\n";
    llvm::raw_string_ostream out(text);
    for (const Diagnostic &diagnostic : diagnostics.sorted())
      if (diagnostic.severity == Severity::Error)
        print(out, diagnostic, {});
    return text;
  }

  /// Specializes as the command line does: for sizes, and for arguments that determine them.
  std::string specialize() {
    SizeBindings bindings;
    Values values = valuesOf(call, def);
    for (const Name &size : def.sizes)
      bindings.emplace_back(size.text.str(), values.at(size.text.str()));
    for (const tessera::Parameter &parameter : general.find(call.entry)->parameters)
      if (parameter.decidesSizes)
        bindings.emplace_back(parameter.name, values.at(parameter.name));
    DiagnosticEngine diagnostics;
    special = language.specialize(general, call.entry, bindings, {}, diagnostics);
    if (special.isCorrect)
      return expected.end == End::Rejected ? "accepted, against " + expected.rejection.rule : "";
    if (!mayBeRejected())
      return described(diagnostics);
    auto isSame = [&](const Diagnostic &diagnostic) {
      return diagnostic.kind->rule == expected.rejection.rule;
    };
    if (expected.end != End::Rejected || llvm::any_of(diagnostics.sorted(), isSame))
      return "";
    return "expected an error of " + expected.rejection.rule + "\n" + described(diagnostics);
  }

  std::string compareMode(const Mode &mode) {
    if (mode.isSpecialized && !special.isCorrect)
      return "";
    CompileOptions options;
    options.language.checked = mode.isChecked;
    options.language.standard = "seed";
    options.language.entry = call.entry;
    options.target.optLevel = mode.optLevel;
    options.target.cpu = processor;
    Session session(options);
    alarm(maxSeconds);
    auto object =
        session.compile(language, mode.isSpecialized ? special : general, Artifact::Object);
    alarm(0);
    if (!object)
      return "compiler bug: " + session.bug().message;
    std::string error;
    auto loaded = jit::Program::load(std::move(*object), false, error);
    const tessera_signature *entry = loaded ? loaded->find(call.entry, error) : nullptr;
    if (!entry)
      return "cannot load: " + error;
    return compareRuns(mode, *entry);
  }

  std::string compareRuns(const Mode &mode, const tessera_signature &entry) {
    // Undefined programs may do anything, and initial values of results that do not exist have no
    // sizes.
    bool hasInitials = llvm::any_of(def.returns, [](auto &r) { return r.tensor->isInOut; });
    if ((expected.end == End::Undefined && !mode.isChecked) || (!expected.plan && hasInitials))
      return "";
    Invocation invocation(entry, arguments());
    Run first = invocation.run(1), second = invocation.run(2);
    if (first.status != second.status || first.results != second.results)
      return "one thread and two threads differ" + differenceOf(first, second);
    return judge(mode, first);
  }

  std::string differenceOf(const Run &first, const Run &second) {
    return llvm::formatv(": status {0} and {1}\n{2}\n{3}", first.status, second.status, first.error,
                         second.error);
  }

  std::vector<Array> arguments() const {
    std::vector<Array> arrays;
    Values values = valuesOf(call, def);
    for (const tc::Parameter &parameter : def.parameters) {
      Box box;
      for (const Dimension &dimension : parameter.type.dimensions)
        box.push_back(
            {0, dimension.name.empty() ? dimension.size : values.at(dimension.name.str())});
      arrays.push_back(makeArray(call, parameter.name.text, parameter.type.element, box));
    }
    llvm::append_range(arrays, expected.initials);
    return arrays;
  }

  std::string judge(const Mode &mode, const Run &run) {
    if (expected.end == End::Unclear)
      return "";
    if (mayBeRejected() && run.status == TESSERA_INVALID_ARGUMENT)
      return "";
    if (expected.end == End::Rejected)
      return llvm::formatv("status {0} {1}, but the sizes break {2}", run.status, run.error,
                           expected.rejection.rule);
    std::string wanted = "no error", found = wanted;
    if (expected.fault && mode.isChecked)
      wanted = llvm::formatv("random.tc:{0}:{1} [{2}]", expected.fault->at.line,
                             expected.fault->at.column, expected.fault->rule);
    if (run.status != TESSERA_OK)
      found = place(run.error);
    if (wanted != found)
      return llvm::formatv("expected {0}, found {1}\n{2}", wanted, found, run.error);
    return run.status == TESSERA_OK ? compareResults(run) : "";
  }

  /// Extracts "FILE:LINE:COLUMN [RULE]" from "FILE:LINE:COLUMN: error: TEXT [RULE]".
  static std::string place(llvm::StringRef error) {
    llvm::StringRef line = error.split('\n').first;
    return (line.split(": error").first + " " + line.substr(line.rfind('['))).str();
  }

  std::string compareResults(const Run &run) {
    for (size_t i = 0; i < expected.results.size(); ++i) {
      const Array &array = expected.results[i];
      std::vector<int64_t> shape;
      for (const Interval &range : array.box)
        shape.push_back(range.size());
      std::string text;
      if (run.shapes[i] != shape)
        text = llvm::formatv("has shape {0}, expected {1}", shapeText(run.shapes[i]),
                             shapeText(shape));
      else
        text = difference(array, run.results[i].data());
      if (!text.empty())
        return llvm::formatv("`{0}` {1}", def.returns[i].name.text, text);
    }
    return "";
  }

  const Language &language = *languageNamed("tc");
  const SourceFile &file;
  const Def &def;
  const Call &call;
  Outcome expected;
  Checked general, special;
};

bool isIndex(const tc::Parameter &parameter) {
  Scalar type = parameter.type.element;
  return !isFloating(type) && type != Scalar::Bool && parameter.tensor->rank;
}

/// A literal size may be too large to allocate.
bool isHuge(const Def &def) {
  return llvm::any_of(def.parameters, [](const tc::Parameter &parameter) {
    return llvm::any_of(parameter.type.dimensions,
                        [](const Dimension &dimension) { return dimension.size > 100000; });
  });
}

/// If a program does not say how it is called: each def, with several sizes.
std::vector<Call> callsOf(const Program &program) {
  std::vector<Call> calls;
  for (const Def *def : program.defs)
    for (int64_t number = 0; number < callsWithoutSizes && !isHuge(*def); ++number) {
      Call call{def->name.text.str(), uint64_t(number), {}, {}};
      Random random{uint64_t(number)};
      for (const Name &size : def->sizes)
        call.sizes[size.text.str()] = number ? random.between(1, 7) : 4;
      for (const tc::Parameter &parameter : def->parameters)
        if (isIndex(parameter) && random.chance(70))
          call.limits[parameter.name.text.str()] = random.between(1, 4);
      calls.push_back(call);
    }
  return calls;
}

} // namespace

std::string random::compare(const std::string &text) {
  std::unique_ptr<Parsed> parsed = parseAndCheck(text);
  if (!parsed->program)
    return "rejected\n" + parsed->errors;
  if (std::string difference = wrongType(*parsed->program); !difference.empty())
    return difference;
  if (std::string difference = compareFormatted(parsed->file); !difference.empty())
    return difference;
  std::optional<Call> written = readCall(text);
  for (const Call &call : written ? std::vector{*written} : callsOf(*parsed->program))
    if (std::string difference = Comparison(parsed->file, *parsed->program, call).run();
        !difference.empty())
      return (written ? "" : call.text()) + difference;
  return "";
}

std::string random::classify(const std::string &text) {
  static constexpr const char *names[] = {"finished", "rejected", "undefined", "unclear",
                                          "too long"};
  std::unique_ptr<Parsed> parsed = parseAndCheck(text);
  Outcome outcome = interpret(*parsed->program, *readCall(text), maxSteps);
  std::string name = names[int(outcome.end)];
  if (outcome.end == End::Rejected)
    name += " by " + outcome.rejection.rule;
  if (outcome.fault)
    name += ", with --checked " + outcome.fault->rule;
  bool isExact = true, isKnown = true;
  for (const Array &array : outcome.results)
    for (const Number &element : array.elements) {
      isExact &= element.isExact();
      isKnown &= element.isKnown();
    }
  return name + (!isKnown ? ", partly unknown" : isExact ? "" : ", rounded");
}

std::string random::compareApart(const std::string &text) {
  return apart([&] { return compare(text); });
}
