/// Statements that may be undefined, one kind a program.
#include "Writer.h"

using namespace tessera::ttl::random;

static bool isIntVector(const Variable &v) {
  return v.isMatrix && !v.isFloat && v.shape.size() == 1;
}

void Writer::flawed() {
  Variable *matrix = find([](const Variable &v) { return v.isMatrix && !v.isFloat; });
  Variable *vector = find(isIntVector);
  int64_t size = vector ? minOf(vector->shape[0]) : 0;
  std::string near = hidden(random.between(-1, size + 1)).text;
  switch (flaw) {
  case Flaw::None:
    return print();
  case Flaw::Overflow: {
    static const char *const forms[] = {"hide(2147483647) + {0}", "hide(-2147483647) - {0}",
                                        "{0} * hide(1000000)", "-hide(hide({0}) - 2147483647)",
                                        "hide(-2147483648) / hide({0})"};
    useHelper("hide");
    std::string form = random.pick(forms), value = in(intExpr(1), 11);
    form.replace(form.find("{0}"), 3, value);
    if (random.chance(15)) {
      Variable &i = counter();
      line("for (" + i.name + " in hide(2147483645)..." + "hide(2147483647) + " + value +
           " by 1) print(" + i.name + ");");
      return;
    }
    return line("print(" + form + ");");
  }
  case Flaw::Division:
    return line("print(" + in(intExpr(1), 7) + " / " + hidden(random.below(2)).text + ");");
  case Flaw::Index:
    if (!vector)
      return print();
    if (random.chance(50))
      return line("print(" + vector->name + "{" + near + "});");
    return line(vector->name + "[" + near + "] = " + reduced(intExpr(1), vector->bound.hi).text +
                ";");
  case Flaw::Slice:
    if (!vector)
      return print();
    return line("print(" + vector->name + "{" + hidden(random.between(-1, size)).text + "..." +
                near + "});");
  case Flaw::Count:
    return line("var matrix<int>[2, 2] " + newName("m") + " = " +
                hidden(random.between(0, 1)).text + "...4;");
  case Flaw::Inner:
  case Flaw::Shapes:
  case Flaw::StaticSize: {
    std::string a = newName("m"), b = newName("m"), c = newName("m");
    line("var matrix<int>[3, 3] " + a + " = " + literal(random.below(9)).text + ";");
    line("var matrix<int>[?, ?] " + b + " = " + a + "{0..." + hidden(random.between(2, 3)).text +
         ", 0...3};");
    if (flaw == Flaw::StaticSize)
      return line("var matrix<int>[3, ?] " + c + " = " + b + ";");
    return line("print(" + (flaw == Flaw::Inner ? a + " # " + b : a + " + " + b) + ");");
  }
  case Flaw::Dimension:
    if (!matrix)
      return print();
    return line("print(" + matrix->name + " $ " +
                hidden(random.between(-1, matrix->shape.size())).text + ");");
  case Flaw::Step: {
    Variable &i = counter();
    return line("for (" + i.name + " in 0...3 by " + hidden(random.between(-1, 2)).text +
                ") print(" + i.name + ");");
  }
  case Flaw::Unwritten: {
    std::string name = newName("m");
    line("var matrix<int>[3] " + name + ";");
    line(name + "[" + literal(random.below(3)).text + "] = 5;");
    if (random.chance(40))
      return line("print(" + name + "{" + hidden(random.below(3)).text + "});");
    return line("print(" + name + (random.chance(50) ? ");" : "{0...2} * 2);"));
  }
  }
}
