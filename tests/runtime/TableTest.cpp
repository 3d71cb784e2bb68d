#include "runtime/Table.h"
#include "Values.h"
#include "runtime/Memory.h"
#include <cmath>
#include <cstring>
#include <gtest/gtest.h>
#include <map>
#include <random>
#include <string>

using namespace tessera::tests;

namespace {

const Words i64 = scalar(TESSERA_KIND_I64, 8), f64 = scalar(TESSERA_KIND_F64, 8);

class TableTest : public testing::Test {
protected:
  void SetUp() override { region = tessera_rt_region_create(nullptr); }
  void TearDown() override { tessera_rt_region_free(region); }
  tessera_region *region;
};

struct Entry {
  int64_t key, value;
};

TEST_F(TableTest, FindsWhatWasInsertedInOrder) {
  Words entry = pairOf(i64, i64, 8, 16);
  tessera_table *table = tessera_rt_table_create(entry.data(), region, 0, nullptr);
  std::mt19937_64 random(1);
  std::vector<int64_t> order;
  std::map<int64_t, int64_t> expected;
  for (int step = 0; step < 100000; ++step) {
    int64_t key = int64_t(random() % 20000) * 4096, before = table->size;
    auto *found = static_cast<Entry *>(tessera_rt_table_insert(table, &key, nullptr));
    found->value += step;
    expected[key] += step;
    if (table->size > before)
      order.push_back(key);
  }
  ASSERT_EQ(table->size, int64_t(expected.size()));
  auto *entries = reinterpret_cast<Entry *>(table->entries);
  for (size_t index = 0; index < order.size(); ++index) {
    EXPECT_EQ(entries[index].key, order[index]);
    EXPECT_EQ(entries[index].value, expected[order[index]]);
    EXPECT_EQ(tessera_rt_table_find(table, &order[index]), &entries[index]);
  }
  int64_t absent = 1;
  EXPECT_EQ(tessera_rt_table_find(table, &absent), nullptr);
  EXPECT_EQ(tessera_rt_table_find(nullptr, &absent), nullptr);
}

TEST_F(TableTest, ComparesVectorsByTheirElements) {
  Words entry = pairOf(vectorOf(f64), i64, 16, 24);
  tessera_table *table = tessera_rt_table_create(entry.data(), region, 100, nullptr);
  double first[] = {0.0, NAN, 2}, second[] = {-0.0, -NAN, 2}, third[] = {0.0, NAN, 3};
  tessera_vector keys[] = {{first, 3}, {second, 3}, {third, 3}, {first, 2}, {nullptr, 0}};
  for (const tessera_vector &key : keys)
    tessera_rt_table_insert(table, &key, nullptr);
  EXPECT_EQ(table->size, 4);
  EXPECT_EQ(tessera_rt_table_find(table, &keys[0]), tessera_rt_table_find(table, &keys[1]));
}

TEST_F(TableTest, GroupsValuesInTheOrderTheyCome) {
  Words entry = pairOf(i64, vectorOf(i64), 8, 24);
  tessera_groups *all = tessera_rt_groups_create(entry.data(), region, nullptr);
  for (int64_t chunk = 0; chunk < 3; ++chunk) {
    tessera_groups *piece = tessera_rt_groups_create(entry.data(), region, nullptr);
    for (int64_t index = chunk * 100; index < chunk * 100 + 100; ++index) {
      int64_t key = index % 7;
      tessera_rt_groups_add(piece, &key, &index, nullptr);
    }
    tessera_rt_groups_append(all, piece, nullptr);
  }
  tessera_table *table = tessera_rt_groups_finish(all, nullptr);
  ASSERT_EQ(table->size, 7);
  for (int64_t key = 0; key < 7; ++key) {
    auto *found = static_cast<char *>(tessera_rt_table_find(table, &key));
    EXPECT_EQ(found, table->entries + key * 24);
    auto *group = reinterpret_cast<tessera_vector *>(found + 8);
    ASSERT_EQ(group->count, 300 / 7 + (key < 300 % 7));
    for (int64_t index = 0; index < group->count; ++index)
      EXPECT_EQ(static_cast<int64_t *>(group->data)[index], index * 7 + key);
  }
}

} // namespace
