package exec

// This file refuses calls of kernel objects, and makes one of checked arguments. Main function:
// MakeKernel. Not here: the records and launches of kernels (exec/launch/kernel.c), their versions
// for CUDA devices (device_code.go). Threads: any.

import "libportable/internal/outside"

// Argument is one argument of a kernel object (portable_argument): its kind and its place in the argument block.
type Argument struct {
	Kind, Access  int32
	Offset, Bytes uint64
}

// Arguments are those of a new kernel. A call may give a wrong count or an invalid pointer as a name, so each argument is read when it is its turn,
// and a name only for the text of a refusal.
type Arguments struct {
	Count uint64
	At    func(i uint64) Argument
	Name  func(i uint64) string
}

// Kinds of arguments.
const (
	ArgumentPointer = 5 // the first kind that has an address at the beginning of the argument
	ArgumentArray   = 6
	ArgumentLiveout = 7
)

const (
	viewHead      = 16 // bytes of a view before its dimensions
	viewDimension = 24
	accessBoth    = 3
)

// kindBytes are the bytes of an argument of each kind; 0: of any number.
var kindBytes = [...]uint64{0, 4, 8, 4, 8, 8, 0, 8}

// MakeKernel checks the arguments of a new kernel object, and lets `made` make it.
//
// A kernel object is a record in a table of C (exec/launch/kernel_record.h), which launches find by their handle without a
// lock. Its label, arguments and the size of its block stay for its life; its versions for the host, for teams,
// for reductions and for CUDA devices are set later, also while it is launched. A launch holds the record: if another thread, or
// the running kernel, destroys the kernel object, the record stays until the launch has returned. Then the record is given to
// the next kernel, with another handle, so a stale handle finds nothing (Stale).
//
// missing is the name of an argument of the call that is NULL, most the number of records.
func MakeKernel(label, missing string, block uint64, arguments Arguments, most int, made func() bool) Refusal {
	label = outside.Clean(label)
	if missing != "" {
		return refuse(BadArgument, "portable_kernel_create of '%s': %s is NULL", label, missing)
	}
	if r := refuseArguments(label, block, arguments); r.Status != 0 {
		return r
	}
	if !made() {
		return refuse(NoMemory, "portable_kernel_create of '%s': there are %d kernels, or no memory for more; destroy some", label, most)
	}
	return Refusal{}
}

func refuseArguments(label string, block uint64, arguments Arguments) Refusal {
	for i := range arguments.Count {
		a := arguments.At(i)
		no := func(format string, args ...any) Refusal {
			return refuse(BadArgument, "portable_kernel_create of '%s': argument %d%s "+format, append([]any{label, i + 1, ofName(arguments.Name(i))}, args...)...)
		}
		if a.Kind < 0 || int(a.Kind) >= len(kindBytes) {
			return no("has the kind %d; there are 0 to %d", a.Kind, len(kindBytes)-1)
		}
		if a.Bytes == 0 {
			return no("has 0 bytes")
		}
		if want := kindBytes[a.Kind]; want != 0 && a.Bytes != want {
			return no("has %d bytes; its kind has %d", a.Bytes, want)
		}
		if a.Kind == ArgumentArray && (a.Bytes < viewHead || a.Bytes > viewHead+MaxRank*viewDimension || (a.Bytes-viewHead)%viewDimension != 0) {
			return no("has %d bytes; a view of rank r, which an ARRAY is, has %d + %d r (sizeof(portable_view_2))", a.Bytes, viewHead, viewDimension)
		}
		if a.Offset > block || a.Bytes > block-a.Offset {
			return no("ends behind the block of %d bytes", block)
		}
		if accesses := a.Kind == ArgumentPointer || a.Kind == ArgumentArray; accesses != (a.Access >= 1 && a.Access <= accessBoth) || !accesses && a.Access != 0 {
			return no("has the access %d; a pointer or array has PORTABLE_ACCESS_READ, _WRITE or _BOTH, others have 0", a.Access)
		}
		for k := range i {
			if b := arguments.At(k); b.Offset < a.Offset+a.Bytes && a.Offset < b.Offset+b.Bytes {
				return refuse(BadArgument, "portable_kernel_create of '%s': arguments %d and %d overlap", label, k+1, i+1)
			}
		}
	}
	return Refusal{}
}

// RefuseArgument says why a kernel has no argument of this index, from 0 on.
func RefuseArgument(label string, i, count uint64) Refusal {
	return refuse(BadArgument, "portable_kernel_argument of '%s': there is no argument %d; there are %d", outside.Clean(label), i, count)
}

// versions are a kernel's versions for the host: the call that launches one, its name, and the call that sets it.
var versions = [...][3]string{
	{"portable_launch", "", "portable_kernel_set_host"},
	{"portable_launch_outer", " of teams", "portable_kernel_set_host_team"},
	{"portable_launch_reduce", " of reductions", "portable_kernel_set_host_reduce"},
	{"portable_launch_blocks", " of blocks", "portable_kernel_set_host_block"},
}

// NoHost is the refusal of a launch on the host whose kernel has no version for it; version: 0 of loops, 1 of teams, 2 of reductions, 3 of blocks.
func NoHost(label string, version int) Refusal {
	v := versions[version]
	return refuse(BadState, "%s of '%s': the kernel has no implementation%s for the host; give it one by %s", v[0], outside.Clean(label), v[1], v[2])
}
