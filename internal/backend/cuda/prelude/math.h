/* math.h - for NVRTC, which has the functions of mathematics built in. */
#ifndef M_PI
#define M_PI 3.14159265358979323846
#endif
