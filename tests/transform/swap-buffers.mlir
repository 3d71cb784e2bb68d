// RUN: tessera opt %s --swap-buffers | FileCheck %s
// A copy at the end of an iteration becomes a swap of two buffers if that is equivalent.

// Every iteration writes the same box, and outside it the two agree before the loop. Deallocations follow the roles:
// the other buffer is returned.
// CHECK-LABEL: func @box_write(
//       CHECK:   %[[U:.*]] = memref.alloc()
//       CHECK:   %[[V:.*]] = memref.alloc()
//       CHECK:   memref.copy %[[U]], %[[V]]
//       CHECK:   %[[R:.*]]:2 = scf.for {{.*}} iter_args(%[[CURRENT:.*]] = %[[U]], %[[NEXT:.*]] = %[[V]])
//       CHECK:     memref.load %[[CURRENT]]
//       CHECK:     memref.store %{{.*}}, %[[NEXT]]
//   CHECK-NOT:     memref.copy
//       CHECK:     scf.yield %[[NEXT]], %[[CURRENT]]
//       CHECK:   memref.dealloc %[[R]]#1
//       CHECK:   return %[[R]]#0
func.func @box_write(%n: index, %x: f32) -> memref<2000xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c1999 = arith.constant 1999 : index
  %u = memref.alloc() : memref<2000xf32>
  linalg.fill ins(%x : f32) outs(%u : memref<2000xf32>)
  %v = memref.alloc() : memref<2000xf32>
  memref.copy %u, %v : memref<2000xf32> to memref<2000xf32>
  scf.for %t = %c0 to %n step %c1 {
    scf.for %i = %c1 to %c1999 step %c1 {
      %left = arith.subi %i, %c1 : index
      %a = memref.load %u[%left] : memref<2000xf32>
      memref.store %a, %v[%i] : memref<2000xf32>
    }
    memref.copy %v, %u : memref<2000xf32> to memref<2000xf32>
  }
  memref.dealloc %v : memref<2000xf32>
  return %u : memref<2000xf32>
}

// A counter may have a fixed offset, one dimension may be fixed, and the copy before the loop may go the other way.
// CHECK-LABEL: func @box_with_shifted_indices(
//       CHECK:   scf.for {{.*}} iter_args(
//   CHECK-NOT:   memref.copy
//       CHECK:   return
func.func @box_with_shifted_indices(%n: index, %x: f32, %m: index) -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %u = memref.alloc() : memref<32x32x32xf32>
  %v = memref.alloc() : memref<32x32x32xf32>
  linalg.fill ins(%x : f32) outs(%v : memref<32x32x32xf32>)
  memref.copy %v, %u : memref<32x32x32xf32> to memref<32x32x32xf32>
  scf.for %t = %c0 to %n step %c1 {
    scf.for %i = %c0 to %m step %c1 {
      scf.for %j = %c0 to %c8 step %c1 {
        %a = memref.load %u[%i, %j, %c0] : memref<32x32x32xf32>
        %next = arith.addi %i, %c1 : index
        %before = arith.subi %j, %c1 : index
        memref.store %a, %v[%c8, %next, %before] : memref<32x32x32xf32>
      }
    }
    memref.copy %v, %u : memref<32x32x32xf32> to memref<32x32x32xf32>
  }
  %r = memref.load %u[%c1, %c1, %c1] : memref<32x32x32xf32>
  memref.dealloc %u : memref<32x32x32xf32>
  memref.dealloc %v : memref<32x32x32xf32>
  return %r : f32
}

// A buffer that is overwritten completely needs no agreement; linalg.copy is a copy as well.
// CHECK-LABEL: func @overwritten_by_fill(
//       CHECK:   %[[U:.*]] = memref.alloc()
//       CHECK:   %[[V:.*]] = memref.alloc()
//       CHECK:   %[[R:.*]]:2 = scf.for {{.*}} iter_args(%[[CURRENT:.*]] = %[[U]], %[[NEXT:.*]] = %[[V]])
//       CHECK:     linalg.fill {{.*}} outs(%[[NEXT]]
//       CHECK:     memref.store %{{.*}}, %[[NEXT]]
//       CHECK:     scf.yield %[[NEXT]], %[[CURRENT]]
//       CHECK:   memref.load %[[R]]#0
func.func @overwritten_by_fill(%n: index, %x: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %u = memref.alloc() : memref<2000xf32>
  %v = memref.alloc() : memref<2000xf32>
  scf.for %t = %c0 to %n step %c1 {
    linalg.fill ins(%x : f32) outs(%v : memref<2000xf32>)
    memref.store %x, %v[%t] : memref<2000xf32>
    linalg.copy ins(%v : memref<2000xf32>) outs(%u : memref<2000xf32>)
  }
  %r = memref.load %u[%c1] : memref<2000xf32>
  memref.dealloc %u : memref<2000xf32>
  memref.dealloc %v : memref<2000xf32>
  return %r : f32
}

// CHECK-LABEL: func @overwritten_by_generic(
//       CHECK:   scf.for {{.*}} iter_args(
//   CHECK-NOT:   memref.copy
//       CHECK:   return
#id = affine_map<(d0) -> (d0)>
func.func @overwritten_by_generic(%n: index, %size: index) -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %u = memref.alloc(%size) : memref<?xf32>
  %v = memref.alloc(%size) : memref<?xf32>
  scf.for %t = %c0 to %n step %c1 {
    linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]}
        ins(%u : memref<?xf32>) outs(%v : memref<?xf32>) {
    ^bb0(%a: f32, %old: f32):
      %b = arith.addf %a, %a : f32
      linalg.yield %b : f32
    }
    memref.copy %v, %u : memref<?xf32> to memref<?xf32>
  }
  %r = memref.load %u[%c1] : memref<?xf32>
  memref.dealloc %u : memref<?xf32>
  memref.dealloc %v : memref<?xf32>
  return %r : f32
}

// A view from before the loop is of the buffer that was current then; in the loop and after it
// another one may be.
// CHECK-LABEL: func @views_are_renewed(
//       CHECK:   %[[U:.*]] = memref.alloc()
//       CHECK:   %[[OLD:.*]] = memref.subview %[[U]]
//       CHECK:   use(%[[OLD]])
//       CHECK:   %[[R:.*]]:2 = scf.for {{.*}} iter_args(%[[CURRENT:.*]] = %[[U]],
//       CHECK:     %[[VIEW:.*]] = memref.subview %[[CURRENT]]
//       CHECK:     memref.load %[[VIEW]]
//       CHECK:   %[[NEW:.*]] = memref.subview %[[R]]#0
//       CHECK:   use(%[[NEW]])
func.func private @use(memref<8xf32, strided<[1]>>)
func.func @views_are_renewed(%n: index, %x: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %u = memref.alloc() : memref<2000xf32>
  %v = memref.alloc() : memref<2000xf32>
  %view = memref.subview %u[0] [8] [1] : memref<2000xf32> to memref<8xf32, strided<[1]>>
  call @use(%view) : (memref<8xf32, strided<[1]>>) -> ()
  scf.for %t = %c0 to %n step %c1 {
    %a = memref.load %view[%c1] : memref<8xf32, strided<[1]>>
    linalg.fill ins(%a : f32) outs(%v : memref<2000xf32>)
    memref.copy %v, %u : memref<2000xf32> to memref<2000xf32>
  }
  call @use(%view) : (memref<8xf32, strided<[1]>>) -> ()
  memref.dealloc %u : memref<2000xf32>
  memref.dealloc %v : memref<2000xf32>
  return
}

// Without an exchange, views stay where they are: the source is read after the loop.
// CHECK-LABEL: func @views_stay(
//       CHECK:   %[[U:.*]] = memref.alloc()
//       CHECK:   %[[VIEW:.*]] = memref.subview %[[U]]
//       CHECK:   %[[PART:.*]] = memref.subview %[[VIEW]]
//       CHECK:   scf.for
//  CHECK-NEXT:     memref.load %[[PART]]
//  CHECK-NEXT:     linalg.fill
//  CHECK-NEXT:     memref.copy
//       CHECK:   memref.load
//  CHECK-NEXT:   use(%[[VIEW]])
func.func @views_stay(%n: index) -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %u = memref.alloc() : memref<2000xf32>
  %v = memref.alloc() : memref<2000xf32>
  %view = memref.subview %u[0] [8] [1] : memref<2000xf32> to memref<8xf32, strided<[1]>>
  %part = memref.subview %view[0] [4] [1] : memref<8xf32, strided<[1]>> to memref<4xf32, strided<[1]>>
  scf.for %t = %c0 to %n step %c1 {
    %a = memref.load %part[%c1] : memref<4xf32, strided<[1]>>
    linalg.fill ins(%a : f32) outs(%v : memref<2000xf32>)
    memref.copy %v, %u : memref<2000xf32> to memref<2000xf32>
  }
  %b = memref.load %v[%c1] : memref<2000xf32>
  call @use(%view) : (memref<8xf32, strided<[1]>>) -> ()
  memref.dealloc %u : memref<2000xf32>
  memref.dealloc %v : memref<2000xf32>
  return %b : f32
}

// Both loops are inside a third one, and so are the buffers.
// CHECK-LABEL: func @buffers_of_an_iteration(
//       CHECK:   scf.for
//       CHECK:     memref.alloc
//       CHECK:     scf.for {{.*}} iter_args(
//   CHECK-NOT:   memref.copy
//       CHECK:   return
func.func @buffers_of_an_iteration(%n: index, %x: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %s = %c0 to %n step %c1 {
    %u = memref.alloc() : memref<2000xf32>
    %v = memref.alloc() : memref<2000xf32>
    scf.for %t = %c0 to %n step %c1 {
      linalg.fill ins(%x : f32) outs(%v : memref<2000xf32>)
      memref.copy %v, %u : memref<2000xf32> to memref<2000xf32>
    }
    memref.dealloc %u : memref<2000xf32>
    memref.dealloc %v : memref<2000xf32>
  }
  return
}

// Two copies of a third buffer agree if it did not change in between.
// CHECK-LABEL: func @both_from_a_third(
//       CHECK:   scf.for {{.*}} iter_args(
//   CHECK-NOT:   memref.copy
//       CHECK:   return
func.func @both_from_a_third(%n: index, %x: f32, %third: memref<2000xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c9 = arith.constant 9 : index
  %u = memref.alloc() : memref<2000xf32>
  %v = memref.alloc() : memref<2000xf32>
  memref.copy %third, %u : memref<2000xf32> to memref<2000xf32>
  memref.copy %third, %v : memref<2000xf32> to memref<2000xf32>
  scf.for %t = %c0 to %n step %c1 {
    scf.for %i = %c1 to %c9 step %c1 {
      memref.store %x, %v[%i] : memref<2000xf32>
    }
    memref.copy %v, %u : memref<2000xf32> to memref<2000xf32>
  }
  memref.dealloc %u : memref<2000xf32>
  memref.dealloc %v : memref<2000xf32>
  return
}

// A box may be a view that one operation overwrites.
// CHECK-LABEL: func @box_by_view(
//       CHECK:   scf.for {{.*}} iter_args(
//   CHECK-NOT:   memref.copy
//       CHECK:   return
func.func @box_by_view(%n: index, %x: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %u = memref.alloc() : memref<2000xf32>
  %v = memref.alloc() : memref<2000xf32>
  memref.copy %u, %v : memref<2000xf32> to memref<2000xf32>
  scf.for %t = %c0 to %n step %c1 {
    %part = memref.subview %v[0] [8] [1] : memref<2000xf32> to memref<8xf32, strided<[1]>>
    linalg.fill ins(%x : f32) outs(%part : memref<8xf32, strided<[1]>>)
    memref.copy %v, %u : memref<2000xf32> to memref<2000xf32>
  }
  memref.dealloc %u : memref<2000xf32>
  memref.dealloc %v : memref<2000xf32>
  return
}

// From here on: each condition alone prevents the swap.
#rows = affine_map<(d0, d1) -> (d0, d1)>
#outer = affine_map<(d0, d1) -> (d0)>
func.func private @seen(f32)

// The target is written in the loop, too: the source would get its old contents.
// CHECK-LABEL: func @target_written_in_loop(
//       CHECK:   scf.for %{{[a-z0-9]+}} =
//       CHECK:     memref.copy
//       CHECK:   return
func.func @target_written_in_loop(%n: index, %x: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %u = memref.alloc() : memref<2000xf32>
  %v = memref.alloc() : memref<2000xf32>
  scf.for %t = %c0 to %n step %c1 {
    linalg.fill ins(%x : f32) outs(%v : memref<2000xf32>)
    memref.store %x, %u[%t] : memref<2000xf32>
    memref.copy %v, %u : memref<2000xf32> to memref<2000xf32>
  }
  memref.dealloc %u : memref<2000xf32>
  memref.dealloc %v : memref<2000xf32>
  return
}

// ... or through a view of it.
// CHECK-LABEL: func @target_written_through_view(
//       CHECK:   scf.for %{{[a-z0-9]+}} =
//       CHECK:     memref.copy
//       CHECK:   return
func.func @target_written_through_view(%n: index, %x: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %u = memref.alloc() : memref<2000xf32>
  %v = memref.alloc() : memref<2000xf32>
  scf.for %t = %c0 to %n step %c1 {
    linalg.fill ins(%x : f32) outs(%v : memref<2000xf32>)
    %part = memref.subview %u[0] [8] [1] : memref<2000xf32> to memref<8xf32, strided<[1]>>
    linalg.fill ins(%x : f32) outs(%part : memref<8xf32, strided<[1]>>)
    memref.copy %v, %u : memref<2000xf32> to memref<2000xf32>
  }
  memref.dealloc %u : memref<2000xf32>
  memref.dealloc %v : memref<2000xf32>
  return
}

// ... wherever the view was made.
// CHECK-LABEL: func @target_written_through_view_from_before(
//       CHECK:   scf.for %{{[a-z0-9]+}} =
//       CHECK:     memref.copy
//       CHECK:   return
func.func @target_written_through_view_from_before(%n: index, %x: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %u = memref.alloc() : memref<2000xf32>
  %v = memref.alloc() : memref<2000xf32>
  %part = memref.subview %u[0] [8] [1] : memref<2000xf32> to memref<8xf32, strided<[1]>>
  scf.for %t = %c0 to %n step %c1 {
    linalg.fill ins(%x : f32) outs(%v : memref<2000xf32>)
    linalg.fill ins(%x : f32) outs(%part : memref<8xf32, strided<[1]>>)
    memref.copy %v, %u : memref<2000xf32> to memref<2000xf32>
  }
  memref.dealloc %u : memref<2000xf32>
  memref.dealloc %v : memref<2000xf32>
  return
}

// The source still holds what the last iteration wrote there.
// CHECK-LABEL: func @source_read_before_written(
//       CHECK:   scf.for %{{[a-z0-9]+}} =
//       CHECK:     memref.copy
//       CHECK:   return
func.func @source_read_before_written(%n: index, %x: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %u = memref.alloc() : memref<2000xf32>
  %v = memref.alloc() : memref<2000xf32>
  scf.for %t = %c0 to %n step %c1 {
    %a = memref.load %v[%t] : memref<2000xf32>
    linalg.fill ins(%x : f32) outs(%v : memref<2000xf32>)
    memref.store %a, %v[%t] : memref<2000xf32>
    memref.copy %v, %u : memref<2000xf32> to memref<2000xf32>
  }
  memref.dealloc %u : memref<2000xf32>
  memref.dealloc %v : memref<2000xf32>
  return
}

// The old value is added to: not everything is overwritten.
// CHECK-LABEL: func @source_read_by_its_writer(
//       CHECK:   scf.for %{{[a-z0-9]+}} =
//       CHECK:     memref.copy
//       CHECK:   return
func.func @source_read_by_its_writer(%n: index, %x: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %u = memref.alloc() : memref<2000xf32>
  %v = memref.alloc() : memref<2000xf32>
  scf.for %t = %c0 to %n step %c1 {
    linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]}
        ins(%u : memref<2000xf32>) outs(%v : memref<2000xf32>) {
    ^bb0(%a: f32, %old: f32):
      %b = arith.addf %a, %old : f32
      linalg.yield %b : f32
    }
    memref.copy %v, %u : memref<2000xf32> to memref<2000xf32>
  }
  memref.dealloc %u : memref<2000xf32>
  memref.dealloc %v : memref<2000xf32>
  return
}

// The old value is read inside the operation that overwrites it.
// CHECK-LABEL: func @source_read_at_other_places_by_its_writer(
//       CHECK:   scf.for %{{[a-z0-9]+}} =
//       CHECK:     memref.copy
//       CHECK:   return
func.func @source_read_at_other_places_by_its_writer(%n: index, %x: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c9 = arith.constant 9 : index
  %u = memref.alloc() : memref<2000xf32>
  %v = memref.alloc() : memref<2000xf32>
  scf.for %t = %c0 to %n step %c1 {
    linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]}
        ins(%u : memref<2000xf32>) outs(%v : memref<2000xf32>) {
    ^bb0(%a: f32, %old: f32):
      %b = memref.load %v[%c9] : memref<2000xf32>
      linalg.yield %b : f32
    }
    memref.copy %v, %u : memref<2000xf32> to memref<2000xf32>
  }
  memref.dealloc %u : memref<2000xf32>
  memref.dealloc %v : memref<2000xf32>
  return
}

// A part is overwritten, and before the loop the rest may differ.
// CHECK-LABEL: func @source_overwritten_in_part(
//       CHECK:   scf.for %{{[a-z0-9]+}} =
//       CHECK:     memref.copy
//       CHECK:   return
func.func @source_overwritten_in_part(%n: index, %x: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %u = memref.alloc() : memref<2000xf32>
  %v = memref.alloc() : memref<2000xf32>
  scf.for %t = %c0 to %n step %c1 {
    %part = memref.subview %v[0] [8] [1] : memref<2000xf32> to memref<8xf32, strided<[1]>>
    linalg.fill ins(%x : f32) outs(%part : memref<8xf32, strided<[1]>>)
    memref.copy %v, %u : memref<2000xf32> to memref<2000xf32>
  }
  memref.dealloc %u : memref<2000xf32>
  memref.dealloc %v : memref<2000xf32>
  return
}

// With an inner size of zero nothing is written at all.
// CHECK-LABEL: func @source_perhaps_not_overwritten(
//       CHECK:   scf.for %{{[a-z0-9]+}} =
//       CHECK:     memref.copy
//       CHECK:   return
func.func @source_perhaps_not_overwritten(%n: index, %x: f32, %m: memref<2000x?xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %u = memref.alloc() : memref<2000xf32>
  %v = memref.alloc() : memref<2000xf32>
  scf.for %t = %c0 to %n step %c1 {
    linalg.generic {indexing_maps = [#rows, #outer], iterator_types = ["parallel", "reduction"]}
        ins(%m : memref<2000x?xf32>) outs(%v : memref<2000xf32>) {
    ^bb0(%a: f32, %old: f32):
      linalg.yield %a : f32
    }
    memref.copy %v, %u : memref<2000xf32> to memref<2000xf32>
  }
  memref.dealloc %u : memref<2000xf32>
  memref.dealloc %v : memref<2000xf32>
  return
}

// The written elements are not the same in every iteration.
// CHECK-LABEL: func @conditional_store(
//       CHECK:   scf.for %{{[a-z0-9]+}} =
//       CHECK:     memref.copy
//       CHECK:   return
func.func @conditional_store(%n: index, %x: f32, %p: i1) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c9 = arith.constant 9 : index
  %u = memref.alloc() : memref<2000xf32>
  %v = memref.alloc() : memref<2000xf32>
  memref.copy %u, %v : memref<2000xf32> to memref<2000xf32>
  scf.for %t = %c0 to %n step %c1 {
    scf.for %i = %c1 to %c9 step %c1 {
      scf.if %p {
        memref.store %x, %v[%i] : memref<2000xf32>
      }
    }
    memref.copy %v, %u : memref<2000xf32> to memref<2000xf32>
  }
  memref.dealloc %u : memref<2000xf32>
  memref.dealloc %v : memref<2000xf32>
  return
}

// Only a unit step is sure to write a box.
// CHECK-LABEL: func @step_is_not_one(
//       CHECK:   scf.for %{{[a-z0-9]+}} =
//       CHECK:     memref.copy
//       CHECK:   return
func.func @step_is_not_one(%n: index, %x: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c9 = arith.constant 9 : index
  %u = memref.alloc() : memref<2000xf32>
  %v = memref.alloc() : memref<2000xf32>
  memref.copy %u, %v : memref<2000xf32> to memref<2000xf32>
  scf.for %t = %c0 to %n step %c1 {
    scf.for %i = %c1 to %c9 step %n {
      memref.store %x, %v[%i] : memref<2000xf32>
    }
    memref.copy %v, %u : memref<2000xf32> to memref<2000xf32>
  }
  memref.dealloc %u : memref<2000xf32>
  memref.dealloc %v : memref<2000xf32>
  return
}

// The box grows over time.
// CHECK-LABEL: func @bounds_change(
//       CHECK:   scf.for %{{[a-z0-9]+}} =
//       CHECK:     memref.copy
//       CHECK:   return
func.func @bounds_change(%n: index, %x: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %u = memref.alloc() : memref<2000xf32>
  %v = memref.alloc() : memref<2000xf32>
  memref.copy %u, %v : memref<2000xf32> to memref<2000xf32>
  scf.for %t = %c0 to %n step %c1 {
    scf.for %i = %c1 to %t step %c1 {
      memref.store %x, %v[%i] : memref<2000xf32>
    }
    memref.copy %v, %u : memref<2000xf32> to memref<2000xf32>
  }
  memref.dealloc %u : memref<2000xf32>
  memref.dealloc %v : memref<2000xf32>
  return
}

// The box moves over time.
// CHECK-LABEL: func @shift_changes(
//       CHECK:   scf.for %{{[a-z0-9]+}} =
//       CHECK:     memref.copy
//       CHECK:   return
func.func @shift_changes(%n: index, %x: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c9 = arith.constant 9 : index
  %u = memref.alloc() : memref<2000xf32>
  %v = memref.alloc() : memref<2000xf32>
  memref.copy %u, %v : memref<2000xf32> to memref<2000xf32>
  scf.for %t = %c0 to %n step %c1 {
    scf.for %i = %c1 to %c9 step %c1 {
      %at = arith.addi %i, %t : index
      memref.store %x, %v[%at] : memref<2000xf32>
    }
    memref.copy %v, %u : memref<2000xf32> to memref<2000xf32>
  }
  memref.dealloc %u : memref<2000xf32>
  memref.dealloc %v : memref<2000xf32>
  return
}

// Each iteration writes another element.
// CHECK-LABEL: func @one_element_at_the_time(
//       CHECK:   scf.for %{{[a-z0-9]+}} =
//       CHECK:     memref.copy
//       CHECK:   return
func.func @one_element_at_the_time(%n: index, %x: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %u = memref.alloc() : memref<2000xf32>
  %v = memref.alloc() : memref<2000xf32>
  memref.copy %u, %v : memref<2000xf32> to memref<2000xf32>
  scf.for %t = %c0 to %n step %c1 {
    memref.store %x, %v[%t] : memref<2000xf32>
    memref.copy %v, %u : memref<2000xf32> to memref<2000xf32>
  }
  memref.dealloc %u : memref<2000xf32>
  memref.dealloc %v : memref<2000xf32>
  return
}

// Products of counters do not form a box.
// CHECK-LABEL: func @index_is_computed(
//       CHECK:   scf.for %{{[a-z0-9]+}} =
//       CHECK:     memref.copy
//       CHECK:   return
func.func @index_is_computed(%n: index, %x: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c9 = arith.constant 9 : index
  %u = memref.alloc() : memref<2000xf32>
  %v = memref.alloc() : memref<2000xf32>
  memref.copy %u, %v : memref<2000xf32> to memref<2000xf32>
  scf.for %t = %c0 to %n step %c1 {
    scf.for %i = %c1 to %c9 step %c1 {
      %at = arith.muli %i, %i : index
      memref.store %x, %v[%at] : memref<2000xf32>
    }
    memref.copy %v, %u : memref<2000xf32> to memref<2000xf32>
  }
  memref.dealloc %u : memref<2000xf32>
  memref.dealloc %v : memref<2000xf32>
  return
}

// Two boxes.
// CHECK-LABEL: func @two_stores(
//       CHECK:   scf.for %{{[a-z0-9]+}} =
//       CHECK:     memref.copy
//       CHECK:   return
func.func @two_stores(%n: index, %x: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c9 = arith.constant 9 : index
  %u = memref.alloc() : memref<2000xf32>
  %v = memref.alloc() : memref<2000xf32>
  memref.copy %u, %v : memref<2000xf32> to memref<2000xf32>
  scf.for %t = %c0 to %n step %c1 {
    scf.for %i = %c1 to %c9 step %c1 {
      memref.store %x, %v[%i] : memref<2000xf32>
    }
    memref.store %x, %v[%c0] : memref<2000xf32>
    memref.copy %v, %u : memref<2000xf32> to memref<2000xf32>
  }
  memref.dealloc %u : memref<2000xf32>
  memref.dealloc %v : memref<2000xf32>
  return
}

// Outside the box, the two differ from the start.
// CHECK-LABEL: func @box_without_agreement(
//       CHECK:   scf.for %{{[a-z0-9]+}} =
//       CHECK:     memref.copy
//       CHECK:   return
func.func @box_without_agreement(%n: index, %x: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c9 = arith.constant 9 : index
  %u = memref.alloc() : memref<2000xf32>
  %v = memref.alloc() : memref<2000xf32>
  scf.for %t = %c0 to %n step %c1 {
    scf.for %i = %c1 to %c9 step %c1 {
      memref.store %x, %v[%i] : memref<2000xf32>
    }
    memref.copy %v, %u : memref<2000xf32> to memref<2000xf32>
  }
  memref.dealloc %u : memref<2000xf32>
  memref.dealloc %v : memref<2000xf32>
  return
}

// ... or since the copy.
// CHECK-LABEL: func @changed_after_the_agreement(
//       CHECK:   scf.for %{{[a-z0-9]+}} =
//       CHECK:     memref.copy
//       CHECK:   return
func.func @changed_after_the_agreement(%n: index, %x: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c9 = arith.constant 9 : index
  %u = memref.alloc() : memref<2000xf32>
  %v = memref.alloc() : memref<2000xf32>
  memref.copy %u, %v : memref<2000xf32> to memref<2000xf32>
  memref.store %x, %u[%c0] : memref<2000xf32>
  scf.for %t = %c0 to %n step %c1 {
    scf.for %i = %c1 to %c9 step %c1 {
      memref.store %x, %v[%i] : memref<2000xf32>
    }
    memref.copy %v, %u : memref<2000xf32> to memref<2000xf32>
  }
  memref.dealloc %u : memref<2000xf32>
  memref.dealloc %v : memref<2000xf32>
  return
}

// ... by whatever name.
// CHECK-LABEL: func @changed_through_a_view_after_the_agreement(
//       CHECK:   scf.for %{{[a-z0-9]+}} =
//       CHECK:     memref.copy
//       CHECK:   return
func.func @changed_through_a_view_after_the_agreement(%n: index, %x: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c9 = arith.constant 9 : index
  %u = memref.alloc() : memref<2000xf32>
  %v = memref.alloc() : memref<2000xf32>
  %part = memref.subview %u[0] [8] [1] : memref<2000xf32> to memref<8xf32, strided<[1]>>
  memref.copy %u, %v : memref<2000xf32> to memref<2000xf32>
  memref.store %x, %part[%c0] : memref<8xf32, strided<[1]>>
  scf.for %t = %c0 to %n step %c1 {
    scf.for %i = %c1 to %c9 step %c1 {
      memref.store %x, %v[%i] : memref<2000xf32>
    }
    memref.copy %v, %u : memref<2000xf32> to memref<2000xf32>
  }
  memref.dealloc %u : memref<2000xf32>
  memref.dealloc %v : memref<2000xf32>
  return
}

// After the loop, the source holds the same as the target until one of them is written.
// CHECK-LABEL: func @source_used_after_the_loop(
//       CHECK:   scf.for %{{[a-z0-9]+}} =
//       CHECK:     memref.copy
//       CHECK:   return
func.func @source_used_after_the_loop(%n: index, %x: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %u = memref.alloc() : memref<2000xf32>
  %v = memref.alloc() : memref<2000xf32>
  scf.for %t = %c0 to %n step %c1 {
    linalg.fill ins(%x : f32) outs(%v : memref<2000xf32>)
    memref.copy %v, %u : memref<2000xf32> to memref<2000xf32>
  }
  memref.store %x, %v[%c0] : memref<2000xf32>
  memref.dealloc %u : memref<2000xf32>
  memref.dealloc %v : memref<2000xf32>
  return
}

// An operation after the copy changes the source, not the target.
// CHECK-LABEL: func @copy_is_not_last(
//       CHECK:   scf.for %{{[a-z0-9]+}} =
//       CHECK:     memref.copy
//       CHECK:   return
func.func @copy_is_not_last(%n: index, %x: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %u = memref.alloc() : memref<2000xf32>
  %v = memref.alloc() : memref<2000xf32>
  scf.for %t = %c0 to %n step %c1 {
    linalg.fill ins(%x : f32) outs(%v : memref<2000xf32>)
    memref.copy %v, %u : memref<2000xf32> to memref<2000xf32>
    memref.store %x, %v[%c0] : memref<2000xf32>
  }
  memref.dealloc %u : memref<2000xf32>
  memref.dealloc %v : memref<2000xf32>
  return
}

// ... by whatever name.
// CHECK-LABEL: func @copy_is_not_last_for_a_view(
//       CHECK:   scf.for %{{[a-z0-9]+}} =
//       CHECK:     memref.copy
//       CHECK:   return
func.func @copy_is_not_last_for_a_view(%n: index, %x: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %u = memref.alloc() : memref<2000xf32>
  %v = memref.alloc() : memref<2000xf32>
  scf.for %t = %c0 to %n step %c1 {
    linalg.fill ins(%x : f32) outs(%v : memref<2000xf32>)
    %part = memref.subview %v[0] [8] [1] : memref<2000xf32> to memref<8xf32, strided<[1]>>
    memref.copy %v, %u : memref<2000xf32> to memref<2000xf32>
    memref.store %x, %part[%c0] : memref<8xf32, strided<[1]>>
  }
  memref.dealloc %u : memref<2000xf32>
  memref.dealloc %v : memref<2000xf32>
  return
}

// The view refers to the buffer that the copy has overwritten.
// CHECK-LABEL: func @target_read_after_the_copy(
//       CHECK:   scf.for %{{[a-z0-9]+}} =
//       CHECK:     memref.copy
//       CHECK:   return
func.func @target_read_after_the_copy(%n: index, %x: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %u = memref.alloc() : memref<2000xf32>
  %v = memref.alloc() : memref<2000xf32>
  scf.for %t = %c0 to %n step %c1 {
    %part = memref.subview %u[0] [8] [1] : memref<2000xf32> to memref<8xf32, strided<[1]>>
    linalg.fill ins(%x : f32) outs(%v : memref<2000xf32>)
    memref.copy %v, %u : memref<2000xf32> to memref<2000xf32>
    %a = memref.load %part[%c0] : memref<8xf32, strided<[1]>>
    func.call @seen(%a) : (f32) -> ()
  }
  memref.dealloc %u : memref<2000xf32>
  memref.dealloc %v : memref<2000xf32>
  return
}

// Only some iterations end with the copy.
// CHECK-LABEL: func @conditional_copy(
//       CHECK:   scf.for %{{[a-z0-9]+}} =
//       CHECK:     memref.copy
//       CHECK:   return
func.func @conditional_copy(%n: index, %x: f32, %p: i1) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %u = memref.alloc() : memref<2000xf32>
  %v = memref.alloc() : memref<2000xf32>
  scf.for %t = %c0 to %n step %c1 {
    linalg.fill ins(%x : f32) outs(%v : memref<2000xf32>)
    scf.if %p {
      memref.copy %v, %u : memref<2000xf32> to memref<2000xf32>
    }
  }
  memref.dealloc %u : memref<2000xf32>
  memref.dealloc %v : memref<2000xf32>
  return
}

// The next iteration of the outer loop would find the two swapped.
// CHECK-LABEL: func @allocated_outside_an_outer_loop(
//       CHECK:   scf.for %{{[a-z0-9]+}} =
//       CHECK:     memref.copy
//       CHECK:   return
func.func @allocated_outside_an_outer_loop(%n: index, %x: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %u = memref.alloc() : memref<2000xf32>
  %v = memref.alloc() : memref<2000xf32>
  scf.for %s = %c0 to %n step %c1 {
  scf.for %t = %c0 to %n step %c1 {
    linalg.fill ins(%x : f32) outs(%v : memref<2000xf32>)
    memref.copy %v, %u : memref<2000xf32> to memref<2000xf32>
  }
  }
  memref.dealloc %u : memref<2000xf32>
  memref.dealloc %v : memref<2000xf32>
  return
}

// The loop already carries the target, under a name that would not be swapped.
// CHECK-LABEL: func @carried_by_the_loop_already(
//       CHECK:   scf.for %{{[a-z0-9]+}} =
//       CHECK:     memref.copy
//       CHECK:   return
func.func @carried_by_the_loop_already(%n: index, %x: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %u = memref.alloc() : memref<2000xf32>
  %v = memref.alloc() : memref<2000xf32>
  %r = scf.for %t = %c0 to %n step %c1 iter_args(%w = %u) -> (memref<2000xf32>) {
    linalg.fill ins(%x : f32) outs(%v : memref<2000xf32>)
    memref.store %x, %w[%t] : memref<2000xf32>
    memref.copy %v, %u : memref<2000xf32> to memref<2000xf32>
    scf.yield %w : memref<2000xf32>
  }
  memref.dealloc %v : memref<2000xf32>
  memref.dealloc %r : memref<2000xf32>
  return
}

// A name that this pass does not follow.
// CHECK-LABEL: func @renamed_before(
//       CHECK:   scf.for %{{[a-z0-9]+}} =
//       CHECK:     memref.copy
//       CHECK:   return
func.func @renamed_before(%n: index, %x: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %u = memref.alloc() : memref<2000xf32>
  %v = memref.alloc() : memref<2000xf32>
  %w = memref.reinterpret_cast %v to offset: [0], sizes: [2000], strides: [1] : memref<2000xf32> to memref<2000xf32, strided<[1]>>
  scf.for %t = %c0 to %n step %c1 {
    linalg.fill ins(%x : f32) outs(%v : memref<2000xf32>)
    memref.store %x, %w[%t] : memref<2000xf32, strided<[1]>>
    memref.copy %v, %u : memref<2000xf32> to memref<2000xf32>
  }
  memref.dealloc %u : memref<2000xf32>
  memref.dealloc %v : memref<2000xf32>
  return
}

// One may be a part of something larger.
// CHECK-LABEL: func @different_types(
//       CHECK:   scf.for %{{[a-z0-9]+}} =
//       CHECK:     memref.copy
//       CHECK:   return
func.func @different_types(%n: index, %x: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %u = memref.alloc() : memref<2000xf32>
  %v = memref.alloc(%n) : memref<?xf32>
  scf.for %t = %c0 to %n step %c1 {
    linalg.fill ins(%x : f32) outs(%v : memref<?xf32>)
    memref.copy %v, %u : memref<?xf32> to memref<2000xf32>
  }
  memref.dealloc %u : memref<2000xf32>
  memref.dealloc %v : memref<?xf32>
  return
}

// The caller knows its buffer by its own name.
// CHECK-LABEL: func @from_the_caller(
//       CHECK:   scf.for %{{[a-z0-9]+}} =
//       CHECK:     memref.copy
//       CHECK:   return
func.func @from_the_caller(%n: index, %x: f32, %given: memref<2000xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %v = memref.alloc() : memref<2000xf32>
  scf.for %t = %c0 to %n step %c1 {
    linalg.fill ins(%x : f32) outs(%v : memref<2000xf32>)
    memref.copy %v, %given : memref<2000xf32> to memref<2000xf32>
  }
  memref.dealloc %v : memref<2000xf32>
  return
}

// Stack buffers are small: a copy costs less than LLVM loses without a fixed address.
// CHECK-LABEL: func @from_the_stack(
//       CHECK:   scf.for %{{[a-z0-9]+}} =
//       CHECK:     memref.copy
//       CHECK:   return
func.func @from_the_stack(%n: index, %x: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %u = memref.alloca() : memref<2000xf32>
  %v = memref.alloca() : memref<2000xf32>
  scf.for %t = %c0 to %n step %c1 {
    linalg.fill ins(%x : f32) outs(%v : memref<2000xf32>)
    memref.copy %v, %u : memref<2000xf32> to memref<2000xf32>
  }
  return
}

// The third buffer was changed between the copies.
// CHECK-LABEL: func @third_changes_in_between(
//       CHECK:   scf.for %{{[a-z0-9]+}} = %{{[a-z0-9]+}} to %{{[a-z0-9]+}} step %{{[a-z0-9]+}} {
//       CHECK:     memref.copy
//       CHECK:   return
func.func @third_changes_in_between(%n: index, %x: f32, %third: memref<2000xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c9 = arith.constant 9 : index
  %u = memref.alloc() : memref<2000xf32>
  %v = memref.alloc() : memref<2000xf32>
  memref.copy %third, %u : memref<2000xf32> to memref<2000xf32>
  memref.store %x, %third[%c0] : memref<2000xf32>
  memref.copy %third, %v : memref<2000xf32> to memref<2000xf32>
  scf.for %t = %c0 to %n step %c1 {
    scf.for %i = %c1 to %c9 step %c1 {
      memref.store %x, %v[%i] : memref<2000xf32>
    }
    memref.copy %v, %u : memref<2000xf32> to memref<2000xf32>
  }
  memref.dealloc %u : memref<2000xf32>
  memref.dealloc %v : memref<2000xf32>
  return
}

// ... under another name.
// CHECK-LABEL: func @third_changes_under_another_name(
//       CHECK:   scf.for %{{[a-z0-9]+}} = %{{[a-z0-9]+}} to %{{[a-z0-9]+}} step %{{[a-z0-9]+}} {
//       CHECK:     memref.copy
//       CHECK:   return
func.func @third_changes_under_another_name(%n: index, %x: f32, %base: memref<4000xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c9 = arith.constant 9 : index
  %u = memref.alloc() : memref<2000xf32>
  %v = memref.alloc() : memref<2000xf32>
  %third = memref.subview %base[0] [2000] [1] : memref<4000xf32> to memref<2000xf32, strided<[1]>>
  memref.copy %third, %u : memref<2000xf32, strided<[1]>> to memref<2000xf32>
  memref.store %x, %base[%c0] : memref<4000xf32>
  memref.copy %third, %v : memref<2000xf32, strided<[1]>> to memref<2000xf32>
  scf.for %t = %c0 to %n step %c1 {
    scf.for %i = %c1 to %c9 step %c1 {
      memref.store %x, %v[%i] : memref<2000xf32>
    }
    memref.copy %v, %u : memref<2000xf32> to memref<2000xf32>
  }
  memref.dealloc %u : memref<2000xf32>
  memref.dealloc %v : memref<2000xf32>
  return
}

// The copies fill different parts.
// CHECK-LABEL: func @copies_of_a_third_into_parts(
//       CHECK:   scf.for %{{[a-z0-9]+}} = %{{[a-z0-9]+}} to %{{[a-z0-9]+}} step %{{[a-z0-9]+}} {
//       CHECK:     memref.copy
//       CHECK:   return
func.func @copies_of_a_third_into_parts(%n: index, %x: f32, %third: memref<8xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c9 = arith.constant 9 : index
  %u = memref.alloc() : memref<2000xf32>
  %v = memref.alloc() : memref<2000xf32>
  %first = memref.subview %u[0] [8] [1] : memref<2000xf32> to memref<8xf32, strided<[1]>>
  %second = memref.subview %v[100] [8] [1] : memref<2000xf32> to memref<8xf32, strided<[1], offset: 100>>
  memref.copy %third, %first : memref<8xf32> to memref<8xf32, strided<[1]>>
  memref.copy %third, %second : memref<8xf32> to memref<8xf32, strided<[1], offset: 100>>
  scf.for %t = %c0 to %n step %c1 {
    scf.for %i = %c1 to %c9 step %c1 {
      memref.store %x, %v[%i] : memref<2000xf32>
    }
    memref.copy %v, %u : memref<2000xf32> to memref<2000xf32>
  }
  memref.dealloc %u : memref<2000xf32>
  memref.dealloc %v : memref<2000xf32>
  return
}

// The box is not the same in every iteration.
// CHECK-LABEL: func @view_moves(
//       CHECK:   scf.for %{{[a-z0-9]+}} = %{{[a-z0-9]+}} to %{{[a-z0-9]+}} step %{{[a-z0-9]+}} {
//       CHECK:     memref.copy
//       CHECK:   return
func.func @view_moves(%n: index, %x: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %u = memref.alloc() : memref<2000xf32>
  %v = memref.alloc() : memref<2000xf32>
  memref.copy %u, %v : memref<2000xf32> to memref<2000xf32>
  scf.for %t = %c0 to %n step %c1 {
    %part = memref.subview %v[%t] [8] [1] : memref<2000xf32> to memref<8xf32, strided<[1], offset: ?>>
    linalg.fill ins(%x : f32) outs(%part : memref<8xf32, strided<[1], offset: ?>>)
    memref.copy %v, %u : memref<2000xf32> to memref<2000xf32>
  }
  memref.dealloc %u : memref<2000xf32>
  memref.dealloc %v : memref<2000xf32>
  return
}

// The third buffer comes from outside the outer loop, where it may have any names.
// CHECK-LABEL: func @third_from_outside(
//       CHECK:   scf.for
//       CHECK:     memref.copy
//       CHECK:     memref.copy
//       CHECK:     scf.for
//       CHECK:       memref.copy
//       CHECK:   return
func.func @third_from_outside(%n: index, %x: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c9 = arith.constant 9 : index
  %third = memref.alloc() : memref<2000xf32>
  linalg.fill ins(%x : f32) outs(%third : memref<2000xf32>)
  scf.for %s = %c0 to %n step %c1 {
    %u = memref.alloc() : memref<2000xf32>
    %v = memref.alloc() : memref<2000xf32>
    memref.copy %third, %u : memref<2000xf32> to memref<2000xf32>
    memref.copy %third, %v : memref<2000xf32> to memref<2000xf32>
    scf.for %t = %c0 to %n step %c1 {
      scf.for %i = %c1 to %c9 step %c1 {
        memref.store %x, %v[%i] : memref<2000xf32>
      }
      memref.copy %v, %u : memref<2000xf32> to memref<2000xf32>
    }
    memref.dealloc %u : memref<2000xf32>
    memref.dealloc %v : memref<2000xf32>
  }
  memref.dealloc %third : memref<2000xf32>
  return
}
