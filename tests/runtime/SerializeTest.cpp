#include "Values.h"
#include "runtime/Table.h"
#include <cmath>
#include <cstring>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

using namespace tessera::tests;
using testing::ContainsRegex;
using testing::HasSubstr;

namespace {

const tessera_site site{"f.weld", 1, 2, "DeserializationError", nullptr};
const Words i8 = scalar(TESSERA_KIND_I8, 1), u16 = scalar(TESSERA_KIND_U16, 2),
            i64 = scalar(TESSERA_KIND_I64, 8), f64 = scalar(TESSERA_KIND_F64, 8);

class SerializeTest : public testing::Test {
protected:
  void SetUp() override { region = tessera_rt_region_create(nullptr); }
  void TearDown() override { tessera_rt_region_free(region); }

  tessera_vector write(const Words &type, const void *value) {
    tessera_vector bytes;
    tessera_rt_serialize(type.data(), value, region, nullptr, &bytes);
    return bytes;
  }
  int read(const Words &type, tessera_vector bytes, void *value) {
    return enter([&] {
      tessera_region *own = tessera_rt_region_create(nullptr);
      tessera_rt_deserialize(type.data(), &bytes, own, &site, value);
      tessera_rt_copy(type.data(), value, region, nullptr);
      tessera_rt_region_free(own);
    });
  }
  tessera_region *region;
};

struct Record {
  int8_t letter;
  tessera_vector numbers;
};
const Words record = pairOf(i8, vectorOf(u16), 8, 24);

TEST_F(SerializeTest, RestoresNestedValues) {
  uint16_t numbers[] = {1, 65535, 3};
  Record records[] = {{-5, {numbers, 3}}, {6, {nullptr, 0}}};
  tessera_vector value{records, 2}, back{};
  tessera_vector bytes = write(vectorOf(record), &value);
  EXPECT_EQ(bytes.count, 8 + (1 + 8 + 6) + (1 + 8));
  ASSERT_EQ(read(vectorOf(record), bytes, &back), TESSERA_OK);
  EXPECT_EQ(tessera_rt_compare(vectorOf(record).data(), &value, &back), 0);
}

TEST_F(SerializeTest, RestoresDictionariesInOrder) {
  Words entry = pairOf(i64, vectorOf(f64), 8, 24), type = dictionaryOf(entry);
  tessera_table *table = tessera_rt_table_create(entry.data(), region, 0, nullptr);
  double numbers[] = {1.5, -2.5};
  for (int64_t key : {70, 3, 5}) {
    tessera_vector vector{numbers, key % 3};
    memcpy(tessera_rt_table_insert(table, &key, nullptr), &vector, sizeof vector);
  }
  tessera_table *back = nullptr;
  ASSERT_EQ(read(type, write(type, &table), &back), TESSERA_OK);
  tessera_vector left{table->entries, 3}, right{back->entries, back->size};
  EXPECT_EQ(tessera_rt_compare(vectorOf(entry).data(), &left, &right), 0);
  int64_t key = 3;
  EXPECT_EQ(tessera_rt_table_find(back, &key), back->entries + 24 + 8);
  tessera_table *none = nullptr;
  ASSERT_EQ(read(type, write(type, &none), &back), TESSERA_OK);
  EXPECT_EQ(back->size, 0);
}

TEST_F(SerializeTest, ChecksEveryRead) {
  uint16_t numbers[] = {1, 2, 3};
  Record value{1, {numbers, 3}}, back;
  tessera_vector bytes = write(record, &value);
  for (int64_t count = 0; count < bytes.count; ++count) {
    EXPECT_EQ(read(record, {bytes.data, count}, &back), TESSERA_RUNTIME_ERROR) << count;
    EXPECT_THAT(tessera_last_error(), HasSubstr("f.weld:1:2: error: DeserializationError: "));
  }
  std::vector<char> more(bytes.count + 1);
  memcpy(more.data(), bytes.data, bytes.count);
  EXPECT_EQ(read(record, {more.data(), bytes.count + 1}, &back), TESSERA_RUNTIME_ERROR);
  EXPECT_THAT(tessera_last_error(), HasSubstr("1 of 16 bytes are left"));
  for (int64_t count : {int64_t(-1), int64_t(1) << 62}) {
    memcpy(more.data() + 1, &count, 8);
    EXPECT_EQ(read(record, {more.data(), bytes.count}, &back), TESSERA_RUNTIME_ERROR);
  }
}

TEST_F(SerializeTest, LackOfMemoryIsNotAnErrorInTheBytes) {
  std::vector<int64_t> numbers(1 << 17);
  tessera_vector value{numbers.data(), 1 << 17}, back;
  tessera_vector bytes = write(vectorOf(i64), &value);
  tessera_rt_set_memory_limit(1 << 16);
  EXPECT_EQ(read(vectorOf(i64), bytes, &back), TESSERA_RUNTIME_ERROR);
  EXPECT_THAT(tessera_last_error(),
              ContainsRegex(
                  "f.weld:1:2: error: OutOfMemory: [0-9]+ bytes exceed the limit of 65536 bytes"));
  tessera_rt_set_memory_limit(0);
}

/// A table of the numbers below `count`, whose places are direct.
tessera_table *countedTable(const Words &entry, int64_t count, tessera_region *region) {
  tessera_table *table = tessera_rt_table_create_merged(entry.data(), region, 0, nullptr);
  for (int64_t key = 0; key < count; ++key)
    *static_cast<int64_t *>(tessera_rt_table_insert(table, &key, nullptr)) = key + 1;
  tessera_rt_table_settle(table, nullptr);
  return table;
}

TEST_F(SerializeTest, CopiesOfTablesAreIndependent) {
  Words entry = pairOf(i64, i64, 8, 16), type = dictionaryOf(entry);
  tessera_region *own = tessera_rt_region_create(nullptr);
  tessera_table *table = countedTable(entry, 1000, own);
  ASSERT_GT(table->numDirect, 0);
  tessera_rt_copy(type.data(), &table, region, nullptr);
  tessera_rt_region_free(own);
  EXPECT_EQ(table->order, nullptr);
  EXPECT_EQ(table->numbers, nullptr);
  for (int64_t key : {0, 1, 999}) {
    auto *value = static_cast<int64_t *>(tessera_rt_table_find(table, &key));
    ASSERT_NE(value, nullptr);
    EXPECT_EQ(*value, key + 1);
  }
  for (int64_t key : {-1, 1000, 1 << 30})
    EXPECT_EQ(tessera_rt_table_find(table, &key), nullptr);
}

TEST_F(SerializeTest, LackOfMemoryForACopyHasAPosition) {
  Words entry = pairOf(i64, i64, 8, 16), type = dictionaryOf(entry);
  const tessera_site room{"f.weld", 3, 4, "OutOfMemory", nullptr};
  tessera_table *table = countedTable(entry, 1 << 16, region);
  tessera_rt_set_memory_limit(1 << 16);
  EXPECT_EQ(enter([&] { tessera_rt_copy(type.data(), &table, region, &room); }),
            TESSERA_RUNTIME_ERROR);
  EXPECT_THAT(tessera_last_error(),
              ContainsRegex(
                  "f.weld:3:4: error: OutOfMemory: [0-9]+ bytes exceed the limit of 65536 bytes"));
  tessera_rt_set_memory_limit(0);
}

TEST_F(SerializeTest, OrdersByTheFirstDifference) {
  auto order = [](const Words &type, auto left, auto right) {
    return tessera_rt_compare(type.data(), &left, &right);
  };
  uint16_t small[] = {1, 2}, large[] = {1, 256};
  EXPECT_EQ(order(vectorOf(u16), tessera_vector{small, 2}, tessera_vector{large, 2}), -1);
  EXPECT_EQ(order(vectorOf(u16), tessera_vector{small, 2}, tessera_vector{small, 1}), 1);
  EXPECT_EQ(order(i8, int8_t(-1), int8_t(1)), -1);
  EXPECT_EQ(order(f64, 0.0, -0.0), 0);
  EXPECT_EQ(order(f64, double(NAN), double(NAN)), 2);
}

TEST_F(SerializeTest, OrdersNaNsLast) {
  auto order = [](const Words &type, auto left, auto right) {
    return tessera_rt_order(type.data(), &left, &right);
  };
  double one[] = {1, 2}, other[] = {1, NAN}, third[] = {NAN, 0};
  auto of = [](double *data) { return tessera_vector{data, 2}; };
  EXPECT_EQ(order(vectorOf(f64), of(one), of(other)), -1);
  EXPECT_EQ(order(vectorOf(f64), of(third), of(other)), 1);
  EXPECT_EQ(order(vectorOf(f64), of(other), of(other)), 0);
  EXPECT_EQ(order(f64, 1.0, double(NAN)), -1);
  EXPECT_EQ(order(i8, int8_t(1), int8_t(-1)), 1);
}

} // namespace
