/// Detects races on the local memory of a work-group, for --checked: tracks which work-items have
/// accessed each element since the last barrier.
#include "runtime/Generated.h"
#include "runtime/Text.h"
#include "runtime/ThreadState.h"
#include <cstring>

using namespace tessera::runtime;

namespace {

enum Kind : int64_t { Read, Write, Add, AtomicWrite };

struct Access {
  int64_t who;
  uint64_t members; ///< The members of a subgroup that access it together: a bit each.
  int64_t epoch;    ///< 0: no access yet.
  const tessera_site *site;
};

/// For each kind the last access and one by another work-item: any further work-item conflicts with
/// one of the two, so no third one is kept.
struct Element {
  Access accesses[4][2];
  bool isWritten; ///< Since its allocation.
};

} // namespace

struct tessera_accesses {
  int64_t granule, lanes, epoch;
  bool arePoints; ///< Accesses are by iterations of a `foreach`.
  Element elements[];
};

/// Whether `who` is a subgroup that shares a matrix, instead of one whose work-items all do the
/// same.
static bool isMatrix(int64_t who) {
  return who < 0 && (~who & TESSERA_ACCESS_MATRIX);
}

static int64_t subgroupOf(const tessera_accesses &accesses, int64_t who) {
  return who < 0 ? ~who & ~TESSERA_ACCESS_MATRIX : who / accesses.lanes;
}

static uint64_t allMembers(const tessera_accesses &accesses) {
  return accesses.lanes < 64 ? (uint64_t(1) << accesses.lanes) - 1 : ~uint64_t(0);
}

static uint64_t membersOf(const tessera_accesses &accesses, const Access &access) {
  return access.who < 0 ? access.members & allMembers(accesses)
                        : uint64_t(1) << access.who % accesses.lanes;
}

/// Whether two accesses are by different work-items. Those of a subgroup that access memory
/// together do not race with each other, and each of them may read what they have written. Which of
/// them holds which element of a matrix is unknown.
static bool areApart(const tessera_accesses &accesses, const Access &earlier, const Access &now,
                     int64_t kind) {
  if (earlier.who >= 0 && now.who >= 0)
    return earlier.who != now.who;
  if (subgroupOf(accesses, earlier.who) != subgroupOf(accesses, now.who))
    return true;
  if (isMatrix(earlier.who) != isMatrix(now.who))
    return earlier.who >= 0 || now.who >= 0;
  uint64_t before = membersOf(accesses, earlier), here = membersOf(accesses, now);
  return kind == Read ? (here & ~before) != 0 : here != before;
}

/// The subgroup that accesses, or, if not all its work-items do, one of them that the other access
/// lacks.
static int64_t accessor(const tessera_accesses &accesses, const Access &access,
                        const Access &other) {
  uint64_t members = membersOf(accesses, access);
  if (access.who >= 0 || isMatrix(access.who) || members == allMembers(accesses))
    return access.who;
  uint64_t alone = members & ~membersOf(accesses, other);
  return subgroupOf(accesses, access.who) * accesses.lanes +
         __builtin_ctzll(alone ? alone : members);
}

static void addName(const tessera_accesses &accesses, int64_t who, Text &text) {
  const char *kind = who < 0 ? "subgroup" : accesses.arePoints ? "iteration" : "work-item";
  text.add("%s %lld", kind, (long long)(who < 0 ? subgroupOf(accesses, who) : who));
}

[[noreturn]] static void report(const tessera_accesses &accesses, const Access &first,
                                const char *before, const Access &second, const char *now,
                                int64_t group) {
  char names[2][64];
  Text one(names[0], sizeof names[0]), other(names[1], sizeof names[1]);
  addName(accesses, accessor(accesses, first, second), one);
  addName(accesses, accessor(accesses, second, first), other);
  trapAt(second.site,
         "%s %s what %s %s at %d:%d, with no `barrier.local` between them, in work-group %lld",
         names[1], now, names[0], before, first.site->line, first.site->column, (long long)group);
}

tessera_accesses *tessera_rt_accesses_create(int64_t bytes, int64_t granule, int64_t lanes,
                                             const tessera_site *site) {
  int64_t size = sizeof(tessera_accesses) + (bytes / granule + 1) * sizeof(Element);
  void *memory = tessera_rt_alloc_at(size, site);
  memset(memory, 0, size);
  return new (memory) tessera_accesses{granule, lanes, 1, false};
}

void tessera_rt_accesses_free(tessera_accesses *accesses) {
  tessera_rt_dealloc(accesses);
}

void tessera_rt_accesses_begin(tessera_accesses *accesses, int64_t offset, int64_t bytes) {
  for (int64_t at = offset; at < offset + bytes; at += accesses->granule)
    accesses->elements[at / accesses->granule].isWritten = false;
}

void tessera_rt_accesses_order(tessera_accesses *accesses, int64_t arePoints) {
  ++accesses->epoch;
  accesses->arePoints = arePoints;
}

/// Reads do not conflict with each other, nor do atomic accesses.
static bool mayMeet(int64_t left, int64_t right) {
  auto isAtomic = [](int64_t kind) { return kind == Add || kind == AtomicWrite; };
  return left == right ? left != Write : isAtomic(left) && isAtomic(right);
}

void tessera_rt_accesses_touch(tessera_accesses *accesses, int64_t offset, int64_t who,
                               int64_t kind, int64_t group, const tessera_site *site) {
  Element &element = accesses->elements[offset / accesses->granule];
  if ((kind == Read || kind == Add) && !element.isWritten) {
    char name[64];
    Text text(name, sizeof name);
    if (who != TESSERA_ACCESS_GROUP)
      addName(*accesses, who, text);
    trapAt(site, "%s reads local memory that was never written, in work-group %lld",
           who != TESSERA_ACCESS_GROUP ? name : "this", (long long)group);
  }
  element.isWritten |= kind != Read;
}

void tessera_rt_accesses_note(tessera_accesses *accesses, int64_t offset, int64_t who,
                              int64_t members, int64_t kind, int64_t group,
                              const tessera_site *site) {
  static constexpr const char *now[] = {"reads", "writes", "adds to", "atomically writes"};
  static constexpr const char *before[] = {"read", "wrote", "added to", "atomically wrote"};
  Element &element = accesses->elements[offset / accesses->granule];
  Access access{who, uint64_t(members), accesses->epoch, site};
  auto isOther = [&](const Access &other) {
    return other.epoch == access.epoch && areApart(*accesses, other, access, kind);
  };
  for (int64_t earlier : {Write, AtomicWrite, Add, Read})
    for (const Access &other : element.accesses[earlier])
      if (isOther(other) && !mayMeet(earlier, kind))
        report(*accesses, other, before[earlier], access, now[kind], group);
  element.accesses[kind][isOther(element.accesses[kind][0])] = access;
}
