// YAKL.h - the names of YAKL's HEAD, of 2026, for programs that are to stay as they are: they compile against this folder, with C++20.
//
// In this file: the parts of the namespace yakl, in their order. Not in this file: version 1 (the folder above); which names are not here, and what is
// different, with the reasons (docs/cxx/yakl-head.md).
// KOKKOS_ENABLE_DEBUG_BOUNDS_CHECK has indices checked in the files that are compiled with it; other macros of YAKL's build: YAKL_init.h.
#ifndef PORTABLE_YAKL_HEAD
#define PORTABLE_YAKL_HEAD

#ifdef YAKL_H
#error "compat/YAKL.h, of YAKL version 1, was included before: a file has one of the two on its include path"
#endif
#define YAKL_H

#if __cplusplus < 202002L
#error "programs of YAKL's HEAD are C++20: -std=c++20, or for version 1 the folder compat"
#endif

#if defined(KOKKOS_ENABLE_DEBUG_BOUNDS_CHECK) && !defined(PORTABLE_RUNTIME_CHECKS)
#define PORTABLE_RUNTIME_CHECKS
#endif

#include <portable.hpp>
#include <portable_random.hpp>

#include "../YAKL_header.h"
#include "YAKL_kokkos.h"
#include "YAKL_defines.h"
#include "YAKL_init.h"
#include "../YAKL_timers.h"
#include "YAKL_SArray.h"
#include "YAKL_Array.h"
#include "YAKL_Array_F.h"
#include "YAKL_parallel_for.h"
#include "YAKL_parallel_for_autotune.h"
#include "YAKL_random.h"
#include "YAKL_intrinsics.h"
#include "YAKL_componentwise.h"

#endif
