/// Statements that may be undefined, one kind per program.
#include "Writer.h"

using namespace tessera::ttl::random;

static bool isIntVector(const Variable &v) {
  return v.isMatrix && !v.isFloat && v.shape.size() == 1;
}

void Writer::flawed() {
  switch (flaw) {
  case Flaw::None:
    return print();
  case Flaw::Overflow:
    return random.chance(15) ? overflowingLoop() : overflow();
  case Flaw::Division:
    return line("print(" + in(intExpr(1), 7) + " / " + hidden(random.below(2)).text + ");");
  case Flaw::Index:
  case Flaw::Slice:
    return outside();
  case Flaw::Count:
    return line("var matrix<int>[2, 2] " + newName("m") + " = " +
                hidden(random.between(0, 1)).text + "...4;");
  case Flaw::Inner:
  case Flaw::Shapes:
  case Flaw::StaticSize:
    return unlikeSizes();
  case Flaw::Dimension:
    return missingDimension();
  case Flaw::Step:
    return anyStep();
  case Flaw::Unwritten:
    return unwritten();
  }
}

void Writer::overflow() {
  static const char *const forms[] = {"hide(2147483647) + {0}", "hide(-2147483647) - {0}",
                                      "{0} * hide(1000000)", "-hide(hide({0}) - 2147483647)",
                                      "hide(-2147483648) / hide({0})"};
  useHelper("hide");
  std::string form = random.pick(forms), value = in(intExpr(1), 11);
  form.replace(form.find("{0}"), 3, value);
  line("print(" + form + ");");
}

void Writer::overflowingLoop() {
  useHelper("hide");
  std::string value = in(intExpr(1), 11);
  Variable &i = counter();
  line("for (" + i.name + " in hide(2147483645)...hide(2147483647) + " + value + " by 1) print(" +
       i.name + ");");
}

/// Accesses around the ends of a vector.
void Writer::outside() {
  Variable *vector = find(isIntVector);
  if (!vector)
    return print();
  int64_t size = minOf(vector->shape[0]);
  std::string near = hidden(random.between(-1, size + 1)).text;
  if (flaw == Flaw::Slice)
    return line("print(" + vector->name + "{" + hidden(random.between(-1, size)).text + "..." +
                near + "});");
  if (random.chance(50))
    return line("print(" + vector->name + "{" + near + "});");
  line(vector->name + "[" + near + "] = " + reduced(intExpr(1), vector->bound.hi).text + ";");
}

void Writer::unlikeSizes() {
  std::string a = newName("m"), b = newName("m"), c = newName("m");
  line("var matrix<int>[3, 3] " + a + " = " + literal(random.below(9)).text + ";");
  line("var matrix<int>[?, ?] " + b + " = " + a + "{0..." + hidden(random.between(2, 3)).text +
       ", 0...3};");
  if (flaw == Flaw::StaticSize)
    return line("var matrix<int>[3, ?] " + c + " = " + b + ";");
  line("print(" + (flaw == Flaw::Inner ? a + " # " + b : a + " + " + b) + ");");
}

void Writer::missingDimension() {
  Variable *matrix = find([](const Variable &v) { return v.isMatrix && !v.isFloat; });
  if (!matrix)
    return print();
  line("print(" + matrix->name + " $ " + hidden(random.between(-1, matrix->shape.size())).text +
       ");");
}

void Writer::anyStep() {
  Variable &i = counter();
  line("for (" + i.name + " in 0...3 by " + hidden(random.between(-1, 2)).text + ") print(" +
       i.name + ");");
}

void Writer::unwritten() {
  std::string name = newName("m");
  line("var matrix<int>[3] " + name + ";");
  line(name + "[" + literal(random.below(3)).text + "] = 5;");
  if (random.chance(40))
    return line("print(" + name + "{" + hidden(random.below(3)).text + "});");
  line("print(" + name + (random.chance(50) ? ");" : "{0...2} * 2);"));
}
