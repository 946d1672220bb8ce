//===- QueueOps.td - agents, plugins and the queues between them ----------------------------------===//
#ifndef TILEAA_QUEUE_OPS
#define TILEAA_QUEUE_OPS

include "compiler/dialect/TileAA/IR/TileAATypes.td"
include "mlir/Interfaces/ControlFlowInterfaces.td"

def TileAA_ExecuteOp : TileAA_Op<"execute", [RecursiveMemoryEffects]> {
  let summary = "one region per agent (group of warps)";
  let arguments = (ins Variadic<AnyType>:$operands, I32Attr:$numAgents, OptionalAttr<DenseI32ArrayAttr>:$maxRegisters,
                       OptionalAttr<DenseI32ArrayAttr>:$numWarps, OptionalAttr<ArrayAttr>:$layouts);
  let results = (outs Variadic<AnyType>:$results);
  let regions = (region VariadicRegion<SizedRegion<1>>:$agents);
  let hasVerifier = 1;
}

def TileAA_PluginOp : TileAA_Op<"plugin", [MemoryEffects<[MemWrite]>]> {
  let summary = "externally provided step with its resource needs (registers per thread, bytes)";
  let arguments = (ins Variadic<AnyType>:$operands, FlatSymbolRefAttr:$symbol, DefaultValuedAttr<I32Attr, "0">:$registers,
                       DefaultValuedAttr<I32Attr, "0">:$named_barriers, DefaultValuedAttr<I64Attr, "0">:$shared_memory,
                       DefaultValuedAttr<I64Attr, "0">:$tensor_memory, OptionalAttr<ArrayAttr>:$input_layouts,
                       OptionalAttr<ArrayAttr>:$output_layouts);
  let results = (outs Variadic<AnyType>:$results);
  let hasVerifier = 1;
}

def TileAA_CreateQueueOp : TileAA_Op<"create_queue", [DeclareOpInterfaceMethods<MemoryEffectsOpInterface>]> {
  let summary = "new queue";
  let arguments = (ins DefaultValuedAttr<I32Attr, "1">:$depth);
  let results = (outs TileAA_AnyQueue:$result);
}

def TileAA_QueueGetOp : TileAA_Op<"queue.get", [DeclareOpInterfaceMethods<MemoryEffectsOpInterface>]> {
  let summary = "takes the next item; with a region, what the region makes of it";
  let arguments = (ins TileAA_AnyQueue:$queue, DefaultValuedAttr<I32Attr, "0">:$consumer);
  let results = (outs Variadic<AnyType>:$results);
  let regions = (region MaxSizedRegion<1>:$body);
  let hasVerifier = 1;
}

def TileAA_QueuePutOp : TileAA_Op<"queue.put", [DeclareOpInterfaceMethods<MemoryEffectsOpInterface>]> {
  let summary = "appends an item";
  let arguments = (ins TileAA_AnyQueue:$queue, Variadic<AnyType>:$values);
  let regions = (region MaxSizedRegion<1>:$body);
}

def TileAA_QueueYieldOp : TileAA_Op<"queue.yield", [Pure, ReturnLike, Terminator]> {
  let summary = "ends the region of a queue op";
  let arguments = (ins Variadic<AnyType>:$operands);
  let hasVerifier = 1;
}

#endif // TILEAA_QUEUE_OPS
