#include "cli/Failure.h"
#include "llvm/Support/JSON.h"
#include <cstdio>

using namespace tessera;
using namespace tessera::cli;
using llvm::json::Array;
using llvm::json::Object;

/// A program that was read as MLIR may know where a position begins, but not where it ends.
static Object positionsOf(const tessera_site &place) {
  if (!place.file)
    return {};
  bool hasEnd = place.end_line > 0;
  return Object{{"file", llvm::json::fixUTF8(place.file)},
                {"line", place.line},
                {"column", place.column},
                {"endLine", hasEnd ? place.end_line : place.line},
                {"endColumn", hasEnd ? place.end_column : place.column}};
}

static Object errorObject(const tessera_site &place, llvm::StringRef message, Array notes) {
  Object object = positionsOf(place);
  object["severity"] = "error";
  object["rule"] = place.rule ? place.rule : "";
  object["message"] = llvm::json::fixUTF8(message);
  object["notes"] = std::move(notes);
  object["fixits"] = Array();
  return object;
}

static Array callNotes(const runtime::Failure &failure) {
  Array notes;
  for (int32_t index = 0; index < failure.numCalls; ++index) {
    if (failure.numHiddenCalls && index == runtime::shownCalls)
      notes.push_back(
          Object{{"message", llvm::formatv("{0} more calls", failure.numHiddenCalls).str()}});
    Object note = positionsOf(*failure.calls[index]);
    note["message"] = llvm::formatv("in {0}, called here", failure.calls[index]->message).str();
    notes.push_back(std::move(note));
  }
  return notes;
}

/// Whether a place is in this text.
static bool isIn(const tessera_site &place, const SourceFile &source) {
  return place.file && source.name() == place.file && place.line > 0 &&
         uint32_t(place.line) <= source.numLines();
}

static uint32_t offsetOf(const SourceFile &source, int32_t line, int32_t column) {
  uint32_t number = std::min<uint32_t>(line, source.numLines());
  uint32_t size = source.line(number).size();
  return source.lineStart(number) + std::min<uint32_t>(std::max(column, 1) - 1, size);
}

static SourceRange rangeOf(const SourceFile &source, const tessera_site &place) {
  uint32_t begin = offsetOf(source, place.line, place.column);
  bool hasEnd = place.end_line > 0;
  return {begin, hasEnd ? offsetOf(source, place.end_line, place.end_column) : begin};
}

/// The calls around a failure, innermost first.
static void addCalls(Report report, const runtime::Failure &failure, const SourceFile &source) {
  for (int32_t index = 0; index < failure.numCalls; ++index) {
    if (failure.numHiddenCalls && index == runtime::shownCalls)
      report.hint("{0} more calls", failure.numHiddenCalls);
    const tessera_site &call = *failure.calls[index];
    if (isIn(call, source))
      report.note(rangeOf(source, call), "in {0}, called here", call.message);
    else
      report.hint("in {0}, called at {1}:{2}:{3}", call.message, call.file, call.line, call.column);
  }
}

static int exitStatusOf(int status) {
  return status == TESSERA_INVALID_ARGUMENT ? UsageError
         : status == TESSERA_WRONG_CPU      ? NotPossibleHere
                                            : RuntimeError;
}

int tessera::cli::reportFailure(const runtime::Failure &failure, const SourceFile &source,
                                Terminal &terminal) {
  fflush(stdout);
  terminal.out.flush();
  if (terminal.style.json)
    terminal.err << llvm::json::Value(
                        errorObject(failure.place, failure.message, callNotes(failure)))
                 << '\n';
  else if (isIn(failure.place, source)) {
    DiagnosticKind kind{"", failure.place.rule ? failure.place.rule : "", Severity::Error, "{0}"};
    DiagnosticEngine diagnostics;
    addCalls(diagnostics.report(&source, rangeOf(source, failure.place), kind,
                                llvm::StringRef(failure.message)),
             failure, source);
    terminal.show(diagnostics);
  } else
    terminal.err << (failure.place.file ? "" : "tessera: error: ") << failure.text << '\n';
  return exitStatusOf(failure.status);
}

int tessera::cli::reportFailure(int status, llvm::StringRef text, Terminal &terminal) {
  if (terminal.style.json)
    terminal.err << llvm::json::Value(errorObject({}, text, {})) << '\n';
  else
    terminal.err << (text.contains(": error: ") ? "" : "tessera: error: ") << text << '\n';
  return exitStatusOf(status);
}

std::string tessera::cli::faultText(const tessera_site *place, const SourceFile &source,
                                    llvm::StringRef message, llvm::StringRef hint,
                                    PrintStyle style) {
  std::string text;
  llvm::raw_string_ostream out(text);
  if (style.json) {
    Array notes;
    if (!hint.empty())
      notes.push_back(Object{{"message", hint}});
    out << llvm::json::Value(
               errorObject(place ? *place : tessera_site{}, message, std::move(notes)))
        << '\n';
    return text;
  }
  if (place && isIn(*place, source)) {
    DiagnosticKind kind{"", "", Severity::Error, "{0}"};
    DiagnosticEngine diagnostics;
    Report report = diagnostics.report(&source, rangeOf(source, *place), kind, message);
    if (!hint.empty())
      report.hint("{0}", hint);
    print(out, diagnostics.sorted().front(), style);
    return text;
  }
  if (place)
    out << place->file << ':' << place->line << ':' << place->column << ": error: ";
  else
    out << "tessera: error: ";
  out << message << '\n';
  if (!hint.empty())
    out << "     = note: " << hint << '\n';
  return text;
}
