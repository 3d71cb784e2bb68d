/// DuckDB, from the shared library of its npm package: the columns are a table in memory, and the
/// query is timed including its result. The package lacks the library's header; the declarations
/// here are the stable part of its C interface.
#include "Serve.h"
#include <cstring>
#include <dlfcn.h>

using namespace tessera::bench;

namespace {

using Database = void *;
using Connection = void *;
using Appender = void *;
using Chunk = void *;
using Vector = void *;
using LogicalType = void *;
struct Result {
  uint64_t fields[8]; // Six in fact, private to the library.
};

/// duckdb_type.
enum Type : int { TinyInt = 2, Integer = 4, BigInt = 5, Float = 10, Double = 11 };

struct Library {
  int (*open)(const char *, Database *);
  int (*connect)(Database, Connection *);
  int (*query)(Connection, const char *, Result *);
  const char *(*result_error)(Result *);
  void (*destroy_result)(Result *);
  int (*appender_create)(Connection, const char *schema, const char *table, Appender *);
  int (*append_data_chunk)(Appender, Chunk);
  int (*appender_destroy)(Appender *);
  LogicalType (*create_logical_type)(int);
  Chunk (*create_data_chunk)(LogicalType *, uint64_t);
  Vector (*data_chunk_get_vector)(Chunk, uint64_t);
  void (*data_chunk_set_size)(Chunk, uint64_t);
  void (*data_chunk_reset)(Chunk);
  void *(*vector_get_data)(Vector);
  uint64_t (*row_count)(Result *);
  uint64_t (*column_count)(Result *);
  double (*value_double)(Result *, uint64_t column, uint64_t row);

  bool load() {
    void *file = dlopen(DUCKDB_LIBRARY, RTLD_NOW | RTLD_LOCAL);
    bool isWhole = file != nullptr;
    auto find = [&](const char *name, auto &function) {
      void *symbol = isWhole ? dlsym(file, (std::string("duckdb_") + name).c_str()) : nullptr;
      isWhole = symbol != nullptr;
      memcpy(&function, &symbol, sizeof symbol);
    };
#define FIND(name) find(#name, name);
    FIND(open)
    FIND(connect)
    FIND(query)
    FIND(result_error)
    FIND(destroy_result)
    FIND(appender_create)
    FIND(append_data_chunk)
    FIND(appender_destroy)
    FIND(create_logical_type)
    FIND(create_data_chunk)
    FIND(data_chunk_get_vector)
    FIND(data_chunk_set_size)
    FIND(data_chunk_reset)
    FIND(vector_get_data)
    FIND(row_count)
    FIND(column_count)
    FIND(value_double)
#undef FIND
    return isWhole;
  }
};

/// A table and the inputs that are its columns, named a, b, ... by their positions among the
/// inputs.
struct Table {
  const char *name;
  int first, count;
};

/// The query that is timed, and the suffix that brings its rows into our order.
struct Query {
  std::vector<Table> tables;
  std::string text, order = "";
};

std::string columnName(int input) {
  return std::string(1, char('a' + input));
}

Query queryOf(const Kernel &kernel) {
  std::string size = kernel.sizes.size() > 1 ? std::to_string(kernel.sizes[1]) : "";
  switch (kernel.family) {
  case Family::weld_sum:
    return {{{"t", 0, 1}}, "SELECT sum(a) FROM t"};
  case Family::weld_dot:
    return {{{"t", 0, 2}}, "SELECT sum(a * b) FROM t"};
  case Family::weld_aggregates:
    return {{{"t", 0, 1}}, "SELECT count(*), sum(a), sum(a * a), min(a), max(a) FROM t"};
  case Family::weld_crime:
    return {{{"t", 0, 3}},
            "SELECT sum(CASE WHEN i > 10 THEN 3.2::DOUBLE WHEN i < 1 THEN 0.5::DOUBLE ELSE i END) "
            "FROM (SELECT (a + 2 * b - 2000 * c) / 100000 AS i FROM t WHERE a > 500000)"};
  case Family::weld_filter_sum:
    return {{{"t", 0, 3}}, "SELECT sum(b * c) FROM t WHERE a < " + size};
  case Family::weld_filter_append:
    return {{{"t", 0, 2}}, "SELECT b FROM t WHERE a < " + size, " ORDER BY rowid"};
  case Family::weld_q6:
    return {{{"t", 0, 4}},
            "SELECT sum(d * c) FROM t WHERE a >= 730 AND a < 1095 AND c >= 0.05::DOUBLE AND "
            "c <= 0.07::DOUBLE AND b < 24"};
  case Family::weld_q1:
    return {{{"t", 0, 7}},
            "SELECT b, c, sum(d), sum(e), sum(e * (1 - f)), sum(e * (1 - f) * (1 + g)), sum(f), "
            "count(*) FROM t WHERE a <= 2430 GROUP BY b, c",
            " ORDER BY min(rowid)"};
  case Family::weld_q3:
    return {
        {{"customer", 0, 2}, {"orders", 2, 3}, {"lineitem", 5, 4}},
        "SELECT f, sum(h * (1 - i)) AS worth, e FROM customer, orders, lineitem WHERE b = 1 AND "
        "a = d AND f = c AND e < 1169 AND g > 1169 GROUP BY f, e ORDER BY worth DESC, e LIMIT 10"};
  case Family::weld_q12:
    return {{{"orders", 0, 2}, {"lineitem", 2, 5}},
            "SELECT sum(CASE WHEN d = 2 AND b < 2 THEN 1 ELSE 0 END), "
            "sum(CASE WHEN d = 2 AND b >= 2 THEN 1 ELSE 0 END), "
            "sum(CASE WHEN d = 5 AND b < 2 THEN 1 ELSE 0 END), "
            "sum(CASE WHEN d = 5 AND b >= 2 THEN 1 ELSE 0 END) FROM orders, lineitem WHERE a = c "
            "AND d IN (2, 5) AND e < g AND f < e AND g >= 730 AND g < 1095"};
  case Family::weld_group_dense:
  case Family::weld_group_hashed:
  case Family::weld_many_dense:
  case Family::weld_many_hashed:
  case Family::weld_zipf_dense:
  case Family::weld_zipf_hashed:
    return {{{"t", 0, 2}}, "SELECT a, sum(b) FROM t GROUP BY a", " ORDER BY min(rowid)"};
  case Family::weld_sort_i64:
  case Family::weld_sort_f64:
    return {{{"t", 0, 1}}, "SELECT a FROM t ORDER BY a"};
  default:
    return {};
  }
}

Type typeOf(Element element) {
  switch (element) {
  case Element::F32:
    return Float;
  case Element::F64:
    return Double;
  case Element::I8:
    return TinyInt;
  case Element::I32:
    return Integer;
  case Element::I64:
    return BigInt;
  case Element::BF16: // In no query.
    break;
  }
  return Double;
}

const char *nameOf(Type type) {
  return type == Float     ? "FLOAT"
         : type == Double  ? "DOUBLE"
         : type == TinyInt ? "TINYINT"
         : type == Integer ? "INTEGER"
                           : "BIGINT";
}

class Engine {
public:
  bool start(int threads) {
    return library.load() && library.open(nullptr, &database) == 0 &&
           library.connect(database, &connection) == 0 &&
           run("SET threads = " + std::to_string(threads));
  }

  bool run(const std::string &text) {
    Result result = {};
    bool isDone = library.query(connection, text.c_str(), &result) == 0;
    if (!isDone)
      failure = library.result_error(&result);
    library.destroy_result(&result);
    return isDone;
  }

  bool fill(const Request &r, const Table &table) {
    std::string columns;
    for (int i = table.first; i < table.first + table.count; ++i)
      columns += (columns.empty() ? "" : ", ") + columnName(i) + " " +
                 nameOf(typeOf(r.shape.inputs[i].element));
    return run("CREATE TABLE " + std::string(table.name) + " (" + columns + ")") &&
           append(r, table);
  }

  std::vector<float> numbers(const std::string &text) {
    Result result = {};
    std::vector<float> found;
    if (library.query(connection, text.c_str(), &result) == 0)
      for (uint64_t row = 0; row < library.row_count(&result); ++row)
        for (uint64_t column = 0; column < library.column_count(&result); ++column)
          found.push_back(float(library.value_double(&result, column, row)));
    library.destroy_result(&result);
    return found;
  }

  std::string failure = "the library of @duckdb/node-bindings-linux-x64 cannot be loaded";

private:
  bool append(const Request &r, const Table &table) {
    constexpr int64_t most = 2048; // STANDARD_VECTOR_SIZE.
    std::vector<LogicalType> types;
    for (int i = table.first; i < table.first + table.count; ++i)
      types.push_back(library.create_logical_type(typeOf(r.shape.inputs[i].element)));
    Chunk chunk = library.create_data_chunk(types.data(), types.size());
    Appender appender;
    bool isGood = library.appender_create(connection, nullptr, table.name, &appender) == 0;
    int64_t count = r.shape.inputs[table.first].count();
    for (int64_t begin = 0; isGood && begin < count; begin += most) {
      library.data_chunk_reset(chunk);
      int64_t rows = std::min(most, count - begin);
      for (int i = 0; i < table.count; ++i)
        copyRows(r, table.first + i, library.data_chunk_get_vector(chunk, i), begin, rows);
      library.data_chunk_set_size(chunk, rows);
      isGood = library.append_data_chunk(appender, chunk) == 0;
    }
    return isGood && library.appender_destroy(&appender) == 0;
  }

  void copyRows(const Request &r, int input, Vector to, int64_t begin, int64_t count) {
    int64_t bytes = bytesOf(r.shape.inputs[input].element);
    memcpy(library.vector_get_data(to), r.operands.in<char>(input) + begin * bytes, count * bytes);
  }

  Library library;
  Database database = nullptr;
  Connection connection = nullptr;
};

/// Without an order of rows, so that the engine may choose one while it is timed.
Answer prepare(Request &r) {
  static Engine engine;
  static Query query;
  query = queryOf(r.kernel);
  if (query.tables.empty())
    return {};
  bool isReady = engine.start(r.threads);
  for (const Table &table : query.tables)
    isReady = isReady && engine.fill(r, table);
  if (!isReady || !engine.run(query.text))
    return {.failure = "DuckDB: " + engine.failure};
  return {.work = [] { engine.run(query.text); },
          .result = [] { return engine.numbers(query.text + query.order); }};
}

} // namespace

int main(int argc, char **argv) {
  return serve(argc, argv, {[](Family family) { return factsOf(family).isQuery(); }, prepare});
}
