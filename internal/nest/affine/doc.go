// Package affine calculates with indices: integer forms over loop variables and symbols, facts about them,
// and the question whether two indices can be equal in two iterations of a loop.
//
// It knows no Fortran. An answer "yes" is a proof; where a limit is reached, the answer is "no": not proved.
// Threads: one goroutine a table; forms are values.
package affine
