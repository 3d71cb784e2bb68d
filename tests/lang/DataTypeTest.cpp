#include "lang/DataType.h"
#include "gtest/gtest.h"

using namespace tessera;

namespace {

const DataType byte = DataType::scalar(Scalar::I8), truth = DataType::scalar(Scalar::Bool);
const DataType wide = DataType::scalar(Scalar::F64), word = DataType::scalar(Scalar::U32);

} // namespace

TEST(DataType, HasTheMemoryLayoutOfC) {
  struct Inner {
    int8_t first;
    uint32_t second;
  };
  struct Outer {
    bool first;
    Inner second;
    double third;
    int8_t fourth;
  };
  DataType inner = DataType::structOf({byte, word});
  DataType outer = DataType::structOf({truth, inner, wide, byte});
  EXPECT_EQ(outer.size(), sizeof(Outer));
  EXPECT_EQ(outer.alignment(), alignof(Outer));
  EXPECT_EQ(outer.offset(1), offsetof(Outer, second));
  EXPECT_EQ(outer.offset(2), offsetof(Outer, third));
  EXPECT_EQ(outer.offset(3), offsetof(Outer, fourth));
  EXPECT_EQ(DataType::structOf({}).size(), 0u);
  EXPECT_EQ(DataType::vector(byte).size(), 16u);
  EXPECT_EQ(DataType::dictionary(byte, wide).size(), 8u);
  EXPECT_EQ(DataType::dictionary(byte, wide).entry().size(), 16u);
}

TEST(DataType, IsWrittenAsInWeld) {
  DataType type = DataType::dictionary(DataType::structOf({byte, truth}), DataType::vector(word));
  EXPECT_EQ(type.text(), "dict[{i8,bool},vec[u32]]");
}

TEST(DataType, KnowsTextsAndPointers) {
  EXPECT_TRUE(DataType::vector(byte).isText());
  EXPECT_FALSE(DataType::vector(word).isText());
  EXPECT_FALSE(DataType::vector(DataType::vector(byte)).isText());
  EXPECT_TRUE(DataType::structOf({byte, DataType::structOf({word})}).holdsNoPointers());
  EXPECT_FALSE(DataType::structOf({byte, DataType::vector(word)}).holdsNoPointers());
}

TEST(DataType, ComparesAllParts) {
  EXPECT_EQ(DataType::vector(byte), DataType::vector(byte));
  EXPECT_NE(DataType::vector(byte), DataType::vector(word));
  EXPECT_NE(DataType::structOf({byte}), DataType::structOf({byte, byte}));
  EXPECT_NE(DataType::vector(byte), DataType::structOf({byte}));
}
