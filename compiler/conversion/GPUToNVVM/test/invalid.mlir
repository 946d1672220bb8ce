// What the stage refuses, and with which words.
// RUN: tile-opt --convert-gpu-to-nvvm --split-input-file --verify-diagnostics %s --allow-unregistered-dialect

// Barriers outside shared memory are not cast.
!global = !nvgpu.mbarrier.group<memorySpace = #gpu.address_space<global>>
gpu.module @spaces_init {
  gpu.func @k(%b: !global, %c: index) kernel {
    // expected-error @below {{operand #0 must be mbarrier barrier type, but got '!nvgpu.mbarrier.group<memorySpace = #gpu.address_space<global>>'}}
    nvgpu.mbarrier.init %b[%c], %c : !global
    gpu.return
  }
}

// -----

!private = !nvgpu.mbarrier.group<memorySpace = 5 : i64>
gpu.module @spaces_wait {
  gpu.func @k(%b: !private, %c: index, %p: i1) kernel {
    // expected-error @below {{operand #0 must be mbarrier barrier type, but got}}
    %w = nvgpu_ext.mbarrier.try_wait.parity %b[%c], %p : !private
    gpu.return
  }
}

// -----

gpu.module @typed_operand {
  gpu.func @k(%b: i32, %c: index) kernel {
    // expected-error @below {{operand #0 must be mbarrier barrier type, but got 'i32'}}
    "nvgpu.mbarrier.init"(%b, %c, %c) : (i32, index, index) -> ()
    gpu.return
  }
}

// -----

// Strict target: an op without a pattern is an error that names it.
gpu.module @leftover {
  gpu.func @k(%x: vector<2xf32>) kernel {
    // expected-error @below {{failed to legalize operation 'gpu.subgroup_reduce' that was explicitly marked illegal}}
    %v = gpu.subgroup_reduce add %x : (vector<2xf32>) -> vector<2xf32>
    gpu.return
  }
}

// -----

// Nothing of other dialects either.
gpu.module @foreign {
  gpu.func @k() kernel {
    // expected-error @below {{'test.unknown' has no lowering to NVVM}}
    "test.unknown"() : () -> ()
    gpu.return
  }
}

// -----

// The upstream way to make a descriptor is a call into the host's driver.
!map = !nvgpu.tensormap.descriptor<tensor = memref<8x16xf32, 3>, swizzle = none, l2promo = none, oob = zero, interleave = none>
gpu.module @host_descriptor {
  gpu.func @k(%m: memref<*xf32>, %c: index) kernel {
    // expected-error @below {{calls the driver of the host; on the device use 'nvgpu_ext.tensormap.create' with 128 bytes of global memory}}
    %d = nvgpu.tma.create.descriptor %m box[%c, %c] : memref<*xf32> -> !map
    gpu.return
  }
}

// -----

// A map that the blocks of a cluster read needs more than block scope.
gpu.module @cluster_scope {
  gpu.func @k(%w: !llvm.ptr<1>, %a: !llvm.ptr<1>, %e: i32) kernel attributes {known_cluster_size = array<i32: 2, 1, 1>} {
    // expected-error @below {{expected a scope of cluster, gpu or sys in a kernel of clusters, got cta}}
    // expected-error @below {{failed to legalize operation}}
    nvgpu_ext.tensormap.replace %w, %a extents [%e] strides [] {scope = #nvgpu_ext<scope cta>} : !llvm.ptr<1>, !llvm.ptr<1>
    gpu.return
  }
}

