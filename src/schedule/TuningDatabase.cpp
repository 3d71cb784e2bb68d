#include "schedule/TuningDatabase.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Process.h"
#include <sqlite3.h>

using namespace tessera;
using namespace tessera::schedule;
using namespace llvm;

namespace {

/// The version of the table below. A database with a higher version was written by a later tessera.
constexpr int schemaVersion = 1;
/// Long enough for another tuner to release the lock, which it holds for milliseconds.
constexpr int busyMilliseconds = 5000;

constexpr const char *createTable =
    "CREATE TABLE IF NOT EXISTS records (processor TEXT, threads INTEGER, source TEXT, function "
    "TEXT, "
    "kind TEXT, sizes TEXT, record TEXT, time INTEGER, "
    "PRIMARY KEY (processor, threads, source, function, kind, sizes))";
constexpr const char *insertRecord =
    "INSERT OR REPLACE INTO records VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, strftime('%s', 'now'))";
constexpr const char *selectRecords = "SELECT record FROM records WHERE processor = ?1 AND (source "
                                      "= '' OR source = ?2) ORDER BY rowid";
constexpr const char *findTable =
    "SELECT count(*) FROM sqlite_master WHERE type = 'table' AND name = 'records'";

/// An open database. After the first error, all further calls do nothing.
class Connection {
public:
  Connection(const std::string &path, int flags, std::string &error) : error(error) {
    if (sqlite3_open_v2(path.c_str(), &handle, flags, nullptr) != SQLITE_OK) {
      fail();
      return;
    }
    sqlite3_busy_timeout(handle, busyMilliseconds);
    int64_t version = number("PRAGMA user_version");
    if (error.empty() && version > schemaVersion)
      error = formatv("it was written by a later tessera, in format {0}; this one supports {1}",
                      version, schemaVersion);
  }
  ~Connection() { sqlite3_close(handle); }
  Connection(const Connection &) = delete;

  bool isGood() const { return error.empty(); }
  void execute(const char *text) {
    if (isGood() && sqlite3_exec(handle, text, nullptr, nullptr, nullptr) != SQLITE_OK)
      fail();
  }
  /// Calls `row` with the first column of each row.
  void query(const char *text, ArrayRef<std::string> values, function_ref<void(StringRef)> row) {
    sqlite3_stmt *statement = nullptr;
    if (!isGood() || sqlite3_prepare_v2(handle, text, -1, &statement, nullptr) != SQLITE_OK)
      return fail();
    for (auto [index, value] : enumerate(values))
      sqlite3_bind_text(statement, int(index) + 1, value.data(), int(value.size()),
                        SQLITE_TRANSIENT);
    int status;
    while ((status = sqlite3_step(statement)) == SQLITE_ROW)
      if (const unsigned char *column = sqlite3_column_text(statement, 0))
        row(reinterpret_cast<const char *>(column));
    if (status != SQLITE_DONE)
      fail();
    sqlite3_finalize(statement);
  }
  int64_t number(const char *text) {
    int64_t value = 0;
    query(text, {}, [&](StringRef column) { column.getAsInteger(10, value); });
    return value;
  }

private:
  void fail() {
    if (error.empty())
      error = handle ? sqlite3_errmsg(handle) : "no memory";
  }

  sqlite3 *handle = nullptr;
  std::string &error;
};

std::string rooted(StringRef source) {
  SmallString<256> path(source);
  sys::fs::make_absolute(path);
  sys::path::remove_dots(path, /*remove_dot_dot=*/true);
  return path.str().str();
}

/// Opens for writing; creates the folder and the table if necessary.
std::unique_ptr<Connection> openToWrite(const std::string &path, std::string &error) {
  if (std::error_code failure = sys::fs::create_directories(sys::path::parent_path(path))) {
    error = failure.message();
    return nullptr;
  }
  auto connection =
      std::make_unique<Connection>(path, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE, error);
  connection->execute("BEGIN IMMEDIATE");
  connection->execute(createTable);
  connection->execute(formatv("PRAGMA user_version = {0}", schemaVersion).str().c_str());
  return connection;
}

} // namespace

std::string TuningDatabase::defaultPath() {
  SmallString<128> path;
  if (auto root = sys::Process::GetEnv("XDG_DATA_HOME"); root && sys::path::is_absolute(*root))
    path = *root;
  else if (sys::path::home_directory(path) && sys::path::is_absolute(path))
    sys::path::append(path, ".local", "share");
  else
    return "";
  sys::path::append(path, "tessera", "tuning.db");
  return path.str().str();
}

std::optional<std::vector<Record>> TuningDatabase::read(StringRef processor, StringRef source,
                                                        std::string &error) const {
  std::vector<Record> records;
  if (path.empty() || !sys::fs::exists(path))
    return records;
  Connection connection(path, SQLITE_OPEN_READONLY, error);
  if (connection.number(findTable) == 0)
    return error.empty() ? std::optional(records) : std::nullopt;
  connection.query(selectRecords, {processor.str(), rooted(source)}, [&](StringRef text) {
    Expected<json::Value> value = json::parse(text);
    const json::Object *object = value ? value->getAsObject() : nullptr;
    std::string complaint;
    if (!value)
      consumeError(value.takeError());
    if (std::optional<Record> record = object ? Record::fromJson(*object, complaint) : std::nullopt)
      records.push_back(std::move(*record));
  });
  return error.empty() ? std::optional(std::move(records)) : std::nullopt;
}

bool TuningDatabase::write(ArrayRef<Record> records, StringRef source, std::string &error) const {
  std::unique_ptr<Connection> connection = openToWrite(path, error);
  if (!connection)
    return false;
  for (const Record &record : records) {
    std::string text = formatv("{0}", json::Value(record.toJson()));
    connection->query(insertRecord,
                      {record.processor, std::to_string(record.threads),
                       record.function.empty() ? "" : rooted(source), record.function, record.kind,
                       sizesText(record.sizes), text},
                      [](StringRef) {});
  }
  connection->execute("COMMIT");
  return error.empty();
}

bool TuningDatabase::isWritable(std::string &error) const {
  if (std::unique_ptr<Connection> connection = openToWrite(path, error))
    connection->execute("COMMIT");
  return error.empty();
}

std::optional<int64_t> TuningDatabase::count(std::string &error) const {
  if (path.empty() || !sys::fs::exists(path))
    return 0;
  Connection connection(path, SQLITE_OPEN_READONLY, error);
  int64_t records =
      connection.number(findTable) ? connection.number("SELECT count(*) FROM records") : 0;
  return error.empty() ? std::optional(records) : std::nullopt;
}
