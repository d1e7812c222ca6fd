package capi

/*
#include <stdlib.h>
#include "questions.h"
#include "../exec/stage/questions.h"
*/
import "C"

import (
	"unsafe"

	"libportable/exec"
	"libportable/exec/present"
	"libportable/internal/instance"
)

// stagings counts the copies since the start of the library.
var stagings exec.Stagings

// regions are the data regions.
var regions = present.Table{Memory: regionMemory{pools: map[uintptr]*instance.Pool{}, host: map[uintptr]unsafe.Pointer{}}}

// stageMemory are the pools for copies of host memory.
type stageMemory struct{}

func (stageMemory) Allocate(device int, bytes uint64, label string) (uintptr, error) {
	pool, err := lib.Staging(device)
	if err != nil {
		return 0, err
	}
	return pool.AllocateRoom(bytes, bytes, pool.Labels().ID(label))
}

func (stageMemory) Free(device int, block uintptr) error {
	pool, err := lib.Staging(device)
	if err != nil {
		return err
	}
	return pool.Free(block)
}

// regionMemory is the memory of data regions, with the pools of its blocks: the last finalize frees them. The table has its lock when it asks.
type regionMemory struct {
	pools map[uintptr]*instance.Pool
	host  map[uintptr]unsafe.Pointer
}

func (m regionMemory) Allocate(device int, bytes uint64, label string) (uintptr, error) {
	pool, err := lib.Staging(device)
	if err != nil {
		return 0, err
	}
	block, err := pool.AllocateRoom(bytes, bytes, pool.Labels().ID(label))
	if err == nil {
		m.pools[block] = pool
	}
	return block, err
}

func (m regionMemory) Free(_ int, block uintptr) error {
	pool := m.pools[block]
	delete(m.pools, block)
	return pool.Free(block)
}

// streamsEnd ends the streams, and the regions that the program leaves open, before pools report their blocks.
func streamsEnd() (ended int, lost string, busy bool) {
	ended, lost, busy = streams.Close()
	if !busy {
		regions.End()
	}
	return ended, lost, busy
}

func (m regionMemory) Host(bytes uint64) uintptr {
	p := C.portable__memory(C.size_t(bytes))
	if p != nil {
		m.host[uintptr(p)] = p
	}
	return uintptr(p)
}

func (m regionMemory) FreeHost(block uintptr) {
	C.free(m.host[block])
	delete(m.host, block)
}

//export portable__go_stage_begin
func portable__go_stage_begin(s *C.struct_portable__staging) (st C.portable_status) {
	defer guard(&st)
	records := unsafe.Slice(s.spans, int(s.count))
	thread, label := uint64(s.thread), C.GoString(&s.label[0])
	names := map[string]*C.char{}
	var spans []present.Span
	for i := range records {
		r := &records[i]
		name := C.GoString(&r.name[0])
		names[name] = &r.name[0]
		spans = append(spans, present.Span{Start: uintptr(r.start), End: uintptr(r.end), Unit: uint64(r.unit), Read: r.read != 0, Written: r.written != 0, Name: name})
	}
	var plan *present.Plan
	switch s.what {
	case C.PORTABLE__STAGE_LAUNCH:
		if len(spans) == 0 {
			return C.PORTABLE_OK
		}
		plan = regions.Launch(thread, int(s.index), spans, s.keep != 0)
	case C.PORTABLE__DATA_HOST:
		plan = regions.Host(spans[0])
	case C.PORTABLE__DATA_ALL:
		plan = regions.All(false)
	case C.PORTABLE__DATA_SHARED:
		plan = regions.All(true)
	case C.PORTABLE__DATA_LEAVE:
		plan = regions.Leave(spans...)
	case C.PORTABLE__DATA_EXPOSE:
		plan = regions.Expose(spans...)
	case C.PORTABLE__DATA_EXIT:
		plan = regions.Exit(thread, spans[0])
	case C.PORTABLE__DATA_END:
		plan = regions.Close(label, thread)
	default:
		atDataRegion(s, label, spans)
		return C.PORTABLE_OK
	}
	parts := unsafe.Slice(s.parts, len(spans)+len(plan.Copies))
	add := func(p C.struct_portable__stage_part) {
		parts[s.part_count] = p
		s.part_count++
	}
	for _, c := range plan.Copies {
		p := C.struct_portable__stage_part{start: C.uintptr_t(c.Start), bytes: C.uint64_t(c.Bytes), there: C.uintptr_t(c.There), index: C.int32_t(c.Device),
			before: C.uintptr_t(c.Before)}
		if !c.Up {
			p.fetch, p.unit = 1, C.uint64_t(c.Unit)
		}
		add(p)
	}
	var staged []exec.Span
	var shapes []exec.Shape
	var which []int
	for i, at := range plan.At {
		if at != 0 {
			records[i].there = C.uintptr_t(at)
			s.present++
			keepsOrder(s, records[i])
			continue
		}
		which = append(which, i)
		staged = append(staged, exec.Span{Start: spans[i].Start, End: spans[i].End, Unit: spans[i].Unit, Written: spans[i].Written, Name: spans[i].Name})
		shapes = append(shapes, exec.Shape{Rank: int(records[i].rank), Order: exec.Freedom(records[i].order)})
	}
	if len(staged) == 0 {
		return C.PORTABLE_OK
	}
	list, at, bytes := exec.PlanStaging(staged)
	block, err := stageMemory{}.Allocate(int(s.index), bytes, "copies for "+label)
	if err != nil {
		return status(err)
	}
	s.block = C.uintptr_t(block)
	for i, n := range which {
		records[n].there = C.uintptr_t(block) + C.uintptr_t(at[i])
	}
	ordered := orderParts(s, records, which, staged, shapes, at, list)
	for i, p := range list {
		add(C.struct_portable__stage_part{start: C.uintptr_t(p.Start), bytes: C.uint64_t(p.Bytes), there: C.uintptr_t(block) + C.uintptr_t(p.At),
			unit: C.uint64_t(p.Unit), index: s.index, name: names[p.Name], ordered: ordered[i]})
	}
	return C.PORTABLE_OK
}

// orderParts gives arrays the orders of rules: for each part the number of its span from 1, or 0. which are the numbers of the spans in records.
func orderParts(s *C.struct_portable__staging, records []C.struct_portable__stage_span, which []int, spans []exec.Span, shapes []exec.Shape, at []uint64,
	parts []exec.Part) []C.int32_t {
	ordered := make([]C.int32_t, len(parts))
	if layouts.Len() == 0 {
		return ordered
	}
	turned, orders := stagings.OrderParts(C.GoString(&s.label[0]), spans, shapes, at, parts, orderOn(s))
	for i, k := range turned {
		if k < 0 {
			continue
		}
		r := &records[which[k]]
		r.ordered, ordered[i] = 1, C.int32_t(which[k]+1)
		for d, of := range orders[i] {
			r.fastest[d] = C.int32_t(of)
		}
	}
	return ordered
}

func orderOn(s *C.struct_portable__staging) exec.Turned {
	return func(name string, rank int) ([]int32, bool) {
		r := machine{}.Rule(name, int32(s.device), rank)
		return r.Dimensions(rank), r.Ordered
	}
}

// keepsOrder notes a rule for an array that stays in a data region, where launches of other orders find it.
func keepsOrder(s *C.struct_portable__staging, r C.struct_portable__stage_span) {
	if layouts.Len() != 0 {
		stagings.KeepsOrder(C.GoString(&s.label[0]), C.GoString(&r.name[0]), int(r.rank), orderOn(s))
	}
}

// atDataRegion does what needs no copies.
func atDataRegion(s *C.struct_portable__staging, label string, spans []present.Span) {
	thread := uint64(s.thread)
	switch s.what {
	case C.PORTABLE__DATA_BEGIN:
		regions.Open(label, thread)
	case C.PORTABLE__DATA_ADD:
		if len(spans) > 0 {
			regions.Add(thread, spans[0], present.Clause(s.clause&15), s.clause&16 != 0)
		}
	case C.PORTABLE__DATA_ENTER:
		if len(spans) > 0 {
			regions.Enter(thread, spans[0])
		}
	case C.PORTABLE__DATA_STAY:
		if len(spans) > 0 {
			regions.Stay(spans[0])
		}
	case C.PORTABLE__DATA_PAUSE:
		regions.Pause(thread)
	case C.PORTABLE__DATA_RESUME:
		regions.Resume(thread)
	}
}

func reported(region string) string {
	if region == present.Entered {
		return region
	}
	return "data " + region
}

//export portable__go_stage_end
func portable__go_stage_end(s *C.struct_portable__staging, outcome C.int32_t) (st C.portable_status) {
	defer guard(&st)
	if outcome == C.PORTABLE__STAGE_RAN {
		var parts []exec.Part
		for _, p := range unsafe.Slice(s.parts, int(s.part_count)) {
			if p.name == nil {
				continue
			}
			name := C.GoString(p.name)
			if p.ordered > 0 {
				r := unsafe.Slice(s.spans, int(s.count))[p.ordered-1]
				name += " (" + exec.Letters(unsafe.Slice((*int32)(&r.fastest[0]), int(r.rank))) + ")"
			}
			parts = append(parts, exec.Part{Start: uintptr(p.start), Bytes: uint64(p.bytes), Unit: uint64(p.unit), Name: name})
		}
		stagings.Count(C.GoString(&s.label[0]), parts)
	}
	copies, err := regions.Done(present.Outcome(outcome))
	for _, c := range copies {
		stagings.Add(reported(c.Region), c.Name, c.Bytes)
	}
	if s.block != 0 {
		if failed := (stageMemory{}).Free(int(s.index), uintptr(s.block)); err == nil {
			err = failed
		}
	}
	open, entries := regions.Counts()
	s.regions, s.entries = C.int32_t(open), C.int32_t(entries)
	return status(err)
}
