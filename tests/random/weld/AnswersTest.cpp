/// The evaluator gives the answers stated in the manual and in the programs of tests/run.
#include "Case.h"
#include "Printed.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/StringSaver.h"
#include <gtest/gtest.h>

using namespace tessera;
using namespace tessera::weld::random;
using llvm::StringRef;

namespace {

std::string contents(const std::string &path) {
  auto buffer = llvm::MemoryBuffer::getFile(path);
  EXPECT_TRUE(bool(buffer)) << path;
  return buffer ? (*buffer)->getBuffer().str() : "";
}

/// `a=1 b='2 of [1]' --threads=2`, as after `tessera run FILE`.
std::vector<Argument> argumentsIn(StringRef commandLine) {
  llvm::BumpPtrAllocator allocator;
  llvm::StringSaver saver(allocator);
  llvm::SmallVector<const char *> words;
  llvm::cl::TokenizeGNUCommandLine(commandLine, saver, words);
  std::vector<Argument> arguments;
  for (StringRef word : words)
    if (auto [name, value] = word.split('='); !word.starts_with("--"))
      arguments.push_back({name.str(), value.str()});
  return arguments;
}

/// What a program states about one of its calls.
struct Stated {
  std::string arguments, answer, error;
  bool isAbout = false;
};

/// Whether two texts differ only in the last digits of numbers.
bool isAbout(StringRef stated, StringRef found) {
  auto isNumeric = [](char c) { return llvm::isDigit(c) || StringRef(".e+-").contains(c); };
  while (!stated.empty() && !found.empty()) {
    StringRef one = stated.take_while(isNumeric), other = found.take_while(isNumeric);
    double first = 0, second = 0;
    if (one.getAsDouble(first) || other.getAsDouble(second)) {
      if (one != other || stated.take_front() != found.take_front())
        return false;
      stated = stated.drop_front(), found = found.drop_front();
      continue;
    }
    if (std::abs(first - second) > 1e-5 * std::max(1.0, std::abs(first)))
      return false;
    stated = stated.drop_front(one.size()), found = found.drop_front(other.size());
  }
  return stated.empty() && found.empty();
}

/// The evaluator gives the position and the name; the compiler's message, which a program states,
/// may say more, or leave the position to another case.
bool isError(StringRef stated, StringRef found) {
  StringRef name = found.rsplit(": ").second;
  return found.consume_front("fails at ") &&
         (stated.starts_with(found) || stated.split(':').first == name);
}

void expectAnswer(const std::string &program, const Stated &stated) {
  std::string found = evaluated(program, argumentsIn(stated.arguments));
  if (!stated.error.empty())
    EXPECT_TRUE(isError(stated.error, found)) << program << stated.arguments << "\n" << found;
  else if (stated.isAbout)
    EXPECT_TRUE(isAbout(stated.answer, found)) << program << stated.arguments << "\n" << found;
  else
    EXPECT_EQ(found, stated.answer) << program << stated.arguments;
}

/// Examples: "# run: a=1", then "# gives: 2" or "# about: 2".
void checkExample(const std::string &program, int &numChecked) {
  Stated stated;
  for (StringRef line : llvm::split(program, '\n')) {
    if (line.consume_front("# run:"))
      stated.arguments = line.trim().str();
    stated.isAbout = line.starts_with("# about: ");
    if (!line.consume_front("# gives: ") && !line.consume_front("# about: "))
      continue;
    stated.answer = line.str();
    expectAnswer(program, stated);
    ++numChecked;
  }
}

TEST(WeldAnswers, AgreeWithTheManual) {
  std::string page = contents(TESSERA_ROOT "/docs/languages/weld.md");
  StringRef rest = page;
  int numChecked = 0;
  while (true) {
    size_t begin = rest.find("```weld\n");
    if (begin == StringRef::npos)
      break;
    rest = rest.drop_front(begin + strlen("```weld\n"));
    auto [program, after] = rest.split("```");
    checkExample(program.str(), numChecked);
    rest = after;
  }
  EXPECT_GT(numChecked, 80);
}

/// The fields of tests/programs.py. An error has the form "program.weld:3:5: ... Name".
std::vector<Stated> casesOf(StringRef program) {
  std::vector<Stated> cases;
  for (StringRef line : llvm::split(program, '\n')) {
    if (!line.consume_front("#"))
      break;
    auto [field, value] = line.trim().split(':');
    if (field == "==")
      cases.emplace_back();
    else if (field == "args")
      cases.back().arguments = value.trim().str();
    else if (field == "output" || field == "about")
      cases.back().answer = value.trim().str(), cases.back().isAbout = field == "about";
    else if (field == "error" && !value.contains(".weld:"))
      cases.back().error += (cases.back().error.empty() ? "" : ": ") + value.trim().str();
    else if (field == "error")
      cases.back().error = value.split(".weld:").second.rtrim(": ").str();
  }
  return cases;
}

/// Calls `visit` with each program of tests/run; returns the number of cases.
int forEachProgram(
    llvm::function_ref<void(const std::string &program, llvm::ArrayRef<Stated> cases)> visit) {
  std::error_code error;
  int numCases = 0;
  for (llvm::sys::fs::directory_iterator file(TESSERA_ROOT "/tests/run/weld", error), end;
       file != end && !error; file.increment(error)) {
    if (llvm::sys::path::extension(file->path()) != ".weld")
      continue;
    SCOPED_TRACE(file->path());
    std::string program = contents(file->path());
    std::vector<Stated> cases = casesOf(program);
    EXPECT_FALSE(cases.empty());
    visit(program, cases);
    numCases += int(cases.size());
  }
  return numCases;
}

TEST(WeldAnswers, AgreeWithPrograms) {
  int numCases = forEachProgram([](const std::string &program, llvm::ArrayRef<Stated> cases) {
    for (const Stated &stated : cases)
      expectAnswer(program, stated);
  });
  EXPECT_GT(numCases, 40);
}

/// Without the position of a failure, which differs in a printed program.
std::string meaningOf(const std::string &program, const Stated &stated) {
  std::string outcome = evaluated(program, argumentsIn(stated.arguments));
  StringRef text = outcome;
  return (text.starts_with("fails at ") ? text.rsplit(": ").second : text).str();
}

/// `emit --stage=weld` prints, after any pass, a program of the same meaning.
TEST(WeldAnswers, AgreeWithPrintedPrograms) {
  int numPrinted = 0;
  forEachProgram([&](const std::string &program, llvm::ArrayRef<Stated> cases) {
    Parsed parsed(program);
    ASSERT_TRUE(parsed.isCorrect);
    forEachPrinted(*parsed.program, [&](StringRef pass, const std::string &text) {
      for (const Stated &stated : cases)
        EXPECT_TRUE(isAbout(meaningOf(program, stated), meaningOf(text, stated)))
            << pass.str() << "\n"
            << text << meaningOf(text, stated);
      ++numPrinted;
    });
  });
  EXPECT_GT(numPrinted, 150);
}

} // namespace
