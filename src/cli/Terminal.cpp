#include "cli/Terminal.h"
#include "llvm/Support/JSON.h"

using namespace tessera;
using namespace tessera::cli;
using llvm::StringRef;

/// Longer values are cut in messages: both ends of a disagreement should fit on a screen.
static constexpr size_t maxQuoted = 60;

/// Errors beyond the limit: a reader of JSON, too, must learn that the list is not whole.
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

std::string cli::inBackticks(StringRef text) {
  bool isCut = text.size() > maxQuoted;
  std::string shown = llvm::json::fixUTF8(text.take_front(maxQuoted));
  for (char &c : shown)
    if (static_cast<unsigned char>(c) < 32 || c == 127)
      c = ' ';
  return "`" + shown + (isCut ? "...`" : "`");
}
