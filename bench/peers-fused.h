/* Fused loops as a user would write them by hand: each row is finished while it is in cache. For
 * g++, which calls glibc's vector functions. */
#ifndef TESSERA_BENCH_PEERS_FUSED_H
#define TESSERA_BENCH_PEERS_FUSED_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

void peer_softmax(const float *x, float *o, int64_t rows, int64_t columns);
void peer_layer_norm(const float *x, const float *scale, const float *shift, float *o, int64_t rows,
                     int64_t columns);
/* `size` elements a channel, `channels` a group, `groups` an image. */
struct peer_group_shape {
  int64_t images, groups, channels, size;
};
void peer_group_norm(const float *x, const float *scale, const float *shift, float *o,
                     struct peer_group_shape shape);
void peer_moments(const float *x, float *mean, float *var, int64_t rows, int64_t columns);
/* Sums of rows of a table, with the rows of the next sums on their way. */
void peer_lookup(const float *table, const int32_t *rows, float *o, int64_t sums, int64_t length,
                 int64_t columns);
void peer_transpose(const float *x, float *o, int64_t rows, int64_t columns);
void peer_reverse(const float *x, float *o, int64_t a, int64_t b, int64_t c);
struct peer_cluster_shape {
  int64_t points, centers, dims;
};
/* One step of k-means; returns the cost. */
float peer_kmeans(const float *x, const float *centers, float *means, int32_t *labels,
                  int32_t *counts, struct peer_cluster_shape shape);

#ifdef __cplusplus
}
#endif
#endif
