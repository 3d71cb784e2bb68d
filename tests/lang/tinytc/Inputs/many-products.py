"""Prints a kernel of as many small products as asked for."""
import sys

print("func @f(%a: memref<f32x8x8>, %b: memref<f32x8x8>, %c: memref<f32x8x8>) {\n  %one = constant 1.0 : f32")
for _ in range(int(sys.argv[1])):
    print("  gemm.n.n %one, %a, %b, %one, %c")
print("}")
