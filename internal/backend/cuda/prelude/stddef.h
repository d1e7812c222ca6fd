/* stddef.h - for NVRTC, which knows size_t and ptrdiff_t by itself. */
#ifndef NULL
#define NULL 0
#endif
