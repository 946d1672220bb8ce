// An allocation in a loop has one place for all turns, so that its address must not outlive the turn, though
// each is memory of its own. [spec: mem-alloca]
// RUN: split-file %s %t
// RUN: not tile-opt --tilesmith-pipeline="gpu-name=sm_90 from=cudatile to=gpu" %t/carried.mlir 2>&1 | FileCheck %s
// RUN: not tile-opt --tilesmith-pipeline="gpu-name=sm_90 opt-level=0 from=cudatile to=gpu" %t/chosen.mlir 2>&1 | FileCheck %s
// RUN: tile-opt --tilesmith-pipeline="gpu-name=sm_90 from=cudatile to=gpu" %t/inside.mlir | FileCheck --check-prefix=INSIDE %s
// RUN: tile-opt --tilesmith-pipeline="gpu-name=sm_90 from=cudatile to=gpu" %t/integer.mlir | FileCheck --check-prefix=INTEGER %s
// RUN: not tile-opt --tilesmith-pipeline="gpu-name=sm_90 from=cudatile to=gpu" %t/kept.mlir 2>&1 | FileCheck %s
// CHECK: error: 'nv_tileaa.alloca' op is not supported in a loop that keeps its address: each turn has memory of its own
// INSIDE: gpu.func @inside
// INTEGER: gpu.func @integer

//--- carried.mlir
cuda_tile.module @m {
  entry @carried(%o: tile<ptr<i32>>, %n: tile<i32>) {
    %zero = constant <i32: 0> : tile<i32>
    %one = constant <i32: 1> : tile<i32>
    %a = alloca num_elem = 4, alignment = 16 : tile<ptr<i32>>
    %last = for %i in (%zero to %n, step %one) : tile<i32> iter_values(%p = %a) -> (tile<ptr<i32>>) {
      %q = alloca num_elem = 4, alignment = 16 : tile<ptr<i32>>
      %t = store_ptr_tko weak %q, %i : tile<ptr<i32>>, tile<i32> -> token
      %next = offset %q, %one : tile<ptr<i32>>, tile<i32> -> tile<ptr<i32>>
      continue %next : tile<ptr<i32>>
    }
    %t = store_ptr_tko weak %last, %n : tile<ptr<i32>>, tile<i32> -> token
    return
  }
}

//--- chosen.mlir
cuda_tile.module @m {
  entry @chosen(%o: tile<ptr<i32>>, %c: tile<i1>) {
    %last = loop iter_values(%p = %o) : tile<ptr<i32>> -> tile<ptr<i32>> {
      %next = if %c -> (tile<ptr<i32>>) {
        %q = alloca num_elem = 4, alignment = 16 : tile<ptr<i32>>
        yield %q : tile<ptr<i32>>
      } else {
        break %p : tile<ptr<i32>>
      }
      continue %next : tile<ptr<i32>>
    }
    %one = constant <i32: 1> : tile<i32>
    %t = store_ptr_tko weak %last, %one : tile<ptr<i32>>, tile<i32> -> token
    return
  }
}

//--- inside.mlir
cuda_tile.module @m {
  entry @inside(%o: tile<ptr<i32>>, %n: tile<i32>) {
    %zero = constant <i32: 0> : tile<i32>
    %one = constant <i32: 1> : tile<i32>
    %sum = for %i in (%zero to %n, step %one) : tile<i32> iter_values(%s = %zero) -> (tile<i32>) {
      %q = alloca num_elem = 4, alignment = 16 : tile<ptr<i32>>
      %far = for %j in (%zero to %one, step %one) : tile<i32> iter_values(%p = %q) -> (tile<ptr<i32>>) {
        %next = offset %p, %one : tile<ptr<i32>>, tile<i32> -> tile<ptr<i32>>
        continue %next : tile<ptr<i32>>
      }
      %t = store_ptr_tko weak %far, %i : tile<ptr<i32>>, tile<i32> -> token
      %v, %u = load_ptr_tko weak %far token=%t : tile<ptr<i32>> -> tile<i32>, token
      %r = addi %s, %v : tile<i32>
      continue %r : tile<i32>
    }
    %t = store_ptr_tko weak %o, %sum : tile<ptr<i32>>, tile<i32> -> token
    return
  }
}

//--- integer.mlir
cuda_tile.module @m {
  entry @integer(%o: tile<ptr<i32>>, %n: tile<i32>) {
    %zero = constant <i32: 0> : tile<i32>
    %one = constant <i32: 1> : tile<i32>
    %sum = for %i in (%zero to %n, step %one) : tile<i32> iter_values(%s = %zero) -> (tile<i32>) {
      %q = alloca num_elem = 4, alignment = 16 : tile<ptr<i32>>
      %address = ptr_to_int %q : tile<ptr<i32>> -> tile<i64>
      %same = int_to_ptr %address : tile<i64> -> tile<ptr<i32>>
      %t = store_ptr_tko weak %same, %i : tile<ptr<i32>>, tile<i32> -> token
      %v, %u = load_ptr_tko weak %q token=%t : tile<ptr<i32>> -> tile<i32>, token
      %r = addi %s, %v : tile<i32>
      continue %r : tile<i32>
    }
    %t = store_ptr_tko weak %o, %sum : tile<ptr<i32>>, tile<i32> -> token
    return
  }
}

//--- kept.mlir
cuda_tile.module @m {
  entry @kept(%o: tile<ptr<i32>>, %n: tile<i32>) {
    %zero = constant <i32: 0> : tile<i32>
    %one = constant <i32: 1> : tile<i32>
    %last = for %i in (%zero to %n, step %one) : tile<i32> iter_values(%p = %o) -> (tile<ptr<i32>>) {
      %q = alloca num_elem = 4, alignment = 16 : tile<ptr<i32>>
      %address = ptr_to_int %q : tile<ptr<i32>> -> tile<i64>
      %same = int_to_ptr %address : tile<i64> -> tile<ptr<i32>>
      %t = store_ptr_tko weak %same, %i : tile<ptr<i32>>, tile<i32> -> token
      continue %same : tile<ptr<i32>>
    }
    %t = store_ptr_tko weak %last, %n : tile<ptr<i32>>, tile<i32> -> token
    return
  }
}
