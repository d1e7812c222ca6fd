/* math.h - for NVRTC, which knows the functions of mathematics by itself. */
#ifndef M_PI
#define M_PI 3.14159265358979323846
#endif
