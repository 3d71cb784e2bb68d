/// Values as text, in the format of the command line's results.
#ifndef TESSERA_RUNTIME_FORMAT_H
#define TESSERA_RUNTIME_FORMAT_H

#include "tessera/runtime.h"
#include <cstddef>

namespace tessera::runtime {

/// The destination of text.
struct Sink {
  void (*write)(void *context, const char *text, size_t size);
  void *context;
};

struct FormatOptions {
  /// Above this many elements only the ends of each dimension are written; negative: all elements.
  int64_t abbreviateAbove = 1000;
  /// `nan` and infinities as JSON strings.
  bool quoteNonFinite = false;
};

/// One element. Floats have the fewest digits that read back as the same value, and always a point
/// or an exponent; a complex number is `[re, im]`.
void formatElement(Sink sink, tessera_dtype dtype, const void *element, FormatOptions options = {});

/// Nested arrays, `[[1, 2], [3, 4]]`. Strides may be null.
void formatView(Sink sink, const tessera_view &view, FormatOptions options = {});

} // namespace tessera::runtime

#endif
