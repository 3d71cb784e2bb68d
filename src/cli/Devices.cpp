/// `tessera devices`: what can execute programs here, and why the rest cannot.
#include "cli/Commands.h"
#include "cli/Machine.h"
#include "llvm/Support/JSON.h"

using namespace tessera::cli;

int tessera::cli::runDevices(const Invocation &invocation, Terminal &terminal) {
  for (const Device &device : describeDevices(describeMachine())) {
    if (!invocation.has(Opt::Json)) {
      terminal.out << llvm::formatv("{0,-8}{1,-15}{2}\n", device.name,
                                    device.isAvailable ? "available" : "not available",
                                    device.description);
      continue;
    }
    llvm::json::OStream json(terminal.out);
    json.object([&] {
      json.attribute("device", device.name);
      json.attribute("available", device.isAvailable);
      json.attribute(device.isAvailable ? "description" : "reason", device.description);
    });
    terminal.out << '\n';
  }
  return Success;
}
