#id = affine_map<(i) -> (i)>
module attributes {tessera.sites = [{file = "types.tc", line = 3 : i32, column = 7 : i32, message = "{0} is odd", rule = "tc.infer.1"}]} {
// Adds to the old values of y; counts; returns whether there was anything to do.
func.func @update(%x: tensor<?xf64> {tessera.name = "x", tessera.sizes = ["n"]},
                  %y: tensor<?xf64> {tessera.name = "y", tessera.sizes = ["n"], tessera.initial},
                  %by: i16 {tessera.name = "by", tessera.type = "uint16"})
    -> (tensor<?xf64> {tessera.name = "y", tessera.sizes = ["n"]}, i64 {tessera.name = "count"},
        i8 {tessera.name = "any", tessera.type = "bool"}, i16 {tessera.name = "twice", tessera.type = "uint16"})
    attributes {tessera.entry = "update"} {
  %zero = arith.constant 0 : index
  %n = tensor.dim %x, %zero : tensor<?xf64>
  %sum = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]}
      ins(%x : tensor<?xf64>) outs(%y : tensor<?xf64>) {
  ^bb0(%a: f64, %b: f64):
    %c = arith.addf %a, %b : f64
    linalg.yield %c : f64
  } -> tensor<?xf64>
  %count = arith.index_cast %n : index to i64
  %some = arith.cmpi ne, %n, %zero : index
  %any = arith.extui %some : i1 to i8
  %twice = arith.addi %by, %by : i16
  return %sum, %count, %any, %twice : tensor<?xf64>, i64, i8, i16
}

// Static sizes become C arrays. i1 is a bool, too.
func.func @pick(%which: i1 {tessera.name = "which"}, %h: tensor<2xf16> {tessera.name = "h"}, %g: tensor<2xf16> {tessera.name = "g"})
    -> (tensor<2xf16> {tessera.name = "picked"}, i1 {tessera.name = "other"}) attributes {tessera.entry = "pick"} {
  %r = arith.select %which, %h, %g : tensor<2xf16>
  %true = arith.constant true
  %not = arith.xori %which, %true : i1
  return %r, %not : tensor<2xf16>, i1
}

// A precondition that only the program can check.
func.func @halve(%x: tensor<?xi8> {tessera.name = "x", tessera.sizes = ["n"]}) -> (tensor<?xi8> {tessera.name = "y"})
    attributes {tessera.entry = "halve"} {
  %zero = arith.constant 0 : index
  %two = arith.constant 2 : index
  %n = tensor.dim %x, %zero : tensor<?xi8>
  %rest = arith.remui %n, %two : index
  %odd = arith.cmpi ne, %rest, %zero : index
  scf.if %odd {
    %site = arith.constant 0 : i64
    %size = arith.index_cast %n : index to i64
    func.call @tessera_rt_reject(%site, %size, %site, %site, %site) : (i64, i64, i64, i64, i64) -> ()
  }
  %half = arith.divui %n, %two : index
  %y = tensor.extract_slice %x[0] [%half] [1] : tensor<?xi8> to tensor<?xi8>
  return %y : tensor<?xi8>
}
func.func private @tessera_rt_reject(i64, i64, i64, i64, i64)
}
