#include "peers.h"
#include <string.h>

int32_t peer_primes(int32_t *composite, int32_t n) {
  memset(composite, 0, n * sizeof(int32_t));
  int32_t count = 0;
  for (int32_t i = 2; i < n; i++)
    if (!composite[i]) {
      count++;
      if (i <= n / i)
        for (int32_t j = i * i; j < n; j += i)
          composite[j] = 1;
    }
  return count;
}

int32_t peer_fib(int32_t n) {
  return n > 1 ? peer_fib(n - 1) + peer_fib(n - 2) : n;
}

static void heat_step(const float *restrict u, float *restrict v, int64_t n) {
  for (int64_t i = 1; i < n - 1; i++)
    for (int64_t j = 1; j < n - 1; j++)
      v[i * n + j] = u[i * n + j] * 0.5f + (u[(i - 1) * n + j] + u[(i + 1) * n + j] +
                                            u[i * n + j - 1] + u[i * n + j + 1]) *
                                               0.125f;
}

const float *peer_heat(const float *input, float *u, float *v, int64_t n, int32_t steps) {
  memcpy(u, input, n * n * sizeof(float));
  memcpy(v, input, n * n * sizeof(float));
  for (int32_t step = 0; step < steps; step++) {
    heat_step(u, v, n);
    float *old = u;
    u = v;
    v = old;
  }
  return u;
}

void peer_chain(const float *restrict a, const float *restrict b, const float *restrict c,
                float *restrict out, int64_t count) {
  for (int64_t i = 0; i < count; i++)
    out[i] = (a[i] * 2.0f + b[i]) / (c[i] + 1.0f) - a[i];
}

void peer_recurrence(const float *p, const float *a, const float *b, float *out, int32_t steps) {
  float state[4][4], factor[4][4], term[4][4];
  memcpy(state, p, sizeof state);
  memcpy(factor, a, sizeof factor);
  memcpy(term, b, sizeof term);
  for (int32_t step = 0; step < steps; step++) {
    float next[4][4];
    for (int i = 0; i < 4; i++)
      for (int j = 0; j < 4; j++) {
        float sum = 0;
        for (int k = 0; k < 4; k++)
          sum += state[i][k] * factor[k][j];
        next[i][j] = sum + term[i][j];
      }
    memcpy(state, next, sizeof state);
  }
  memcpy(out, state, sizeof state);
}
