// Package data decides what data regions mean: which arrays stay on a device between the launches of a
// region, and what generated code says in front of statements of the host that use such arrays.
//
// Regions keep arrays by address at run time (exec/present); here each statement that may run while a
// region is open gets a call that names the arrays, or the region is refused. Other arrays are never on the device alone: each launch
// copies them. It writes no file (emit/host).
// Threads: one goroutine.
package data
