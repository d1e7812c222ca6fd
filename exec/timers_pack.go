package exec

// This file packs the timers of a process into bytes (PackTimers) and reads them (UnpackTimers).
// Packs of several processes follow each other. Not here: merging (timers_merge.go).
//
// Layout, least byte first: the mark; the size of the pack; rank (-1: unknown); the number of
// timers; then for each timer its parent, calls under way, a byte for lost timers, four times and
// counts, the length of its label, the label.

import (
	"encoding/binary"
	"fmt"
)

// Packed are the timers of one process.
type Packed struct {
	Rank   int // -1: none
	Timers []Timer
}

const (
	packMark  = "portT1\r\n" // a text mode that changes line ends breaks it
	packHead  = len(packMark) + 8 + 4 + 4
	packTimer = 4 + 4 + 4 + 5*8 + 4
	packMost  = 1 << 61 // so that a sum of two still is a number
)

// PackTimers gives the bytes.
func PackTimers(p Packed) []byte {
	b := append(make([]byte, 0, packHead+len(p.Timers)*(packTimer+32)), packMark...)
	b = binary.LittleEndian.AppendUint64(b, 0)
	b = binary.LittleEndian.AppendUint32(b, uint32(int32(p.Rank)))
	b = binary.LittleEndian.AppendUint32(b, uint32(len(p.Timers)))
	for _, t := range p.Timers {
		lost := uint32(0)
		if t.Lost {
			lost = 1
		}
		for _, n := range []uint32{uint32(int32(t.Parent)), uint32(int32(t.Active)), lost} {
			b = binary.LittleEndian.AppendUint32(b, n)
		}
		for _, n := range []int64{t.Count, t.Total, t.Min, t.Max, t.Elapsed} {
			b = binary.LittleEndian.AppendUint64(b, uint64(n))
		}
		b = binary.LittleEndian.AppendUint32(b, uint32(len(t.Label)))
		b = append(b, t.Label...)
	}
	binary.LittleEndian.PutUint64(b[len(packMark):], uint64(len(b)))
	return b
}

// UnpackTimers reads the packs of several processes.
func UnpackTimers(b []byte) (list []Packed, err error) {
	for at := 0; at < len(b); {
		p, n, ok := unpack(b[at:])
		if !ok {
			return nil, fmt.Errorf("byte %d of %d is not where the timers of a process begin, or they are not complete; hand over what "+
				"portable_timers_pack has written, one process behind the other and without gaps", at, len(b))
		}
		list = append(list, p)
		at += n
	}
	return list, nil
}

// unpack reads one pack and gives its size in bytes.
func unpack(b []byte) (p Packed, n int, ok bool) {
	if len(b) < packHead || string(b[:len(packMark)]) != packMark {
		return p, 0, false
	}
	all := binary.LittleEndian.Uint64(b[len(packMark):])
	if all < uint64(packHead) || all > uint64(len(b)) {
		return p, 0, false
	}
	n = int(all)
	p.Rank = int(int32(binary.LittleEndian.Uint32(b[len(packMark)+8:])))
	count := binary.LittleEndian.Uint32(b[len(packMark)+12:])
	b = b[packHead:n]
	for i := range int(count) {
		if len(b) < packTimer {
			return p, 0, false
		}
		word := func(i int) int { return int(int32(binary.LittleEndian.Uint32(b[4*i:]))) }
		long := func(i int) int64 { return int64(binary.LittleEndian.Uint64(b[12+8*i:])) }
		label := binary.LittleEndian.Uint32(b[packTimer-4:])
		t := Timer{Parent: word(0), Active: word(1), Lost: word(2) != 0, Count: long(0), Total: long(1), Min: long(2), Max: long(3), Elapsed: long(4)}
		if t.Parent < -1 || t.Parent >= i || t.Active < 0 || label > uint32(len(b)-packTimer) ||
			min(t.Count, t.Total, t.Min, t.Max, t.Elapsed) < 0 || max(t.Count, t.Total, t.Min, t.Max, t.Elapsed) > packMost {
			return p, 0, false
		}
		t.Label = string(b[packTimer : packTimer+int(label)])
		p.Timers = append(p.Timers, t)
		b = b[packTimer+int(label):]
	}
	return p, n, len(b) == 0
}
