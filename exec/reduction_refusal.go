package exec

// This file refuses portable_parallel_reduce. Main function: ReductionCall.Refuse.

import "fmt"

// Limits of portable_parallel_reduce.
const (
	resultsMost = 64
	exactMost   = 16
	userBytes   = 65536
)

// A ReductionCall has the arguments of portable_parallel_reduce.
type ReductionCall struct {
	Label   string
	Kernel  bool // false: NULL
	Count   uint64
	First   int               // the number of the first result in texts: 0, in Fortran 1
	Results []ReductionResult // nil: NULL; ends after an entry of another size, because the next one is not found then
}

// A ReductionResult is an entry of its list.
type ReductionResult struct {
	Size, KnownSize      uint32
	Op                   int32
	Kind                 Kind
	Flags                uint32
	Bytes                uint64
	Combine, To, LiveOut bool
	LiveOutFault         Status // of the handle, and its text
	LiveOutText          string
}

// Flags of a result.
const (
	flagWide  = 1
	flagExact = 2
	flagInto  = 4
)

// Refuse repeats the checks in their order.
func (c *ReductionCall) Refuse() (Status, string) {
	begin := "parallel_reduce '" + c.Label + "': "
	switch {
	case !c.Kernel:
		return BadArgument, begin + "the kernel is NULL"
	case c.Count < 1 || c.Count > resultsMost:
		return BadArgument, fmt.Sprintf("%sthere are %d results; there can be 1 to %d", begin, c.Count, resultsMost)
	case c.Results == nil:
		return BadArgument, begin + "results is NULL"
	}
	exacts := 0
	for i := range c.Results {
		if fault, text := c.Results[i].refuse(&exacts); fault != Ordinary {
			return fault, fmt.Sprintf("%sresult %d: %s", begin, i+c.First, text)
		}
	}
	return Ordinary, ""
}

func (r *ReductionResult) refuse(exacts *int) (Status, string) {
	name := "no operation"
	if r.Op >= opSum && r.Op <= opUser {
		name = reductions[r.Op].name
	}
	place := r.Op == opMinloc || r.Op == opMaxloc
	switch sum := r.Kind.in(exact) || r.Flags&flagExact != 0; {
	case r.Size != r.KnownSize:
		return BadArgument, fmt.Sprintf("struct_size is %d; begin with PORTABLE_REDUCTION", r.Size)
	case r.Flags&^(flagWide|flagExact|flagInto) != 0:
		return BadArgument, fmt.Sprintf("flags is %#x; there are PORTABLE_REDUCE_WIDE, _EXACT and _INTO", r.Flags)
	case sum && (r.Op != opSum || !r.Kind.in(real|exact)):
		return BadArgument, fmt.Sprintf("%s of %s is not available exactly; a sum of real32, real64 or exact is", name, r.Kind.Name())
	case sum && *exacts == exactMost:
		return BadArgument, fmt.Sprintf("there are more than %d exact sums", exactMost)
	case sum:
		*exacts++
	case r.Op == opUser && r.Kind != 0:
		return BadArgument, "a user's operation has the kind 0"
	case r.Op == opUser && !r.Combine:
		return BadArgument, "combine is NULL"
	case r.Op == opUser && (r.Bytes < 1 || r.Bytes > userBytes):
		return BadArgument, fmt.Sprintf("bytes is %d; it is 1 to %d", r.Bytes, userBytes)
	case r.Op == opUser:
	case r.Op < opSum || r.Op > opUser || !r.Kind.in(^class(0)):
		return BadArgument, fmt.Sprintf("operation %d of kind %d; they are one of PORTABLE_REDUCE_... and one of PORTABLE_KIND_...", r.Op, r.Kind)
	case r.Op == opCount && !r.Kind.in(whole) || r.Op != opCount && !r.Kind.in(reductions[r.Op].of):
		return BadArgument, fmt.Sprintf("there is no %s of %s (operation %d, kind %d)", name, r.Kind.Name(), r.Op, r.Kind)
	}
	switch {
	case r.LiveOut && r.To:
		return BadArgument, "it has two destinations, to and liveout; name one of them"
	case r.LiveOut && (r.Op == opUser || place || r.Kind.in(exact)):
		return BadArgument, "it cannot be left in a live-out, which holds one number; name a place by to"
	case r.LiveOut:
		return r.LiveOutFault, r.LiveOutText
	case !r.To:
		return BadArgument, "it has no destination: to is NULL, and liveout is 0"
	}
	return Ordinary, ""
}
