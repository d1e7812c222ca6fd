/* cuda.h - the part of NVIDIA's driver interface (of CUDA 11.8) that gorgonia.org/cu and our own C
 * need, so that building needs no toolkit. Stands in for the header of that name: the build puts
 * this folder before all others. Not in this file: results, attributes, types, names and functions,
 * each in a file of this folder. Functions are resolved when they are called first (shim.c). */
#ifndef PORTABLE__CUDA_H
#define PORTABLE__CUDA_H

#include <stdlib.h>

#ifdef __cplusplus
extern "C" {
#endif

#define CUDA_VERSION 11080
#define CUDAAPI

#include "cuda_attributes.h"
#include "cuda_names.h"
#include "cuda_results.h"
#include "cuda_types.h"

#define X(name, arguments) CUresult CUDAAPI name arguments;
#include "cuda_functions.inc"
#undef X

#ifdef __cplusplus
}
#endif

#endif
