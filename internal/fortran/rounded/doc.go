// Package rounded computes elementary functions as MPFR does: the result is the nearest number of 24 or 53 bits.
//
// Functions are sums of series in 320 bits; Round rounds once, or says that the error could decide. It
// knows no Fortran (package scope). Threads: free for all.
package rounded
