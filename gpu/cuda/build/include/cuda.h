// gorgonia.org/cu v0.9.6 calls five functions by the signatures that they had before CUDA 13. The driver still has
// those entry points under older names. This file comes first on the include path and gives the old signatures back.
#include_next <cuda.h>

#if CUDA_VERSION >= 13000
#ifndef LINCHPIN_CUDA_H
#define LINCHPIN_CUDA_H
#undef cuCtxCreate
#undef cuMemAdvise
#undef cuMemPrefetchAsync
#undef cuGraphAddDependencies
#undef cuGraphGetEdges
#define cuCtxCreate cuCtxCreate_v2
#ifdef __cplusplus
extern "C" {
#endif
CUresult CUDAAPI cuCtxCreate_v2(CUcontext* context, unsigned int flags, CUdevice device);
CUresult CUDAAPI cuMemAdvise(CUdeviceptr start, size_t count, CUmem_advise advice, CUdevice device);
CUresult CUDAAPI cuMemPrefetchAsync(CUdeviceptr start, size_t count, CUdevice device, CUstream stream);
CUresult CUDAAPI cuGraphAddDependencies(CUgraph graph, const CUgraphNode* from, const CUgraphNode* to, size_t count);
CUresult CUDAAPI cuGraphGetEdges(CUgraph graph, CUgraphNode* from, CUgraphNode* to, size_t* count);
#ifdef __cplusplus
}
#endif
#endif
#endif
