// Package exec is the launch engine: what is decided about a launch before it runs, and what timers tell of it afterwards. In this room: the devices there
// are and which of them launches take, how many threads share a launch, reports of timers. Not in this room: the
// threads themselves (internal/team), where memory is (gator), how C and Fortran say what they want (capi).
//
// Invariants: exec knows no device but through the contract in internal/backend. What is decided depends on what was
// asked and on the settings, never on time or on earlier launches, so that a program runs alike each time.
// Threads: everything may be called from any goroutine at any time.
package exec
