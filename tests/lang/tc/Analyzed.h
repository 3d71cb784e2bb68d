/// A TC program from its text up to its ranges, for tests.
#ifndef TESSERA_TESTS_LANG_TC_ANALYZED_H
#define TESSERA_TESTS_LANG_TC_ANALYZED_H

#include "lang/tc/Check.h"
#include "lang/tc/Parser.h"
#include "lang/tc/Ranges.h"
#include <gtest/gtest.h>

namespace tessera::tc {

class Analyzed {
public:
  using Values = std::vector<std::pair<llvm::StringRef, int64_t>>;

  explicit Analyzed(std::string text, const Values &values = {}, llvm::StringRef entry = "")
      : file("test.tc", std::move(text)), program(parse(file, diagnostics)) {
    Bindings bindings;
    for (auto [name, value] : values)
      bindings[name] = value;
    Checker(*program, {}, diagnostics).checkProgram();
    if (diagnostics.hasErrors())
      return;
    for (const Def *def : program->defs)
      if (entry.empty() || def->name.text == entry) {
        inferred = inferRanges(*program, *def, bindings, diagnostics);
        return;
      }
  }

  bool isCorrect() const { return inferred && inferred->isCorrect; }

  /// "0:N, 0:M"
  std::string shape(llvm::StringRef tensor) const {
    for (auto &[known, shape] : inferred->entry().tensors)
      if (known->name.text == tensor)
        return text(shape);
    return "(none)";
  }
  /// The variables of the statement with this number: "i in 0:N, k in 0:K"
  std::string variables(unsigned statement = 0) const {
    const Frame &frame = inferred->entry();
    auto *comprehension = frame.def->body[statement]->as<Comprehension>();
    auto ranges = frame.variables.find(comprehension);
    if (ranges == frame.variables.end())
      return "(none)";
    std::string result;
    for (auto [variable, range] : llvm::zip(comprehension->variables, ranges->second))
      result += (result.empty() ? "" : ", ") + (variable->name.text + " in ").str() + text(range);
    return result;
  }
  /// What `check` would report, one per line: "warning tc.error.17: this requires ..."
  std::string messages() {
    std::string result;
    for (const Diagnostic &diagnostic : diagnostics.sorted()) {
      bool isOther = llvm::StringRef(diagnostic.kind->rule).starts_with("tc.op.");
      if (!isOther)
        result += llvm::formatv("{0} {1}: {2}\n", name(diagnostic.severity), diagnostic.kind->rule,
                                diagnostic.message);
    }
    return result;
  }
  std::vector<std::string> preconditions(bool withSilent = false) const {
    std::vector<std::string> texts;
    for (const Precondition &condition : inferred->entry().preconditions)
      if (withSilent || !condition.isSilent)
        texts.push_back(condition.text);
    return texts;
  }
  /// The texts of the reads that are not proved.
  std::vector<std::string> unproved() const {
    std::vector<std::string> texts;
    for (auto &[read, dimensions] : inferred->entry().unproved)
      for (unsigned dimension : dimensions)
        texts.push_back(file.text(read->arguments[dimension]->range).str());
    return texts;
  }

  static std::string text(const Range &range) {
    return range.lower.str() + ":" + range.upper.str();
  }
  static std::string text(const Shape &shape) {
    std::string result;
    for (const Range &range : shape)
      result += (result.empty() ? "" : ", ") + text(range);
    return result;
  }

  SourceFile file;
  DiagnosticEngine diagnostics;
  std::unique_ptr<Program> program;
  std::unique_ptr<Inferred> inferred;
};

} // namespace tessera::tc

#endif
