#include "lang/weld/Reporter.h"
#include "lang/weld/Advice.h"
#include "lang/weld/ParserImpl.h"

using namespace tessera;
using namespace tessera::weld;

SourceRange Reporter::placeOf(Place place) {
  SourceRange range = place.range;
  for (const Expansion *expansion = place.expansion; expansion; expansion = expansion->outer)
    range = expansion->call;
  return range;
}

Report Reporter::ignored() {
  return ignoredReport();
}

void Reporter::labelOther(Report report, Place place, Place other, const char *text) const {
  // One range for two expressions means that a macro has copied an argument.
  if (place.range.begin == other.range.begin && place.expansion == other.expansion) {
    report.hint("a macro uses this argument more than once");
    return;
  }
  bool isOneCall = other.isInMacro() && placeOf(place).begin == placeOf(other).begin;
  if (!isOneCall)
    report.label(placeOf(other), "{0}", text);
  else if (other.expansion->file == program.file)
    report.note(other.range, "{0}", text);
}

/// From the innermost macro outwards. The text of standard macros is not shown.
void Reporter::noteMacros(Report report, Place place) const {
  static constexpr unsigned maxNotes = 3;
  SourceRange range = place.range;
  unsigned count = 0;
  for (const Expansion *expansion = place.expansion; expansion; expansion = expansion->outer) {
    bool isOwn = expansion->file == program.file;
    if (++count <= maxNotes && isOwn)
      report.note(range, "in the text of macro `{0}`", expansion->macro.text);
    else if (count <= maxNotes)
      report.hint("{0}", usageOfStandard(expansion->macro.text));
    range = expansion->call;
  }
  if (count > maxNotes)
    report.hint("and through {0} more macro{1}", count - maxNotes,
                count == maxNotes + 1 ? "" : "s");
}
