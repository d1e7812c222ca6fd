package capi

// This file has the exports of pools: creation, blocks, statistics, lists of blocks.

/*
#include <stdlib.h>
#include <string.h>

#include "questions.h"
*/
import "C"

import (
	"fmt"
	"unsafe"

	"libportable/gator"
)

//export portable__go_pool_create
func portable__go_pool_create(config *C.portable_pool_config, out *C.portable_pool) (st C.portable_status) {
	defer guard(&st)
	c := gator.Config{
		Name:    "pool",
		Initial: uint64(config.initial_bytes),
		Grow:    uint64(config.grow_bytes),
		Block:   uint64(config.block_bytes),
		Limit:   uint64(config.limit_bytes),
		Knobs:   gator.Knobs{Limit: "limit_bytes of its portable_pool_config", Block: "block_bytes of its portable_pool_config"},
	}
	if config.name != nil {
		c.Name = C.GoString(config.name)
	}
	if config.alloc != nil {
		c.Source = &callbacks{name: c.Name, alloc: config.alloc, free: config.free, payload: config.payload, given: map[uintptr]piece{}}
	}
	n, err := lib.CreatePool(c, int(config.space))
	*out = C.portable_pool(n)
	return status(err)
}

//export portable__go_pool_destroy
func portable__go_pool_destroy(pool C.portable_pool, inside C.int32_t) (st C.portable_status) {
	defer guard(&st)
	return status(lib.DestroyPool(uint64(pool), inside != 0))
}

//export portable__go_pool_default
func portable__go_pool_default(out *C.portable_pool) (st C.portable_status) {
	defer guard(&st)
	n, err := lib.DefaultHandle()
	*out = C.portable_pool(n)
	return status(err)
}

//export portable__go_holds
func portable__go_holds(addr C.uintptr_t) (holds C.int32_t) {
	var st C.portable_status
	defer guard(&st)
	if lib.Holds(uintptr(addr)) {
		holds = 1
	}
	return holds
}

//export portable__go_pool_of_space
func portable__go_pool_of_space(space C.int32_t, out *C.portable_pool) (st C.portable_status) {
	defer guard(&st)
	n, err := lib.SpacePool(int(space))
	*out = C.portable_pool(n)
	return status(err)
}

//export portable__go_pool_alloc
func portable__go_pool_alloc(space C.int32_t, pool *C.portable_pool, bytes, room C.size_t, label C.portable__text, labelBytes C.size_t, out *C.uintptr_t) (st C.portable_status) {
	defer guard(&st)
	if space != 0 {
		n, err := lib.SpacePool(int(space))
		if err != nil {
			return status(err)
		}
		*pool = C.portable_pool(n)
	}
	p, err := lib.Pool(uint64(*pool))
	if err == nil {
		var addr uintptr
		addr, err = p.AllocateRoom(uint64(bytes), uint64(room), p.Labels().ID(text(label, labelBytes)))
		*out = C.uintptr_t(addr)
	}
	return status(err)
}

//export portable__go_pool_free
func portable__go_pool_free(pool C.portable_pool, addr C.uintptr_t) (st C.portable_status) {
	defer guard(&st)
	p, err := lib.Pool(uint64(pool))
	if err == nil {
		err = p.Free(uintptr(addr))
	}
	return status(err)
}

//export portable__go_pool_of
func portable__go_pool_of(addr C.uintptr_t, out *C.portable_pool) (st C.portable_status) {
	defer guard(&st)
	n, err := lib.PoolOf(uintptr(addr))
	*out = C.portable_pool(n)
	return status(err)
}

//export portable__go_pool_trim
func portable__go_pool_trim(pool C.portable_pool, out *C.uint64_t) (st C.portable_status) {
	defer guard(&st)
	p, err := lib.Pool(uint64(pool))
	if err == nil {
		var released uint64
		released, err = p.Trim()
		*out = C.uint64_t(released)
	}
	return status(err)
}

//export portable__go_pool_check
func portable__go_pool_check(pool C.portable_pool) (st C.portable_status) {
	defer guard(&st)
	p, err := lib.Pool(uint64(pool))
	if err == nil {
		err = p.Check()
	}
	return status(err)
}

//export portable__go_pool_stats
func portable__go_pool_stats(pool C.portable_pool, out *C.portable_stats) (st C.portable_status) {
	defer guard(&st)
	p, err := lib.Pool(uint64(pool))
	if err != nil {
		return status(err)
	}
	s := p.Stats()
	*out = C.portable_stats{
		slabs:             C.uint32_t(s.Slabs),
		in_use_bytes:      C.uint64_t(s.InUse),
		in_use_blocks:     C.uint64_t(s.Blocks),
		occupied_bytes:    C.uint64_t(s.Occupied),
		high_water_bytes:  C.uint64_t(s.HighWater),
		reserved_bytes:    C.uint64_t(s.Reserved),
		limit_bytes:       C.uint64_t(s.Limit),
		free_bytes:        C.uint64_t(s.Free),
		largest_gap_bytes: C.uint64_t(s.LargestGap),
		waiting_bytes:     C.uint64_t(s.Waiting),
		waiting_blocks:    C.uint64_t(s.WaitBlocks),
		allocations:       C.uint64_t(s.Allocations),
		frees:             C.uint64_t(s.Frees),
		fragmentation:     C.double(s.Fragmentation()),
	}
	return C.PORTABLE_OK
}

// encode fills C's description of a block, without the label.
func encode(b gator.Block) C.portable_block {
	c := C.portable_block{struct_size: C.sizeof_portable_block, address: pointer(b.Addr), bytes: C.uint64_t(b.Bytes)}
	if b.Waiting {
		c.waiting = 1
	}
	return c
}

// pointer makes a pointer of an address that is not Go memory and never becomes it.
func pointer(addr uintptr) unsafe.Pointer { return *(*unsafe.Pointer)(unsafe.Pointer(&addr)) }

//export portable__go_pool_list
func portable__go_pool_list(pool C.portable_pool, blocksOut **C.portable_block, countOut *C.size_t) (st C.portable_status) {
	defer guard(&st)
	p, err := lib.Pool(uint64(pool))
	if err != nil {
		return status(err)
	}
	// The count and the copy are two walks, because no memory is allocated under the pool's lock. If other threads allocate between
	// them, the copy does not fit, and the capacity is doubled.
	for spare := 1; ; spare *= 2 {
		found, texts := room(p)
		blocks, texts := spare*found+16, spare*texts+256
		memory := C.portable__memory(C.size_t(blocks*C.sizeof_portable_block + texts))
		if memory == nil {
			return fail(C.PORTABLE_ERR_NOMEM, fmt.Sprintf("portable_pool_list: the system has no memory for the list of %d blocks", found))
		}
		if count, ok := list(p, memory, blocks, texts); ok {
			*blocksOut, *countOut = (*C.portable_block)(memory), C.size_t(count)
			return C.PORTABLE_OK
		}
		C.free(memory)
	}
}

// room counts the entries and the bytes of labels of a list of blocks.
func room(p gator.Allocator) (blocks, texts int) {
	p.Each(func(b gator.Block) bool {
		blocks++
		texts += len(b.Label) + 1
		return true
	})
	return blocks, texts
}

// list writes the blocks, then the labels, directly into C's memory, without Go's heap. It gives their number, and false if they
// do not fit.
func list(p gator.Allocator, memory unsafe.Pointer, blocks, room int) (count int, ok bool) {
	entries := unsafe.Slice((*C.portable_block)(memory), blocks)
	texts := unsafe.Slice((*byte)(unsafe.Add(memory, blocks*C.sizeof_portable_block)), room)
	at := 0
	ok = true
	p.Each(func(b gator.Block) bool {
		if count == blocks || at+len(b.Label)+1 > room {
			ok = false
			return false
		}
		entries[count] = encode(b)
		entries[count].label = (*C.char)(unsafe.Pointer(&texts[at]))
		at += copy(texts[at:], b.Label)
		texts[at] = 0
		at++
		count++
		return true
	})
	return count, ok
}

//export portable__go_pool_find
func portable__go_pool_find(pool C.portable_pool, addr C.uintptr_t, out *C.portable_block, label *C.char, room C.size_t) (st C.portable_status) {
	defer guard(&st)
	p, err := lib.Pool(uint64(pool))
	if err != nil {
		return status(err)
	}
	b, err := p.Find(uintptr(addr))
	if err != nil {
		return status(err)
	}
	*out = encode(b)
	put(label, room, b.Label)
	return C.PORTABLE_OK
}

//export portable__go_block_starts
func portable__go_block_starts(pool C.portable_pool, addr C.uintptr_t, out *C.portable_block, label *C.char, room C.size_t) (starts C.int32_t) {
	var st C.portable_status
	defer guard(&st)
	var p gator.Allocator
	var err error
	if pool == 0 {
		p, err = lib.Default()
	} else {
		p, err = lib.Pool(uint64(pool))
	}
	if err != nil || !p.Starts(uintptr(addr)) {
		return 0
	}
	b, err := p.Find(uintptr(addr))
	if err != nil {
		return 0
	}
	*out = encode(b)
	put(label, room, b.Label)
	return 1
}

// put writes a text into C's memory, cut to its capacity and ended by NUL.
func put(to *C.char, room C.size_t, s string) {
	if room == 0 {
		return
	}
	room = min(room, C.size_t(len(s)+1)) // a caller may claim more capacity than a slice can have
	bytes := unsafe.Slice((*byte)(unsafe.Pointer(to)), int(room))
	bytes[copy(bytes[:room-1], s)] = 0
}

//export portable__go_pool_report
func portable__go_pool_report(pool C.portable_pool, to *C.char, room C.size_t, needed *C.size_t) (st C.portable_status) {
	defer guard(&st)
	p, err := lib.Pool(uint64(pool))
	if err != nil {
		return status(err)
	}
	report := gator.Report(p)
	put(to, room, report)
	*needed = C.size_t(len(report) + 1)
	return C.PORTABLE_OK
}
