//===- Graph.cpp - graphs: nodes, instances, launches -----------------------------------------===//
//
// A node can only depend on nodes that exist, so the order in which they were added satisfies all
// dependencies, and that is the order in which they run. An instance copies the work; memory that a
// graph allocates lives as long as the graph.
//
//===------------------------------------------------------------------------------------------===//
#include "oracles/devices/driver/Driver.h"

using namespace tilesmith::driver;

static Graph *findGraph(CUgraph handle) {
  auto *graph = reinterpret_cast<Graph *>(handle);
  return state().graphs.count(graph) ? graph : nullptr;
}

/// Adds a node behind others of the same graph.
static CUresult addNode(const Call &call, CUgraphNode *result, CUgraph handle,
                        const CUgraphNode *after, size_t count, int type,
                        std::function<CUresult()> run) {
  Graph *graph = findGraph(handle);
  if (!graph || !result || (count && !after))
    return call.fail(CUDA_ERROR_INVALID_VALUE, "expected a graph, nodes and a place for the node");
  auto node = std::make_unique<Node>();
  for (size_t i = 0; i < count; ++i) {
    auto *known = reinterpret_cast<Node *>(after[i]);
    if (!call->nodes.count(known))
      return call.fail(CUDA_ERROR_INVALID_VALUE, "expected nodes of the graph to depend on");
    node->after.insert(known);
  }
  node->type = type;
  node->run = std::move(run);
  *result = reinterpret_cast<CUgraphNode>(node.get());
  call->nodes.insert(node.get());
  graph->nodes.push_back(std::move(node));
  return CUDA_SUCCESS;
}

CU_API CUresult cuGraphCreate(CUgraph *graph, unsigned flags) {
  CALL(cuGraphCreate);
  if (!graph || flags)
    return CUDA_ERROR_INVALID_VALUE;
  auto *made = new Graph;
  call->graphs.insert(made);
  *graph = reinterpret_cast<CUgraph>(made);
  return CUDA_SUCCESS;
}

CU_API CUresult cuGraphDestroy(CUgraph handle) {
  CALL(cuGraphDestroy);
  Graph *graph = findGraph(handle);
  if (!graph || !graph->capturing.empty())
    return call.fail(CUDA_ERROR_INVALID_VALUE, "expected a graph that is not being captured");
  for (auto &node : graph->nodes)
    call->nodes.erase(node.get());
  for (uint64_t address : graph->memory)
    release(call, address, false);
  call->graphs.erase(graph);
  delete graph;
  return CUDA_SUCCESS;
}

CU_API CUresult cuGraphAddKernelNode_v2(CUgraphNode *node, CUgraph graph, const CUgraphNode *after,
                                        size_t count, const CUDA_KERNEL_NODE_PARAMS *what) {
  CALL(cuGraphAddKernelNode);
  if (!what)
    return CUDA_ERROR_INVALID_VALUE;
  const Shape shape = {{what->gridDimX, what->gridDimY, what->gridDimZ},
                       {what->blockDimX, what->blockDimY, what->blockDimZ},
                       what->sharedMemBytes};
  KernelWork work;
  CUfunction function = what->func ? what->func : reinterpret_cast<CUfunction>(what->kern);
  if (CUresult code = readLaunch(call, function, shape, what->kernelParams, what->extra, work);
      code != CUDA_SUCCESS)
    return code;
  work.unwritten.clear(); // it may run again
  return addNode(call, node, graph, after, count, 0,
                 [work = std::move(work)] { return runKernel(work); });
}
/// Version 1 has no kernel behind the function.
CU_API CUresult cuGraphAddKernelNode(CUgraphNode *node, CUgraph graph, const CUgraphNode *after,
                                     size_t count, const CUDA_KERNEL_NODE_PARAMS *what) {
  if (!what)
    return CUDA_ERROR_INVALID_VALUE;
  CUDA_KERNEL_NODE_PARAMS whole = {};
  std::memcpy(&whole, what, offsetof(CUDA_KERNEL_NODE_PARAMS, kern));
  return cuGraphAddKernelNode_v2(node, graph, after, count, &whole);
}

CU_API CUresult cuGraphAddMemsetNode(CUgraphNode *node, CUgraph graph, const CUgraphNode *after,
                                     size_t count, const CUDA_MEMSET_NODE_PARAMS *what, CUcontext) {
  CALL(cuGraphAddMemsetNode);
  if (!what || (what->elementSize != 1 && what->elementSize != 2 && what->elementSize != 4))
    return CUDA_ERROR_INVALID_VALUE;
  if (what->width > UINT64_MAX / what->elementSize ||
      (what->height > 1 && what->pitch < what->width * what->elementSize))
    return call.fail(CUDA_ERROR_INVALID_VALUE, "expected a fitting pitch");
  return addNode(call, node, graph, after, count, 2, [what = *what] {
    if (!what.width || !what.height)
      return CUDA_SUCCESS;
    return fillRows("cuGraphAddMemsetNode", what.dst, what.pitch, what.value, what.elementSize,
                    what.width, what.height);
  });
}

CU_API CUresult cuGraphAddHostNode(CUgraphNode *node, CUgraph graph, const CUgraphNode *after,
                                   size_t count, const CUDA_HOST_NODE_PARAMS *what) {
  CALL(cuGraphAddHostNode);
  if (!what || !what->fn)
    return CUDA_ERROR_INVALID_VALUE;
  return addNode(call, node, graph, after, count, 3, [what = *what] {
    what.fn(what.userData);
    return CUDA_SUCCESS;
  });
}

CU_API CUresult cuGraphAddEmptyNode(CUgraphNode *node, CUgraph graph, const CUgraphNode *after,
                                    size_t count) {
  CALL(cuGraphAddEmptyNode);
  return addNode(call, node, graph, after, count, 5, [] { return CUDA_SUCCESS; });
}

CU_API CUresult cuGraphAddEventRecordNode(CUgraphNode *node, CUgraph graph,
                                          const CUgraphNode *after, size_t count, CUevent handle) {
  CALL(cuGraphAddEventRecordNode);
  auto *event = reinterpret_cast<Event *>(handle);
  if (!call->events.count(event))
    return call.fail(CUDA_ERROR_INVALID_HANDLE, "expected an event that exists");
  return addNode(call, node, graph, after, count, 7, [event] {
    if (state().events.count(event))
      event->time = std::chrono::steady_clock::now();
    return CUDA_SUCCESS;
  });
}
CU_API CUresult cuGraphAddEventWaitNode(CUgraphNode *node, CUgraph graph, const CUgraphNode *after,
                                        size_t count, CUevent) {
  CALL(cuGraphAddEventWaitNode);
  return addNode(call, node, graph, after, count, 6, [] { return CUDA_SUCCESS; });
}

CU_API CUresult cuGraphAddMemAllocNode(CUgraphNode *node, CUgraph handle, const CUgraphNode *after,
                                       size_t count, CUDA_MEM_ALLOC_NODE_PARAMS *what) {
  CALL(cuGraphAddMemAllocNode);
  Graph *graph = findGraph(handle);
  if (!what || !graph)
    return CUDA_ERROR_INVALID_VALUE;
  uint64_t address = 0;
  if (CUresult code = allocate(call, what->bytesize, Allocation::Kind::Device, &address);
      code != CUDA_SUCCESS)
    return code;
  graph->memory.push_back(address);
  what->dptr = address;
  return addNode(call, node, handle, after, count, 10, [] { return CUDA_SUCCESS; });
}
CU_API CUresult cuGraphAddMemFreeNode(CUgraphNode *node, CUgraph graph, const CUgraphNode *after,
                                      size_t count, CUdeviceptr address) {
  CALL(cuGraphAddMemFreeNode);
  if (!call->find(address))
    return call.fail(CUDA_ERROR_INVALID_VALUE, "expected memory that a graph allocates");
  return addNode(call, node, graph, after, count, 11, [] { return CUDA_SUCCESS; });
}

static std::vector<std::function<CUresult()>> workOf(const Graph &graph) {
  std::vector<std::function<CUresult()>> work;
  for (const auto &node : graph.nodes)
    work.push_back(node->run);
  return work;
}

static CUresult runAll(const std::vector<std::function<CUresult()>> &work) {
  for (const auto &step : work)
    if (CUresult code = step(); code != CUDA_SUCCESS)
      return code;
  return CUDA_SUCCESS;
}

CU_API CUresult cuGraphAddChildGraphNode(CUgraphNode *node, CUgraph graph, const CUgraphNode *after,
                                         size_t count, CUgraph childHandle) {
  CALL(cuGraphAddChildGraphNode);
  Graph *child = findGraph(childHandle);
  if (!child)
    return call.fail(CUDA_ERROR_INVALID_VALUE, "expected a graph as child");
  return addNode(call, node, graph, after, count, 4,
                 [work = workOf(*child)] { return runAll(work); });
}

CU_API CUresult cuGraphGetNodes(CUgraph handle, CUgraphNode *nodes, size_t *count) {
  CALL(cuGraphGetNodes);
  Graph *graph = findGraph(handle);
  if (!graph || !count)
    return CUDA_ERROR_INVALID_VALUE;
  for (size_t i = 0; nodes && i < *count; ++i)
    nodes[i] =
        i < graph->nodes.size() ? reinterpret_cast<CUgraphNode>(graph->nodes[i].get()) : nullptr;
  *count = nodes ? std::min(*count, graph->nodes.size()) : graph->nodes.size();
  return CUDA_SUCCESS;
}

CU_API CUresult cuGraphNodeGetType(CUgraphNode handle, int *type) {
  CALL(cuGraphNodeGetType);
  auto *node = reinterpret_cast<Node *>(handle);
  if (!type || !call->nodes.count(node))
    return CUDA_ERROR_INVALID_VALUE;
  *type = node->type;
  return CUDA_SUCCESS;
}

CU_API CUresult cuGraphInstantiateWithFlags(CUgraphExec *exec, CUgraph handle, unsigned long long) {
  CALL(cuGraphInstantiate);
  Graph *graph = findGraph(handle);
  if (!exec || !graph || !graph->capturing.empty())
    return call.fail(CUDA_ERROR_INVALID_VALUE, "expected a graph that is not being captured");
  auto *made = new GraphExec;
  made->work = workOf(*graph);
  call->execs.insert(made);
  *exec = reinterpret_cast<CUgraphExec>(made);
  return CUDA_SUCCESS;
}

CU_API CUresult cuGraphExecDestroy(CUgraphExec handle) {
  CALL(cuGraphExecDestroy);
  auto *exec = reinterpret_cast<GraphExec *>(handle);
  if (!call->execs.erase(exec))
    return call.fail(CUDA_ERROR_INVALID_VALUE, "expected an instance of a graph");
  delete exec;
  return CUDA_SUCCESS;
}

CU_API CUresult cuGraphLaunch(CUgraphExec handle, CUstream stream) {
  CALL(cuGraphLaunch);
  auto *exec = reinterpret_cast<GraphExec *>(handle);
  if (!call->execs.count(exec))
    return call.fail(CUDA_ERROR_INVALID_VALUE, "expected an instance of a graph");
  return submit(call, stream, 4, [work = exec->work] { return runAll(work); });
}
CU_API CUresult cuGraphUpload(CUgraphExec handle, CUstream) {
  CALL(cuGraphUpload);
  return call->execs.count(reinterpret_cast<GraphExec *>(handle)) ? CUDA_SUCCESS
                                                                  : CUDA_ERROR_INVALID_VALUE;
}
