/// Text built in a fixed buffer: what does not fit is cut off; nothing is allocated.
#ifndef TESSERA_RUNTIME_TEXT_H
#define TESSERA_RUNTIME_TEXT_H

#include <cstdarg>
#include <cstddef>
#include <cstdio>

namespace tessera::runtime {

class Text {
public:
  Text(char *buffer, size_t capacity) : buffer(buffer), capacity(capacity) { buffer[0] = 0; }

  [[gnu::format(printf, 2, 3)]] void add(const char *format, ...) {
    va_list values;
    va_start(values, format);
    addList(format, values);
    va_end(values);
  }

  [[gnu::format(printf, 2, 0)]] void addList(const char *format, va_list values) {
    int wanted = vsnprintf(buffer + length, capacity - length, format, values);
    if (wanted > 0)
      length = length + wanted < capacity ? length + wanted : capacity - 1;
  }

  void add(char character) { add("%c", character); }
  const char *str() const { return buffer; }
  bool empty() const { return length == 0; }

private:
  char *buffer;
  size_t capacity, length = 0;
};

/// A message of fixed size, for functions that may fail without setting a thread's last error.
struct Message {
  char text[1024] = "";
};

} // namespace tessera::runtime

#endif
