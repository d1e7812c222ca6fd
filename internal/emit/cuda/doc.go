// Package cuda writes typed kernels as CUDA C++ on portable_device.h, for the compiler that the library calls while the program runs.
//
// The text has the argument structure, the functions that stand for Fortran's own (prelude.go) and the kernel. It has the bits of the host:
// the library compiles without contraction, powers are the multiplications of gfortran. Functions such as
// exp are the device's. Not in this package: what a device can run (device), launches (host).
// Threads: any; an Emitter has no state.
package cuda
