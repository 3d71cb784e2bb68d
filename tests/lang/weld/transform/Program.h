/// Runs programs that are written in the dialect.
#ifndef TESSERA_TESTS_LANG_WELD_PROGRAM_H
#define TESSERA_TESTS_LANG_WELD_PROGRAM_H

#include "jit/Jit.h"
#include "lang/Language.h"
#include <memory>
#include <string>
#include <vector>

namespace tessera::tests {

/// A vector as programs see it.
template <typename T> struct Vec {
  T *data;
  int64_t count;

  Vec() : data(nullptr), count(0) {}
  Vec(std::vector<T> &values) : data(values.data()), count(int64_t(values.size())) {}
  std::vector<T> values() const { return std::vector<T>(data, data + count); }
};

class Program {
public:
  /// The text of a module; `error` is "" if it could be compiled.
  Program(const std::string &text, unsigned optLevel, std::vector<jit::Foreign> foreign = {});
  ~Program();
  /// The text of a program in Weld.
  static std::unique_ptr<Program> fromWeld(const std::string &text, unsigned optLevel);

  /// The status; the result lives as long as the program.
  int run(const void *arguments, void *result);
  void freeRuns();

  std::string error;

private:
  Program(const Language &language, const Checked &checked, unsigned optLevel,
          std::vector<jit::Foreign> foreign);
  void compile(const Language &language, const Checked &checked, unsigned optLevel,
               const std::vector<jit::Foreign> &foreign);

  std::unique_ptr<jit::Program> loaded;
  const tessera_program *entry = nullptr;
  std::vector<tessera_run *> runs;
};

} // namespace tessera::tests

#endif
