// crash_kernel.cpp - crash_kernel.c as a program in C++.
#include "crash_kernel.c"
