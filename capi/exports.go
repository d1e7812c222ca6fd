package capi

// This file has the exports for start and stop, ranks, and blocks of the default pool.

/*
#include "questions.h"
*/
import "C"

import (
	"errors"
	"fmt"

	"libportable/gator"
	"libportable/internal/instance"
)

//export portable__go_init
func portable__go_init(asGator C.int32_t, config *C.portable_config) (st C.portable_status) {
	defer guard(&st)
	var q instance.Request
	if config != nil {
		if config.reserved != 0 {
			return fail(C.PORTABLE_ERR_ARG, fmt.Sprintf("portable_init: config.reserved is %d; it is 0 in this version: begin with PORTABLE_CONFIG_INIT", int32(config.reserved)))
		}
		q = instance.Request{
			Initial: uint64(config.pool_initial_bytes),
			Grow:    uint64(config.pool_grow_bytes),
			Block:   uint64(config.pool_block_bytes),
			Limit:   uint64(config.pool_limit_bytes),
			Threads: int(config.num_threads),
			Stack:   uint64(config.stack_bytes),
		}
		if config.device != nil {
			q.Device = C.GoString(config.device)
		}
		q.Pool.Set(int(config.pool))
		q.FastPath.Set(int(config.fastpath))
	}
	if asGator != 0 {
		return status(lib.GatorInit(q))
	}
	return status(lib.Init(q))
}

//export portable__go_finalize
func portable__go_finalize(asGator C.int32_t) (st C.portable_status) {
	defer guard(&st)
	leave := lib.Finalize
	if asGator != 0 {
		leave = lib.GatorFinalize
	}
	if err := leave(); !errors.Is(err, instance.ErrBusy) {
		return status(err)
	}
	return C.PORTABLE__BUSY
}

//export portable__go_serve
func portable__go_serve() (serves C.int32_t) {
	var st C.portable_status
	defer guard(&st)
	// A tool that watches malloc knows more about an array from malloc; and valgrind replaces free.
	if !watching && lib.Serve() {
		serves = 1
	}
	return serves
}

//export portable__go_serve_watch
func portable__go_serve_watch() (checks C.int32_t) {
	var st C.portable_status
	defer guard(&st)
	if lib.ServeWatch() {
		checks = 1
	}
	return checks
}

//export portable__go_served
func portable__go_served() {
	var st C.portable_status
	defer guard(&st)
	lib.ReportServed()
}

//export portable__go_strict
func portable__go_strict() C.int32_t {
	if lib.Strict() {
		return 1
	}
	return 0
}

//export portable__go_set_rank
func portable__go_set_rank(rank, local C.int32_t) (st C.portable_status) {
	defer guard(&st)
	return status(lib.SetRank(instance.Rank{World: int(rank), Local: int(local)}))
}

//export portable__go_rank
func portable__go_rank(local C.int32_t) (rank C.int32_t) {
	rank = instance.NoRank
	var st C.portable_status
	defer guard(&st)
	if r := lib.Rank(); local != 0 {
		rank = C.int32_t(r.Local)
	} else {
		rank = C.int32_t(r.World)
	}
	return rank
}

//export portable__go_alloc
func portable__go_alloc(bytes, room C.size_t, label C.portable__text, labelBytes C.size_t, out *C.uintptr_t) (st C.portable_status) {
	defer guard(&st)
	d, err := lib.Default()
	if err != nil {
		return status(err)
	}
	addr, err := d.AllocateRoom(uint64(bytes), uint64(room), d.Labels().ID(text(label, labelBytes)))
	*out = C.uintptr_t(addr)
	return status(err)
}

//export portable__go_free
func portable__go_free(addr C.uintptr_t) (st C.portable_status) {
	defer guard(&st)
	d, err := lib.Default()
	if err == nil {
		err = d.Free(uintptr(addr))
	}
	return status(err)
}

//export portable__go_label
func portable__go_label(label C.portable__text, labelBytes C.size_t) (id C.uint32_t) {
	var st C.portable_status
	defer guard(&st)
	if d, err := lib.Default(); err == nil {
		id = C.uint32_t(d.Labels().ID(text(label, labelBytes)))
	}
	return id
}

// reclaimer is a pool behind magazines.
type reclaimer interface {
	Reclaim(give func(take func(addr uintptr)))
}

var _ reclaimer = (*gator.Pool)(nil)

//export portable__go_spill
func portable__go_spill(shelf, class C.int32_t) {
	var st C.portable_status
	defer guard(&st)
	if d, err := lib.Default(); err == nil {
		if p, ok := d.Backing.(reclaimer); ok {
			p.Reclaim(func(take func(addr uintptr)) { spill(shelf, class, take) })
		}
	}
}

//export portable__go_reassigned
func portable__go_reassigned(addr C.uintptr_t, label C.portable__text, labelBytes C.size_t) (st C.portable_status) {
	defer guard(&st)
	return status(lib.Reassigned(uintptr(addr), text(label, labelBytes)))
}
