package halo

import (
	"fmt"
	"hash/fnv"
	"slices"
)

// This file has fields: their shape in a halo, and the signature that ranks compare.

// Dimension is one dimension of a field: elements, and the stride in bytes.
type Dimension struct{ Extent, Step int64 }

// Field is an array with ghost cells. Order lists its dimensions, the one that runs fastest first.
type Field struct {
	Name        string
	Kind, Bytes int // of an element
	At          uintptr
	Dimensions  []Dimension
	Order       []int
	Shared      []int // the dimension that each one of the halo is; none: chosen by shared
	CNumbered   bool  // texts count dimensions as C does
}

// Names of kinds, as in portable_reduce.h.
var kindNames = [...]string{"bytes", "int8", "int16", "int32", "int64", "real32", "real64", "complex32", "complex64", "logical8", "logical16", "logical32", "logical64"}

func (f *Field) kind() string {
	if f.Kind > 0 && f.Kind < len(kindNames) {
		return kindNames[f.Kind]
	}
	return fmt.Sprintf("%d bytes", f.Bytes)
}

// shared gives the dimension that each dimension of the halo is. -1 in place: the field has too few.
func (f *Field) shared(s *Spec) []int {
	n := s.dimensions()
	if len(f.Shared) > 0 || n > len(f.Dimensions) {
		return f.Shared
	}
	chosen := slices.Clone(f.Order[:n])
	if s.Box == nil {
		return []int{f.Order[len(f.Order)-1]}
	}
	slices.Sort(chosen)
	return chosen
}

// check refuses a field that does not fit the halo.
func (f *Field) check(s *Spec, number int) Fault {
	n := s.dimensions()
	shared := f.shared(s)
	if len(shared) != n {
		return fault("field %d '%s' has %d of the %d dimensions of the halo (its rank is %d); name %d with dims", number, f.Name, len(shared), n, len(f.Dimensions), n)
	}
	if s.Particles != nil {
		return s.Particles.fits(f, s.Rank, number, shared[0])
	}
	if s.Box == nil {
		return s.Lists.fits(f, f.Dimensions[shared[0]].Extent, number)
	}
	_, count := s.Box.Own(s.Rank)
	for d, own := range count {
		has, w := f.Dimensions[shared[d]].Extent, s.Box.Width[d]
		if has != own+2*w {
			return fault("extent %d of field %d '%s' is %d; it is %d: the %d cells of this rank and %d ghost cells at each side", shared[d]+1, number, f.Name, has, own+2*w, own, w)
		}
	}
	return ""
}

// describe is the signature in words: all that must be the same on all ranks.
func (f *Field) describe(s *Spec) string {
	shared := f.shared(s)
	text := fmt.Sprintf("'%s', %s, rank %d, dims", f.Name, f.kind(), len(f.Dimensions))
	for _, d := range shared {
		text += fmt.Sprintf(" %d", d+1)
	}
	other := ""
	for d, x := range f.Dimensions {
		if !slices.Contains(shared, d) {
			other += fmt.Sprintf(" %d", x.Extent)
		}
	}
	if other != "" {
		text += ", other extents" + other
	}
	return text
}

// signature is a number for all that must be the same on all ranks; it is positive, because ranks also compare its negative.
func (f *Field) signature(s *Spec) int64 {
	h := fnv.New64a()
	fmt.Fprint(h, f.describe(s), f.Bytes, f.Order)
	return int64(h.Sum64() >> 2)
}

// Signature is that of a halo.
func (s *Spec) Signature() int64 {
	h := fnv.New64a()
	if b := s.Box; b != nil {
		fmt.Fprint(h, "box", b.Global, b.Width, b.Grid, b.Periodic, b.Faces)
	}
	return int64(h.Sum64() >> 2)
}
