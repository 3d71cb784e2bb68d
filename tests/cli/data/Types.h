/// Types and values from their texts, for tests.
#ifndef TESSERA_TEST_CLI_DATA_TYPES_H
#define TESSERA_TEST_CLI_DATA_TYPES_H

#include "../Captured.h"
#include "cli/data/Print.h"
#include "cli/data/Values.h"

namespace tessera::cli::data {

/// "vec[{i64,f64}]": the format of DataType::text.
class TypeParser {
public:
  explicit TypeParser(llvm::StringRef text) : rest(text) {}

  DataType parse() {
    if (rest.consume_front("vec["))
      return DataType::vector(list("]").front());
    if (rest.consume_front("{"))
      return DataType::structOf(list("}"));
    if (rest.consume_front("dict[")) {
      std::vector<DataType> parts = list("]");
      return DataType::dictionary(parts[0], parts[1]);
    }
    for (Scalar scalar :
         {Scalar::Bool, Scalar::I8, Scalar::I16, Scalar::I32, Scalar::I64, Scalar::U8, Scalar::U16,
          Scalar::U32, Scalar::U64, Scalar::F32, Scalar::F64})
      if (rest.consume_front(DataType::scalar(scalar).text()))
        return DataType::scalar(scalar);
    abort();
  }

private:
  std::vector<DataType> list(llvm::StringRef end) {
    std::vector<DataType> types;
    while (!rest.consume_front(end)) {
      types.push_back(parse());
      rest.consume_front(",");
    }
    return types;
  }

  llvm::StringRef rest;
};

inline DataType typed(llvm::StringRef text) {
  return TypeParser(text).parse();
}

/// A value of this type; null, with the report in `errors`, if the text is not one.
inline std::unique_ptr<Value> valueOf(llvm::StringRef type, llvm::StringRef text,
                                      std::string &errors, const ReadOptions &options = {}) {
  Captured captured;
  auto value = std::make_unique<Value>(typed(type));
  Target target{"parameter", "x", value->type, value->slot(), value->memory};
  bool isRead = readValue(text, target, options, captured.terminal);
  errors = captured.errors();
  return isRead ? std::move(value) : nullptr;
}

inline std::string json(const Value &value, JsonStyle style = {}) {
  std::string text;
  llvm::raw_string_ostream out(text);
  printJson(out, value.type, value.slot(), style);
  return text;
}

/// Prints what was read; or what is wrong with it.
inline std::string roundTrip(llvm::StringRef type, llvm::StringRef text,
                             const ReadOptions &options = {}) {
  std::string errors;
  auto value = valueOf(type, text, errors, options);
  return value ? json(*value) : errors;
}

} // namespace tessera::cli::data

#endif
