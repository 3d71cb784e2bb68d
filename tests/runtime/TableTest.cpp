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
    *static_cast<int64_t *>(tessera_rt_table_insert(table, &key, nullptr)) += step;
    expected[key] += step;
    if (table->size > before)
      order.push_back(key);
  }
  ASSERT_EQ(table->size, int64_t(expected.size()));
  auto *entries = reinterpret_cast<Entry *>(table->entries);
  for (size_t index = 0; index < order.size(); ++index) {
    EXPECT_EQ(entries[index].key, order[index]);
    EXPECT_EQ(entries[index].value, expected[order[index]]);
    EXPECT_EQ(tessera_rt_table_find(table, &order[index]), &entries[index].value);
  }
  int64_t absent = 1;
  EXPECT_EQ(tessera_rt_table_find(table, &absent), nullptr);
  EXPECT_EQ(tessera_rt_table_find(nullptr, &absent), nullptr);
}

/// Adds 1 to the values of keys, and compares the entries with those of a map.
class Counting {
public:
  Counting(tessera_region *region)
      : table(tessera_rt_table_create_merged(entry.data(), region, 0, nullptr)) {}

  void add(int64_t key) {
    ++*static_cast<int64_t *>(tessera_rt_table_insert(table, &key, nullptr));
    if (++counts[key] == 1)
      order.push_back(key);
  }
  void check() {
    tessera_rt_table_settle(table, nullptr);
    ASSERT_EQ(table->size, int64_t(order.size()));
    auto *entries = reinterpret_cast<Entry *>(table->entries);
    for (size_t index = 0; index < order.size(); ++index) {
      ASSERT_EQ(entries[index].key, order[index]);
      ASSERT_EQ(entries[index].value, counts[order[index]]);
      auto *found = static_cast<int64_t *>(tessera_rt_table_find(table, &order[index]));
      ASSERT_NE(found, nullptr);
      ASSERT_EQ(*found, counts[order[index]]);
    }
    int64_t absent = -77;
    EXPECT_EQ(tessera_rt_table_find(table, &absent), nullptr);
  }

  Words entry = pairOf(i64, i64, 8, 16);
  tessera_table *table;
  std::map<int64_t, int64_t> counts;
  std::vector<int64_t> order;
};

TEST_F(TableTest, SmallKeysHaveDirectPlacesUntilALargeKeyComes) {
  Counting counting(region);
  std::mt19937_64 random(1);
  for (int64_t range : {10, 1000, 30000}) {
    for (int step = 0; step < 60000; ++step)
      counting.add(1 + random() % range);
    EXPECT_GT(counting.table->numDirect, range);
    counting.check();
  }
  int64_t zero = 0;
  EXPECT_EQ(tessera_rt_table_find(counting.table, &zero), nullptr);
  counting.add(0);
  counting.add(-1);
  EXPECT_EQ(counting.table->numDirect, 0);
  for (int step = 0; step < 60000; ++step)
    counting.add(random() % 30000);
  counting.check();
  EXPECT_EQ(counting.table->numDirect, 0);
}

TEST_F(TableTest, FreesPlacesThatHaveBecomeTooFew) {
  tessera_rt_set_memory_limit(int64_t(1) << 40);
  int64_t before = tessera::runtime::memoryInUse();
  {
    tessera_region *own = tessera_rt_region_create(nullptr);
    Counting counting(own);
    for (int64_t key = 0; key < 1 << 18; ++key)
      counting.add(key * 1000003 + 77777);
    int64_t places = (counting.table->mask + 1) * 17, order = counting.table->orderCapacity * 4;
    EXPECT_LT(tessera::runtime::memoryInUse() - before, places + order + (4 << 20));
    counting.check();
    tessera_rt_region_free(own);
  }
  tessera_rt_set_memory_limit(0);
}

TEST_F(TableTest, TheFirstPlaceIsEmptyToo) {
  Counting counting(region);
  for (int64_t key : {1, 2, 3, 0, 0})
    counting.add(key);
  EXPECT_GT(counting.table->numDirect, 0);
  counting.check();
}

/// Joins pieces as a loop does whose chunks have partitioned their pairs.
tessera_table *joinPieces(std::vector<tessera_table *> pieces, tessera_region *region) {
  auto *parts = tessera_rt_parts_create(reinterpret_cast<char *>(pieces.data()), 8, pieces.size(),
                                        region, nullptr);
  for (int64_t part = 0; part < tessera_parts_count; ++part) {
    tessera_region *own = tessera_rt_region_create(nullptr);
    auto *table = tessera_rt_table_create_merged(pieces[0]->entry, own, 0, nullptr);
    tessera_vector pairs;
    for (tessera_block *block = nullptr;
         (block = tessera_rt_parts_next(parts, part, block, &pairs));)
      for (int64_t index = 0; index < pairs.count; ++index) {
        auto *pair = reinterpret_cast<Entry *>(static_cast<char *>(pairs.data) + index * 24);
        *static_cast<int64_t *>(tessera_rt_table_insert(table, &pair->key, nullptr)) += pair->value;
      }
    tessera_rt_parts_finish(parts, part, table, nullptr);
  }
  tessera_rt_parts_join(parts, pieces[0], /*is_searched=*/1, nullptr);
  return pieces[0];
}

TEST_F(TableTest, DividedPairsKeepTheOrderOfKeys) {
  Counting counting(region);
  std::mt19937_64 random(1);
  auto next = [&] { return int64_t(random() % 50000) * 1000003; };
  for (int step = 0; step < 5000; ++step)
    counting.add(next());
  EXPECT_EQ(tessera_rt_table_divide(counting.table, 5000, 9000, TESSERA_ADAPTIVE), 4000);
  int64_t enough = 64 * counting.table->size, most = 5000 + 3 * enough;
  EXPECT_EQ(tessera_rt_table_divide(counting.table, 5000, most, TESSERA_ADAPTIVE), 3 * enough / 4);
  EXPECT_EQ(tessera_rt_table_divide(counting.table, 5000, 9000, TESSERA_LOCAL), 5000);
  EXPECT_EQ(counting.table->isDivided, 0);
  EXPECT_EQ(tessera_rt_table_divide(counting.table, 5000, 9000, TESSERA_PARTITIONED), 5000);
  tessera_rt_table_settle(counting.table, nullptr);
  std::vector<tessera_table *> pieces{counting.table};
  for (int chunk = 0; chunk < 3; ++chunk) {
    pieces.push_back(tessera_rt_table_piece(counting.table, region, nullptr));
    for (int step = 0; step < 20000 * chunk; ++step) {
      int64_t key = next();
      *static_cast<int64_t *>(tessera_rt_table_add(pieces.back(), &key, nullptr)) = 1;
      if (++counting.counts[key] == 1)
        counting.order.push_back(key);
    }
  }
  joinPieces(pieces, region);
  counting.check();
}

/// Keys of eight bytes in entries of twelve: sanitizers detect loads of unaligned words.
TEST_F(TableTest, DividesUnalignedKeys) {
  Words i32 = scalar(TESSERA_KIND_I32, 4), key = pairOf(i32, i32, 4, 8);
  key[2] = 4;
  Words entry = pairOf(key, i32, 8, 12);
  tessera_table *table = tessera_rt_table_create_merged(entry.data(), region, 0, nullptr);
  for (int32_t number = 0; number < 100; ++number) {
    int32_t fields[] = {number, -1 - number};
    *static_cast<int32_t *>(tessera_rt_table_insert(table, fields, nullptr)) = number;
  }
  tessera_rt_table_settle(table, nullptr);
  auto *parts = tessera_rt_parts_create(reinterpret_cast<char *>(&table), 8, 1, region, nullptr);
  int64_t sum = 0;
  tessera_vector pairs;
  for (int64_t part = 0; part < tessera_parts_count; ++part)
    for (tessera_block *block = nullptr;
         (block = tessera_rt_parts_next(parts, part, block, &pairs));)
      for (int64_t index = 0; index < pairs.count; ++index) {
        auto *pair = reinterpret_cast<int32_t *>(static_cast<char *>(pairs.data) + index * 24);
        EXPECT_EQ(pair[1], -1 - pair[0]);
        sum += pair[2];
      }
  EXPECT_EQ(sum, 4950);
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

TEST_F(TableTest, GroupsValuesInTheOrderOfInsertion) {
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
    EXPECT_EQ(found, table->entries + key * 24 + 8);
    auto *group = reinterpret_cast<tessera_vector *>(found);
    ASSERT_EQ(group->count, 300 / 7 + (key < 300 % 7));
    for (int64_t index = 0; index < group->count; ++index)
      EXPECT_EQ(static_cast<int64_t *>(group->data)[index], index * 7 + key);
  }
}

} // namespace
