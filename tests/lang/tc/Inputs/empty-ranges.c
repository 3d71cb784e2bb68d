#include <stdio.h>
int main(void) {
  float a[2] = {1, 2}, w[1] = {3}, s = -1, none[1];
  if (reduced_plain(2, 0, a, w, &s) != 0 || s != 0)
    return puts("an empty range reads nothing"), 1;
  if (reduced_plain(2, 1, a, w, &s) == 0)
    return puts("two are not three"), 1;
  return first_plain(0, a, none) != 0;
}
