package replay

// This file turns a recording into a plan. Main function: Plan. A recording is a list of entries: a
// node comes after the entry before it in its stream; a join comes after two, that and the place of
// an event. Both are earlier entries, so the list is already in an order that works. Plan takes out
// the joins that order nothing new, so most nodes need one step, and no step needs more than two.

import "libportable/exec"

// Entry is an entry of a recording. Entries are counted from 1 on; 0 is the begin. exec/graph/questions.h has the same structure.
type Entry struct {
	Node   int32  // a node by its number; below 0: a join
	Stream uint32 // the stream, by the number of its slot
	After  uint32 // the entry before it in its stream
	Also   uint32 // of a join: that of the event
}

// Step is a step of a replay. Steps are counted from 1 on. exec/graph/questions.h has the same structure.
type Step struct {
	Node  int32     // below 0: none
	Needs [2]uint32 // 0: none
	Lane  uint32    // the stream, from 0 on; steps of one lane come one after the other
}

// Plan lists the steps of a recording into steps, which has room for as many as there are entries. last is the last entry of the stream in which the
// recording began: the end of each other stream must come before it.
func Plan(entries []Entry, last uint32, steps []Step) (count int, r exec.Refusal) {
	const call = "portable_graph_end"
	p := plan{entries: entries, step: make([]uint32, len(entries)+1), lanes: map[uint32]uint32{}, clocks: make([][]uint32, 1, len(entries)+1)}
	for i, e := range entries {
		at := uint32(i + 1)
		if e.After >= at || e.Also >= at || count >= len(steps) {
			return 0, exec.Refusal{Status: exec.BadState, Text: call + ": the recording was damaged"}
		}
		needs := [2]uint32{p.step[e.After], p.step[e.Also]}
		if e.Node < 0 {
			if one, same := p.one(needs); same {
				p.step[at] = one
				continue
			}
		}
		lane, known := p.lanes[e.Stream]
		if !known {
			lane = uint32(len(p.lanes))
			p.lanes[e.Stream] = lane
		}
		steps[count] = Step{e.Node, needs, lane}
		count++
		p.step[at] = uint32(count)
		p.clocks = append(p.clocks, p.clock(needs, lane, uint32(count)))
		p.laneOf = append(p.laneOf, lane)
	}
	if at, open := p.open(last); open {
		return 0, exec.Refusal{Status: exec.BadState, Text: p.notJoined(call, at)}
	}
	return count, r
}

type plan struct {
	entries []Entry
	step    []uint32 // of each entry; of a join that was left out the step that stands for it
	lanes   map[uint32]uint32
	laneOf  []uint32   // of each step, from 0 on
	clocks  [][]uint32 // of each step, from 1 on: the last step of each lane that comes before it, or is it
}

// one gives the step that comes after the other one, if one of the two does.
func (p *plan) one(needs [2]uint32) (uint32, bool) {
	first, second := min(needs[0], needs[1]), max(needs[0], needs[1])
	return second, first == second || p.before(first, second)
}

// before tests whether a step comes before a later one. Steps of a lane are ordered, so the last one of its lane that comes before decides.
func (p *plan) before(first, second uint32) bool {
	if first == 0 {
		return true
	}
	lane, clock := p.laneOf[first-1], p.clocks[second]
	return int(lane) < len(clock) && clock[lane] >= first
}

// clock makes that of the next step.
func (p *plan) clock(needs [2]uint32, lane, step uint32) []uint32 {
	a, b := p.clocks[needs[0]], p.clocks[needs[1]]
	clock := make([]uint32, max(len(a), len(b), int(lane)+1))
	copy(clock, a)
	for i, at := range b {
		clock[i] = max(clock[i], at)
	}
	clock[lane] = step
	return clock
}

// open gives an entry that does not come before the last one, if there is one. A join alone is no work.
func (p *plan) open(last uint32) (at uint32, open bool) {
	reached := make([]bool, len(p.entries)+1)
	reached[last] = true
	for at := last; at > 0; at-- {
		if reached[at] {
			reached[p.entries[at-1].After], reached[p.entries[at-1].Also] = true, true
		}
	}
	for i, e := range p.entries {
		if e.Node >= 0 && !reached[i+1] {
			return uint32(i + 1), true
		}
	}
	return 0, false
}
