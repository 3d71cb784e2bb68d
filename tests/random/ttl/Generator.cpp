/// Programs, functions, names.
#include "Generator.h"
#include "Writer.h"
#include <algorithm>

using namespace tessera::ttl::random;

std::string tessera::ttl::random::generate(uint64_t seed) {
  return Writer(seed).program();
}

static const std::map<std::string, const char *> helpers = {
    {"hide", "function int hide(int a) {\n  return a;\n}\n\n"},
    {"opaque", "function int opaque(int n, int a) {\n  if (n > 0)\n    a = opaque(n - 1, a);\n  "
               "return a;\n}\n\n"},
    {"modulo", "function int modulo(int a, int n) {\n  return a - a / n * n;\n}\n\n"},
    {"wrap", "function int wrap(int a, int n) {\n  a = a - a / n * n;\n  if (a < 0) a = a + n;\n  "
             "return a;\n}\n\n"}};

void Writer::useHelper(const std::string &name) {
  usedHelpers[name] = true;
}

std::string Writer::program() {
  static const Flaw flaws[] = {Flaw::Overflow,  Flaw::Overflow,   Flaw::Division,  Flaw::Division,
                               Flaw::Index,     Flaw::Slice,      Flaw::Count,     Flaw::Inner,
                               Flaw::Shapes,    Flaw::StaticSize, Flaw::Dimension, Flaw::Step,
                               Flaw::Unwritten, Flaw::Unwritten};
  if (random.chance(22))
    flaw = random.pick(flaws);
  hasBigMatrices = random.chance(15);
  hasHugeProduct = random.chance(3);
  int64_t count = random.between(1, 4);
  for (int number = 1; number <= count; ++number)
    function(number);
  mainFunction();
  std::string helperText;
  for (auto [name, isUsed] : usedHelpers)
    helperText += helpers.at(name);
  return helperText + text;
}

void Writer::begin(const Function &function) {
  scopes.clear();
  scopes.emplace_back();
  for (const Variable &parameter : function.parameters)
    declare(parameter);
  delete block;
  block = new Block;
  weight = 1;
  cost = 5;
}

void Writer::end(const std::string &header) {
  text += header + " {\n";
  for (const std::string &line : block->lines)
    text += "  " + line + "\n";
  text += "}\n\n";
  delete block;
  block = nullptr;
}

std::string Writer::typeOf(const Variable &variable) {
  std::string element = variable.isFloat ? "float" : "int";
  if (!variable.isMatrix)
    return element;
  std::string sizes;
  for (size_t dim = 0; dim < variable.shape.size(); ++dim)
    sizes += (dim ? ", " : "") +
             (variable.isFixed[dim] ? std::to_string(variable.shape[dim].value) : "?");
  return "matrix<" + element + ">[" + sizes + "]";
}

std::string Writer::header(const Function &function) {
  std::string text = "function " + (function.hasResult ? typeOf(function.result) : "void") + " " +
                     function.name + "(";
  for (size_t i = 0; i < function.parameters.size(); ++i)
    text += (i ? ", " : "") + typeOf(function.parameters[i]) + " " + function.parameters[i].name;
  return text + ")";
}

/// A dynamic size may be a symbol that another parameter shares, which callers respect.
Variable Writer::parameter(int number, std::map<int, Extent> &symbols) {
  Variable variable{.name = "p" + std::to_string(number),
                    .isFloat = random.chance(45),
                    .isMatrix = random.chance(65)};
  variable.bound = variable.now = Interval::within(1000);
  if (!variable.isMatrix)
    return variable;
  static const size_t ranks[] = {1, 1, 2, 2, 2, 3};
  variable.shape = knownShape(random.pick(ranks));
  for (Extent &extent : variable.shape) {
    int64_t roll = random.below(100);
    variable.isFixed.push_back(roll < 35);
    if (roll < 45)
      continue;
    bool isShared = !symbols.empty() && random.chance(50);
    extent = isShared ? std::next(symbols.begin(), random.below(symbols.size()))->second
                      : newSymbol(random.chance(75));
    symbols[extent.symbol] = extent;
  }
  return variable;
}

void Writer::function(int number) {
  Function self;
  self.name = "f" + std::to_string(number);
  self.countsDown = random.chance(30);
  std::map<int, Extent> symbols;
  if (self.countsDown)
    self.parameters.push_back(
        {.name = "depth", .bound = {0, 4}, .now = {0, 4}, .isCounting = true});
  int64_t count = random.between(self.countsDown ? 0 : 1, 3);
  for (int i = 0; i < count; ++i)
    self.parameters.push_back(parameter(i, symbols));
  begin(self);
  linesLeft = random.between(2, 9);
  self.hasResult = self.countsDown || random.chance(85);
  if (self.countsDown)
    recursion(self);
  else
    statements(random.between(1, 5));
  if (!self.hasResult)
    print();
  else if (!self.countsDown)
    result(self);
  self.cost = std::max<int64_t>(self.cost, cost);
  end(header(self));
  functions.push_back(self);
}

/// The result is a variable to which the recursive call, at most four levels deep, adds.
void Writer::recursion(Function &self) {
  self.result = {.name = "r", .isFloat = random.chance(50), .isMatrix = random.chance(40)};
  Variable &r = self.result;
  r.bound = r.now = Interval::within(1000);
  if (r.isMatrix) {
    r.shape = someShape(r.isFloat);
    for (Extent &extent : r.shape)
      r.isFixed.push_back(extent.isKnown() && random.chance(50));
  }
  std::string init =
      reduced(r.isMatrix ? matrix(r.isFloat, r.shape, 1) : scalar(r.isFloat, 1), 1000).text;
  line("var " + typeOf(r) + " r = " + init + ";");
  Variable &mine = declare(r);
  mine.freeDepth = 0; // Callers rely on its shape.
  statements(2);
  Block body = nested([&] {
    statements(1);
    self.cost = 1;
    std::optional<Piece> again = call(self, 1);
    if (!again || (r.isMatrix && again->shape != mine.shape))
      return print();
    size_t first = again->text.find('('), last = again->text.find_first_of(",)");
    again->text.replace(first + 1, last - first - 1, "depth - 1");
    std::string sum =
        r.isMatrix ? in(*again, 6) + " + " + (r.isFloat ? "1.0" : "1") : in(*again, 6) + " - r";
    line("r = " +
         reduced({sum, 6, r.isFloat ? Interval() : Interval::within(2000), r.shape}, 1000).text +
         ";");
  });
  append(body, "if (depth > 0)", false);
  line("return r;");
  cost *= 6;
}

void Writer::result(Function &self) {
  Variable &r = self.result;
  r = {.name = "", .isFloat = random.chance(50), .isMatrix = random.chance(60)};
  r.bound = Interval::within(1000);
  if (!r.isMatrix)
    return line("return " + reduced(scalar(r.isFloat, 2), 1000).text + ";");
  r.shape = someShape(r.isFloat);
  if (!isAvailable(r.isFloat, r.shape))
    r.shape = knownShape(1);
  for (Extent &extent : r.shape)
    r.isFixed.push_back(extent.isKnown() && extent.value > 0 && random.chance(50));
  line("return " + reduced(matrix(r.isFloat, r.shape, 2), 1000).text + ";");
}

void Writer::mainFunction() {
  Function self;
  self.name = "main";
  self.hasResult = random.chance(90);
  begin(self);
  linesLeft = random.between(8, 26);
  for (int64_t i = random.between(1, 3); i > 0; --i) {
    defineMatrix();
    defineScalar();
  }
  if (hasHugeProduct)
    hugeProduct();
  statements(40);
  int64_t count = 0;
  for (Variable *v : visible([](const Variable &) { return true; }))
    if (++count <= 12) {
      if (v->isMatrix)
        printMatrix(*v);
      else
        line("print(" + v->name + ");");
    }
  if (self.hasResult)
    line("return " + intExpr(2).text + ";");
  end(header(self));
}

// Variables.

std::vector<Variable *> Writer::visible(const Test &test) {
  std::map<std::string, Variable *> byName;
  for (auto &scope : scopes)
    for (auto &variable : scope)
      byName[variable->name] = variable.get();
  std::vector<Variable *> found;
  for (auto [name, variable] : byName)
    if (test(*variable))
      found.push_back(variable);
  return found;
}

Variable *Writer::find(const Test &test) {
  std::vector<Variable *> found = visible(test);
  return found.empty() ? nullptr : random.pick(found);
}

Variable &Writer::declare(Variable variable) {
  variable.freeDepth = scopes.size();
  scopes.back().push_back(std::make_unique<Variable>(std::move(variable)));
  return *scopes.back().back();
}

/// With `mayShadow`, for immediate declarations, sometimes a name from an enclosing scope.
std::string Writer::newName(const char *prefix, bool mayShadow) {
  if (mayShadow && scopes.size() > 1 && random.chance(20)) {
    Variable *outer = find([&](const Variable &v) {
      auto isThis = [&](auto &own) { return own->name == v.name; };
      bool isNeeded = v.name == "depth" || v.name == "r"; // The recursive call uses it.
      return !isNeeded && std::none_of(scopes.back().begin(), scopes.back().end(), isThis);
    });
    if (outer)
      return outer->name;
  }
  return prefix + std::to_string(numNames++);
}

Extent Writer::newSymbol(int64_t min) {
  symbolMin.push_back(min);
  return {0, int(symbolMin.size()) - 1};
}
