/// What is known about schedules besides the model: files of schedules, and records of tuning.
#ifndef TESSERA_SCHEDULE_RECORDS_H
#define TESSERA_SCHEDULE_RECORDS_H

#include "schedule/Kernel.h"
#include "support/Source.h"

namespace tessera::schedule {

/// What tuning found for kernels of a kind and sizes, on a processor with so many threads.
struct Record {
  std::string processor; ///< "sapphirerapids/64": its name and the bytes of a vector.
  int64_t threads = 1;
  std::string function; ///< "" where all sizes are known: then any function's kernels are meant.
  std::string kind;
  KernelSizes sizes = {};
  Contraction schedule;
  double seconds = 0, untuned = 0; ///< Of the call that it was measured in.
  uint64_t seed = 0;
  SourceRange range = {}; ///< In the file that it was read from.

  bool isAbout(const Record &other) const;
  llvm::json::Object toJson() const;
  /// Nothing where the object is no record; `error` then says why.
  static std::optional<Record> fromJson(const llvm::json::Object &object, std::string &error);
};

/// What is wrong in a file, and where.
struct Mistake {
  SourceRange range;
  std::string text;
};

/// FILE.tune: one record a line, as JSON; lines that begin with // are comments. What is wrong with
/// a line is no reason to leave out the others.
std::vector<Record> parseRecords(const SourceFile &file, std::vector<Mistake> &mistakes);
std::string printRecords(llvm::ArrayRef<Record> records);

/// The file of --schedule: one kernel a line, its schedule in place of the model's.
struct GivenKernel {
  Kernel kernel;
  SourceRange range;
};
std::vector<GivenKernel> parseSchedules(const SourceFile &file, std::optional<Mistake> &mistake);
std::string printSchedules(llvm::ArrayRef<Kernel> kernels);
/// The first line that is no comment does not begin a module.
bool hasScheduleLines(llvm::StringRef text);

/// From a record's sizes to those that are asked for: the sum of the logarithms by which they
/// differ, to base 2: 1 where one is twice the other. See Note [Sizes that are not known].
double distance(const KernelSizes &known, const KernelSizes &wanted);

/// What a size that is not known is like, and how far away.
inline constexpr int64_t minLarge = 256;
inline constexpr double distanceToLarge = 0.5;

/// Sizes further apart than this have nothing to tell each other.
inline constexpr double maxDistance = 2;

/// Where a schedule comes from.
enum class Origin {
  Modelled, ///< From the sizes alone.
  Cached,   ///< A record of near sizes or of another number of threads.
  Tuned,    ///< A record of these very sizes.
  Given,    ///< The file of --schedule.
};
llvm::StringRef name(Origin origin);

struct Choice {
  Contraction schedule;
  Origin origin = Origin::Modelled;
};

/// All of it, for one machine.
struct Book {
  std::string processor;
  int64_t threads = 1;
  std::vector<GivenKernel> given;
  std::vector<std::vector<Record>> shelves; ///< The first that knows wins.

  Choice choose(const Kernel &kernel) const;
  /// Where `given` disagrees with the kernels that there are.
  std::vector<Mistake> mismatches(llvm::ArrayRef<Kernel> kernels) const;
  /// Records of a shelf that are about such a kernel, but that it cannot follow.
  std::vector<Mistake> unusable(size_t shelf, llvm::ArrayRef<Kernel> kernels) const;

private:
  bool isExact(const Record &record, const Kernel &kernel) const;
  bool isKin(const Record &record, const Kernel &kernel) const;
  std::optional<Choice> lookUp(const Kernel &kernel, bool isExact) const;
};

} // namespace tessera::schedule

#endif
