// Package uuid replaces github.com/google/uuid (go.mod of the library says so), of which
// gorgonia.org/cu needs only the type. The whole package would bring net, crypto and database/sql
// into the archive: 1.4 MB, the resolver of the C library, and their initialisation in each
// program. It is a module of its own because its import path is another module's.
package uuid

import "fmt"

// UUID is 16 bytes in the order in which they are written.
type UUID [16]byte

// String is the usual form: 8-4-4-4-12 hexadecimal digits.
func (u UUID) String() string {
	return fmt.Sprintf("%x-%x-%x-%x-%x", u[:4], u[4:6], u[6:8], u[8:10], u[10:])
}
