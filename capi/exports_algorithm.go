package capi

// This file has the exports that refuse calls on arrays and reductions: they decode C's arguments
// for exec.ArrayCall and exec.ReductionCall.

/*
#include "questions.h"
#include "../exec/algorithm/fft_plan.h"
#include "../exec/liveout/liveout.h"

*/
import "C"

import (
	"unsafe"

	"libportable/exec"
	"libportable/internal/fourier"
)

// overlaps answers questions of overlap by the functions of C that test calls.
type overlaps struct{}

func lying(x *exec.Placed) *C.struct_portable__lying {
	return (*C.struct_portable__lying)(unsafe.Pointer(x))
}

func (overlaps) Fits(x *exec.Placed) bool { return C.portable__lying_fits(lying(x)) != 0 }
func (overlaps) Overlap(a, b *exec.Placed) exec.Sharing {
	return exec.Sharing(C.portable__overlap(lying(a), lying(b)))
}
func (overlaps) OverlapsItself(x *exec.Placed) bool { return C.portable__overlap_self(lying(x)) != 0 }

func address(p unsafe.Pointer) uintptr { return uintptr(p) }

// read copies a structure of the caller, which an older header may have made shorter.
func read[T any](given unsafe.Pointer) (t T, size exec.Size) {
	if given == nil {
		return t, size
	}
	size = exec.Size{Given: uint32(*(*C.uint32_t)(given)), Most: uint32(unsafe.Sizeof(t))}
	if !size.Wrong() {
		copy(unsafe.Slice((*byte)(unsafe.Pointer(&t)), size.Most), unsafe.Slice((*byte)(given), size.Given))
	}
	return t, size
}

// arrayCall decodes the arguments, and the options that C completes by defaults of 0.
func arrayCall(c *C.struct_portable__array_call) *exec.ArrayCall {
	a := &exec.ArrayCall{Call: exec.Algorithm(c.call), Label: C.GoString((*C.char)(unsafe.Pointer(c.label))), Op: int32(c.op), Kind: exec.Kind(c.kind),
		MaskKind: exec.Kind(c.mask_kind), IndexKind: exec.Kind(c.index_kind), Rank: int32(c.rank), ElementBytes: int64(c.element_bytes),
		Count: int64(c.count), Lower: int64(c.lower), NoCount: c.count_out == nil, Memory: overlaps{}}
	list := func(p *C.int64_t) []int64 {
		if p == nil || c.rank < 1 || c.rank > 8 {
			return nil
		}
		return unsafe.Slice((*int64)(unsafe.Pointer(p)), c.rank)
	}
	operand := func(p unsafe.Pointer, strides *C.int64_t) exec.Operand {
		return exec.Operand{At: address(p), Strides: list(strides)}
	}
	launch := func(l *C.struct_portable_launch_config) {
		if l != nil {
			a.Launch = exec.Size{Given: uint32(l.struct_size), Most: uint32(unsafe.Sizeof(*l))}
		}
	}
	a.Extents = list(c.extents)
	options := unsafe.Pointer(c.options)
	switch a.Call {
	case exec.ReduceArray:
		o, size := read[C.portable_array_options](options)
		a.Options, a.Flags, a.Order, a.Dim, a.MaskKind = size, uint32(o.flags), int32(o.order), int32(o.dim), exec.Kind(o.mask_kind)
		a.Reserved = int32(o.reserved)
		a.A, a.Result, a.Mask = operand(c.a, o.strides), operand(c.result, nil), operand(o.mask, o.mask_strides)
		launch(o.launch)
	case exec.Scan:
		o, size := read[C.portable_scan_options](options)
		a.Options, a.Flags, a.Order, a.Dim = size, uint32(o.flags), int32(o.order), int32(o.dim)
		a.A, a.Result = operand(c.a, o.strides), operand(c.result, o.out_strides)
		launch(o.launch)
	case exec.Pack, exec.Unpack, exec.FilterIndices:
		o, size := read[C.portable_filter_options](options)
		a.Options, a.Order, a.SecondStride, a.Rest = size, int32(o.order), int64(o.packed_stride), o.rest != nil
		a.A, a.B, a.Mask = operand(c.a, o.strides), operand(c.b, nil), operand(c.mask, o.mask_strides)
		launch(o.launch)
	case exec.Sort, exec.SortByKey, exec.SortIndex:
		o, size := read[C.portable_sort_options](options)
		a.Options, a.Flags, a.Stride, a.SecondStride = size, uint32(o.flags), int64(o.stride), int64(o.value_stride)
		a.A, a.B = operand(c.a, nil), operand(c.b, nil)
		launch(o.launch)
	case exec.Binary, exec.Unary, exec.Merge, exec.Fill:
		o, size := read[C.portable_componentwise_options](options)
		a.Options, a.Flags, a.Order, a.ResultKind = size, uint32(o.flags), int32(o.order), exec.Kind(o.result_kind)
		a.Result, a.A = operand(c.result, o.result_strides), operand(c.a, o.a_strides)
		a.B, a.Mask = operand(c.b, o.b_strides), operand(c.mask, o.mask_strides)
		launch(o.launch)
	case exec.RandomFill:
		o, size := read[C.portable_random_options](options)
		a.Options, a.Order, a.Op, a.Lower = size, int32(o.order), int32(o.distribution), int64(o.first)
		a.Result = operand(c.result, o.strides)
		launch(o.launch)
	case exec.SolveThree, exec.SolveFive:
		o, size := read[C.portable_solve_options](options)
		a.Options, a.Flags, a.Order, a.Dim = size, uint32(o.flags), int32(o.order), int32(o.dim)
		a.Result = operand(c.result, o.rhs_strides)
		strides := []*C.int64_t{o.lower2_strides, o.lower_strides, o.diag_strides, o.upper_strides, o.upper2_strides}
		if a.Call == exec.SolveThree {
			strides = strides[1:4]
		}
		for k, s := range strides {
			band := operand(c.bands[k], nil)
			if s != nil && a.Extents != nil { // of one matrix there is one stride
				band.Strides = unsafe.Slice((*int64)(unsafe.Pointer(s)), len(a.Extents))
				if a.Flags&C.PORTABLE_SOLVE_ONE != 0 {
					band.Strides = band.Strides[:1:1]
				}
			}
			a.Bands = append(a.Bands, band)
		}
		launch(o.launch)
	case exec.FFTForward, exec.FFTBackward:
		o, size := read[C.portable_fft_options](options)
		a.Options, a.Flags, a.Order, a.Part = size, uint32(o.flags), int32(o.order), int64(o.part_stride)
		a.Reserved = int32(o.reserved)
		a.A, a.Result = operand(c.a, o.in_strides), operand(c.result, o.out_strides)
		launch(o.launch)
	case exec.ParallelFilter:
		if b := (*C.portable_bounds)(c.a); b != nil {
			a.Bounds = &exec.IndexBounds{Known: uintptr(b.struct_size) == unsafe.Sizeof(*b), Rank: int32(b.rank), Lower: int64(b.lower[0]), Upper: int64(b.upper[0])}
		}
		a.A, a.B = operand(c.mask, nil), operand(c.b, nil)
	}
	return a
}

//export portable__go_algorithm_refused
func portable__go_algorithm_refused(c *C.struct_portable__array_call) (st C.portable_status) {
	defer guard(&st)
	a := arrayCall(c)
	s, text := a.Refuse()
	return refusal(exec.Refusal{Status: s, Text: text}, a.Call.Name())
}

// reductionCall decodes the list of results up to an entry of another size, because the entry after that one cannot be found.
func reductionCall(c *C.struct_portable__reduction_call) *exec.ReductionCall {
	a := &exec.ReductionCall{Label: C.GoString((*C.char)(unsafe.Pointer(c.label))), Kernel: c.kernel != 0, Count: uint64(c.count), First: int(c.first)}
	if c.results == nil || c.count > C.PORTABLE_REDUCTIONS_MOST {
		return a
	}
	a.Results = []exec.ReductionResult{}
	for i := range int(c.count) {
		r := (*C.portable_reduction)(unsafe.Add(unsafe.Pointer(c.results), uintptr(i)*unsafe.Sizeof(*c.results)))
		e := exec.ReductionResult{Size: uint32(r.struct_size), KnownSize: uint32(unsafe.Sizeof(*r))}
		if e.Size != e.KnownSize {
			a.Results = append(a.Results, e)
			break
		}
		e.Op, e.Kind, e.Flags, e.Bytes = int32(r.operation), exec.Kind(r.kind), uint32(r.flags), uint64(r.bytes)
		e.Combine, e.To, e.LiveOut = r.combine != nil, r.to != nil, r.liveout != 0
		if e.LiveOut {
			var to unsafe.Pointer
			switch C.portable__liveout_find((*C.char)(unsafe.Pointer(unsafe.StringData("parallel_reduce\x00"))), r.liveout, r.kind, &to) {
			case C.PORTABLE_ERR_HANDLE:
				e.LiveOutFault = exec.BadHandle
			case C.PORTABLE_ERR_ARG:
				e.LiveOutFault = exec.BadArgument
			}
			if e.LiveOutFault != exec.Ordinary {
				e.LiveOutText = C.GoString(C.portable_last_error())
			}
		}
		a.Results = append(a.Results, e)
	}
	return a
}

//export portable__go_reduction_refused
func portable__go_reduction_refused(c *C.struct_portable__reduction_call) (st C.portable_status) {
	defer guard(&st)
	s, text := reductionCall(c).Refuse()
	return refusal(exec.Refusal{Status: s, Text: text}, "parallel_reduce")
}

//export portable__go_fft_create
func portable__go_fft_create(label C.portable__text, kind C.int32_t, n C.int64_t, dim C.int32_t, out *C.portable_fft) (st C.portable_status) {
	defer guard(&st)
	missing := ""
	if out == nil {
		missing = "plan_out"
	}
	if r := exec.RefuseFFT(ended(label), missing, int32(kind), int64(n), int32(dim), fourier.Fits(int64(n))); r.Status != 0 {
		return fail(C.portable_status(r.Status), r.Text)
	}
	plan := fourier.New(int64(n), kind == C.PORTABLE_FFT_R2C)
	const record, single, double = uint64(C.sizeof_struct_portable__fft_plan+63) &^ 63, 0, 1
	first := uint64(plan.Kinds[double].Count) * 8
	bytes := record + first + uint64(plan.Kinds[single].Count)*4
	if p := C.portable__fft_make(C.uint64_t(bytes)); p != nil {
		if writeFFT(p, plan, unsafe.Add(unsafe.Pointer(p), record), unsafe.Add(unsafe.Pointer(p), record+first)) {
			*out = C.portable__fft_publish(p, dim)
		}
		if *out != 0 {
			return st
		}
		C.portable__fft_unmake(p)
	}
	r := exec.NoFFT(ended(label), int64(n), bytes)
	return fail(C.portable_status(r.Status), r.Text)
}

// writeFFT writes a record and its tables. False: no memory.
func writeFFT(to *C.struct_portable__fft_plan, p *fourier.Plan, real64, real32 unsafe.Pointer) bool {
	to.n, to.real, to.m, to.padded = C.int64_t(p.N), oneIf(p.Real), C.int64_t(p.M), C.int64_t(p.Padded)
	for kind, table := range []unsafe.Pointer{real32, real64} {
		t, n := &to.numbers[kind], &p.Kinds[kind]
		t.at, t.count, t.turns, t.chirp, t.spectrum = table, C.int64_t(n.Count), C.int64_t(n.Turns), C.int64_t(n.Chirp), C.int64_t(n.Spectrum)
		t.passes.n, t.passes.count = C.int64_t(n.Length), C.int32_t(len(n.Radices))
		for i, r := range n.Radices {
			t.passes.radix[i], t.passes.table[i] = C.int32_t(r), C.int64_t(n.Tables[i])
		}
	}
	singles, doubles := unsafe.Slice((*float32)(real32), p.Kinds[0].Count), unsafe.Slice((*float64)(real64), p.Kinds[1].Count)
	fourier.Fill(p, 0, singles)
	fourier.Fill(p, 1, doubles)
	if p.Padded == 0 {
		return true
	}
	spectrum := doubles[p.Kinds[1].Spectrum:][:2*p.Padded]
	if C.portable__fft_spectrum(to, (*C.double)(unsafe.Pointer(&spectrum[0]))) == 0 {
		return false
	}
	for i, x := range spectrum {
		singles[p.Kinds[0].Spectrum+int64(i)] = float32(x)
	}
	return true
}

//export portable__go_extent_refused
func portable__go_extent_refused(call, label, name C.portable__text, dim C.int32_t, has, array C.int64_t) (st C.portable_status) {
	defer guard(&st)
	s, text := exec.RefuseExtent(ended(call), ended(label), ended(name), int(dim), int64(has), int64(array))
	return fail(C.portable_status(s), text)
}
