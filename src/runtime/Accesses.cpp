/// Races on the local memory of a group, for --checked: who has touched each element since
/// work-items last waited for one another.
#include "runtime/Generated.h"
#include "runtime/Text.h"
#include "runtime/ThreadState.h"
#include <cstring>

using namespace tessera::runtime;

namespace {

enum Kind : int64_t { Read, Write, Add, AtomicWrite };

struct Access {
  int64_t who;
  int64_t epoch; ///< 0: nobody yet.
  const tessera_site *site;
};

/// Of each kind the last access and one by somebody else: whoever else comes has a conflict with
/// one of two, so no third one has to be known.
struct Element {
  Access accesses[4][2];
  bool isWritten; ///< Since it has been allocated.
};

} // namespace

struct tessera_accesses {
  int64_t granule, lanes, epoch;
  bool arePoints; ///< Those who touch elements are iterations of a `foreach`.
  Element elements[];
};

/// Of a subgroup, as all of it does something: with a matrix, or the same by each work-item.
static bool isMatrix(int64_t who) {
  return who < 0 && (~who & TESSERA_ACCESS_MATRIX);
}

static int64_t subgroupOf(const tessera_accesses &accesses, int64_t who) {
  return who < 0 ? ~who & ~TESSERA_ACCESS_MATRIX : who / accesses.lanes;
}

/// What all of a subgroup do together is no race among them, and each of them may read what all
/// have written. Which of them has which element of a matrix nobody knows.
static bool areApart(const tessera_accesses &accesses, int64_t earlier, int64_t who, int64_t kind) {
  if (earlier >= 0 && who >= 0)
    return earlier != who;
  if (subgroupOf(accesses, earlier) != subgroupOf(accesses, who))
    return true;
  bool isOneOfAll = earlier < 0 && who >= 0;
  return (isOneOfAll && (isMatrix(earlier) || kind != Read)) || (earlier >= 0 && who < 0);
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
  addName(accesses, first.who, one);
  addName(accesses, second.who, other);
  trapAt(second.site,
         "%s %s what %s %s at %d:%d, with no `barrier.local` between them, in group %lld", names[1],
         now, names[0], before, first.site->line, first.site->column, (long long)group);
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

/// Reads go together, and so do atomic accesses.
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
    trapAt(site, "%s reads local memory that nobody has written, in group %lld",
           who != TESSERA_ACCESS_GROUP ? name : "this", (long long)group);
  }
  element.isWritten |= kind != Read;
}

void tessera_rt_accesses_note(tessera_accesses *accesses, int64_t offset, int64_t who, int64_t kind,
                              int64_t group, const tessera_site *site) {
  static constexpr const char *now[] = {"reads", "writes", "adds to", "atomically writes"};
  static constexpr const char *before[] = {"read", "wrote", "added to", "atomically wrote"};
  Element &element = accesses->elements[offset / accesses->granule];
  Access access{who, accesses->epoch, site};
  auto isOther = [&](const Access &other) {
    return other.epoch == access.epoch && areApart(*accesses, other.who, who, kind);
  };
  for (int64_t earlier : {Write, AtomicWrite, Add, Read})
    for (const Access &other : element.accesses[earlier])
      if (isOther(other) && !mayMeet(earlier, kind))
        report(*accesses, other, before[earlier], access, now[kind], group);
  element.accesses[kind][isOther(element.accesses[kind][0])] = access;
}
