// Package exec is the launch engine: it decides about a launch before it runs, and reports timers afterwards. In this room: the list of
// devices, the device of a launch, the number of its threads, reports of timers. The C that runs is in the rooms below: launch, stream,
// device, algorithm, timer, liveout. Not in this room: threads (internal/team), memory (gator), calls of C and Fortran (capi).
//
// Invariants: exec knows no device but through the contract in internal/backend. Decisions depend on what was
// asked and on the settings, never on time or on earlier launches, so that a program runs alike each time.
// Threads: everything may be called from any goroutine at any time.
package exec
