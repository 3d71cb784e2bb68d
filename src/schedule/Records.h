/// Sources of schedules besides the model: schedule files, and tuning records.
#ifndef TESSERA_SCHEDULE_RECORDS_H
#define TESSERA_SCHEDULE_RECORDS_H

#include "schedule/Kernel.h"
#include "support/Source.h"

namespace tessera::schedule {

/// What tuning found for kernels of a kind and sizes, on a processor with a number of threads.
struct Record {
  std::string processor; ///< "sapphirerapids/64": its name and the vector size in bytes.
  int64_t threads = 1;
  std::string function; ///< "" if all sizes are known: the record then applies to any function.
  std::string kind;
  KernelSizes sizes = {};
  Contraction schedule;
  double seconds = 0, untuned = 0; ///< The time of the measured call.
  uint64_t seed = 0;
  SourceRange range = {}; ///< In the file it was read from.

  bool isAbout(const Record &other) const;
  llvm::json::Object toJson() const;
  /// Returns nullopt and sets `error` if the object is not a record.
  static std::optional<Record> fromJson(const llvm::json::Object &object, std::string &error);
};

/// An error in a file, with its position.
struct Mistake {
  SourceRange range;
  std::string text;
};

/// Reads FILE.tune: one JSON record per line; lines that begin with // are comments. Invalid lines
/// do not invalidate the others.
std::vector<Record> parseRecords(const SourceFile &file, std::vector<Mistake> &mistakes);
std::string printRecords(llvm::ArrayRef<Record> records);

/// An entry of a --schedule file: one kernel per line, with the schedule that replaces the model's.
struct GivenKernel {
  Kernel kernel;
  SourceRange range;
};
std::vector<GivenKernel> parseSchedules(const SourceFile &file, std::optional<Mistake> &mistake);
std::string printSchedules(llvm::ArrayRef<Kernel> kernels);
/// Whether the first line that is not a comment begins something other than a module.
bool hasScheduleLines(llvm::StringRef text);

/// The distance between the sizes of a record and the requested sizes: the sum of the differences
/// of their base-2 logarithms, so 1 where one is twice the other. See Note [Sizes that are not
/// known].
double distance(const KernelSizes &known, const KernelSizes &wanted);

/// The smallest size that is close to a dynamic one, and its distance.
inline constexpr int64_t minLarge = 256;
inline constexpr double distanceToLarge = 0.5;

/// Beyond this distance, sizes say nothing about each other.
inline constexpr double maxDistance = 2;

/// The source of a schedule.
enum class Origin {
  Modeled, ///< Chosen from the sizes alone.
  Cached,  ///< From a record of similar sizes or another number of threads.
  Tuned,   ///< From a record of exactly these sizes.
  Given,   ///< From the --schedule file.
};
llvm::StringRef name(Origin origin);

struct Choice {
  Contraction schedule;
  Origin origin = Origin::Modeled;
};

/// All sources of schedules for one machine.
struct Book {
  std::string processor;
  int64_t threads = 1;
  std::vector<GivenKernel> given;
  std::vector<std::vector<Record>> shelves; ///< The first shelf with a matching record wins.

  Choice choose(const Kernel &kernel) const;
  /// Where `given` disagrees with the program's kernels.
  std::vector<Mistake> mismatches(llvm::ArrayRef<Kernel> kernels) const;
  /// Records of a shelf that match a kernel but have a schedule it cannot use.
  std::vector<Mistake> unusable(size_t shelf, llvm::ArrayRef<Kernel> kernels) const;

private:
  bool isExact(const Record &record, const Kernel &kernel) const;
  bool isKin(const Record &record, const Kernel &kernel) const;
  std::optional<Choice> lookUp(const Kernel &kernel, bool isExact) const;
};

} // namespace tessera::schedule

#endif
