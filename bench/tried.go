package main

// This file explains the limits that are hard to hold: the reason, and the attempts. It is printed
// with a limit that a run misses.
const (
	triedPair = "glibc's thread cache is a singly linked list: it checks nothing but its own mark. A pair of the pool also writes size " +
		"and label into the block's record, counts, and changes the record's state by compare-and-swap, so that a second free is " +
		"seen whatever thread does it. From 15.4 ns to 10.9: one piece of code without calls, the slab of the last free remembered, " +
		"labels hashed by words, a class number without a branch, one counter less. Without the compare-and-swap it would be 8.3 ns, " +
		"still more than glibc, and two threads that free one block at once would both succeed: not done."
	triedRecords = "With 100 000 live blocks each free meets a record that is in no cache and in no entry of the TLB. Huge pages for the " +
		"records would commit 1/8 of each slab at once: not done."
	triedGo = "Two crossings into Go are 90 ns of a pair. Plain stores instead of locked ones for records without a live block, and " +
		"fewer scans in the tree of gaps, took a pair from 300 to 380 ns to 215 to 240. The rest is the crossing, the lock, " +
		"and memory."
	triedArrays = "The pool hands out the same three blocks in each step, so what differs is where they lie and what else was on the memory " +
		"bus. Arrays of 16 MiB are in no cache; there, the loop over memory that is never freed, which is the same in all processes, took 1544 to 3254 us. " +
		"In three runs on a guest on an AMD EPYC that gives no huge pages by default (internal/backend/host/RATIONALE.md) the pool took 1757 to 2242 us, mimalloc " +
		"2034 to 2552, and the pool with PORTABLE_HUGEPAGES=yes 1481 to 1660."
	triedGraphs = "Two thirds of a replayed node are the launch itself: tiles, floating-point modes, the thread's state. The rest of both figures is the " +
		"wake-up of the stream's thread and of the fence, once in each."
	triedThreads = "Threads share nothing on the way through their magazines; a machine with less than two free cores shows its neighbours."
	triedWork    = "After a pause the Go runtime wakes its monitor thread at the first call, which costs context switches; no setting of the " +
		"runtime stops it, and keeping it awake would break the rule that an idle library wakes no thread. With magazines there " +
		"is no call into Go. PORTABLE_FASTPATH=0 is for finding errors."
	triedTouch = "On guests whose balloon reports free pages slabs do not ask for huge pages, and pages are those of malloc; on other machines one fault covers 2 MiB."
	triedIdle  = "Most of it are pages of the program's file, code and tables of Go's runtime for the most part, which all processes " +
		"share and the system takes back when " +
		"it needs them; it maps 64 KB and more around each one that the start touches. The process's own part has a row of its " +
		"own below. Parts that are needed later are not read at the start."
	triedStart = "The processor time is 2 ms more than without the library: the Go runtime starts five threads, one after the other, and 300 pages " +
		"are touched. The rest of the figure is waiting for a core, on a machine that has other things to do."
	triedCompile = "It is the time of reading the module file, of which gfortran makes 32 KB packed."
)
