// Package base has what the rooms of kernels share: axes of arrays (axis.c), whether two arrays overlap (overlap.c), which instructions the
// processor has (processor.c), the lesser of two counts (least.h). Not here: arithmetic on values (the rooms beside this one). Callers are those rooms and exec/algorithm.
// In C because the kernels are C and call it for each call and each leaf. Threads: any; functions are pure, but for one word that tests write.
package base

import "C"
