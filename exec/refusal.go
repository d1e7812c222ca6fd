package exec

import (
	"fmt"

	"libportable/internal/outside"
)

// Status is a status code of portable.h.
type Status int32

// The codes of refusals. Ordinary refuses nothing: C runs the call.
const (
	Ordinary    Status = 0
	BadArgument Status = -1
	NoMemory    Status = -2
	BadHandle   Status = -3
	BadState    Status = -4
	BadPointer  Status = -5
	Overflow    Status = -6
	NoDevice    Status = -7
)

// Refusal says why a call is refused: its status, and the text of portable_last_error. The zero value refuses nothing.
type Refusal struct {
	Status Status
	Text   string
}

func refuse(status Status, format string, args ...any) Refusal {
	return Refusal{status, fmt.Sprintf(format, args...)}
}

// Changed is the refusal of a call whose arguments C refuses and Go does not: another thread has written them meanwhile.
func Changed(call string) Refusal {
	return refuse(BadArgument, "%s: the arguments changed during the call; let no other thread write them", call)
}

// Stale is the refusal of a handle that no object of its kind has.
func Stale(call string, handle uint64, kind string) Refusal {
	return refuse(BadHandle, "%s: %#x is not a %s, or the %s was destroyed", call, handle, kind, kind)
}

// fits says whether struct_size is that of the structure, or of a shorter one of an earlier version.
func fits(structSize uint32, whole int) bool { return structSize >= 4 && int(structSize) <= whole }

// ofName is the name of an argument behind its number; "" where it has none.
func ofName(name string) string {
	if name == "" {
		return ""
	}
	return " ('" + outside.Clean(name) + "')"
}
