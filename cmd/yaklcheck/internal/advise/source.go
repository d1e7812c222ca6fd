package advise

import (
	"fmt"
	"syscall"
	"unsafe"

	"libportable/internal/backend"
	"libportable/internal/backend/paper"
)

// This file provides slabs without memory, and tables for the bookkeeping of pools. The system
// commits a page of a table only when the pool writes it: a slab of 100 GB has a table of 12 GB,
// and the pool writes little of it.

// hugePage is the page size if the kernel gives huge pages of the size that slabs are aligned to. Kernels with larger pages than smallPage have larger
// huge pages, too, and slabs get none.
const (
	hugePage  = 2 << 20
	smallPage = 4 << 10
)

// slabs counts the pages that blocks have used. The addresses come from the source of the pools' tests.
type slabs struct {
	*paper.Source
	page    uint64
	all     []slab
	taken   uint64 // bytes of all slabs
	touched uint64 // pages
}

type slab struct {
	base  uintptr
	bytes uint64
	pages []uint64 // one bit for each page
	end   uint64   // of the highest block
}

func newSlabs(page uint64) *slabs { return &slabs{Source: paper.New(paper.Upwards, 0), page: page} }

func (s *slabs) Reserve(bytes uint64) (uintptr, error) {
	if bytes > 1<<46 {
		return 0, fmt.Errorf("%w: %d bytes are more than a machine has", backend.ErrRefused, bytes)
	}
	base, err := s.Source.Reserve(bytes)
	if err != nil {
		return 0, err
	}
	pages := (bytes + s.page - 1) / s.page
	s.all = append(s.all, slab{base: base, bytes: bytes, pages: make([]uint64, (pages+63)/64)})
	s.taken += bytes
	return base, nil
}

// touch records that the program wrote a block.
func (s *slabs) touch(addr uintptr, bytes uint64) {
	for i := len(s.all) - 1; i >= 0; i-- {
		l := &s.all[i]
		if addr < l.base || uint64(addr-l.base) >= l.bytes {
			continue
		}
		from := uint64(addr - l.base)
		l.end = max(l.end, from+bytes)
		for p := from / s.page; p*s.page < from+max(bytes, 1); p++ {
			if bit := uint64(1) << (p % 64); l.pages[p/64]&bit == 0 {
				l.pages[p/64] |= bit
				s.touched++
			}
		}
		return
	}
}

// tables maps the memory of tables. Go's heap would clear memory that it reuses, and so commit all of it.
type tables struct{}

var _ backend.Tables = tables{}

func (tables) Take(words int) ([]uint64, error) {
	if words == 0 {
		return nil, nil
	}
	memory, err := syscall.Mmap(-1, 0, 8*words, syscall.PROT_READ|syscall.PROT_WRITE, syscall.MAP_ANON|syscall.MAP_PRIVATE|syscall.MAP_NORESERVE)
	if err != nil {
		return nil, fmt.Errorf("%w: %d bytes for tables: %w", backend.ErrRefused, 8*words, err)
	}
	return unsafe.Slice((*uint64)(unsafe.Pointer(unsafe.SliceData(memory))), words), nil
}

func (tables) Give(table []uint64) {
	if len(table) > 0 {
		// The bytes were mapped by Take, so they can be unmapped.
		_ = syscall.Munmap(unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(table))), 8*len(table)))
	}
}
