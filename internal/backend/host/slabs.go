package host

/*
#define _GNU_SOURCE
#include <errno.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

// Maps `bytes` at a multiple of `align`: it maps more and unmaps the ends. Returns 0 on failure, with the
// reason in *reason.
static uintptr_t host_map(size_t bytes, size_t align, int *reason) {
	size_t room = bytes + align;
	if (room < bytes) { *reason = ENOMEM; return 0; }
	char *p = mmap(NULL, room, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	if (p == MAP_FAILED) { *reason = errno; return 0; }
	uintptr_t start = (uintptr_t)p, first = (start + align - 1) & ~(uintptr_t)(align - 1);
	if (first > start) munmap(p, first - start);
	size_t tail = (start + room) - (first + bytes);
	if (tail > 0) munmap((void *)(first + bytes), tail);
	return first;
}

// Asks for huge pages, for kernels that grant them on request: reads all over an array then need fewer look-ups of
// pages, and one fault covers 2 MiB. A kernel without them refuses, which does no harm.
static void host_ask_huge(uintptr_t p, size_t bytes) {
#ifdef MADV_HUGEPAGE
	madvise((void *)p, bytes, MADV_HUGEPAGE);
#else
	(void)p; (void)bytes;
#endif
}

static int host_unmap(uintptr_t p, size_t bytes) { return munmap((void *)p, bytes) == 0 ? 0 : errno; }

// strerror_r has two forms; strerror has one.
static const char *host_reason(int reason) { return strerror(reason); }

static uintptr_t host_heap(size_t bytes, size_t align) { return (uintptr_t)aligned_alloc(align, bytes); }
static void host_heap_free(uintptr_t p) { free((void *)p); }
*/
import "C"

import (
	"fmt"

	"libportable/internal/backend"
	"libportable/internal/team"
)

// SlabAlignment is the alignment of each slab. It is the size of a huge page, so that the kernel may
// use huge pages from the first byte on, and the granule of the fast path's address map.
const SlabAlignment = 2 << 20

// page is the size of the system's pages: 4 KiB, or 16 or 64 KiB on some systems with aarch64. It is libc's, as in the rooms of C.
var page = uint64(C.sysconf(C._SC_PAGESIZE))

// Slabs maps whole slabs.
type Slabs struct {
	Huge bool // asks the kernel for huge pages
}

var _ backend.Source = Slabs{}

// Name is "host".
func (Slabs) Name() string { return "host" }

// Reserve maps bytes (rounded up to pages) at a multiple of SlabAlignment.
func (s Slabs) Reserve(bytes uint64) (uintptr, error) {
	addr, reason := mapped(bytes, SlabAlignment)
	if addr == 0 {
		return 0, fmt.Errorf("%w: mapping %d bytes of host memory: %s", backend.ErrRefused, bytes, reason)
	}
	if s.Huge {
		C.host_ask_huge(C.uintptr_t(addr), C.size_t(pages(bytes)))
	}
	return addr, nil
}

// Release unmaps a slab.
func (Slabs) Release(addr uintptr, bytes uint64) error {
	if e := C.host_unmap(C.uintptr_t(addr), C.size_t(pages(bytes))); e != 0 {
		return fmt.Errorf("%w: unmapping %d bytes at %#x: %s", backend.ErrRefused, bytes, addr, C.GoString(C.host_reason(e)))
	}
	return nil
}

// Heap takes each piece from libc's heap. GATOR_DISABLE=1 uses it, so that tools which observe malloc
// see every block.
type Heap struct{}

var _ backend.Source = Heap{}

// Name is "system".
func (Heap) Name() string { return "system" }

// Reserve takes bytes, rounded up to the alignment, from libc.
func (Heap) Reserve(bytes uint64) (uintptr, error) {
	room := (bytes + backend.Alignment - 1) &^ (backend.Alignment - 1)
	addr := uintptr(0)
	if room >= bytes {
		addr = uintptr(C.host_heap(C.size_t(room), backend.Alignment))
	}
	if addr == 0 {
		return 0, fmt.Errorf("%w: the system's heap has no %d bytes", backend.ErrRefused, bytes)
	}
	return addr, nil
}

// Release frees a piece.
func (Heap) Release(addr uintptr, _ uint64) error {
	C.host_heap_free(C.uintptr_t(addr))
	return nil
}

// Emulated is the memory of the device `emulated`: host memory without access, except while the device's kernels run.
type Emulated struct{}

var _ backend.Source = Emulated{}

// Name is "emulated".
func (Emulated) Name() string { return team.EmulatedName }

// Reserve maps a slab and removes access.
func (Emulated) Reserve(bytes uint64) (uintptr, error) {
	addr, err := Slabs{}.Reserve(bytes)
	if err != nil {
		return 0, err
	}
	if err := team.EmulatedAdd(addr, pages(bytes)); err != nil {
		_ = Slabs{}.Release(addr, bytes)
		return 0, fmt.Errorf("%w: %d bytes for the device %s: %w", backend.ErrRefused, bytes, team.EmulatedName, err)
	}
	return addr, nil
}

// Release unmaps a slab.
func (Emulated) Release(addr uintptr, bytes uint64) error {
	team.EmulatedRemove(addr)
	return Slabs{}.Release(addr, bytes)
}

func pages(bytes uint64) uint64 { return (bytes + page - 1) &^ (page - 1) }

func mapped(bytes, align uint64) (uintptr, string) {
	if pages(bytes) < bytes {
		return 0, "the size overflows"
	}
	var reason C.int
	addr := C.host_map(C.size_t(pages(bytes)), C.size_t(align), &reason)
	if addr == 0 {
		return 0, C.GoString(C.host_reason(reason))
	}
	return uintptr(addr), ""
}
