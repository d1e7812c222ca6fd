package halo

import (
	"slices"
	"strings"
)

// This file has own cells as blocks of the whole domain, for files.

// Block is a field of this rank as a part of a file: its dimensions from the one that runs slowest to the fastest. Shared: the
// dimension of the halo, counted from 1; 0: ranks do not share it.
type Block struct {
	Kind                 string
	Signature            int64
	Global, First, Count []int64
	Shared               []int
}

// Blocks plans own cells as blocks: one group of rows for each field, each from the beginning of the buffer.
func Blocks(s *Spec, fields []Field) (*Plan, []Block, Fault) {
	switch {
	case s.Box == nil:
		return nil, nil, fault("a halo of lists does not number the cells of all ranks, so another number of ranks could not read the file; use a halo of a box")
	case len(fields) == 0:
		return nil, nil, fault("there is no field; add one with portable_fields_add")
	}
	p, list := &Plan{Groups: len(fields)}, []Block(nil)
	_, own := s.Box.Own(s.Rank)
	for i := range fields {
		f := &fields[i]
		if why := f.check(s, i+1); why != "" {
			return nil, nil, why
		}
		if strings.Contains(f.Name, "/") || f.Name == "." || strings.HasPrefix(f.Name, "cells_") || strings.HasPrefix(f.Name, "extent_") || strings.HasPrefix(f.Name, "portable_") {
			return nil, nil, fault("field %d '%s' cannot have this name in a file: '/', '.', cells_..., extent_... and portable_... are for others", i+1, f.Name)
		}
		list = append(list, f.block(s))
		r := rows(f, f.shared(s), &Segment{Lower: s.Box.Width, Extent: own})
		r.Field, r.Group = i, i
		if bytes := r.Count() * r.Axes[0].Extent * r.Bytes; bytes > 0 {
			p.Own, p.Bytes = append(p.Own, r), max(p.Bytes, bytes)
		}
	}
	return p, list, ""
}

func (f *Field) block(s *Spec) Block {
	b := Block{Kind: f.kind(), Signature: f.signature(s)}
	first, count := s.Box.Own(s.Rank)
	shared := f.shared(s)
	for _, d := range slices.Backward(f.Order) {
		extent := f.Dimensions[d].Extent
		g := slices.Index(shared, d)
		b.Shared = append(b.Shared, g+1)
		if g < 0 {
			b.Global, b.First, b.Count = append(b.Global, extent), append(b.First, 0), append(b.Count, extent)
		} else {
			b.Global, b.First, b.Count = append(b.Global, s.Box.Global[g]), append(b.First, first[g]), append(b.Count, count[g])
		}
	}
	return b
}
