/* stdint.h - for NVRTC, which has no standard headers: the integers of the 64-bit systems of the
 * host. */
#ifndef PORTABLE_NVRTC_STDINT_H
#define PORTABLE_NVRTC_STDINT_H
#if defined(__HIPCC_RTC__) /* hiprtc has long long under these names */
#define int64_t portable__int64
#define uint64_t portable__uint64
#endif
typedef signed char int8_t;
typedef short int16_t;
typedef int int32_t;
typedef long int64_t;
typedef unsigned char uint8_t;
typedef unsigned short uint16_t;
typedef unsigned int uint32_t;
typedef unsigned long uint64_t;
typedef long intptr_t;
typedef unsigned long uintptr_t;
#define INT32_MIN (-2147483647 - 1)
#define INT32_MAX 2147483647
#define UINT32_MAX 4294967295U
#define INT64_MIN (-9223372036854775807L - 1)
#define INT64_MAX 9223372036854775807L
#define UINT64_MAX 18446744073709551615UL
#define INT64_C(c) c##L
#define UINT64_C(c) c##UL
#endif
