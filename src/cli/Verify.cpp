#include "cli/Verify.h"
#include "llvm/ADT/StringExtras.h"

using namespace tessera;
using namespace tessera::cli;
using llvm::StringRef;

namespace {

struct Expectation {
  uint32_t line;
  StringRef severity, rule, text;
  bool isMet = false;
};

/// After `//!`: [@OFFSET] SEVERITY RULE [: TEXT].
Expectation parse(StringRef text, uint32_t line) {
  Expectation expected{line, {}, {}, {}};
  text = text.ltrim();
  if (text.consume_front("@")) {
    auto [offset, rest] = text.split(' ');
    int delta = 0;
    offset.consume_front("+");
    if (!offset.getAsInteger(10, delta))
      expected.line += delta;
    text = rest.ltrim();
  }
  std::tie(expected.severity, text) = text.split(' ');
  size_t end = text.find_first_of(": ");
  expected.rule = text.take_front(end);
  expected.text = text.drop_front(expected.rule.size()).ltrim(": ").rtrim();
  return expected;
}

std::vector<Expectation> expectationsIn(const SourceFile &file) {
  std::vector<Expectation> expectations;
  for (uint32_t line = 1; line <= file.numLines(); ++line) {
    StringRef rest = file.line(line);
    for (size_t at = rest.find("//!"); at != StringRef::npos; at = rest.find("//!")) {
      rest = rest.drop_front(at + 3);
      expectations.push_back(parse(rest.take_front(rest.find("//!")), line));
    }
  }
  return expectations;
}

bool matches(const Expectation &expected, const Diagnostic &diagnostic) {
  return !expected.isMet &&
         expected.line == diagnostic.file->position(diagnostic.range.begin).line &&
         expected.severity == name(diagnostic.severity) && expected.rule == diagnostic.kind->rule &&
         StringRef(diagnostic.message).contains(expected.text);
}

} // namespace

int tessera::cli::verifyDiagnostics(Source &source, const LanguageOptions &options,
                                    const Invocation &invocation, Terminal &terminal) {
  DiagnosticEngine diagnostics(invocation.has(Opt::Strict), /*keepsAll=*/true);
  source.program = source.language->check(source.file, options, diagnostics);
  std::vector<Expectation> expectations = expectationsIn(source.file);
  bool isAsExpected = true;
  for (const Diagnostic &diagnostic : diagnostics.sorted()) {
    auto expected =
        llvm::find_if(expectations, [&](const Expectation &e) { return matches(e, diagnostic); });
    if (expected != expectations.end()) {
      expected->isMet = true;
      continue;
    }
    terminal.err << "not expected:\n";
    print(terminal.err, diagnostic, terminal.style);
    isAsExpected = false;
  }
  for (const Expectation &expected : expectations)
    if (!expected.isMet) {
      terminal.err << source.file.name() << ':' << expected.line
                   << ": expected, but not reported: " << expected.severity << ' ' << expected.rule
                   << ' ' << expected.text << '\n';
      isAsExpected = false;
    }
  return isAsExpected ? Success : ProgramError;
}
