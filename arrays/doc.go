// Package arrays computes descriptors: shapes, views, orders, records, and both sides of a twin;
// and it writes the texts of refusals. It is pure Go, without memory or languages. C (arrays/owner)
// keeps owners and memory; capi/exports_array.go, exports_record.go and exports_layout.go carry
// each question of C to a function here. Threads: functions are pure and take no lock, but Rules
// has one. Errors: ErrArgument, ErrOverflow (errors.go), ErrState, ErrHandle (refusal.go).
package arrays

// An owner is the count of holders of one memory, in C (owner/array.c). Its handle is in each descriptor of the memory, so a call
// finds a stale descriptor. portable__array_own makes it with one holder; retain and release change the count by compare-and-swap;
// the last release, or portable_array_deallocate, frees the block. Memory of the program has no owner (handle 0), unless the
// configuration of portable_array_wrap names an end; then the owner has no block.
//
// Making an array: portable_array_create (owner/array_make.c) plans an ordinary array in C; all others cross once to Making.Create,
// which asks the instance for rules, pool and device (Machine). C then allocates the block and makes the owner.
//
// A view is a descriptor with the same owner and another shape. owner/array_view.c copies the descriptor, lets Shape.Slice, Reshape,
// Permute or Rebase change the copy, and retains the owner for it.
//
// Records are arrays of structures with named fields (Record, Records). Their memory has an owner, too; Placing says where each
// field is, and portable_records_field gives a field as an ordinary array. owner/records_copy.c converts between layouts.
//
// A twin is one array with a host side and a device side, each an array with an owner, or both in one memory (TwinMaking.Plan). Marks
// say which side is newer; accesses set them (owner/twin_check.c) and syncs clear them by a copy (owner/twin_sync.c).
//
// A refusal: C tests one predicate. If it fails, C asks a question of owner/questions.h; capi/questions.c leads it to an export
// (capi/exports_array.go, exports_record.go), which calls refusal.go here or repeats the checks. TestArrayRefusalsAgree and
// TestOrdinaryArraysAgree compare C and Go (capi/exports_array_test.go).
