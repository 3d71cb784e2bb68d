/* What a user would write instead: plain C and C++, compiled with -O3 -march=native. Memory is the
 * caller's and warm. */
#ifndef TESSERA_BENCH_PEERS_H
#define TESSERA_BENCH_PEERS_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

int32_t peer_primes(int32_t *composite, int32_t n);
int32_t peer_fib(int32_t n);

/* Both plates have n x n points; returns the one that holds the last step. */
const float *peer_heat(const float *input, float *u, float *v, int64_t n, int32_t steps);

void peer_chain(const float *a, const float *b, const float *c, float *out, int64_t count);
void peer_chain_threads(const float *a, const float *b, const float *c, float *out, int64_t count,
                        int32_t threads);

/* p = p a + b for 4x4 matrices: plain loops, and Eigen's fixed-size matrices. */
void peer_recurrence(const float *p, const float *a, const float *b, float *out, int32_t steps);
void peer_recurrence_eigen(const float *p, const float *a, const float *b, float *out,
                           int32_t steps);

#ifdef __cplusplus
}
#endif
#endif
