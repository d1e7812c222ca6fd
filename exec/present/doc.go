// Package present knows which arrays of the host have a copy on a device in data regions, and which
// side of each copy is current. It plans copies for launches and host code, by address.
//
// Not here: the copies (exec/stage), memory (capi). Invariant: one side at least is current.
// Threads: safe; exec/stage holds its lock from a plan to its Done.
package present
