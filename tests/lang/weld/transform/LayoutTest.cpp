// Generated code and the runtime use the same tables, although neither room uses the other.
#include "lang/weld/transform/Layout.h"
#include "runtime/Table.h"
#include <cstddef>
#include <gtest/gtest.h>

using namespace tessera;

namespace {

TEST(WeldTableLayout, HasTheRuntimesMembers) {
  constexpr std::pair<weld::TableLeaf, size_t> members[] = {
      {weld::Tags, offsetof(tessera_table, tags)},
      {weld::Mask, offsetof(tessera_table, mask)},
      {weld::Places, offsetof(tessera_table, places)},
      {weld::NumDirect, offsetof(tessera_table, numDirect)},
      {weld::Entries, offsetof(tessera_table, entries)},
      {weld::Numbers, offsetof(tessera_table, numbers)},
      {weld::IsDivided, offsetof(tessera_table, isDivided)},
      {weld::Room, offsetof(tessera_table, room)},
      {weld::Order, offsetof(tessera_table, order)},
  };
  for (auto [leaf, offset] : members)
    EXPECT_EQ(size_t(leaf) * 8, offset);
  EXPECT_EQ(offsetof(tessera_table, size), 0u); // Read from the pointer itself.
}

TEST(WeldTableLayout, HashesAndMarksLikeTheRuntime) {
  for (uint64_t bits : {uint64_t(0), uint64_t(1), uint64_t(0x123456789abcdef), ~uint64_t(0)}) {
    auto product = static_cast<unsigned __int128>(bits) * weld::hashFactor;
    EXPECT_EQ(runtime::mix(bits), uint64_t(product) ^ uint64_t(product >> 64));
    EXPECT_EQ(runtime::tagOf(bits), uint8_t(bits >> weld::tagShift) | weld::takenBit);
  }
  EXPECT_EQ(runtime::freeByte, weld::freeByte);
}

} // namespace
