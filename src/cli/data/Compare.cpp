#include "cli/data/Compare.h"
#include "cli/Results.h"
#include "cli/Terminal.h"
#include "cli/data/Access.h"
#include "cli/data/Print.h"

using namespace tessera;
using namespace tessera::cli;
using namespace tessera::cli::data;

namespace {

std::string textOf(const DataType &type, const void *value) {
  std::string text;
  llvm::raw_string_ostream out(text);
  printJson(out, type, value, {.isAbbreviated = true});
  return text;
}

class Comparison {
public:
  Comparison(double rtol, double atol) : rtol(rtol), atol(atol) {}

  /// False at the first difference.
  bool compare(const DataType &type, const void *actual, const void *expected) {
    switch (type.kind()) {
    case DataType::Kind::Scalar:
      return compareScalars(type, actual, expected);
    case DataType::Kind::Struct:
      return compareFields(type, actual, expected);
    case DataType::Kind::Vector:
    case DataType::Kind::Dictionary:
      break;
    }
    Items left = itemsOf(type, actual), right = itemsOf(type, expected);
    if (left.count != right.count)
      return differ(countText(left.count, type), countText(right.count, type));
    return type.isVector() ? compareElements(left, right) : compareEntries(tableAt(actual), right);
  }

  data::Difference difference;

private:
  bool differ(std::string actual, std::string expected) {
    difference.actual = std::move(actual);
    difference.expected = std::move(expected);
    return false;
  }

  static std::string countText(int64_t count, const DataType &type) {
    const char *noun = type.isVector() ? count == 1 ? " element" : " elements"
                       : count == 1    ? " entry"
                                       : " entries";
    return std::to_string(count) + noun;
  }

  bool compareScalars(const DataType &type, const void *actual, const void *expected) {
    bool areEqual = withElement(type.scalar(), [&]<typename T>(T left) {
      T right;
      memcpy(&left, actual, sizeof left);
      memcpy(&right, expected, sizeof right);
      return agree(wide(left), wide(right), rtol, atol);
    });
    return areEqual || differ(textOf(type, actual), textOf(type, expected));
  }

  /// Continues inside a part; its name stays in the path if the part differs.
  bool compareInside(const std::string &name, const DataType &type, const void *actual,
                     const void *expected) {
    size_t length = difference.path.size();
    difference.path += name;
    if (!compare(type, actual, expected))
      return false;
    difference.path.resize(length);
    return true;
  }

  bool compareFields(const DataType &type, const void *actual, const void *expected) {
    for (size_t field = 0; field < type.fields().size(); ++field)
      if (!compareInside(".$" + std::to_string(field), type.fields()[field],
                         fieldOf(type, actual, field), fieldOf(type, expected, field)))
        return false;
    return true;
  }

  bool compareElements(const Items &actual, const Items &expected) {
    for (int64_t index = 0; index < actual.count; ++index)
      if (!compareInside("[" + std::to_string(index) + "]", actual.type, actual[index],
                         expected[index]))
        return false;
    return true;
  }

  bool compareEntries(const tessera_table *actual, const Items &expected) {
    const DataType &key = expected.type.fields()[0], &value = expected.type.fields()[1];
    for (int64_t index = 0; index < expected.count; ++index) {
      const char *wanted = expected[index];
      const void *found = tessera_rt_table_find(actual, wanted);
      if (!found)
        return differ("no key " + textOf(key, wanted), "it");
      if (!compareInside("[" + textOf(key, wanted) + "]", value, found,
                         fieldOf(expected.type, wanted, 1)))
        return false;
    }
    return true;
  }

  double rtol, atol;
};

} // namespace

std::optional<data::Difference> data::compare(const DataType &type, const void *actual,
                                              const void *expected, double rtol, double atol) {
  Comparison comparison(rtol, atol);
  if (comparison.compare(type, actual, expected))
    return std::nullopt;
  return comparison.difference;
}
