/// The functions that generated code calls, and the data it contains. The JIT and `tessera build`
/// share them: both use the same entry points. Names begin with `tessera_rt_`; users never see
/// them.
#ifndef TESSERA_RUNTIME_GENERATED_H
#define TESSERA_RUNTIME_GENERATED_H

#include "tessera/runtime.h"

#pragma GCC visibility push(default)
extern "C" {

/// A position in a program that may fail. In `message`, {0} to {3} are replaced by values. `rule`
/// may be null.
struct tessera_site {
  const char *file;
  int32_t line, column;
  const char *message;
  const char *rule;
  /// The end of the position; 0: unknown.
  int32_t end_line = 0, end_column = 0;
};

/// A parameter or result. `shape` has `ndim` sizes: a number of elements, -1 for any, or -2 - k for
/// one that is equal wherever the signature's size number k occurs; ndim 0 is a scalar.
struct tessera_parameter {
  const char *name;
  tessera_dtype dtype;
  int32_t ndim;
  const int64_t *shape;
  /// A parameter that is the initial value of the result of the same name.
  int32_t is_initial = 0;
};

/// A callable function. `body` takes one slot per parameter, then one per result: for a scalar, a
/// pointer to its value (a bool is one byte); for a tensor, a pointer to MLIR's ranked memref
/// descriptor {allocated, aligned, offset, sizes[ndim], strides[ndim]}. Tensor arguments are
/// row-major without gaps, aligned to their element, and never written. `body` writes the slots of
/// results: a result in its own memory from tessera_rt_alloc is passed on as it is; any other (an
/// argument, a constant, a part, a strided view) is copied. Everything else that `body` has
/// allocated and not freed is freed when it returns.
struct tessera_signature {
  const char *name;
  int32_t num_parameters, num_results;
  const tessera_parameter *parameters, *results;
  /// The CPU level that it was compiled for ("x86-64-v3", ...); null and "native" are not checked.
  const char *cpu;
  void (*body)(void **slots);
  const char *const *sizes = nullptr; ///< The names of the sizes that have one.
  /// The position of the function, for failures without their own. May be null.
  const tessera_site *place = nullptr;
};

/// Checks the CPU and the arguments, runs the body, and fills in the results. The C entry points of
/// `tessera build` only call this. Results whose `data` is set on entry are copied into; others get
/// memory of the runtime, to be freed with tessera_free. On failure, the results are unchanged.
int tessera_rt_invoke(const tessera_signature *signature, const tessera_view *arguments,
                      tessera_view *results);

/// Runs `body(context)` until it returns or traps. Returns TESSERA_OK, TESSERA_RUNTIME_ERROR, or
/// TESSERA_INVALID_ARGUMENT after tessera_rt_reject. What a body that returns has not freed then
/// belongs to the caller.
int tessera_rt_enter(void (*body)(void *), void *context);

/// Memory aligned to 64 bytes; never null (traps if there is none). Freed by tessera_rt_dealloc, or
/// all at once when a trap leaves the tessera_rt_enter in which it was allocated.
void *tessera_rt_alloc(int64_t bytes);
/// The same for generated code; `site`, which may be null, is the position of the request.
void *tessera_rt_alloc_at(int64_t bytes, const tessera_site *site);
void tessera_rt_dealloc(void *memory);
/// How much memory may be reserved that may never be needed: a small fraction of what the limit
/// leaves, so that repeated reservations do not reach it.
int64_t tessera_rt_spare_bytes(void);

/// Limits the bytes that all threads have allocated at a time; beyond it, an allocation traps. 0:
/// no limit. Counts from now on.
void tessera_rt_set_memory_limit(int64_t bytes);

/// Runs body(context, lo, hi) over disjoint chunks that cover 0...count, several at a time. Chunks
/// depend only on `count` and `grain`, never on the number of threads; each `lo` is a multiple of
/// `grain`. A loop of at most `grain` iterations runs on this thread. If chunks trap, the first
/// one's trap is reported. A loop inside a chunk runs in order on the chunk's thread.
void tessera_rt_parallel_for(void (*body)(void *context, int64_t lo, int64_t hi), void *context,
                             int64_t count, int64_t grain);

/// How many of the `outer` chunks of a loop one call of its body takes, if each contains a loop of
/// `inner` chunks: all of them if this keeps more threads busy, with the inner loops; otherwise 1.
int64_t tessera_rt_chunks_at_once(int64_t outer, int64_t inner);

/// Asks the system, once, to save tile registers (AMX) for this process; traps if it refuses or the
/// processor has none. Must precede the first instruction on them.
void tessera_rt_use_tiles();

/// Ends the innermost tessera_rt_enter with the site's message; if there is none, prints it and
/// exits with status 3.
[[noreturn]] void tessera_rt_trap(const tessera_site *site, int64_t v0, int64_t v1, int64_t v2,
                                  int64_t v3);

/// Traps for a key that is not in a dictionary; the site's message is the name of the error.
[[noreturn]] void tessera_rt_trap_key(const tessera_site *site, const int32_t *type,
                                      const void *key);

/// Traps for arguments that the program cannot work with: the call ends with
/// TESSERA_INVALID_ARGUMENT; outside of a call, the process ends with status 2.
[[noreturn]] void tessera_rt_reject(const tessera_site *site, int64_t v0, int64_t v1, int64_t v2,
                                    int64_t v3);

/// The stack of calls that traps report (with `--checked` only): the position of the call, and as
/// `message` the name of the function called. Its depth is limited: infinite recursion traps, with
/// the site's rule.
void tessera_rt_push_call(const tessera_site *site);
void tessera_rt_pop_call();

/// For programs, not libraries: from now on, a stack overflow on this thread or a worker is
/// reported and exits with status 3 instead of a signal. Other faults are handled as before.
void tessera_rt_install_stack_guard();

/// TTL's print: one line on standard output, in the format of the command line's results.
void tessera_rt_print_int(int32_t value);
void tessera_rt_print_float(float value);
/// A matrix of any rank, passed as MLIR's C interface does (hence the prefix of the names).
struct tessera_unranked {
  int64_t rank;
  void *descriptor;
};
void _mlir_ciface_tessera_rt_print_ints(const tessera_unranked *matrix);
void _mlir_ciface_tessera_rt_print_floats(const tessera_unranked *matrix);

/// Functions that C lacks, for double and, with the suffix `f`, float; accurate to two units in the
/// last place.
#define TESSERA_MATH(name)                                                                         \
  double tessera_rt_##name(double x);                                                              \
  float tessera_rt_##name##f(float x);
TESSERA_MATH(cospi)         ///< cos(pi x)
TESSERA_MATH(cyl_bessel_i0) ///< The modified Bessel function of order 0
TESSERA_MATH(cyl_bessel_i1)
TESSERA_MATH(erfcinv)    ///< The inverse of erfc
TESSERA_MATH(erfcx)      ///< exp(x^2) erfc(x)
TESSERA_MATH(erfinv)     ///< The inverse of erf
TESSERA_MATH(lgamma)     ///< Like C's, but without writing a global variable
TESSERA_MATH(normcdf)    ///< The normal distribution
TESSERA_MATH(normcdfinv) ///< and its inverse
TESSERA_MATH(sinpi)      ///< sin(pi x)
#undef TESSERA_MATH

/// Returns y if x is between low and high, and otherwise C's function of x: formulas in generated
/// code are only valid in this range.
#define TESSERA_FAR(name)                                                                          \
  double tessera_rt_far_##name(double x, double y, double low, double high);                       \
  float tessera_rt_far_##name##f(float x, float y, float low, float high);
TESSERA_FAR(cos)
TESSERA_FAR(log)
TESSERA_FAR(log10)
TESSERA_FAR(log2)
TESSERA_FAR(sin)
TESSERA_FAR(tan)
#undef TESSERA_FAR

/// Memory that is freed all at once. A region belongs to the thread that uses it; like all memory,
/// its own belongs to the frame in which it was allocated.
struct tessera_region;
tessera_region *tessera_rt_region_create(const tessera_site *site);
/// Never null; aligned to 16 bytes, or to 64 if it has 64 bytes or more.
void *tessera_rt_region_alloc(tessera_region *region, int64_t bytes, const tessera_site *site);
/// Moves the contents of `memory`, which may be null, to where it can grow.
void *tessera_rt_region_grow(tessera_region *region, void *memory, int64_t bytes, int64_t new_bytes,
                             const tessera_site *site);
/// Frees everything that was allocated in it; the region itself remains.
void tessera_rt_region_reset(tessera_region *region);
void tessera_rt_region_free(tessera_region *region);
/// The memory of `other` becomes part of `region`; `other` no longer exists.
void tessera_rt_region_adopt(tessera_region *region, tessera_region *other);
/// About how many bytes it holds.
int64_t tessera_rt_region_bytes(const tessera_region *region);
/// How many bytes a region may hold before a loop, of which only the state is still needed, copies
/// its state and frees the rest.
int64_t tessera_rt_region_bound(const tessera_region *region);

/// Types of values in memory as a table of numbers, one row per type, the outermost first: its
/// kind, its size and alignment in bytes, 1 if it contains no pointers, the number of its parts,
/// and for each part its offset and the distance to its row. A vector is {data, int64_t count}; its
/// part is its element. A dictionary is a pointer to a table, or null; its part is its entry, a
/// struct of key and value.
enum tessera_kind {
  TESSERA_KIND_BOOL, ///< A byte; any value but 0 is true.
  TESSERA_KIND_I8,
  TESSERA_KIND_I16,
  TESSERA_KIND_I32,
  TESSERA_KIND_I64,
  TESSERA_KIND_U8,
  TESSERA_KIND_U16,
  TESSERA_KIND_U32,
  TESSERA_KIND_U64,
  TESSERA_KIND_F32,
  TESSERA_KIND_F64,
  TESSERA_KIND_STRUCT,
  TESSERA_KIND_VECTOR,
  TESSERA_KIND_DICTIONARY,
};

struct tessera_vector {
  void *data;
  int64_t count;
};

/// The order of two values: -1, 0, 1, or 2 if a NaN makes them unordered. The first different
/// element or field decides; of vectors with equal beginnings, the shorter is less.
int32_t tessera_rt_compare(const int32_t *type, const void *left, const void *right);
/// Replaces everything that a value points to by copies in the region.
void tessera_rt_copy(const int32_t *type, void *value, tessera_region *region,
                     const tessera_site *site);
/// A value as bytes: numbers as they are, vectors and dictionaries with their count first; no
/// padding.
void tessera_rt_serialize(const int32_t *type, const void *value, tessera_region *region,
                          const tessera_site *site, tessera_vector *bytes);
/// The inverse. Traps unless the bytes are those of exactly one value.
void tessera_rt_deserialize(const int32_t *type, const tessera_vector *bytes,
                            tessera_region *region, const tessera_site *site, void *value);

/// Traps if a vector in what a C function returned has a negative length, or elements but no
/// memory.
void tessera_rt_check_result(const int32_t *type, const void *value, const tessera_site *site);

/// A hash table that keeps the order of insertion. Keys without pointers are compared byte by byte:
/// callers clear the padding, and use a single zero and a single NaN. `entry` is the type of
/// entries.
struct tessera_table;
tessera_table *tessera_rt_table_create(const int32_t *entry, tessera_region *region,
                                       int64_t capacity, const tessera_site *site);
/// A table for merges: its entries are in order only after tessera_rt_table_settle.
tessera_table *tessera_rt_table_create_merged(const int32_t *entry, tessera_region *region,
                                              int64_t capacity, const tessera_site *site);
void tessera_rt_table_settle(tessera_table *table, const tessera_site *site);
/// Makes room for the entries of other tables that will be added: `count` pointers, `bytes` apart.
void tessera_rt_table_expect(tessera_table *table, const void *others, int64_t bytes, int64_t count,
                             const tessera_site *site);
/// The value of this key, or null. The table may be null.
void *tessera_rt_table_find(const tessera_table *table, const void *key);
/// The value of this key; if there was none, a new one of zeros, and the table's size has grown.
void *tessera_rt_table_insert(tessera_table *table, const void *key, const tessera_site *site);
/// The same for a key that is known to be missing.
void *tessera_rt_table_add(tessera_table *table, const void *key, const tessera_site *site);

/// After the first chunk of a loop has filled its table: decides how the others are filled, and how
/// many iterations they have. The first chunk had `iterations` of `all`.
enum tessera_strategy { TESSERA_ADAPTIVE, TESSERA_LOCAL, TESSERA_PARTITIONED };
int64_t tessera_rt_table_divide(tessera_table *table, int64_t iterations, int64_t all,
                                int64_t strategy);
/// An empty table for one of them.
tessera_table *tessera_rt_table_piece(const tessera_table *table, tessera_region *region,
                                      const tessera_site *site);
/// For chunks that have partitioned what they merge: their pairs of key and value, in parts without
/// common keys. `pieces` are pointers to the tables, `bytes` apart.
struct tessera_parts;
struct tessera_block;
enum { tessera_parts_count = 256 };
tessera_parts *tessera_rt_parts_create(char *pieces, int64_t stride, int64_t count,
                                       tessera_region *region, const tessera_site *site);
/// The block of a part after this one, or the first; null at the end.
tessera_block *tessera_rt_parts_next(const tessera_parts *parts, int64_t part, tessera_block *block,
                                     tessera_vector *pairs);
/// An empty table for them.
tessera_table *tessera_rt_parts_table(const tessera_parts *parts, int64_t part,
                                      tessera_region *region, const tessera_site *site);
/// Called when all pairs of the part are in the table, which has its own region; frees the pairs.
void tessera_rt_parts_finish(tessera_parts *parts, int64_t part, tessera_table *table,
                             const tessera_site *site);
/// Gives the table all keys, in the order in which they first occurred.
void tessera_rt_parts_join(tessera_parts *parts, tessera_table *table, int64_t is_searched,
                           const tessera_site *site);

/// Collects values by key, in order. `entry` is the type of the entries of the result: key and
/// vector of values.
struct tessera_groups;
tessera_groups *tessera_rt_groups_create(const int32_t *entry, tessera_region *region,
                                         const tessera_site *site);
void tessera_rt_groups_add(tessera_groups *groups, const void *key, const void *value,
                           const tessera_site *site);
/// Appends the contents of `other`.
void tessera_rt_groups_append(tessera_groups *groups, const tessera_groups *other,
                              const tessera_site *site);
/// The groups as a table; afterwards nothing may be added.
tessera_table *tessera_rt_groups_finish(tessera_groups *groups, const tessera_site *site);

/// Which work-items have accessed the elements of a work-group's local memory since the last
/// barrier, for --checked. Elements are at least `granule` bytes apart.
struct tessera_accesses;
tessera_accesses *tessera_rt_accesses_create(int64_t bytes, int64_t granule, int64_t lanes,
                                             const tessera_site *site);
void tessera_rt_accesses_free(tessera_accesses *accesses);
/// Separates later accesses from earlier ones. Accesses are by work-items or, with `are_points`, by
/// iterations of a `foreach`.
void tessera_rt_accesses_order(tessera_accesses *accesses, int64_t are_points);
/// Memory that begins undefined: no element has been written.
void tessera_rt_accesses_begin(tessera_accesses *accesses, int64_t offset, int64_t bytes);
/// In ~who: the subgroup's work-items share a matrix, instead of each doing the same.
#define TESSERA_ACCESS_MATRIX (int64_t(1) << 32)
/// As `who`: the whole work-group, which waits for all its work-items.
#define TESSERA_ACCESS_GROUP INT64_MIN
/// An access as below. Traps if it reads what was never written.
void tessera_rt_accesses_touch(tessera_accesses *accesses, int64_t offset, int64_t who,
                               int64_t kind, int64_t group, const tessera_site *site);
/// An access by work-item `who`, or together by those of subgroup ~who that have a bit in
/// `members`; `kind` is 0 to read, 1 to write, 2 to add and 3 to write atomically. Traps if it
/// races with another.
void tessera_rt_accesses_note(tessera_accesses *accesses, int64_t offset, int64_t who,
                              int64_t members, int64_t kind, int64_t group,
                              const tessera_site *site);

/// Sorts elements by one of their scalars; the sort is stable. `order` has its kind, 1 to descend,
/// the size of an element, and the offset of the scalar in it. Returns 0 if a scalar is NaN, which
/// cannot be ordered; then nothing is sorted.
int32_t tessera_rt_sort(const int32_t *order, const void *from, void *to, int64_t count,
                        tessera_region *scratch, const tessera_site *site);

/// The number of elements of an array of this shape inside a vector, whose element i is at start +
/// the dot product of its indices and the strides. Traps if one is outside of the vector.
int64_t tessera_rt_count_strided(const void *shape, int64_t num_sizes, const void *strides,
                                 int64_t num_strides, int64_t start, int64_t count,
                                 const tessera_site *site);

/// A program on values in memory: `body` reads its arguments, a C struct, and writes its result.
struct tessera_program {
  const char *name;
  const char *cpu; ///< As in tessera_signature.
  void (*body)(const void *arguments, void *result);
  const int32_t *arguments, *result; ///< Their types.
  const tessera_site *place;
  const char *const *names = nullptr; ///< The names of the arguments, then null.
  int32_t callsOut = 0;               ///< Whether it calls functions in C.
};
/// Runs it. After TESSERA_OK, what the result points to lives until tessera_run_free, or is part of
/// the arguments.
int tessera_rt_run(const tessera_program *program, const void *arguments, void *result,
                   tessera_run **run);
/// Checks and runs it. The C entry points of `tessera build` only call this. The output lives until
/// its run is freed; after a failure, until this thread's next failure.
tessera_output *tessera_rt_call(const tessera_program *program, const tessera_input *input);

/// The kinds of a kernel's parameter: a value, a pointer to elements, or a pointer to such
/// pointers.
enum tessera_kernel_kind { TESSERA_KERNEL_SCALAR, TESSERA_KERNEL_MEMREF, TESSERA_KERNEL_GROUP };

/// A parameter of a kernel. Sizes, strides, `count` and `offset` are -1 if each call supplies them.
struct tessera_kernel_parameter {
  const char *name;
  tessera_dtype dtype;
  int32_t kind;
  int64_t order;
  const int64_t *shape, *strides; ///< In elements; for a group, those of each member.
  int64_t count, offset;          ///< For a group.
  /// What callers promise: the address of the first element, sizes and strides are multiples of
  /// these.
  int64_t alignment;
  const int64_t *shape_divisors, *stride_divisors; ///< One per mode.
};

/// A kernel. `body` reads its arguments from a C struct: for each parameter its value; or a
/// pointer, then an int64_t for each size and stride that is -1 (for a group: a pointer to one for
/// each member), then count and offset if they are -1. It runs all work-groups.
struct tessera_kernel {
  const char *name;
  const char *cpu; ///< As in tessera_signature.
  void (*body)(const void *arguments, const tessera_launch *launch);
  int64_t num_parameters;
  const tessera_kernel_parameter *parameters;
  const tessera_site *place;
};
/// Checks the CPU and the arguments against the table, and runs the body, with the number of
/// threads filled in and `alone` set if the process has one thread. The C entry points of `tessera
/// build` only call this.
int tessera_rt_launch(const tessera_kernel *kernel, const void *arguments,
                      const tessera_launch *launch);

/// The `main` of an executable made by `tessera build`: runs the program, prints errors, and
/// returns the exit status.
int tessera_rt_main(const tessera_signature *signature);
}
#pragma GCC visibility pop

#endif
