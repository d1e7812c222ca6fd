// This file lists the kinds of findings, each with its name, title, severity and remedy. Names are
// part of the formats JSON and SARIF and of suppressions: they do not change.
package findings

import (
	"slices"

	"libportable/cmd/yaklcheck/internal/trace"
)

// Kind is one kind of finding.
type Kind struct {
	What  trace.FindingKind
	Name  string // in suppressions, JSON, SARIF
	Title string // the kind in one line
	Hint  string // the remedy
	// Level as SARIF has it: an error is wrong in every run; a warning may be intended.
	Level string
}

var kinds = []Kind{
	{trace.OutOfBounds, "out-of-bounds", "Access outside a block",
		"the access runs past the array: compare the loop's bounds with those the array was allocated with", "error"},
	{trace.UseAfterFree, "use-after-free", "Access to a block that was freed",
		"a pointer still points to the block: nullify it where the block is freed, or free later", "error"},
	{trace.CanaryOverwritten, "overwritten-end", "Bytes next to a block were overwritten",
		"a write outside the block happened earlier; `--mode=exact` with --guard=end or start stops at the write itself", "error"},
	{trace.DoubleFree, "double-free", "A block was freed twice",
		"only one owner may free; in Fortran, free through the pointer that was allocated, which becomes null", "error"},
	{trace.ForeignFree, "foreign-free", "A pointer was freed that is not of this library",
		"free memory in the way that allocated it: DEALLOCATE for ALLOCATE, free for malloc, delete for new", "error"},
	{trace.InteriorFree, "interior-free", "A pointer into the middle of a block was freed",
		"free needs the start of a block; a pointer to a section of an array is another address", "error"},
	{trace.IntrinsicFree, "intrinsic-free", "DEALLOCATE or free of a block of this library",
		"free blocks of gator_allocate by gator_deallocate, those of portable_alloc by portable_free; or link portable::allocate, which serves both", "error"},
	{trace.Leak, "leak", "Blocks were never freed",
		"free them before gator_finalize or portable_finalize", "error"},
	{trace.Growth, "growth", "Blocks pile up between checkpoints",
		"a step should free what it allocates", "warning"},
	{trace.NeverWritten, "never-written", "Memory was read that was never written",
		"give the array a value before it is read; a loop over all of it but its boundary leaves that as it was", "error"},
	{trace.IndexOutOfBounds, "index-out-of-bounds", "An index outside an array's bounds",
		"the index is outside the bounds that the array was described with", "error"},
	{trace.HostAccess, "host-access", "Host code touched device memory",
		"copy it to the host first, or allocate it in memory that both see", "error"},
	{trace.HostInKernel, "host-in-kernel", "A device kernel was given host memory",
		"allocate the memory of kernels on their device", "error"},
	{trace.StreamHazard, "stream-hazard", "A block was released, reused or read while a stream may still use it",
		"fence the stream before, or name the stream as a dependency of the block", "error"},
	{trace.TimersNotNested, "timers-not-nested", "Timers were not stopped in the reverse order of their starts",
		"stop the timer that was started last first", "warning"},
	{trace.BadBounds, "bad-bounds", "A launch had invalid bounds",
		"check the code that computed the bounds", "error"},
	{trace.MissingSync, "missing-sync", "A copy was used whose twin was changed last",
		"bring the twin up to date before the other side reads", "error"},
	{trace.KernelWroteArguments, "kernel-wrote-arguments", "A kernel wrote its argument block or tile",
		"a kernel's arguments are copies that only it sees: results go through arrays, reductions or live-outs", "error"},
	{trace.OtherCheck, "check", "A run-time check failed", "", "error"},
	{trace.InternalError, "internal-error", "An error inside the library",
		"your program is not at fault: please report this text", "error"},
	{trace.Died, "crash", "The program died by a signal",
		"", "error"},
}

var unknownKind = Kind{Name: "unknown", Title: "A finding that this yaklcheck does not know", Level: "warning",
	Hint: "use the yaklcheck that came with the program's library"}

// KindOf returns the kind of that number.
func KindOf(what trace.FindingKind) *Kind {
	if i := slices.IndexFunc(kinds, func(k Kind) bool { return k.What == what }); i >= 0 {
		return &kinds[i]
	}
	return &unknownKind
}

// kindNamed returns the kind of that name, or nil.
func kindNamed(name string) *Kind {
	if i := slices.IndexFunc(kinds, func(k Kind) bool { return k.Name == name }); i >= 0 {
		return &kinds[i]
	}
	return nil
}
