package host

import (
	"fmt"
	"unsafe"

	"libportable/internal/backend"
)

// Tables maps bookkeeping memory outside the Go heap: C reads it too, and the kernel commits a page of
// it only when it is touched.
type Tables struct{}

var _ backend.Tables = Tables{}

// Take maps `words` zero words.
func (Tables) Take(words int) ([]uint64, error) {
	addr, reason := mapped(uint64(words)*8, page)
	if addr == 0 {
		return nil, fmt.Errorf("%w: mapping %d words for tables: %s", backend.ErrRefused, words, reason)
	}
	// The mapping lives until Give, and has no other owner. The pointer is made from the bits of the
	// address because it is not, and never becomes, Go memory.
	return unsafe.Slice(*(**uint64)(unsafe.Pointer(&addr)), words), nil
}

// Give unmaps a table.
func (Tables) Give(table []uint64) {
	_ = Slabs{}.Release(uintptr(unsafe.Pointer(unsafe.SliceData(table))), uint64(len(table))*8)
}
