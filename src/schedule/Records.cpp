#include "schedule/Records.h"
#include "mlir/IR/BuiltinTypeInterfaces.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MathExtras.h"
#include <cmath>
#include <limits>

using namespace mlir;
using namespace tessera;
using namespace tessera::schedule;
using llvm::json::Object;

bool Record::isAbout(const Record &other) const {
  return processor == other.processor && threads == other.threads && function == other.function &&
         kind == other.kind && sizes == other.sizes;
}

Object Record::toJson() const {
  Object object{{"processor", processor}, {"threads", threads},           {"kind", kind},
                {"seconds", seconds},     {"sizes", sizesText(sizes)},    {"untuned", untuned},
                {"seed", int64_t(seed)},  {"schedule", schedule.toJson()}};
  if (!function.empty())
    object["function"] = function;
  return object;
}

/// Names the first required field that is missing or has the wrong type. The fields are strings,
/// one of which is `sizes`, and a number.
static std::string whatIsWrong(const Object &object, ArrayRef<StringRef> texts, StringRef number) {
  auto wrong = [&](StringRef name, StringRef kind) -> std::string {
    const llvm::json::Value *value = object.get(name);
    return value ? llvm::formatv("`{0}` is {1}, not {2}", name, *value, kind).str()
                 : llvm::formatv("`{0}` is missing", name).str();
  };
  for (StringRef name : texts)
    if (!object.getString(name))
      return wrong(name, "a string");
  if (!object.getInteger(number))
    return wrong(number, "an integer");
  if (!object.getObject("schedule"))
    return wrong("schedule", "an object");
  StringRef sizes = *object.getString("sizes");
  if (parseSizes(sizes))
    return "";
  return llvm::formatv("`sizes` is `{0}`, not four sizes such as `64x?x64x1`", sizes);
}

std::optional<Record> Record::fromJson(const Object &object, std::string &error) {
  error = whatIsWrong(object, {"processor", "kind", "sizes"}, "threads");
  if (!error.empty())
    return std::nullopt;
  std::optional<Contraction> contraction =
      Contraction::fromJson(*object.getObject("schedule"), error);
  if (!contraction)
    return std::nullopt;
  return Record{object.getString("processor")->str(),
                *object.getInteger("threads"),
                object.getString("function").value_or("").str(),
                object.getString("kind")->str(),
                *parseSizes(*object.getString("sizes")),
                *contraction,
                object.getNumber("seconds").value_or(0),
                object.getNumber("untuned").value_or(0),
                uint64_t(object.getInteger("seed").value_or(0))};
}

/// Strips the position at the beginning of the message, which is relative to the line.
static std::string messageOf(llvm::Error error) {
  std::string text = toString(std::move(error));
  return StringRef(text).split("]: ").second.str();
}

/// Calls `read` for each line that is not a comment; `read` returns what is wrong with it.
static std::vector<Mistake>
readLines(const SourceFile &file,
          llvm::function_ref<std::string(const Object &, SourceRange)> read) {
  std::vector<Mistake> mistakes;
  for (uint32_t number = 1; number <= file.numLines(); ++number) {
    StringRef line = file.line(number);
    SourceRange range{file.lineStart(number), file.lineStart(number) + uint32_t(line.size())};
    if (line.trim().empty() || line.trim().starts_with("//"))
      continue;
    llvm::Expected<llvm::json::Value> value = llvm::json::parse(line);
    if (!value)
      mistakes.push_back({range, "invalid JSON: " + messageOf(value.takeError())});
    else if (const Object *object = value->getAsObject(); !object)
      mistakes.push_back({range, "expected a JSON object"});
    else if (std::string error = read(*object, range); !error.empty())
      mistakes.push_back({range, error});
  }
  return mistakes;
}

std::vector<Record> schedule::parseRecords(const SourceFile &file, std::vector<Mistake> &mistakes) {
  std::vector<Record> records;
  mistakes = readLines(file, [&](const Object &object, SourceRange range) {
    std::string error;
    if (std::optional<Record> record = Record::fromJson(object, error)) {
      record->range = range;
      records.push_back(std::move(*record));
    }
    return error;
  });
  return records;
}

static std::string lineOf(Object object) {
  return llvm::formatv("{0}\n", llvm::json::Value(std::move(object)));
}

std::string schedule::printRecords(ArrayRef<Record> records) {
  std::string text = "// Written by `tessera tune`: schedules that were measured to be fast.\n";
  for (const Record &record : records)
    text += lineOf(record.toJson());
  return text;
}

std::vector<GivenKernel> schedule::parseSchedules(const SourceFile &file,
                                                  std::optional<Mistake> &mistake) {
  std::vector<GivenKernel> kernels;
  auto mistakes = readLines(file, [&](const Object &object, SourceRange range) -> std::string {
    std::string error = whatIsWrong(object, {"function", "kind", "sizes"}, "number");
    if (!error.empty())
      return error;
    if (!Contraction::fromJson(*object.getObject("schedule"), error))
      return "invalid schedule: " + error;
    Kernel kernel = *Kernel::fromJson(object);
    auto isSame = [&](const GivenKernel &other) {
      return other.kernel.describe() == kernel.describe();
    };
    if (llvm::any_of(kernels, isSame))
      return "duplicate schedule for " + kernel.describe();
    kernels.push_back({kernel, range});
    return "";
  });
  if (!mistakes.empty())
    mistake = mistakes.front();
  return kernels;
}

std::string schedule::printSchedules(ArrayRef<Kernel> kernels) {
  std::string text = "// Schedules, one per operation; `--schedule=FILE` reads them.\n";
  for (const Kernel &kernel : kernels)
    text += lineOf(kernel.toJson());
  return text;
}

bool schedule::hasScheduleLines(StringRef text) {
  auto isOfModule = [](StringRef line) {
    return llvm::any_of(std::initializer_list<StringRef>{"module", "#", "!", "\"builtin."},
                        [&](StringRef start) { return line.starts_with(start); });
  };
  for (StringRef line : llvm::split(text, '\n'))
    if (line = line.trim(); !line.empty() && !line.starts_with("//"))
      return !isOfModule(line);
  return true;
}

static double distance(int64_t known, int64_t wanted) {
  if (ShapedType::isDynamic(known) && ShapedType::isDynamic(wanted))
    return 0;
  if (ShapedType::isDynamic(wanted) && known >= minLarge)
    return distanceToLarge;
  if (ShapedType::isDynamic(known) || ShapedType::isDynamic(wanted))
    return std::numeric_limits<double>::infinity();
  return std::fabs(std::log2(std::max<double>(known, 1) / std::max<double>(wanted, 1)));
}

double schedule::distance(const KernelSizes &known, const KernelSizes &wanted) {
  double sum = 0;
  for (auto [a, b] : llvm::zip_equal(known, wanted))
    sum += ::distance(a, b);
  return sum;
}

StringRef schedule::name(Origin origin) {
  static constexpr StringLiteral names[] = {"modeled", "cached", "tuned", "given"};
  return names[int(origin)];
}

/// Whether the record has a size that is unknown for the operation.
static bool isBroader(const Kernel &kernel, const Record &record) {
  return llvm::any_of(llvm::zip_equal(kernel.sizes, record.sizes), [](auto pair) {
    auto [ofKernel, ofRecord] = pair;
    return ShapedType::isDynamic(ofKernel) && !ShapedType::isDynamic(ofRecord);
  });
}

/// Adjusts the tile to divide the kernel's rows evenly. See also Note [Sizes that are not known].
static Contraction adapted(const Record &record, const Kernel &kernel) {
  Contraction schedule = record.schedule;
  int64_t rows = sizesOfTiles(kernel.sizes, schedule)[0];
  bool areFixed = schedule.usesTiles() || schedule.isPrepacked();
  if (!ShapedType::isDynamic(rows) && rows > 0 && !areFixed)
    schedule.rows = llvm::divideCeil(rows, llvm::divideCeil(rows, schedule.rows));
  if (isBroader(kernel, record)) {
    schedule.packLhs = kernel.model.packLhs;
    schedule.packRhs = kernel.model.packRhs;
    schedule.parallelOuter = kernel.model.parallelOuter;
  }
  return schedule;
}

bool Book::isKin(const Record &record, const Kernel &kernel) const {
  return record.processor == processor && record.kind == kernel.kind &&
         (record.function.empty() || record.function == kernel.function);
}

bool Book::isExact(const Record &record, const Kernel &kernel) const {
  return isKin(record, kernel) && record.sizes == kernel.sizes && record.threads == threads;
}

std::optional<Choice> Book::lookUp(const Kernel &kernel, bool isExact) const {
  for (const std::vector<Record> &shelf : shelves) {
    const Record *nearest = nullptr;
    double least = isExact ? 0 : maxDistance;
    for (const Record &record : shelf) {
      bool isWanted = isExact ? this->isExact(record, kernel) : isKin(record, kernel);
      // Sizes matter more than threads; between equal sizes, threads decide.
      double far = distance(record.sizes, kernel.sizes) + (record.threads == threads ? 0 : 0.25);
      if (!isWanted || far > least || (nearest && far == least))
        continue;
      Contraction schedule = isExact ? record.schedule : adapted(record, kernel);
      if (!whyUnfit(schedule, kernel).empty())
        continue;
      nearest = &record;
      least = far;
    }
    if (nearest)
      return isExact ? Choice{nearest->schedule, Origin::Tuned}
                     : Choice{adapted(*nearest, kernel), Origin::Cached};
  }
  return std::nullopt;
}

static bool isSameKernel(const Kernel &given, const Kernel &kernel) {
  return given.function == kernel.function && given.number == kernel.number;
}

/// Dynamic sizes in the file match any size.
static bool fits(const KernelSizes &given, const KernelSizes &sizes) {
  return llvm::all_of(llvm::zip_equal(given, sizes), [](auto pair) {
    auto [left, right] = pair;
    return ShapedType::isDynamic(left) || left == right;
  });
}

static std::string disagreement(const Kernel &given, ArrayRef<Kernel> kernels) {
  const Kernel *kernel =
      llvm::find_if(kernels, [&](const Kernel &each) { return isSameKernel(given, each); });
  if (kernel == kernels.end()) {
    int64_t count =
        llvm::count_if(kernels, [&](const Kernel &k) { return k.function == given.function; });
    return llvm::formatv("there is no operation {0}: `{1}` has {2} with a schedule", given.number,
                         given.function, count);
  }
  if (given.kind != kernel->kind || !fits(given.sizes, kernel->sizes))
    return llvm::formatv("it is for {0} {1}, but the program has {2}", given.kind,
                         sizesText(given.sizes), kernel->describe());
  std::string why = whyUnfit(given.model, *kernel);
  return why.empty() ? "" : kernel->describe() + " cannot use this schedule: " + why;
}

Choice Book::choose(const Kernel &kernel) const {
  for (const GivenKernel &each : given)
    if (isSameKernel(each.kernel, kernel) && disagreement(each.kernel, kernel).empty())
      return {each.kernel.model, Origin::Given};
  if (std::optional<Choice> exact = lookUp(kernel, /*isExact=*/true))
    return *exact;
  return lookUp(kernel, /*isExact=*/false).value_or(Choice{kernel.model});
}

std::vector<Mistake> Book::mismatches(ArrayRef<Kernel> kernels) const {
  std::vector<Mistake> mistakes;
  for (const GivenKernel &each : given)
    if (std::string text = disagreement(each.kernel, kernels); !text.empty())
      mistakes.push_back({each.range, text});
  return mistakes;
}

std::vector<Mistake> Book::unusable(size_t shelf, ArrayRef<Kernel> kernels) const {
  std::vector<Mistake> mistakes;
  for (const Record &record : shelves[shelf])
    for (const Kernel &kernel : kernels)
      if (std::string why = whyUnfit(record.schedule, kernel);
          !why.empty() && isExact(record, kernel)) {
        mistakes.push_back({record.range, kernel.describe() + " cannot use this schedule: " + why});
        break;
      }
  return mistakes;
}

// Note [Sizes that are not known]
//
// Code for dynamic sizes can learn from measurements of known sizes: once sizes are large, the
// number of sums in a tile and the amount of an operand that is packed at a time do not depend on
// them. So a dynamic size is close to every large size. A small size says nothing: its tiles were
// made to fit it and would be slow for all others. Whether to pack at all, and which loops are
// parallel, always depends on sizes; these fields keep the model's choice, which leaves the
// decision to run time. Conversely, what was tuned for dynamic sizes says nothing about known ones,
// which were not considered.
