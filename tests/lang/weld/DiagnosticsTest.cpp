/// Invalid programs and their diagnostics. Unless stated otherwise, each line is a program.
#include "Checked.h"
#include "Marked.h"

using namespace tessera;
using namespace tessera::weld;

namespace {

TEST(WeldDiagnostics, RejectsTokens) {
  expectMarkedLines(R"(
1 // as in C #//! error weld.lex.2: `//` does not begin a comment; comments begin with `#` | `/` divides integers and truncates toward zero
|iter: i32| 1 #//! error weld.lex.4: `iter` is a reserved word and cannot be a name
1 + len #//! error weld.expr.4: expected `(` after `len`, found the end of the file
1. #//! error weld.lex.5: `1.` is not a number | a decimal point has digits on both sides | fix: `0`
.5 #//! error weld.lex.5: `.5` is not a number | a decimal point has digits on both sides | fix: `0`
12ab #//! error weld.lex.5: `12ab` is not a number
0x1c #//! warning weld.lex.6: the final `c` of `0x1c` is a digit, not a suffix | an `i8` is written `i8(0x1)`
len("open #//! error weld.lex.7: this string is not closed on its line
1 ~ 2 #//! error weld.lex.8: unexpected `~`
len('ab') #//! error weld.lex.8: unexpected `'ab'` | fix: `"ab"`
)");
}

TEST(WeldDiagnostics, RejectsControlCharacters) {
  expectMarked("\"\x01\" #//! error weld.lex.7: a string cannot contain `\\x01` | fix: `\\x01`");
}

TEST(WeldDiagnostics, RejectsForms) {
  expectMarkedLines(R"(
# nothing #//! error weld.program.1: the file contains no program
1; #//! error weld.program.2: expected the end of the program, found `;` | nothing follows the value of a program | fix: ``
|x: i32| x) #//! error weld.program.2: expected the end of the program, found `)`
|x; y| x #//! error weld.program.6: expected `|` in a parameter list, found `;`
|x y| x #//! error weld.program.6: expected `,` between parameters, found the name `y`
[1, 2; 3] #//! error weld.literal.7: expected `,` or `]` in a vector, found `;`
{1 2} #//! error weld.literal.9: expected `,` or `}` in a struct, found `2`
{} #//! error weld.literal.10: a struct has at least one field
|x: {}| 1 #//! error weld.literal.10: a struct has at least one field
type t i32; 1 #//! error weld.alias.1: expected `=` in a type definition, found `i32`
macro f() = 1; type t = i32; 1 #//! error weld.alias.1: type definitions come before macros
|x: 3| x #//! error weld.type.1: expected a type, found `3` | `:` is followed by a type; fields of a struct have no names
|x: vec i32| x #//! error weld.type.2: expected `[` in a type, found `i32` | a vector type is `vec[T]`
|x: {i32 i32}| x #//! error weld.type.2: expected `,` or `}` in a type, found `i32`
1 + * 2 #//! error weld.expr.1: expected an expression, found `*`
1 + let x = 2; x #//! error weld.expr.1: expected an expression, found `let` | enclose a `let` inside an expression in parentheses
1 < 2 < 3 #//! error weld.expr.2: `<` cannot follow another comparison | this is a comparison | write `a < b && b < c`
true == true != false #//! error weld.expr.2: `!=` cannot follow another comparison | this is a comparison | enclose one of them in parentheses
(1; 2) #//! error weld.expr.3: expected `)`, found `;` | opened here
1 and 2 #//! error weld.expr.1: unexpected `and`; the operator is `&&`
x = 1; x #//! error weld.let.1: the definition of `x` begins with `let` | fix: `let `
f(x) = x; 1 #//! error weld.macro.1: the definition of `f` begins with `macro` | fix: `macro `
(1 + 2 #//! error weld.expr.3: this `(` is never closed | expected `)` here
len([1] 2) #//! error weld.expr.4: expected `,` or `)` in an argument list, found `2`
len([1], 2) #//! error weld.expr.4: `len` takes 1 argument, found 2
if(true, 1) #//! error weld.expr.4: `if` takes 3 arguments, found 2 | `if(condition, value, other)` has both values; in a loop, `other` may be the builder
if (true) 1 #//! error weld.expr.4: `if` takes 3 arguments, found 1 | `if(condition, value, other)` has both values; in a loop, `other` may be the builder
merge(dictmerger[i32,i32,+], 1, 2) #//! error weld.expr.4: `merge` takes 2 arguments, found 3 | a pair is one value: `merge(b, {key, value})`
sort([1]) #//! error weld.expr.4: `sort` takes 2 arguments, found 1 | `sort(v, |a, b| compare(a, b))` sorts from small to large
|v: vec[i32]| v[0] #//! error weld.lookup.1: values cannot be indexed with `[` | `lookup(v, 0L)` is an element of a vector, `lookup(d, key)` a value of a dictionary, `s.$0` a field of a struct
|v: vec[string]| v #//! error weld.alias.2: `string` is not a type | a text is `vec[i8]`, a character of it `i8`
i64(1, 2) #//! error weld.expr.4: `i64` takes 1 argument, found 2
for([1], appender) #//! error weld.expr.4: `for` takes 3 arguments, found 2 | `for(vector, builder, |b, i, x| merge(b, x))`
|s: {i32}| s.0 #//! error weld.struct.1: expected a field such as `$0` after `.`, found `0` | fix: `$`
|s: {i32}| s.first #//! error weld.struct.1: expected a field such as `$0` after `.`, found the name `first` | fields are numbered from 0: `.$0`
i64 3 #//! error weld.cast.1: expected `(` in a cast, found `3`
let x 1; x #//! error weld.let.1: expected `=` in a `let`, found `1`
deserialize(1) #//! error weld.serialize.3: expected `[` in `deserialize[T](bytes)`, found `(`
cudf[f](1) #//! error weld.cudf.1: expected `,` in `cudf[name, T](arguments)`, found `]`
merger[i32,-] #//! error weld.builder.2: a builder combines values with `+`, `*`, `min` or `max`, not with `-`
for x #//! error weld.for.1: expected `(` after `for`, found the name `x` | `for(vector, builder, |b, i, x| merge(b, x))`
result(for(zip([1]), appender, |b, i, x| merge(b, x))) #//! error weld.iter.2: `zip` takes at least two vectors or iterators, found 1
macro f(x) x; 1 #//! error weld.macro.1: expected `=` in a macro definition, found the name `x`
@(size 1) 2 #//! error weld.annotation.1: expected `:` in an annotation, found `1`
@(predicate: 1) 2 #//! error weld.annotation.3: the annotation `predicate` must be `true` or `false`, not `1`
@(size: big) 2 #//! error weld.annotation.3: the annotation `size` must be an integer, not `big`
)");
}

/// One mistake does not hide the next.
TEST(WeldDiagnostics, RecoversAfterMistakes) {
  expectMarked(R"(let a = 1 +; #//! error weld.expr.1: expected an expression, found `;`
let b = [1, *, (2 + ), 3]; #//! error weld.expr.1: expected an expression, found `*` //! error weld.expr.1: expected an expression, found `)`
let c: vec[3] = 1; #//! error weld.type.1: expected a type, found `3`
{a b, a} #//! error weld.literal.9: expected `,` or `}` in a struct, found the name `b`
)");
}

/// Nor does one kind of mistake hide another: names, types and uses of builders are checked
/// together.
TEST(WeldDiagnostics, ReportsMistakesOfAllKinds) {
  expectMarked(R"(|x: i32|
  let a = y; #//! error weld.name.1: `y` is not defined
  let b = z; #//! error weld.name.1: `z` is not defined
  let c = x + 1L; #//! error weld.op.1: the operands of `+` have different types, `i32` and `i64` | i32 | i64 | fix: `1`
  let d = len(3); #//! error weld.len.1: `len` takes a vector or a dictionary, not `i32`
  let e = appender[i32];
  {a + 1, b + 1L, c, d, result(e), result(e)} #//! error weld.linear.2: the builder `e` is used after its result | its result is taken here
)");
}

/// An erroneous expression reports nothing about its builders, and causes no further errors.
TEST(WeldDiagnostics, ReportsNoConsequences) {
  expectMarkedLines(R"(
let b = appender[i32]; resutl(b) #//! error weld.name.1: `resutl` is not defined | fix: `result`
let b = appender[i32]; let c = merge(b, y); let d = merge(c, 1); result(d) #//! error weld.name.1: `y` is not defined
let b = appender[i32]; let c = merge(b); result(b) #//! error weld.expr.4: `merge` takes 2 arguments, found 1 | a pair is one value: `merge(b, {key, value})`
let s = {appender[i32], merger[i32,+]}; {result(s.$0), result(s.$1), s.$2} #//! error weld.struct.2: `{appender[i32],merger[i32,+]}` has 2 fields and no `$2` | fields are numbered from 0
|v: vec[i32]| result(for(v, appender[i32], |b, i, x| fold(b, x))) #//! error weld.name.1: `fold` is not defined | `result(for(v, merger[i32,+], |b, i, x| merge(b, x)))` combines the elements with `+`; `*`, `min` and `max` work alike
|v: vec[i32]| result(for(v, appender[i32], |b, i, x| if(x > y, merge(b, x), b))) #//! error weld.name.1: `y` is not defined
|v: vec[i32]| let b = appender[i32]; result(for(v, b, |c, x| merge(b, x))) #//! error weld.program.6: `for` expects a function with 3 parameters; this one has 2 | `|b, i, x|` are the builder, the index and the element
|v: vec[i32]| result(for(v, appender[i32], update)) #//! error weld.name.1: `update` is not defined
mop([y], |x| x) #//! error weld.name.1: `mop` is not defined | did you mean `map`? //! error weld.name.1: `y` is not defined
let s = {appender[i32], y}; let t = {merge(s.$0, 1), s.$1}; {result(t.$0), t.$1 + 1} #//! error weld.name.1: `y` is not defined
)");
}

TEST(WeldDiagnostics, RejectsLiterals) {
  expectMarkedLines(R"(
2147483648 #//! error weld.literal.3: `2147483648` does not fit `i32`; the largest value is 2147483647 | fix: `2147483648L`
-129c #//! error weld.literal.3: `129c` does not fit `i8`; the largest value is 127
99999999999999999999L #//! error weld.literal.3: `99999999999999999999L` does not fit `i64` or any other type
1.0e39f #//! error weld.literal.5: `1.0e39f` does not fit `f32`
[1, 2L] #//! error weld.literal.7: the elements of a vector must have the same type; these are `i32` and `i64` | i32 | fix: `2`
)");
}

TEST(WeldDiagnostics, RejectsNamesAndFunctions) {
  expectMarkedLines(R"(
|x| 1 #//! error weld.program.3: parameter `x` of the program has no type | write `x: vec[f64]`, or whatever its type is
|x: vec[?]| 1 #//! error weld.program.3: parameter `x` of the program has the incomplete type `vec[?]`
|b: {i32,appender[i32]}| 1 #//! error weld.program.4: parameter `b` has type `{i32,appender[i32]}`, but a program cannot take or return builders | `result` returns what a builder has built
broadcast(1) #//! error weld.program.4: the value of the program has type `simd[i32]`, but a program cannot take or return simd values | merge them into a builder
let f = |x: i32| x; 1 #//! error weld.program.5: the function `|x: i32| x` is not a value | a macro before the program can name it: `macro f(x) = x;` | `|x| f(x)` is then the function, and `f(x)` calls it
|x: i32| x(1) #//! error weld.program.5: `x` is not a function | functions are not values; a macro can stand for one
sort([1], 2) #//! error weld.program.6: `sort` expects a function here, found `2` | write the function here: `|a, b| ...`
|v: vec[i32]| result(for(v, merger[i32,+], |b, x| merge(b, x))) #//! error weld.program.6: `for` expects a function with 3 parameters; this one has 2 | `|b, i, x|` are the builder, the index and the element
map([1], |x, y| x) #//! error weld.program.6: `map` expects a function with 1 parameter; this one has 2 | the elements of `zip(a, b)` are structs: `|e| e.$0 + e.$1`
(|x: i32, y: i32| x)(1) #//! error weld.expr.4: `|x: i32, y: i32| x` takes 2 arguments, found 1
iterate(1, |x, y| 1) #//! error weld.program.6: `iterate` expects a function with 1 parameter; this one has 2
iterate(1, |x: i64| {1, true}) #//! error weld.program.6: parameter `x` has type `i32`, but is declared as `i64`
let total = 1; totl #//! error weld.name.1: `totl` is not defined | fix: `total`
mop([1], |x| x) #//! error weld.name.1: `mop` is not defined | did you mean `map`?
sort([1], compare) #//! error weld.program.5: the macro `compare` is not a value | a function can call it | fix: `|x, y| compare(x, y)`
|a: i32, a: i32| a #//! error weld.name.3: two parameters are named `a`
|x: flot| 1 #//! error weld.alias.2: `flot` is not a type
|x: float| 1 #//! error weld.alias.2: `float` is not a type | the floating-point types are `f32` and `f64`
)");
}

TEST(WeldDiagnostics, RejectsTypes) {
  expectMarkedLines(R"(
type t = simd[vec[i32]]; 1 #//! error weld.simd.1: `simd[vec[i32]]` is not a type: `vec[i32]` is not a scalar
[appender[i32]] #//! error weld.type.4: `vec[appender[i32]]` is not a type: `appender[i32]` cannot be stored
result(groupbuilder[i32,appender[i8]]) #//! error weld.type.4: `groupbuilder[i32,appender[i8]]` is not a type: `appender[i8]` cannot be stored
result(groupbuilder[dict[i8,i8],i32]) #//! error weld.type.6: `groupbuilder[dict[i8,i8],i32]` is not a type: `dict[i8,i8]` cannot be a key
result(merger[{i32,bool},+]) #//! error weld.builder.3: `merger[{i32,bool},+]` is not a type: `{i32,bool}` is neither a number nor a struct of numbers
len([]) #//! error weld.infer.4: the type of `[]` cannot be inferred; all that is known is `vec[?]` | nothing in the program determines `?`; write the type
1: i64 #//! error weld.infer.5: `1` has type `i32`, but is declared as `i64` | i64 | fix: `1L`
let v = []; let a = map(v, |x| x.$0 + 1); {a, [v, [{1.0, 2}]]} #//! error weld.infer.6: `x.$0` has type `f64`, but is used as `i32`
)");
}

TEST(WeldDiagnostics, RejectsOperands) {
  expectMarkedLines(R"(
|a: i64| a + 3 #//! error weld.op.1: the operands of `+` have different types, `i64` and `i32` | i64 | i32 | fix: `3L`
|a: f32| 2 * a #//! error weld.op.1: the operands of `*` have different types, `i32` and `f32` | i32 | f32 | fix: `2.0f`
|a: u8| a == 1 #//! error weld.op.1: the operands of `==` have different types, `u8` and `i32` | u8 | i32 | fix: `u8(1)`
min(1, 2L) #//! error weld.op.1: the operands of `min` have different types, `i32` and `i64` | i32 | i64 | fix: `2`
|v: vec[i32]| v + v #//! error weld.op.2: `+` takes numbers, not `vec[i32]` | vec[i32] | for each pair of elements: `map(zip(a, b), |e| e.$0 + e.$1)`
pow(true, false) #//! error weld.op.2: `pow` takes numbers, not `bool`
1.0 & 2.0 #//! error weld.op.6: `&` takes integers or bools, not `f64` | f64
1 && 2 #//! error weld.op.7: `&&` takes bools, not `i32` | i32
|d: dict[i8,i8]| [d] < [d] #//! error weld.op.10: `<` cannot compare values of type `vec[dict[i8,i8]]` | vec[dict[i8,i8]]
-true #//! error weld.op.11: `-` takes a number, not `bool` | bool
sqrt(4) #//! error weld.math.1: `sqrt` takes a floating-point number, not `i32` | fix: `4.0`
1.$0 #//! error weld.struct.2: there is no field `$0`: `i32` is not a struct | i32
{1}.$1 #//! error weld.struct.2: `{i32}` has 1 field and no `$1` | fields are numbered from 0
i64([1]) #//! error weld.cast.2: `i64` converts scalars, not `vec[i32]` | vec[i32]
let x: i64 = 3; x #//! error weld.let.2: `x` is declared as `i64`, but its value has type `i32` | fix: `3L`
if(1, 2, 3) #//! error weld.if.1: the condition of `if` must be `bool`, not `i32`
if(true, 1, 2L) #//! error weld.if.3: the values of `if` have different types, `i32` and `i64` | i32 | i64 | fix: `2`
let b = appender[i32]; result(select(true, b, appender)) #//! error weld.if.6: `select` cannot choose between values of type `appender[i32]`, which contain builders | `select` evaluates both values; `if` evaluates one
iterate(1, |x| x + 1) #//! error weld.iterate.1: `iterate` expects a function that returns `{i32,bool}`; this one returns `i32` | i32
)");
}

TEST(WeldDiagnostics, RejectsUsesOfCollections) {
  expectMarkedLines(R"(
lookup([1], 0) #//! error weld.lookup.1: the index of a vector must be `i64`, not `i32` | fix: `0L`
|i: u8| slice([1], i64(i), i) #//! error weld.lookup.1: the size of a slice must be `i64`, not `u8` | fix: `i64(i)`
result(for(rangeiter(0L, 5, 1L), appender, |b, i, x| merge(b, x))) #//! error weld.lookup.1: the end of `rangeiter` must be `i64`, not `i32` | fix: `5L`
|d: dict[i64,i8]| keyexists(d, 1) #//! error weld.lookup.2: the key must be `i64`, not `i32` | dict[i64,i8] | fix: `1L`
lookup(1, 0L) #//! error weld.lookup.3: `lookup` takes a vector or a dictionary, not `i32`
tovec([1]) #//! error weld.lookup.6: `tovec` takes a dictionary, not `vec[i32]`
len({1}) #//! error weld.len.1: `len` takes a vector or a dictionary, not `{i32}`
slice(1, 0L, 0L) #//! error weld.slice.1: `slice` takes a vector, not `i32`
sort([1L], |a, b| a - b) #//! error weld.sort.2: `sort` expects a function that returns `i32`; this one returns `i64` | fix: `compare(a, b)`
|v: vec[{i8,dict[i8,i8]}]| sort(v, |a, b| 0) #//! error weld.sort.3: elements of type `{i8,dict[i8,i8]}` cannot be sorted
let x = broadcast([1]); 1 #//! error weld.simd.3: `broadcast` takes a scalar, not `vec[i32]`
serialize(appender[i32]) #//! error weld.serialize.2: `serialize` does not support type `appender[i32]`
deserialize[i32]([1]) #//! error weld.serialize.3: `deserialize` takes `vec[i8]` or `vec[u8]`, not `vec[i32]`
cudf[f, i32](appender[i8]) #//! error weld.cudf.2: the argument of the C function `f` cannot be `appender[i8]`
)");
}

TEST(WeldDiagnostics, RejectsUsesOfBuilders) {
  expectMarkedLines(R"(
result(vecmerger[i32,+]) #//! error weld.builder.7: `vecmerger[i32,+]` needs an initial vector | write `vecmerger[i32,+](v)`
result(appender[i32](10)) #//! error weld.builder.9: `appender[i32]` takes an argument of type `i64`, not `i32` | fix: `10L`
result(groupbuilder[i32,i32](10L)) #//! error weld.builder.9: `groupbuilder[i32,i32]` takes no argument in parentheses, not `i64`
merge({appender[i32]}, 1) #//! error weld.merge.1: `merge` takes a builder, not `{appender[i32]}` | merge into its fields: `{merge({appender[i32]}.$0, ...), ...}`
result(merge(appender[i64], 1)) #//! error weld.merge.2: `merge` into `appender[i64]` takes `i64`, not `i32` | appender[i64] | fix: `1L`
result(merge(vecmerger[i32,+]([1]), {0, 1})) #//! error weld.merge.2: `merge` into `vecmerger[i32,+]` takes `{i64,i32}`, not `{i32,i32}` | vecmerger[i32,+] | fix: `0L`
result(1) #//! error weld.merge.3: `result` takes a builder, not `i32`
result(for([1], {1, appender[i32]}, |b, i, x| b)) #//! error weld.merge.3: `result` takes a builder, not `{i32,appender[i32]}` //! error weld.for.2: a loop updates a builder, not `{i32,appender[i32]}` | every field of the struct must be a builder
result(for([1], appender[i32], |b, i, x| x)) #//! error weld.for.4: `for` expects a function that returns its builder, `appender[i32]`; this one returns `i32` | appender[i32]
|d: dict[i8,i8]| result(for(d, appender, |b, i, x| merge(b, x))) #//! error weld.for.5: a loop iterates over a vector or an iterator, not over `dict[i8,i8]` | `tovec` returns the pairs of a dictionary as a vector
zip([1], [2]) #//! error weld.iter.1: `zip` is allowed only where a loop iterates over it | `map` makes a vector of its elements | fix: `map(zip([1], [2]), |e| e)`
result(for(simditer([[1]]), appender[i32], |b, i, x| b)) #//! error weld.iter.5: `vec[i32]` cannot be a lane of a simd value: it is not a scalar
result(for(nditer([1], 0L, 1L, 1L, [1], [1L]), appender, |b, i, x| merge(b, x))) #//! error weld.iter.8: the shape and the strides of `nditer` must be `vec[i64]`, not `vec[i32]`
)");
}

/// Both uses are shown.
TEST(WeldDiagnostics, ShowsBothUsesOfABuilder) {
  expectMarkedLines(R"(
let b = appender[i32]; {result(merge(b, 1)), result(merge(b, 2))} #//! error weld.linear.1: the builder `b` is used twice | the first use
let b = appender[i32]; result(merge(b, len(result(b)))) #//! error weld.merge.2: `merge` into `appender[i32]` takes `i32`, not `i64` | appender[i32] //! error weld.linear.1: the builder `b` is used twice | the first use
let b = appender[i32]; {result(b), result(b)} #//! error weld.linear.2: the builder `b` is used after its result | its result is taken here
result(for([1], appender[i64], |b, i, x| merge(b, len(result(b))))) #//! error weld.linear.3: `result` of `b` is taken inside the loop that builds it | the loop is still building it //! error weld.linear.1: the builder `b` is used twice | the first use
result(for([1], appender[i32], |b, i, x| appender)) #//! error weld.linear.4: the function of a loop must return its own builder `b`; this one returns another builder | the builder that the function receives
result(for([1], {appender[i32], {appender[i32]}}, |b, i, x| {b.$1.$0, {b.$0}})) #//! error weld.linear.4: the function of a loop must return its own builder `b.$0`; this one returns `b.$1.$0` in its place | the builder that the function receives
let a = appender[i32]; result(for([1], merger[i64,+], |b, i, x| merge(b, len(result(a))))) #//! error weld.linear.5: the builder `a` would be used in every iteration of the loop | defined outside the loop
result(for([1], appender[i32], |b, i, x| for([2], b, |c, j, y| merge(b, y)))) #//! warning weld.linear.6: inside the loop, `b`, its initial builder, is replaced by `c` | the builder of this loop
let b = appender[i32]; 1 #//! warning weld.linear.7: the builder `b` is never used
)");
}

TEST(WeldDiagnostics, RejectsMacros) {
  expectMarkedLines(R"(
macro f(x) = x; macro f(y) = y; 1 #//! error weld.macro.2: macro `f` is defined twice | the first definition
macro map(x) = x; 1 #//! error weld.macro.2: `map` is a standard macro
map([1]) #//! error weld.macro.3: macro `map` takes 2 arguments, found 1 | `map(v, |x| ...)` takes a vector or an iterator, and a function
macro f(x) = x; f() #//! error weld.macro.3: macro `f` takes 1 argument, found 0 | defined here
macro f(x) = g(x); macro g(x) = f(x); 1 #//! error weld.macro.6: macro `f` calls itself | through macro `g` //! error weld.macro.6: macro `g` calls itself | through macro `f`
macro f(x, x) = x; 1 #//! error weld.name.3: two parameters are named `x` | the first one
)");
}

/// An error in the text of a macro is reported where it was called.
TEST(WeldDiagnostics, PointsIntoTheCallOfAMacro) {
  expectMarked(R"(macro add(x, y) = x + y;
macro twice(x) = add(x, 1);
twice(2L) #//! error weld.op.1: the operands of `+` have different types, `i64` and `i32` | i64 | i32 | in the text of macro `add` | in the text of macro `twice` | fix: `2`
)");
  expectMarked(
      R"(filter([1], |x| x) #//! error weld.if.1: the condition of `filter` must be `bool`, not `i32`)");
  EXPECT_EQ(typeOf("filter([1], |x| x + 2)"),
            "1:17 error weld.if.1: the condition of `filter` must be `bool`, not `i32`\n");
  expectMarked(
      R"(map(1, |x| x) #//! error weld.for.5: a loop iterates over a vector or an iterator, not over `i32`)");
}

/// Only the innermost macros are named.
TEST(WeldDiagnostics, NamesFewMacros) {
  std::string text = "macro m0(x) = x + 1;";
  for (int i = 1; i <= 6; ++i)
    text += llvm::formatv("macro m{0}(x) = m{1}(x);", i, i - 1);
  expectMarked(
      text +
      R"(m6(true) #//! error weld.op.1: the operands of `+` have different types, `bool` and `i32` | bool | i32 | in the text of macro `m0` | in the text of macro `m1` | in the text of macro `m2` | and through 4 more macros)");
}

TEST(WeldDiagnostics, BoundsMacros) {
  std::string text = "macro m0(x) = x + 1;\n", doubling = "macro m0(x) = [x];\n";
  for (int i = 1; i <= 40; ++i) {
    std::string name = "macro m" + std::to_string(i), inner = "m" + std::to_string(i - 1);
    text += name + "(x) = " + inner + "(x);\n";
    doubling += name + "(x) = {" + inner + "(x), " + inner + "(x)};\n";
  }
  expectMarked(
      text + R"(m40(1) #//! error weld.macro.7: macro calls are nested more than 30 levels deep)");
  expectMarked(
      doubling +
      R"(m25(1) #//! error weld.macro.7: after macro expansion, the program has more than 200000 expressions)");
  EXPECT_EQ(CheckedProgram("macro m0(x) = x + 1; macro m1(x) = m0(x); m1(1)").type(), "() => i32");
}

TEST(WeldDiagnostics, BoundsNesting) { // [weld.limit.1]
  auto repeat = [](llvm::StringRef text, unsigned count) {
    std::string result;
    for (unsigned i = 0; i < count; ++i)
      result += text;
    return result;
  };
  expectMarked(repeat("(", 300) +
               "1 #//! error weld.limit.1: this is nested more than 256 levels deep");
  expectMarked(repeat("-", 300) +
               "1 #//! error weld.limit.1: this is nested more than 256 levels deep");
  expectMarked(repeat("|x: vec[", 1) + repeat("vec[", 300) +
               " #//! error weld.limit.1: this is nested more than 256 levels deep");
  expectMarked("1" + repeat(" + 1", 20001) +
               " #//! error weld.limit.1: this is nested more than 20000 levels deep");
  EXPECT_EQ(typeOf("1" + repeat(" + 1", 900)), "() => i32");
  EXPECT_EQ(typeOf(repeat("let x = 1; ", 900) + "x"), "() => i32");
  // As many lines as generated programs may have: phases run on a stack that is large enough.
  expectMarked(repeat("let x = 1; ", 19000) + "x");
  expectMarked("1" + repeat(" + 1", 19000));
  EXPECT_EQ(typeOf(repeat("(", 256) + "1" + repeat(")", 256)), "() => i32");
  EXPECT_EQ(typeOf("|x: i32| " + repeat("(", 255) + "x" + repeat(")", 255)), "(x: i32) => i32");
  expectMarked("|x: i32| " + repeat("(", 256) +
               " #//! error weld.limit.1: this is nested more than 256 levels deep");
}

/// A program of 40 lines could have a type with 2^40 fields.
TEST(WeldDiagnostics, BoundsTypes) {
  std::string text = "let a0 = {1, 2};";
  for (int i = 1; i <= 40; ++i)
    text += llvm::formatv("let a{0} = {{a{1}, a{1}};", i, i - 1);
  expectMarked(text + "1 #//! error weld.limit.3: this type has more than 10000 parts");
}

/// Definitions that are not used cost no time either.
TEST(WeldDiagnostics, BoundsTypeDefinitions) {
  std::string text = "type t0 = {i32, i32};\n", unknown = "type t0 = {?, ?};\n";
  for (int i = 1; i <= 60; ++i) {
    bool isTooLarge = i == 12;
    std::string definition = llvm::formatv("type t{0} = {{t{1}, t{1}};", i, i - 1);
    std::string mark = " #//! error weld.limit.3: this type has more than 10000 parts";
    text += definition + (isTooLarge ? mark : "") + "\n";
    unknown += definition + (isTooLarge ? mark : "") + "\n";
  }
  expectMarked(text + "1");
  expectMarked(unknown + "1");
}

TEST(WeldDiagnostics, ReadsLongNumbers) { // [weld.literal.2, weld.literal.5]
  std::string digits(100000, '1');
  EXPECT_EQ(typeOf("1." + digits), "() => f64");
  EXPECT_EQ(typeOf("1." + digits + "f"), "() => f32");
  expectMarked(digits + ".0 #//! error weld.literal.5: `" + digits.substr(0, 60) +
               "...` does not fit `f64`");
}

} // namespace
