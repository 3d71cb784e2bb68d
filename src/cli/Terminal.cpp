#include "cli/Terminal.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/JSON.h"

using namespace tessera;
using namespace tessera::cli;
using llvm::StringRef;

/// Longer values are cut off in messages: both sides of a mismatch should fit on a screen.
static constexpr size_t maxQuoted = 60;

/// Says how many errors exceed the limit: a reader of JSON, too, must learn that the list is
/// incomplete.
static void tellDropped(llvm::raw_ostream &out, unsigned dropped, bool asJson) {
  std::string text =
      llvm::formatv("{0} more {1} not shown", dropped, dropped == 1 ? "error is" : "errors are");
  if (!asJson) {
    out << "tessera: note: " << text << '\n';
    return;
  }
  llvm::json::Object object{
      {"severity", "note"}, {"rule", ""}, {"message", text}, {"errorsNotShown", dropped}};
  object["notes"] = llvm::json::Array();
  object["fixits"] = llvm::json::Array();
  out << llvm::json::Value(std::move(object)) << '\n';
}

void Terminal::show(DiagnosticEngine &diagnostics) {
  for (const Diagnostic &diagnostic : diagnostics.sorted())
    print(err, diagnostic, style);
  if (unsigned dropped = diagnostics.numDropped())
    tellDropped(err, dropped, style.json);
  diagnostics.clear();
}

bool cli::wantsColor(const ColorInputs &inputs) {
  if (inputs.option == "always" || inputs.option == "never")
    return inputs.option == "always";
  bool isForbidden = inputs.noColor && *inputs.noColor;
  bool isDumb = !inputs.term || StringRef(inputs.term) == "dumb";
  return inputs.isTerminal && !isForbidden && !isDumb;
}

static std::string onOneLine(StringRef text) {
  std::string shown = text.str();
  for (char &c : shown)
    if (llvm::isSpace(c))
      c = ' ';
  return escaped(shown);
}

std::string cli::inBackticks(StringRef text) {
  size_t size = std::min(text.size(), maxQuoted);
  while (size && size < text.size() && (text[size] & 0xc0) == 0x80) // Inside a character.
    --size;
  return "`" + onOneLine(text.take_front(size)) + (size < text.size() ? "...`" : "`");
}

std::string cli::pathInBackticks(StringRef path) {
  return "`" + onOneLine(path) + "`";
}
