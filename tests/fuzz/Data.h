/// Types for the targets that read data; the first byte of an input selects one.
#ifndef TESSERA_TESTS_FUZZ_DATA_H
#define TESSERA_TESTS_FUZZ_DATA_H

#include "Fuzz.h"
#include "lang/DataType.h"

namespace tessera::fuzz {

inline DataType typeNumber(unsigned number) {
  DataType bytes = DataType::vector(DataType::scalar(Scalar::I8));
  DataType count = DataType::scalar(Scalar::U64), real = DataType::scalar(Scalar::F32);
  DataType truth = DataType::scalar(Scalar::Bool);
  DataType types[] = {
      bytes,
      DataType::vector(DataType::structOf({count, real, bytes})),
      DataType::dictionary(bytes, DataType::vector(real)),
      DataType::dictionary(DataType::structOf({real, truth, count}), count),
      DataType::structOf({truth, DataType::vector(DataType::vector(truth)), real}),
      DataType::vector(DataType::dictionary(count, DataType::dictionary(truth, bytes))),
  };
  return types[number % std::size(types)];
}

} // namespace tessera::fuzz

#endif
