/// `check` accepts or rejects the files of this folder and the programs of the reference as they
/// say.
#include "Marked.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"

using namespace tessera;
using namespace tessera::weld;
using llvm::StringRef;

namespace {

std::string read(const std::string &path) {
  auto buffer = llvm::MemoryBuffer::getFile(path);
  return buffer ? (*buffer)->getBuffer().str() : "";
}

TEST(WeldPages, FilesReportWhatTheirMarksSay) {
  std::error_code error;
  unsigned count = 0;
  for (llvm::sys::fs::directory_iterator file(TESSERA_ROOT "/tests/lang/weld", error), end;
       file != end && !error; file.increment(error)) {
    if (!StringRef(file->path()).ends_with(".weld"))
      continue;
    SourceFile source(file->path(), read(file->path()));
    LanguageOptions options;
    options.strict = source.text().contains("--strict");
    expectMarked(source, options);
    ++count;
  }
  EXPECT_GE(count, 3u);
}

/// The rules that have been reported, each once.
std::string rulesIn(const SourceFile &file, const LanguageOptions &options, Severity severity) {
  DiagnosticEngine diagnostics;
  weldLanguage.check(file, options, diagnostics);
  llvm::SmallVector<StringRef> rules;
  for (const Diagnostic &diagnostic : diagnostics.sorted())
    if (diagnostic.severity == severity && !llvm::is_contained(rules, diagnostic.kind->rule))
      rules.push_back(diagnostic.kind->rule);
  return llvm::join(rules, " ");
}

/// A block of the page, after the rule `rule`.
void expectBlock(StringRef words, StringRef program, StringRef rule, unsigned line) {
  SourceFile file("weld.md", program.str());
  LanguageOptions options;
  options.strict = words.contains("--strict");
  for (StringRef word : llvm::split(words, ' '))
    if (word.contains("weld."))
      rule = word;
  EXPECT_EQ(rulesIn(file, options, Severity::Error), words.contains("fails") ? rule.str() : "")
      << "line " << line;
  if (words.contains("warns")) {
    EXPECT_EQ(rulesIn(file, options, Severity::Warning), rule.str()) << "line " << line;
  }
}

TEST(WeldPages, ProgramsOfTheReferenceDoWhatTheySay) {
  std::string page = read(TESSERA_ROOT "/docs/languages/weld.md"), program;
  StringRef rule, words;
  unsigned number = 0, count = 0;
  bool isInside = false;
  for (StringRef line : llvm::split(page, '\n')) {
    ++number;
    if (isInside && line == "```") {
      expectBlock(words, program, rule, number);
      isInside = false;
      ++count;
    } else if (isInside) {
      program += (line + "\n").str();
    } else if (line.consume_front("```weld")) {
      isInside = true, words = line.trim();
      program.clear();
    } else if (line.consume_front("### ")) {
      rule = line.split(' ').first;
    }
  }
  EXPECT_GT(count, 100u);
}

} // namespace
