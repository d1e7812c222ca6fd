package exec

// This file has the type of a refusal: a status and a text. A zero Refusal lets C run the call.

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

// Refusal is the status of a call, and the text of portable_last_error. The zero value refuses nothing.
type Refusal struct {
	Status Status
	Text   string
}

func refuse(status Status, format string, args ...any) Refusal {
	return Refusal{status, fmt.Sprintf(format, args...)}
}

// Changed is the refusal of a call that C refuses and Go does not: another thread wrote the arguments between both checks.
func Changed(call string) Refusal {
	return refuse(BadArgument, "%s: the arguments changed during the call; let no other thread write them", call)
}

// Stale is the refusal of a stale or invalid handle.
func Stale(call string, handle uint64, kind string) Refusal {
	return refuse(BadHandle, "%s: %#x is not a %s, or the %s was destroyed", call, handle, kind, kind)
}

// fits accepts the struct_size of the structure, and of shorter ones of earlier versions.
func fits(structSize uint32, whole int) bool { return structSize >= 4 && int(structSize) <= whole }

// ofName is the name of an argument behind its number; "" where it has none.
func ofName(name string) string {
	if name == "" {
		return ""
	}
	return " ('" + outside.Clean(name) + "')"
}
