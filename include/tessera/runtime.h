/* The runtime's public face: what programs need that link code made by `tessera build`.
 * Plain C, no dependency but libc. docs/runtime-abi.md states the contract. */
#ifndef TESSERA_RUNTIME_H
#define TESSERA_RUNTIME_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif
#ifdef __GNUC__
#pragma GCC visibility push(default)
#endif

/* The three structs below have the layout of DLPack's DLDevice, DLDataType and DLTensor. */
typedef struct tessera_device {
  int32_t device_type; /* 1: CPU */
  int32_t device_id;
} tessera_device;

typedef struct tessera_dtype {
  uint8_t code; /* TESSERA_INT, ... */
  uint8_t bits;
  uint16_t lanes; /* 1 */
} tessera_dtype;

enum {
  TESSERA_INT = 0,
  TESSERA_UINT = 1,
  TESSERA_FLOAT = 2,
  TESSERA_BFLOAT = 4,
  TESSERA_COMPLEX = 5,
  TESSERA_BOOL = 6
};

typedef struct tessera_view {
  void *data;
  tessera_device device;
  int32_t ndim; /* 0: a scalar */
  tessera_dtype dtype;
  int64_t *shape;
  int64_t *strides; /* in elements; null: row-major without gaps */
  uint64_t byte_offset;
} tessera_view;

/* What an entry point returns; the text is tessera_last_error()'s. */
enum {
  TESSERA_OK = 0,
  TESSERA_INVALID_ARGUMENT = 2, /* an argument does not fit the signature; nothing was computed */
  TESSERA_RUNTIME_ERROR = 3, /* the program failed: division by zero, a failed check, no memory */
  TESSERA_WRONG_CPU = 4      /* compiled for instructions that this CPU lacks */
};

/* The message of this thread's last failed call; "" when there was none. Valid until the next
 * failure. */
const char *tessera_last_error(void);

/* Frees what an entry point put into `result` and clears it. A null or cleared view is left alone,
 * and so is one whose memory the caller provided. */
void tessera_free(tessera_view *result);

/* What NAME_plain asks of each result: TESSERA_INVALID_ARGUMENT where its memory is null and it has
 * elements. */
int tessera_check_result(tessera_view *result, const char *name);

/* Threads that work on one call, the caller included: 0 asks for TESSERA_NUM_THREADS or all CPUs.
 */
void tessera_set_threads(int32_t threads);
int32_t tessera_num_threads(void);

/* What the entry of a Weld program is given. */
typedef struct tessera_run tessera_run;

typedef struct tessera_input {
  const void *arguments; /* the program's struct of arguments; null where it has none */
  int32_t threads;       /* of this call; 0: tessera_num_threads() */
  int64_t max_memory;    /* bytes that this call may allocate at a time; 0: any number */
  tessera_run *run;      /* null, or an earlier call's: it becomes part of this one's */
} tessera_input;

/* And what it returns. */
typedef struct tessera_output {
  void *result; /* of the program's type of results; null where the call failed */
  tessera_run *run;
  int64_t status; /* TESSERA_OK, ... */
} tessera_output;

/* Frees a result, all that it points to, and the tessera_output that it came in. Null is left
 * alone. */
void tessera_run_free(tessera_run *run);

/* A dictionary of a Weld program: how many entries it has, and where they are, in the order in
 * which their keys came; each is a struct of key and value. Null is a dictionary without entries.
 */
typedef struct tessera_dict tessera_dict;
int64_t tessera_dict_length(const tessera_dict *dict);
const void *tessera_dict_entries(const tessera_dict *dict);

/* Complex numbers, as C99 and Fortran pass them: their parts in memory, the real one first. */
#ifdef __GNUC__
__extension__ typedef float _Complex tessera_c32;
__extension__ typedef double _Complex tessera_c64;
#endif

/* How a kernel of tinytc is launched. */
typedef struct tessera_launch {
  int64_t groups;  /* work-groups: 0 or more */
  int32_t threads; /* of this call; 0: tessera_num_threads() */
  int32_t alone;   /* not 0: nobody else adds to the same memory meanwhile; 0: others may */
} tessera_launch;

#ifdef __GNUC__
#pragma GCC visibility pop
#endif
#ifdef __cplusplus
}
#endif
#endif
