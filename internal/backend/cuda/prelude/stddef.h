/* stddef.h - for NVRTC, which has size_t and ptrdiff_t built in. */
#ifndef NULL
#define NULL 0
#endif
