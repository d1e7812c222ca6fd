// cuda_runtime.h - found where nvcc.h compiles: all of the runtime is there already.
