#include "Generator.h"
#include "Writer.h"
#include "llvm/ADT/StringExtras.h"

using namespace tessera;
using namespace tessera::weld;
using namespace tessera::weld::random;

static constexpr const char *macro = "macro twice(f, x) = (let y0 = f(x); let z = f(y0); z);\n";

std::string Writer::program() {
  std::string comments;
  std::vector<std::string> parameters;
  for (int64_t i = random.between(0, 4); i > 0; --i) {
    std::string name = fresh("a");
    const Type *type = random.chance(60) ? vecOf(valueType(1)) : valueType(3);
    comments += "# " + name + " = " + argument(type) + "\n";
    parameters.push_back(name + ": " + spelling(*type));
    enter(name, type);
  }
  std::vector<std::string> fields;
  for (int64_t i = random.between(1, 3); i > 0; --i) {
    budget = int(random.between(8, 70));
    fields.push_back(expr(valueType(2), int(random.between(3, 7))));
  }
  std::string value = fields.size() == 1 ? fields[0] : "{" + llvm::join(fields, ",\n   ") + "}";
  return comments + (callsMacro ? macro : "") + "|" + llvm::join(parameters, ", ") + "|\n  " +
         value + "\n";
}

std::string random::generate(uint64_t seed) {
  return Writer(seed).program();
}
