/* The runtime's public interface, for programs that link the output of `tessera build`.
 * Plain C that depends only on libc. docs/runtime-abi.md describes it. */
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

/* The status of an entry point; tessera_last_error() returns the message. */
enum {
  TESSERA_OK = 0,
  TESSERA_INVALID_ARGUMENT = 2, /* an argument does not fit the signature; nothing was computed */
  TESSERA_RUNTIME_ERROR =
      3,                /* the program failed: division by zero, a failed check, no memory... */
  TESSERA_WRONG_CPU = 4 /* compiled for instructions that this CPU lacks */
};

/* The message of this thread's last failed call; "" if there was none. Valid until the thread's
 * next failure. */
const char *tessera_last_error(void);

/* Frees what an entry point allocated for `result` and clears the view. Does nothing for null, for
 * a cleared view, and for a view with memory of the caller. */
void tessera_free(tessera_view *result);

/* Used by NAME_plain: returns TESSERA_INVALID_ARGUMENT if the memory of a result is null although
 * it has elements. */
int tessera_check_result(tessera_view *result, const char *name);

/* The number of threads that work on one call, including the caller; 0: TESSERA_NUM_THREADS or all
 * CPUs. */
void tessera_set_threads(int32_t threads);
int32_t tessera_num_threads(void);

/* The input of a Weld program's entry point. */
typedef struct tessera_run tessera_run;

typedef struct tessera_input {
  const void *arguments; /* the program's struct of arguments; null if it has none */
  int32_t threads;       /* for this call; 0: tessera_num_threads() */
  int64_t max_memory;    /* limit of the bytes that this call may have allocated; 0: no limit */
  tessera_run *run;      /* null, or the run of an earlier call, which becomes part of this one */
} tessera_input;

/* The output of a Weld program's entry point. */
typedef struct tessera_output {
  void *result; /* points to the program's type of results; null if the call failed */
  tessera_run *run;
  int64_t status; /* TESSERA_OK, ... */
} tessera_output;

/* Frees a result, everything that it points to, and its tessera_output. Does nothing for null. */
void tessera_run_free(tessera_run *run);

/* A dictionary of a Weld program: the number of its entries, and an array of them in the order in
 * which their keys first occurred; each is a struct of key and value. Null is an empty dictionary.
 */
typedef struct tessera_dict tessera_dict;
int64_t tessera_dict_length(const tessera_dict *dict);
const void *tessera_dict_entries(const tessera_dict *dict);

/* Complex numbers, as C99 and Fortran pass them: the real part first. */
#ifdef __GNUC__
__extension__ typedef float _Complex tessera_c32;
__extension__ typedef double _Complex tessera_c64;
#endif

/* The launch of a tinytc kernel. */
typedef struct tessera_launch {
  int64_t groups;  /* work-groups: 0 or more */
  int32_t threads; /* for this call; 0: tessera_num_threads() */
  int32_t alone;   /* not 0: nobody else adds to the same memory during the launch; 0: others may */
} tessera_launch;

#ifdef __GNUC__
#pragma GCC visibility pop
#endif
#ifdef __cplusplus
}
#endif
#endif
