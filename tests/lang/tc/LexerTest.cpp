#include "lang/tc/Lexer.h"
#include "llvm/ADT/StringExtras.h"
#include <gtest/gtest.h>

using namespace tessera;
using namespace tessera::tc;
using llvm::StringRef;

namespace {

char letterOf(Tok kind) {
  switch (kind) {
  case Tok::Identifier:
    return 'n';
  case Tok::Integer:
    return 'i';
  case Tok::Float:
    return 'f';
  case Tok::TypeName:
    return 't';
  case Tok::Foreign:
    return '?';
  case Tok::Error:
    return '!';
  default:
    return kind >= Tok::KwDef && kind <= Tok::KwMax ? 'k' : 's';
  }
}

/// Each token as KIND:TEXT. Kinds are n(ame), i(nteger), f(loat), t(ype), k(eyword), s(ymbol),
/// ? foreign and ! for an error.
std::string tokens(StringRef text) {
  SourceFile file("test.tc", text.str());
  DiagnosticEngine diagnostics;
  std::string result;
  for (const Token &token : lex(file, diagnostics).tokens)
    if (token.kind != Tok::End)
      result += (result.empty() ? "" : " ") + std::string(1, letterOf(token.kind)) + ":" +
                file.text(token.range).str();
  return result;
}

/// [tc.lex.1]
TEST(TcLexer, SeparatesByBlanks) {
  EXPECT_EQ(tokens(" a\tb\r\nc\n\n(\n)"), "n:a n:b n:c s:( s:)");
  EXPECT_EQ(tokens(""), "");
}

/// [tc.lex.2]
TEST(TcLexer, SkipsComments) {
  EXPECT_EQ(tokens("a # def ; $ \n# all of it\nb#"), "n:a n:b");
  SourceFile file("test.tc", "a # one\n#two");
  DiagnosticEngine diagnostics;
  TokenList list = lex(file, diagnostics);
  ASSERT_EQ(list.comments.size(), 2u);
  EXPECT_EQ(file.text(list.comments[0]), "# one");
  EXPECT_EQ(file.text(list.comments[1]), "#two");
}

/// [tc.lex.3, tc.lex.5, tc.lex.6] With at least one letter or `_`, a digit may be the first.
TEST(TcLexer, ReadsNames) {
  EXPECT_EQ(tokens("x _a r_k A0 2fc 3x 1_000 _ __ N n"),
            "n:x n:_a n:r_k n:A0 n:2fc n:3x n:1_000 n:_ n:__ n:N n:n");
  EXPECT_EQ(tokens("info nan_mask inf0 inf nan"), "n:info n:nan_mask n:inf0 n:inf n:nan");
  EXPECT_EQ(tokens("define wherever int minimum min_ xmax int33 Def"),
            "n:define n:wherever n:int n:minimum n:min_ n:xmax n:int33 n:Def");
}

/// [tc.lex.4] What is both a number and a name is a number; the longer one wins.
TEST(TcLexer, PrefersNumbers) {
  EXPECT_EQ(tokens("1e5 0x1F 1E5f 7L 0b11"), "f:1e5 i:0x1F f:1E5f i:7L i:0b11");
  EXPECT_EQ(tokens("1e5x 0x1G 7Lx 1e 0x 0b12 1f 7lL 3lul"),
            "n:1e5x n:0x1G n:7Lx n:1e n:0x n:0b12 n:1f n:7lL n:3lul");
  EXPECT_EQ(tokens("1e+ 1e-x"), "n:1e s:+ n:1e s:- n:x");
}

/// [tc.lex.7]
TEST(TcLexer, KnowsReservedWords) {
  EXPECT_EQ(tokens("def where in exists min max"), "k:def k:where k:in k:exists k:min k:max");
  EXPECT_EQ(tokens("bool int8 int16 int32 int64 uint8 byte uint16 uint32 uint64 half float16"),
            "t:bool t:int8 t:int16 t:int32 t:int64 t:uint8 t:byte t:uint16 t:uint32 t:uint64 "
            "t:half t:float16");
  EXPECT_EQ(tokens("bfloat16 float float32 double float64"),
            "t:bfloat16 t:float t:float32 t:double t:float64");
}

/// [tc.lex.8, tc.lex.9, tc.lex.10] A point or an exponent makes a float.
TEST(TcLexer, ReadsNumbers) {
  EXPECT_EQ(tokens("3 3. .5 1.4 3e-3 3E-5 .5e-7 0x1F 0"),
            "i:3 f:3. f:.5 f:1.4 f:3e-3 f:3E-5 f:.5e-7 i:0x1F i:0");
  EXPECT_EQ(tokens("3E5 0xFE 0xfe 3.e2 0.5 00.5 010.0"),
            "f:3E5 i:0xFE i:0xfe f:3.e2 f:0.5 f:00.5 f:010.0");
  EXPECT_EQ(tokens("1.5f 1.5L 3.f 3u 3UL 3LLu 3ull 0x1Fu"),
            "f:1.5f f:1.5L f:3.f i:3u i:3UL i:3LLu i:3ull i:0x1Fu");
  EXPECT_EQ(tokens("0x1p3 0x1.8p-3f 0xA.p0"), "f:0x1p3 f:0x1.8p-3f f:0xA.p0");
  EXPECT_EQ(tokens("1.5q 1.2.3 3.x 0x1.8"), "!:1.5q !:1.2.3 !:3.x !:0x1.8");
}

/// [tc.lex.11]
TEST(TcLexer, LeavesSignsAlone) {
  EXPECT_EQ(tokens("1-3 -3 +3 1.-.5"), "i:1 s:- i:3 s:- i:3 s:+ i:3 f:1. s:- f:.5");
}

/// [tc.lex.12]
TEST(TcLexer, TakesTheLongestOperator) {
  EXPECT_EQ(tokens("a+=!b*=!c+=d*=e"), "n:a s:+=! n:b s:*=! n:c s:+= n:d s:*= n:e");
  EXPECT_EQ(tokens("a min=!b max=!c min=d max=e"),
            "n:a s:min=! n:b s:max=! n:c s:min= n:d s:max= n:e");
  EXPECT_EQ(tokens("<=>=== !=&&||->"), "?:<=> s:== s:= s:!= s:&& s:|| s:->");
  EXPECT_EQ(tokens("a<=b>=c==d!=e"), "n:a s:<= n:b s:>= n:c s:== n:d s:!= n:e");
  EXPECT_EQ(tokens("=!a =-b <-c ->- --"), "s:= s:! n:a s:= s:- n:b s:< s:- n:c s:-> s:- s:- s:-");
  EXPECT_EQ(tokens("(){},:?.= +-*/%< >!"),
            "s:( s:) s:{ s:} s:, s:: s:? s:. s:= s:+ s:- s:* s:/ s:% s:< s:> s:!");
}

/// [tc.lex.13]
TEST(TcLexer, RequiresEqualsDirectlyAfterTheWord) {
  EXPECT_EQ(tokens("max = max=! max= ! xmax=1 min(a)"),
            "k:max s:= s:max=! s:max= s:! n:xmax s:= i:1 k:min s:( n:a s:)");
}

/// [tc.sizeexpr.7] A point and digits directly after a name.
TEST(TcLexer, ReadsDimensions) {
  EXPECT_EQ(tokens("T.1 2fc.0 T.12*T.3"), "n:T s:. i:1 n:2fc s:. i:0 n:T s:. i:12 s:* n:T s:. i:3");
  EXPECT_EQ(tokens("T .1 T. 1 (T).1 where.5"),
            "n:T f:.1 n:T s:. i:1 s:( n:T s:) f:.1 k:where f:.5");
  EXPECT_EQ(tokens("T.1e5 T.1x"), "n:T s:. !:1e5 n:T s:. !:1x");
}

/// One token each, to be named in one message.
TEST(TcLexer, KnowsForeignOperators) {
  EXPECT_EQ(tokens("0..2 0...2 N..2 1.5..2"),
            "i:0 ?:.. i:2 i:0 ?:... i:2 n:N ?:.. i:2 f:1.5 ?:.. i:2");
  EXPECT_EQ(tokens("-= /= %= := =< => <> ** << >> ; [ ] & | ^ ~"),
            "?:-= ?:/= ?:%= ?::= ?:=< ?:=> ?:<> ?:** ?:<< ?:>> ?:; ?:[ ?:] ?:& ?:| ?:^ ?:~");
}

/// [tc.lex.15] A run of bytes above 127, or a quoted text, is one token.
TEST(TcLexer, MarksUnknownCharacters) {
  EXPECT_EQ(tokens("a @ \"b c\" 'd' \xE2\x89\xA4 \" e"),
            "n:a !:@ !:\"b c\" !:'d' !:\xE2\x89\xA4 !:\" n:e");
  EXPECT_EQ(tokens(StringRef("a\0b\v", 4)), std::string("n:a !:\0 n:b !:\v", 15));
}

} // namespace
