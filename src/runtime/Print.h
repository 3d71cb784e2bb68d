/// What the command line asks of the lines that programs print.
#ifndef TESSERA_RUNTIME_PRINT_H
#define TESSERA_RUNTIME_PRINT_H

namespace tessera::runtime {

/// Whether programs print lines such as `{"print":[1, 2]}`, whole, instead of the value alone; of
/// the process.
void setPrintsJson(bool wanted);

/// For signal handlers: hands on what was printed so far and calls `end`, at once or, where a line
/// is being printed, behind it. The second call does not wait.
void endBehindPrinted(void (*end)());

} // namespace tessera::runtime

#endif
