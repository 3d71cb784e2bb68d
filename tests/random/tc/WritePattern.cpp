/// Patterns that compilers recognize.
#include "Writer.h"

using namespace tessera;
using namespace tessera::tc;
using namespace tessera::tc::random;

static bool isNumber(const Known &known) {
  return sortOf(known.type) != Sort::Bool;
}

Candidate Writer::pattern() {
  for (int attempt = 0; attempt < 8; ++attempt) {
    std::optional<Candidate> found;
    switch (random.below(6)) {
    case 0:
      found = product();
      break;
    case 1:
      found = convolution();
      break;
    case 2:
      found = window();
      break;
    case 3:
      found = rows();
      break;
    case 4:
      found = lookup();
      break;
    case 5:
      found = choice();
      break;
    }
    if (found)
      return *found;
  }
  return definition();
}

/// Matrix products, with either side transposed, and matrix-vector products; sometimes with a bias.
std::optional<Candidate> Writer::product() {
  auto isMatrix = [](const Known &known) { return isNumber(known) && known.box.size() == 2; };
  const Known *a = find(isMatrix);
  if (!a)
    return std::nullopt;
  const Known *b =
      find([&](const Known &known) { return isNumber(known) && known.box.size() <= 2; });
  if (!b || b->box.empty())
    return std::nullopt;
  std::string left = random.chance(70) ? "(m, k)" : "(k, m)";
  std::string right = b->box.size() == 1 ? "(k)" : random.chance(70) ? "(k, n)" : "(n, k)";
  std::string target = newName("O");
  std::string value = a->name + left + " * " + b->name + right;
  if (random.chance(20))
    value = "int32(" + a->name + left + ") * int32(" + b->name + right + ")";
  std::string indices = b->box.size() == 1 ? "(m)" : random.chance(80) ? "(m, n)" : "(n, m)";
  return Candidate{target + indices + " " + (random.chance(80) ? "+=!" : "max=!") + " " + value,
                   {target}};
}

std::optional<Candidate> Writer::convolution() {
  auto find1 = [&](size_t rank) {
    return find([=](const Known &known) { return isNumber(known) && known.box.size() == rank; });
  };
  size_t rank = size_t(random.between(1, 2));
  const Known *image = find1(rank), *kernel = find1(rank);
  if (!image || !kernel)
    return std::nullopt;
  auto at = [&](const char *h, const char *k) {
    std::string stride = random.chance(60) ? "" : random.chance(70) ? "2*" : "3*";
    std::string dilation = random.chance(75) ? "" : "2*";
    return stride + h + " + " + dilation + k +
           (random.chance(15) ? plus(random.between(-2, 2)) : "");
  };
  std::string target = newName("O"), op = random.chance(80) ? " +=! " : " += ";
  bool isInOut = op == " += ";
  std::string text = rank == 1 ? target + "(h)" + op + image->name + "(" + at("h", "k") + ") * " +
                                     kernel->name + "(k)"
                               : target + "(h, w)" + op + image->name + "(" + at("h", "p") + ", " +
                                     at("w", "q") + ") * " + kernel->name + "(p, q)";
  return Candidate{text, {target}, isInOut};
}

/// Pooling and stencils: small windows.
std::optional<Candidate> Writer::window() {
  const Known *image =
      find([](const Known &known) { return isNumber(known) && !known.box.empty(); });
  if (!image)
    return std::nullopt;
  static constexpr const char *names[] = {"i", "j", "k", "l"};
  std::string target = newName("O"), left, read;
  int64_t size = random.between(1, 3);
  for (size_t d = 0; d < image->box.size() && d < 4; ++d) {
    std::string at = names[d];
    left += (d ? ", " : "(") + at;
    if (d + 1 == image->box.size())
      at = (random.chance(50) ? std::to_string(size) + "*" : "") + at + " + q";
    read += (d ? ", " : "(") + at;
  }
  static constexpr const char *operators[] = {" max=! ", " min=! ", " +=! "};
  return Candidate{target + left + ")" + random.pick(operators) + image->name + read +
                       ") where q in 0:" + std::to_string(size),
                   {target}};
}

/// One number per row, or each element with the number of its row.
std::optional<Candidate> Writer::rows() {
  const Known *matrix =
      find([](const Known &known) { return isNumber(known) && known.box.size() == 2; });
  if (!matrix)
    return std::nullopt;
  const Known *vector = find([&](const Known &known) {
    return isNumber(known) && known.box.size() == 1 && known.box[0] == matrix->box[0];
  });
  std::string target = newName("O"), element = matrix->name + "(i, j)";
  if (!vector || random.chance(40)) {
    static constexpr const char *forms[] = {" max=! ", " +=! ", " min=! ", " *=! "};
    std::string value = random.chance(60)   ? element
                        : random.chance(50) ? element + " * " + element
                                            : "exp(-fabs(" + element + "))";
    return Candidate{target + "(i)" + random.pick(forms) + value, {target}};
  }
  std::string row = vector->name + "(i)";
  const std::string values[] = {
      element + " - " + row, element + " * " + row, "exp(-fabs(" + element + " - " + row + "))",
      element + " / (fabs(" + row + ") + 1)", "fmax(" + element + " + " + row + ", 0)"};
  return Candidate{target + "(i, j) = " + random.pick(values), {target}};
}

/// Rows of a table, or their sum.
std::optional<Candidate> Writer::lookup() {
  const Known *table =
      find([](const Known &known) { return isNumber(known) && known.box.size() == 2; });
  if (!table)
    return std::nullopt;
  const Known *places = find([&](const Known &known) {
    return sortOf(known.type) == Sort::Int && !known.box.empty() && known.box.size() <= 2 &&
           table->box[0].contains(known.least) && table->box[0].contains(known.most);
  });
  if (!places)
    return std::nullopt;
  bool isSum = places->box.size() == 2;
  std::string target = newName("O");
  return Candidate{target + "(b, d) " + (isSum ? "+=! " : "= ") + table->name + "(" + places->name +
                       (isSum ? "(b, k)" : "(b)") + ", d)",
                   {target}};
}

/// Elements of a vector at indices from another, next to those at equal indices.
std::optional<Candidate> Writer::choice() {
  const Known *table = find([](const Known &known) {
    return isNumber(known) && known.box.size() == 1 && known.box[0].size() > 0;
  });
  const Known *places = find(
      [](const Known &known) { return sortOf(known.type) == Sort::Int && known.box.size() == 1; });
  if (!table || !places)
    return std::nullopt;
  std::string target = newName("O"), place = places->name + "(i)";
  std::string last = std::to_string(table->box[0].upper - 1);
  std::string clamped =
      "max(min(" + place + ", " + last + "), " + std::to_string(table->box[0].lower) + ")";
  return Candidate{target + "(i) = (" + table->name + "(" + clamped + ") + " + place + ") * 2 + " +
                       place,
                   {target}};
}
