/// How programs print lines under the command line.
#ifndef TESSERA_RUNTIME_PRINT_H
#define TESSERA_RUNTIME_PRINT_H

namespace tessera::runtime {

/// Whether programs print whole lines such as `{"print":[1, 2]}` instead of the value alone; for
/// the process.
void setPrintsJson(bool wanted);

/// For signal handlers: writes what has been printed so far and calls `end`, at once or after the
/// line that is being printed. The second call does not wait.
void endAfterPrinted(void (*end)());

} // namespace tessera::runtime

#endif
