/// What generated code calls, and the data it carries. Shared by the JIT and by `tessera build`:
/// both run the same entry points. Names begin with `tessera_rt_`; users never see them.
#ifndef TESSERA_RUNTIME_GENERATED_H
#define TESSERA_RUNTIME_GENERATED_H

#include "tessera/runtime.h"

#pragma GCC visibility push(default)
extern "C" {

/// One place in a program that may fail. `message` holds {0} to {3} where the values go.
/// `rule` may be null.
struct tessera_site {
  const char *file;
  int32_t line, column;
  const char *message;
  const char *rule;
  /// Where the place ends; 0: not known.
  int32_t end_line = 0, end_column = 0;
};

/// A parameter or result. `shape` has `ndim` sizes: a number of elements, -1 for any, or -2 - k for
/// any that is the same wherever the signature's size number k stands; ndim 0 is a scalar.
struct tessera_parameter {
  const char *name;
  tessera_dtype dtype;
  int32_t ndim;
  const int64_t *shape;
  /// A parameter: it is what the result of the same name holds before the call.
  int32_t is_initial = 0;
};

/// A callable function. `body` takes one slot a parameter, then one a result: for a scalar a
/// pointer to its value (a bool is one byte), for a tensor a pointer to MLIR's ranked memref
/// descriptor {allocated, aligned, offset, sizes[ndim], strides[ndim]}. Tensor arguments are
/// row-major without gaps, aligned to their element, and are not written to. Result slots are
/// written by `body`: a result in memory of its own from tessera_rt_alloc is handed on as it is;
/// any other (an argument, a constant, a part, a strided view) is copied. What else `body` has
/// allocated and not freed is freed when it returns.
struct tessera_signature {
  const char *name;
  int32_t num_parameters, num_results;
  const tessera_parameter *parameters, *results;
  /// Name of the CPU level compiled for ("x86-64-v3", ...); null or "native" is not checked.
  const char *cpu;
  void (*body)(void **slots);
  const char *const *sizes = nullptr; ///< The names of the sizes that have one.
  /// Where the function stands: the place of failures that have none of their own. May be null.
  const tessera_site *place = nullptr;
};

/// Checks the CPU and the arguments, runs the body, fills in the results: the C entry points of
/// `tessera build` do nothing else. Results whose `data` is set on entry are copied into; others
/// get memory of ours, to be freed by tessera_free. On failure the results are as they were.
int tessera_rt_invoke(const tessera_signature *signature, const tessera_view *arguments,
                      tessera_view *results);

/// Runs `body(context)`; a trap inside ends it. Returns TESSERA_OK, TESSERA_RUNTIME_ERROR, or
/// TESSERA_INVALID_ARGUMENT behind tessera_rt_reject.
/// What a body that returns has not freed passes to the caller.
int tessera_rt_enter(void (*body)(void *), void *context);

/// Memory aligned to 64 bytes; never null (traps when there is none). Freed by tessera_rt_dealloc,
/// or all at once when a trap leaves the tessera_rt_enter it was allocated in.
void *tessera_rt_alloc(int64_t bytes);
/// The same for generated code; `site`, which may be null, is where the memory is asked for.
void *tessera_rt_alloc_at(int64_t bytes, const tessera_site *site);
void tessera_rt_dealloc(void *memory);
/// How much may be set aside for what perhaps never comes: a small part of what the limit leaves,
/// so that those who ask again and again do not reach it.
int64_t tessera_rt_spare_bytes(void);

/// Bounds the bytes that are allocated at a time, by all threads; beyond it an allocation traps.
/// 0: no bound. Counts from now on.
void tessera_rt_set_memory_limit(int64_t bytes);

/// Runs body(context, lo, hi) over disjoint chunks that cover 0...count, several at a time.
/// Chunks depend on `count` and `grain` only, never on the number of threads; each `lo` is a
/// multiple of `grain`. At most `grain` iterations: runs at once on this thread. The trap of the
/// lowest failing chunk wins. A loop inside a chunk runs in order on the chunk's thread.
void tessera_rt_parallel_for(void (*body)(void *context, int64_t lo, int64_t hi), void *context,
                             int64_t count, int64_t grain);

/// How many of the `outer` chunks of a loop one call of its body takes, each of which has a loop of
/// `inner` chunks inside: all, so that the inner loops have the threads, where that keeps more of
/// them busy; otherwise 1.
int64_t tessera_rt_chunks_at_once(int64_t outer, int64_t inner);

/// Asks the system, once, to save tile registers (AMX) for this process; traps where it refuses, or
/// the processor has none. Before the first instruction on them.
void tessera_rt_use_tiles();

/// Ends the innermost tessera_rt_enter with the site's message; without one, prints it and exits
/// with status 3.
[[noreturn]] void tessera_rt_trap(const tessera_site *site, int64_t v0, int64_t v1, int64_t v2,
                                  int64_t v3);

/// The same for a key that is not in a dictionary; the site's message is the name of the error.
[[noreturn]] void tessera_rt_trap_key(const tessera_site *site, const int32_t *type,
                                      const void *key);

/// The same for arguments that the program cannot work with: the call ends with
/// TESSERA_INVALID_ARGUMENT, and without one the process with status 2.
[[noreturn]] void tessera_rt_reject(const tessera_site *site, int64_t v0, int64_t v1, int64_t v2,
                                    int64_t v3);

/// The stack of calls that traps report (`--checked` only): the place of the call, and as `message`
/// the name of the function called. Depth is bounded: a runaway recursion traps, with the site's
/// rule.
void tessera_rt_push_call(const tessera_site *site);
void tessera_rt_pop_call();

/// For programs, not libraries: from now on a stack overflow on this thread or a worker says so and
/// exits with status 3 instead of dying by a signal. Other faults go where they went before.
void tessera_rt_install_stack_guard();

/// TTL's print: one line on standard output, in the forms of the command line's results.
void tessera_rt_print_int(int32_t value);
void tessera_rt_print_float(float value);
/// A matrix of any rank, as MLIR's C interface passes it (hence the prefix of the names).
struct tessera_unranked {
  int64_t rank;
  void *descriptor;
};
void _mlir_ciface_tessera_rt_print_ints(const tessera_unranked *matrix);
void _mlir_ciface_tessera_rt_print_floats(const tessera_unranked *matrix);

/// Functions that C lacks, for double and, with `f` appended, float; within two units of the last
/// place.
#define TESSERA_MATH(name)                                                                         \
  double tessera_rt_##name(double x);                                                              \
  float tessera_rt_##name##f(float x);
TESSERA_MATH(cospi)         ///< cos(pi x)
TESSERA_MATH(cyl_bessel_i0) ///< The modified Bessel function of order 0
TESSERA_MATH(cyl_bessel_i1)
TESSERA_MATH(erfcinv)    ///< The inverse of erfc
TESSERA_MATH(erfcx)      ///< exp(x^2) erfc(x)
TESSERA_MATH(erfinv)     ///< The inverse of erf
TESSERA_MATH(lgamma)     ///< As C's, which also writes a variable of the process
TESSERA_MATH(normcdf)    ///< The normal distribution
TESSERA_MATH(normcdfinv) ///< and its inverse
TESSERA_MATH(sinpi)      ///< sin(pi x)
#undef TESSERA_MATH

/// y, but C's function of x where x is not from low to high: formulas in generated code have their
/// limits.
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

/// Memory that is freed all at once. A region belongs to the thread that uses it; its memory, as
/// all other, to the frame in which it was allocated.
struct tessera_region;
tessera_region *tessera_rt_region_create(const tessera_site *site);
/// Never null; aligned to 16 bytes, from 64 bytes on to 64.
void *tessera_rt_region_alloc(tessera_region *region, int64_t bytes, const tessera_site *site);
/// Moves what stands in `memory`, which may be null, to where it can grow.
void *tessera_rt_region_grow(tessera_region *region, void *memory, int64_t bytes, int64_t new_bytes,
                             const tessera_site *site);
/// Frees all that was allocated in it; the region itself stays.
void tessera_rt_region_reset(tessera_region *region);
void tessera_rt_region_free(tessera_region *region);
/// The memory of `other`, which is gone then, lives as long as that of `region`.
void tessera_rt_region_adopt(tessera_region *region, tessera_region *other);
/// About how much it holds.
int64_t tessera_rt_region_bytes(const tessera_region *region);
/// How much it may hold before a loop, of which it has the state alone now, copies its state and
/// frees the rest.
int64_t tessera_rt_region_bound(const tessera_region *region);

/// Types of values in memory as a table of numbers, one row a type, the outermost first: its kind,
/// its size and alignment in bytes, 1 where it holds no pointers, how many parts it has, and of
/// each the offset and how far behind this row its own stands. A vector is {data, int64_t count}
/// and has its element as its part; a dictionary is a pointer to a table, or null, and has its
/// entry, a struct of key and value.
enum tessera_kind {
  TESSERA_KIND_BOOL, ///< A byte; what is not 0 is true.
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

/// The order of two values: -1, 0, 1, or 2 where there is none because of a NaN. The first element
/// or field that differs decides; of vectors the shorter is less.
int32_t tessera_rt_compare(const int32_t *type, const void *left, const void *right);
/// Replaces all that a value points to by copies in the region.
void tessera_rt_copy(const int32_t *type, void *value, tessera_region *region,
                     const tessera_site *site);
/// A value as bytes: numbers as they are, of vectors and dictionaries the count first; no padding.
void tessera_rt_serialize(const int32_t *type, const void *value, tessera_region *region,
                          const tessera_site *site, tessera_vector *bytes);
/// And back. Traps where the bytes are not those of one value.
void tessera_rt_deserialize(const int32_t *type, const tessera_vector *bytes,
                            tessera_region *region, const tessera_site *site, void *value);

/// Traps if a vector in what a C function returned has a negative length, or elements but no
/// memory.
void tessera_rt_check_result(const int32_t *type, const void *value, const tessera_site *site);

/// A hash table that keeps the order of insertion. Keys without pointers are compared byte by byte:
/// callers clear the padding, and have one zero and one NaN. `entry` is the type of entries.
struct tessera_table;
tessera_table *tessera_rt_table_create(const int32_t *entry, tessera_region *region,
                                       int64_t capacity, const tessera_site *site);
/// The same for merges: its entries stand in their order behind tessera_rt_table_settle only.
tessera_table *tessera_rt_table_create_merged(const int32_t *entry, tessera_region *region,
                                              int64_t capacity, const tessera_site *site);
void tessera_rt_table_settle(tessera_table *table, const tessera_site *site);
/// Makes room for the entries of other tables that are added next: `count` pointers, `bytes` apart.
void tessera_rt_table_expect(tessera_table *table, const void *others, int64_t bytes, int64_t count,
                             const tessera_site *site);
/// The value of this key, or null. The table may be null.
void *tessera_rt_table_find(const tessera_table *table, const void *key);
/// The value of this key; where there was none, a new one of zeros, and the table's size has grown.
void *tessera_rt_table_insert(tessera_table *table, const void *key, const tessera_site *site);
/// The same for a key that is not there.
void *tessera_rt_table_add(tessera_table *table, const void *key, const tessera_site *site);

/// Decides, by the table that the first chunk of a loop has filled, how the others are filled; how
/// many iterations they shall have. The first had `iterations` of `all`.
enum tessera_strategy { TESSERA_ADAPTIVE, TESSERA_LOCAL, TESSERA_PARTITIONED };
int64_t tessera_rt_table_divide(tessera_table *table, int64_t iterations, int64_t all,
                                int64_t strategy);
/// An empty table for one of them.
tessera_table *tessera_rt_table_piece(const tessera_table *table, tessera_region *region,
                                      const tessera_site *site);
/// Where chunks have divided what they merge: their pairs of key and value, in parts that have no
/// keys in common. `pieces` are pointers to the tables, so many bytes apart.
struct tessera_parts;
struct tessera_block;
enum { tessera_parts_count = 256 };
tessera_parts *tessera_rt_parts_create(char *pieces, int64_t stride, int64_t count,
                                       tessera_region *region, const tessera_site *site);
/// The block of a part behind this one, or the first; null where there is none.
tessera_block *tessera_rt_parts_next(const tessera_parts *parts, int64_t part, tessera_block *block,
                                     tessera_vector *pairs);
/// An empty table for them.
tessera_table *tessera_rt_parts_table(const tessera_parts *parts, int64_t part,
                                      tessera_region *region, const tessera_site *site);
/// All pairs of the part are in the table, which lives in a region of its own: this goes.
void tessera_rt_parts_finish(tessera_parts *parts, int64_t part, tessera_table *table,
                             const tessera_site *site);
/// Gives the table all keys, in the order in which they came.
void tessera_rt_parts_join(tessera_parts *parts, tessera_table *table, int64_t is_searched,
                           const tessera_site *site);

/// Collects values by key, in the order in which they come. `entry` is the type of the entries of
/// the result: key and vector of values.
struct tessera_groups;
tessera_groups *tessera_rt_groups_create(const int32_t *entry, tessera_region *region,
                                         const tessera_site *site);
void tessera_rt_groups_add(tessera_groups *groups, const void *key, const void *value,
                           const tessera_site *site);
/// Adds what `other` has, behind the rest.
void tessera_rt_groups_append(tessera_groups *groups, const tessera_groups *other,
                              const tessera_site *site);
/// The groups as a table; nothing may be added any more.
tessera_table *tessera_rt_groups_finish(tessera_groups *groups, const tessera_site *site);

/// Who has touched the elements of a group's local memory since its work-items last waited for one
/// another, for --checked. Elements are `granule` bytes or more apart.
struct tessera_accesses;
tessera_accesses *tessera_rt_accesses_create(int64_t bytes, int64_t granule, int64_t lanes,
                                             const tessera_site *site);
void tessera_rt_accesses_free(tessera_accesses *accesses);
/// What comes now happens after what came before. Whoever accesses elements is a work-item, or with
/// `are_points` an iteration of a `foreach`.
void tessera_rt_accesses_order(tessera_accesses *accesses, int64_t are_points);
/// Memory that begins undefined: no element of it is written.
void tessera_rt_accesses_begin(tessera_accesses *accesses, int64_t offset, int64_t bytes);
/// In ~who: the subgroup's work-items share a matrix instead of doing the same each.
#define TESSERA_ACCESS_MATRIX (int64_t(1) << 32)
/// For who: all of a group, which waits for all others.
#define TESSERA_ACCESS_GROUP INT64_MIN
/// An access as below. Traps where nobody has written what it reads.
void tessera_rt_accesses_touch(tessera_accesses *accesses, int64_t offset, int64_t who,
                               int64_t kind, int64_t group, const tessera_site *site);
/// An access by work-item `who`, or together by those of subgroup ~who who have a bit in `members`;
/// `kind` is 0 to read, 1 to write, 2 to add and 3 to write atomically. Traps where it races with
/// another.
void tessera_rt_accesses_note(tessera_accesses *accesses, int64_t offset, int64_t who,
                              int64_t members, int64_t kind, int64_t group,
                              const tessera_site *site);

/// Sorts elements by one of their scalars; equal ones stay in their order. `order` is its kind, 1
/// if they shall descend, the size of an element, and where in it the scalar stands. 0 where one is
/// NaN, which has no place: nothing is sorted then.
int32_t tessera_rt_sort(const int32_t *order, const void *from, void *to, int64_t count,
                        tessera_region *scratch, const tessera_site *site);

/// The number of elements of an array of this shape inside a vector, of which element i stands at
/// start + the dot product of its position and the strides. Traps where one is not in the vector.
int64_t tessera_rt_count_strided(const void *shape, int64_t num_sizes, const void *strides,
                                 int64_t num_strides, int64_t start, int64_t count,
                                 const tessera_site *site);

/// A program on values in memory: `body` reads its arguments, a C struct, and writes its result.
struct tessera_program {
  const char *name;
  const char *cpu; ///< As in a signature.
  void (*body)(const void *arguments, void *result);
  const int32_t *arguments, *result; ///< Their types.
  const tessera_site *place;
  const char *const *names = nullptr; ///< Of the arguments, and a null behind them.
  int32_t callsOut = 0;               ///< Whether it calls functions in C.
};
/// Runs it; what the result points to, behind TESSERA_OK, lives until tessera_run_free, or is part
/// of the arguments.
int tessera_rt_run(const tessera_program *program, const void *arguments, void *result,
                   tessera_run **run);
/// The same, with checks in front: the C entry points of `tessera build` do nothing else. What is
/// returned lives until its run is freed; behind a failure, until this thread's next one.
tessera_output *tessera_rt_call(const tessera_program *program, const tessera_input *input);

/// What a parameter of a kernel is: a value; a pointer to elements; or a pointer to such pointers.
enum tessera_kernel_kind { TESSERA_KERNEL_SCALAR, TESSERA_KERNEL_MEMREF, TESSERA_KERNEL_GROUP };

/// A parameter of a kernel. Sizes, strides, `count` and `offset` are -1 where the call says them.
struct tessera_kernel_parameter {
  const char *name;
  tessera_dtype dtype;
  int32_t kind;
  int64_t order;
  const int64_t *shape, *strides; ///< In elements; of a group: those of each member.
  int64_t count, offset;          ///< Of a group.
  /// What callers promise: the first element lies at a multiple, sizes and strides are multiples.
  int64_t alignment;
  const int64_t *shape_divisors, *stride_divisors; ///< One a mode.
};

/// A kernel. `body` reads its arguments from a C struct: of each parameter the value; or the
/// pointer, then an int64_t for each size and stride that is -1 (of a group: a pointer to as many
/// as it has members), then count and offset where they are. It runs all groups.
struct tessera_kernel {
  const char *name;
  const char *cpu; ///< As in a signature.
  void (*body)(const void *arguments, const tessera_launch *launch);
  int64_t num_parameters;
  const tessera_kernel_parameter *parameters;
  const tessera_site *place;
};
/// Checks the CPU and the arguments against all that the table says, and runs the body, with the
/// number of threads filled in and `alone` as it is known to be: the C entry points of `tessera
/// build` do nothing else.
int tessera_rt_launch(const tessera_kernel *kernel, const void *arguments,
                      const tessera_launch *launch);

/// `main` of an executable made by `tessera build`: runs the program, prints what went wrong, and
/// returns the exit status.
int tessera_rt_main(const tessera_signature *signature);
}
#pragma GCC visibility pop

#endif
