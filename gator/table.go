package gator

import "unsafe"

// goTables keeps tables on the Go heap: for pools without C, and for the race detector, which does not
// see mapped memory.
type goTables struct{}

func (goTables) Take(words int) ([]uint64, error) { return make([]uint64, words), nil }
func (goTables) Give([]uint64)                    {}

// halves is the same memory as 32-bit numbers. The table's owner keeps it alive longer than the halves.
// This is the package's only use of unsafe.
func halves(table []uint64) []uint32 {
	return unsafe.Slice((*uint32)(unsafe.Pointer(unsafe.SliceData(table))), 2*len(table))
}
