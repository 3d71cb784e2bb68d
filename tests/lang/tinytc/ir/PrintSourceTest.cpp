// Programs are printed in the language itself, and read back as the same program.
#include "../Lowered.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "gmock/gmock.h"

using namespace tessera;
using namespace tessera::tinytc;
using llvm::StringRef;
using testing::HasSubstr;

namespace {

class TinytcPrintSourceTest : public testing::Test {
protected:
  std::string printed(StringRef text, const LanguageOptions &options = {}) {
    Lowered lowered(text, context, options);
    EXPECT_TRUE(lowered.isCorrect()) << lowered.messages() << text.str();
    if (!lowered.module)
      return "";
    std::string source = lowered.source();
    expectStable(source);
    return source;
  }
  /// The body of a kernel.
  std::string body(StringRef parameters, StringRef text) {
    return StringRef(printed(("func @k(" + parameters + ") { " + text + " }").str()))
        .split("{\n")
        .second.str();
  }

  mlir::MLIRContext context;
};

TEST_F(TinytcPrintSourceTest, KeepsNamesAndTypes) {
  EXPECT_EQ(
      printed("func @k(%a: f32, %B: memref<f32x4x?,strided<1,8>> {alignment=64, \"x\"=[1,true]}, "
              "%g: group<memref<c64x4>x?, offset: 5>) attributes {subgroup_size=8} {}"),
      "func @k(%a: f32, %B: memref<f32x4x?,strided<1,8>> {alignment=64,\"x\"=[1,true]}, "
      "%g: group<memref<c64x4>x?, offset: 5>) attributes {subgroup_size=8,work_group_size=[8,1]} "
      "{\n}\n");
}

TEST_F(TinytcPrintSourceTest, WritesConstants) {
  EXPECT_EQ(
      body("",
           "%a = constant -0.0 : f32 %b = constant 0x1.8p-2 : f64 %c = constant [1.0,-2.5] : c32 "
           "%d = constant 200 : i8 %e = constant true : bool %f = constant 0.1 : bf16 "
           "%g = constant 3 : coopmatrix<i32x4x4,matrix_acc> %h = constant 1e39 : f32"),
      "  %a = constant -0.0 : f32\n  %b = constant 0.375 : f64\n"
      "  %c = constant [1.0,-2.5] : c32\n  %d = constant -56 : i8\n  %e = constant true : bool\n"
      "  %f = constant 0.10009765625 : bf16\n"
      "  %g = constant 3 : coopmatrix<i32x4x4,matrix_acc>\n  %h = constant 1.0E+300 : f32\n}\n");
}

TEST_F(TinytcPrintSourceTest, WritesOldFormsAsNewOnes) {
  LanguageOptions legacy;
  legacy.standard = "legacy";
  std::string text = printed(
      "func @k(%D: memref<f32x16x?x?>, %i: index) { %0 = subview %D[:,:,%i] : memref<f32x16x?> "
      "%1 = load %0[5,%i] : f32 }",
      legacy);
  EXPECT_THAT(text, HasSubstr("  %2 = size %D[1] : index\n  %0 = subview %D[0:16,0:%2,%i] : "
                              "memref<f32x16x?>\n  %3 = constant 5 : index\n  %1 = load %0[%3, %i] "
                              ": f32\n"));
}

TEST_F(TinytcPrintSourceTest, NamesMayRepeatInSiblings) {
  StringRef text =
      "  %i = builtin.group_id : index\n  if %c {\n    %x = size %m[0] : index\n  }\n"
      "  %x = if %c -> (index) {\n    %x = size %m[0] : index\n    yield (%x)\n  } else {\n"
      "    yield (%i)\n  }\n}\n";
  EXPECT_EQ(body("%c: bool, %m: memref<f32x?>", text.drop_back(2)), text);
}

TEST_F(TinytcPrintSourceTest, MakesNamesUnique) {
  Lowered lowered("func @k(%c: bool, %a: i32) { if %c { %x = arith.add %a, %a : i32 } "
                  "%x = arith.sub %a, %a : i32 }",
                  context);
  // A pass has moved the later one before it.
  mlir::Operation *later = nullptr;
  lowered.module->walk([&](ir::BinaryOp op) { later = op; });
  later->moveBefore(&later->getBlock()->front());
  std::string text = lowered.source();
  EXPECT_THAT(text, HasSubstr("%x = arith.sub"));
  EXPECT_THAT(text, HasSubstr("%x_1 = arith.add"));
  expectStable(text);
}

TEST_F(TinytcPrintSourceTest, KeepsAtomicBetaThatFolds) {
  EXPECT_THAT(body("%a: f32, %A: memref<f32x4>", "%0 = constant 1 : i32 %1 = cast %0 : f32 "
                                                 "axpby.n.atomic %a, %A, %1, %A"),
              HasSubstr("axpby.n.atomic %a, %A, %2, %A"));
}

/// The programs of this folder, of the pages and of the examples.
TEST_F(TinytcPrintSourceTest, PrintsAllPrograms) {
  std::error_code error;
  unsigned count = 0;
  for (const char *folder : {"/tests", "/examples", "/bench"})
    for (llvm::sys::fs::recursive_directory_iterator
             file(TESSERA_ROOT + std::string(folder), error),
         end;
         file != end && !error; file.increment(error)) {
      StringRef path = file->path();
      auto buffer = llvm::MemoryBuffer::getFile(path);
      if (!path.ends_with(".tinytc") || path.contains("fail-") || !buffer)
        continue;
      LanguageOptions options;
      if ((*buffer)->getBuffer().contains("--std=legacy"))
        options.standard = "legacy";
      if (StringRef(folder) == "/bench")
        options.definitions = {"beta=1.0", "k=64", "m=64", "n=64", "real=f32"};
      SCOPED_TRACE(path.str());
      printed((*buffer)->getBuffer(), options);
      ++count;
    }
  EXPECT_GE(count, 2u);
}

} // namespace
