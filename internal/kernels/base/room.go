// Package base has what the rooms of kernels share: axes of arrays (axis.c) and steps along them (walk.h), whether two arrays overlap (overlap.c),
// which instructions the processor has (processor.c), stores past the caches (past.c), the lesser of two counts (least.h). Not here: arithmetic on values (the rooms next to this one).
// Callers are those rooms and exec/algorithm. In C because kernels are C and call it for each call and each leaf.
// Threads: any; functions are pure, except that a test may hide instructions.
package base

import "C"
