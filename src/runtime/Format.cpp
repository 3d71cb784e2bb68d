/// Formats numbers and nested arrays. Independent of the locale and of libstdc++.
#include "runtime/Format.h"
#include "runtime/Float.h"
#include "runtime/View.h"
#include <cinttypes>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>

using namespace tessera::runtime;

namespace {

/// Elements shown at each end of an abbreviated dimension.
constexpr int64_t shown = 3;

/// Digits d1 d2 d3 ... with value d1.d2d3... * 10^exponent.
struct Decimal {
  char digits[24];
  int numDigits, exponent;
};

/// snprintf's `d.ddde-dd`, whatever the locale's point, without trailing zeros.
Decimal parseScientific(const char *text) {
  Decimal decimal{};
  for (; *text && *text != 'e'; ++text)
    if (*text >= '0' && *text <= '9')
      decimal.digits[decimal.numDigits++] = *text;
  decimal.exponent = *text ? atoi(text + 1) : 0;
  while (decimal.numDigits > 1 && decimal.digits[decimal.numDigits - 1] == '0')
    --decimal.numDigits;
  return decimal;
}

/// Whether the text reads back as `value` in this type.
bool readsBack(tessera_dtype dtype, const char *text, double value) {
  if (dtype.bits == 32)
    return strtof(text, nullptr) == float(value);
  double read = strtod(text, nullptr);
  if (dtype.bits == 64)
    return read == value;
  uint16_t bits;
  storeFloat(dtype, read, &bits);
  return loadFloat(dtype, &bits) == value;
}

/// The number of digits that every normal number of the type preserves: fewer digits cannot give a
/// shorter text.
int sureDigits(tessera_dtype dtype, double value) {
  if (dtype.code == TESSERA_BFLOAT)
    return value < 0x1p-126 ? 1 : 2;
  if (dtype.bits == 16)
    return value < 0x1p-14 ? 1 : 3;
  if (dtype.bits == 32)
    return value < 0x1p-126 ? 1 : 6;
  return value < 0x1p-1022 ? 1 : 15;
}

Decimal shortest(tessera_dtype dtype, double value) {
  char text[40];
  for (int digits = sureDigits(dtype, value);; ++digits) {
    snprintf(text, sizeof text, "%.*e", digits - 1, value);
    if (digits >= 17 || readsBack(dtype, text, value))
      return parseScientific(text);
  }
}

/// Python's format: plain from 1e-4 up to 1e16, otherwise with an exponent.
int layOut(const Decimal &decimal, char *out) {
  const char *digits = decimal.digits;
  int count = decimal.numDigits, exponent = decimal.exponent;
  if (exponent < -4 || exponent >= 16)
    return sprintf(out, "%c%s%.*se%+03d", digits[0], count > 1 ? "." : "", count - 1, digits + 1,
                   exponent);
  if (exponent < 0)
    return sprintf(out, "0.%.*s%.*s", -exponent - 1, "000", count, digits);
  int whole = exponent + 1;
  if (count <= whole)
    return sprintf(out, "%.*s%.*s.0", count, digits, whole - count, "0000000000000000");
  return sprintf(out, "%.*s.%.*s", whole, digits, count - whole, digits + whole);
}

int formatFloat(char *out, tessera_dtype dtype, double value, bool quote) {
  const char *mark = quote ? "\"" : "";
  if (std::isnan(value))
    return sprintf(out, "%snan%s", mark, mark);
  if (std::isinf(value))
    return sprintf(out, "%s%sinf%s", mark, value < 0 ? "-" : "", mark);
  int length = std::signbit(value) ? sprintf(out, "-") : 0;
  return length + layOut(shortest(dtype, fabs(value)), out + length);
}

int64_t loadInteger(tessera_dtype dtype, const void *element) {
  int64_t value = 0;
  memcpy(&value, element, dtype.bits / 8);
  int unused = 64 - dtype.bits;
  return dtype.code == TESSERA_INT ? int64_t(uint64_t(value) << unused) >> unused : value;
}

void writeText(Sink sink, const char *text) {
  sink.write(sink.context, text, strlen(text));
}

/// Writes the dimensions from `dim` inwards.
class ViewFormatter {
public:
  ViewFormatter(Sink sink, const tessera_view &view, FormatOptions options)
      : sink(sink), view(view), options(options), size(elementBytes(view.dtype)),
        abbreviate(options.abbreviateAbove >= 0 && numElements(view) > options.abbreviateAbove) {}

  void format(int32_t dim, const char *data) {
    if (dim == view.ndim)
      return formatElement(sink, view.dtype, data, options);
    int64_t count = view.shape[dim], step = strideOf(view, dim) * size;
    writeText(sink, "[");
    for (int64_t index = 0; index < count; ++index) {
      if (index)
        writeText(sink, ", ");
      if (abbreviate && count > 2 * shown && index == shown) {
        writeText(sink, "..., ");
        index = count - shown;
      }
      format(dim + 1, data + index * step);
    }
    writeText(sink, "]");
  }

private:
  Sink sink;
  const tessera_view &view;
  FormatOptions options;
  int64_t size;
  bool abbreviate;
};

} // namespace

void tessera::runtime::formatElement(Sink sink, tessera_dtype dtype, const void *element,
                                     FormatOptions options) {
  char text[64];
  int length = 0;
  if (dtype.code == TESSERA_COMPLEX) {
    tessera_dtype part{TESSERA_FLOAT, uint8_t(dtype.bits / 2), 1};
    writeText(sink, "[");
    formatElement(sink, part, element, options);
    writeText(sink, ", ");
    formatElement(sink, part, static_cast<const char *>(element) + dtype.bits / 16, options);
    return writeText(sink, "]");
  }
  if (dtype.code == TESSERA_BOOL)
    length = sprintf(text, "%s", *static_cast<const char *>(element) ? "true" : "false");
  else if (dtype.code == TESSERA_INT)
    length = sprintf(text, "%" PRId64, loadInteger(dtype, element));
  else if (dtype.code == TESSERA_UINT)
    length = sprintf(text, "%" PRIu64, uint64_t(loadInteger(dtype, element)));
  else
    length = formatFloat(text, dtype, loadFloat(dtype, element), options.quoteNonFinite);
  sink.write(sink.context, text, length);
}

void tessera::runtime::formatView(Sink sink, const tessera_view &view, FormatOptions options) {
  const char *data = static_cast<const char *>(view.data) + view.byte_offset;
  ViewFormatter(sink, view, options).format(0, data);
}
