/* status.c - what a CUDA error is for the library. */
#include "kernels/cuda/host/cuda_kernel.h"

sigrep_status cuda_status(cudaError_t error)
{
    if (!error) return SIGREP_OK;
    cudaGetLastError(); /* clears the error, or a later launch would return it again */
    return error == cudaErrorMemoryAllocation ? SIGREP_DEVICE_MEMORY : SIGREP_DEVICE_FAILED;
}
