package exec

import "fmt"

// Status is a status code of portable.h.
type Status int32

// The codes of refusals.
const (
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
