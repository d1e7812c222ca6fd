/* vectors.h - see vectors.c. */
#ifndef VECTORS_H
#define VECTORS_H

/* Nanoseconds of a call for arguments from lower to upper; 0: libmvec has no such function. */
extern double vector_results[];
double vector_time(const char *name, double lower, double upper);

#endif
