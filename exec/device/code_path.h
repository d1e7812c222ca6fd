/* code_path.h - where a file of device code is. Private. */
#ifndef PORTABLE__CODE_PATH_H
#define PORTABLE__CODE_PATH_H

#include <stddef.h>

/* Puts the path under which the file is to be opened into to[room]: as it is, from the working folder; else in a folder of PORTABLE_CUDA_PATH; else
 * beside the executable. Where it is nowhere, as it is: who opens it says so. 0: there is no room. */
int portable__code_path(const char *path, char *to, size_t room);

#endif
