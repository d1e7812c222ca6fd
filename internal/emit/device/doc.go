// Package device describes the nests that a device can run: a typed kernel that emitters of device languages write.
//
// Lower makes it of an emit.Kernel, or says why the nest stays on the host. The description has explicit conversions and no text of
// Fortran: an emitter (package cuda) needs no rule of Fortran but the names of the operations. Not in this package: dependences (nest),
// launches and argument blocks (host), texts of languages.
// Threads: one goroutine; kernels do not change after Lower.
package device
