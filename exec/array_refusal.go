package exec

// This file refuses calls on arrays. One method for each call repeats the verdict of C, in the
// order of its checks (exec/algorithm/*.c; call.h declares the verdicts). ArrayCall.Refuse
// (array_call.go) chooses the method.

import (
	"fmt"
	"math"
	"math/bits"
)

// Each check below is true if it refuses the call, so that the checks of a call are one expression, in their order. First come the calls, then the
// kinds of arguments that they share.

func (c *ArrayCall) reduceArray() bool {
	c.ElementBytes = c.Kind.bytes()
	return c.options() || c.operation(reductions[:opUser], "PORTABLE_REDUCE_SUM to _COUNT") || c.rank() || c.null("result_out", c.Result) || c.extents() ||
		!c.empty && c.nullOf("data", c.A) || c.order() || c.dim() || c.flags(3, "there are PORTABLE_REDUCE_WIDE and PORTABLE_REDUCE_EXACT") || c.reserved() ||
		c.Flags&2 != 0 && (c.Op != opSum || !c.Kind.in(real|complex)) &&
			c.refuse(BadArgument, "PORTABLE_REDUCE_EXACT is for sums of real and complex scalars, not for %s of the kind %s", reductions[c.Op].name, c.Kind.Name()) ||
		c.Mask.At != 0 && (c.Op >= opAny && c.refuse(BadArgument, "%s takes no mask; the array is one", reductions[c.Op].name) || c.maskKind()) ||
		c.tooMany("bytes", c.ElementBytes, -1) || c.Mask.At != 0 && c.tooMany("bytes of the mask", c.MaskKind.bytes(), -1) || c.tooManyResults() || c.launch()
}

func (c *ArrayCall) scan() bool {
	c.ElementBytes = c.Kind.bytes()
	return c.options() || c.scanOperation() || c.rank() || c.extents() || !c.empty && (c.nullOf("data", c.A) || c.nullOf("out", c.Result)) || c.order() ||
		c.dim() || c.flags(1, "there is PORTABLE_SCAN_EXCLUSIVE") || c.tooMany("bytes", c.ElementBytes, -1) || !c.empty && c.scanOverlap() || c.launch()
}

func (c *ArrayCall) scanOperation() bool {
	return (c.Op < opSum || c.Op > opMax) &&
		c.refuse(BadArgument, "%d is not an operation of scans; they are PORTABLE_REDUCE_SUM, _PRODUCT, _MIN and _MAX", c.Op) ||
		!c.Kind.in(scalars) && c.refuse(BadArgument, "there is no scan by %s of elements of the kind %d; there is of PORTABLE_KIND_INT8 (1) to _REAL64 (6)",
			reductions[c.Op].name, c.Kind)
}

// filter: the array goes to, or comes from, a packed vector; of a list of indices, the mask is the array.
func (c *ArrayCall) filter() bool {
	packed := [...]string{Pack: "out", Unpack: "vector", FilterIndices: "indices"}[c.Call]
	data := c.A
	if c.Call == FilterIndices {
		if c.indexKind() {
			return true
		}
		data = c.Mask
	}
	return c.options() || c.rank() || c.order() ||
		(c.ElementBytes < 1 || c.ElementBytes > math.MaxInt32) && c.refuse(BadArgument, "element_bytes is %d; it is 1 to %d", c.ElementBytes, math.MaxInt32) ||
		c.maskKind() || c.Count < 0 && c.refuse(BadArgument, "there are %d elements of %s; there are 0 or more", c.Count, packed) || c.extents() ||
		c.tooMany("bytes", max(c.ElementBytes, 8), -1) || !c.empty && (c.nullOf("mask", c.Mask) || c.nullOf("data", data)) ||
		c.Count > 0 && c.B.At == 0 && c.refuse(BadArgument, "%s is NULL, but has elements", packed) ||
		c.Call != Unpack && c.NoCount && c.refuse(BadArgument, "count_out is NULL") ||
		c.Call == FilterIndices && c.indicesFit(c.elements()) || c.filterOverlap(packed) || c.launch()
}

// sort: C has checked before that the library runs.
func (c *ArrayCall) sort() bool {
	bytes := c.Kind.bytes()
	return c.Call == SortByKey && (c.ElementBytes < 1 || c.ElementBytes > math.MaxInt32) &&
		c.refuse(BadArgument, "value_bytes is %d; a value has 1 to %d bytes", uint64(c.ElementBytes), math.MaxInt32) ||
		c.Call == SortIndex && c.indexKind() || c.options() ||
		!c.Kind.in(scalars) && c.refuse(BadArgument, "%d is not a kind of keys; they are PORTABLE_KIND_INT8 to _REAL64", c.Kind) ||
		c.Count < 0 && c.refuse(BadArgument, "count is %d; it is 0 or more", c.Count) ||
		c.Count > 0 && (c.nullKeys("keys", c.A) || c.ElementBytes != 0 && c.nullKeys("the second array", c.B)) ||
		c.flags(1, "there is PORTABLE_SORT_DESCENDING") || c.step("stride", c.Stride, bytes) ||
		c.SecondStride != 0 && c.ElementBytes == 0 && c.refuse(BadArgument, "value_stride is for values and indices; here are keys alone") ||
		c.step("value_stride", c.SecondStride, c.ElementBytes) || c.launch() || c.Count > 0 && c.sortMemory(bytes) ||
		c.Call == SortIndex && c.indicesFit(c.Count)
}

// componentwise: operations are found first, then the result and the operands are checked one by one.
func (c *ArrayCall) componentwise() bool {
	bytes := [4]int64{c.Kind.bytes(), c.Kind.bytes(), c.Kind.bytes(), c.MaskKind.bytes()} // of result, a, b, mask
	switch c.Call {
	case Binary:
		if c.operation(binaries, "PORTABLE_BINARY_ADD to _OR") {
			return true
		}
	case Unary:
		if c.operation(unaries, "PORTABLE_UNARY_PLUS to _NOT") {
			return true
		}
	case Merge:
		if !c.Kind.in(^exact) && c.refuse(BadArgument, "%d is not a kind of element; they are PORTABLE_KIND_INT8 to _LOGICAL64", c.Kind) || c.maskKind() {
			return true
		}
	case Fill:
		bytes[0] = c.ElementBytes
	}
	if c.options() || c.flags(7, "there are PORTABLE_ONE_A, _B and _MASK") || c.order() || c.rank() || c.extents() || c.tooMany("elements", 1, -1) {
		return true
	}
	switch truth := c.Call == Binary && c.Op >= binaryLess || c.Call == Unary && c.Op >= unaryIsnan; {
	case c.Call == Fill:
		if c.ElementBytes < 1 && c.refuse(BadArgument, "element_bytes is %d; it is 1 or more", c.ElementBytes) || c.null("the value", c.A) {
			return true
		}
	case truth && c.ResultKind != 0:
		if !c.ResultKind.in(logical) {
			return c.refuse(BadArgument, "result_kind is %d; it is a kind PORTABLE_KIND_LOGICAL..., or 0", c.ResultKind)
		}
		bytes[0] = c.ResultKind.bytes()
	case truth && !c.Kind.in(logical):
		bytes[0] = 4
	}
	var placed [4]Placed
	operands := [...]struct {
		name string
		Operand
	}{{"the result", c.Result}, {"a", c.A}, {"b", c.B}, {"the mask", c.Mask}}
	used := [...]int{Binary: 3, Unary: 2, Merge: 4, Fill: 1}[c.Call]
	for k, o := range operands[:used] {
		if k > 0 && c.Flags>>(k-1)&1 != 0 { // one value
			if c.null(o.name, o.Operand) {
				return true
			}
			continue
		}
		if !c.empty && (c.nullOf(o.name, o.Operand) || c.place(&placed[k], o.name, o.Operand, bytes[k])) {
			return true
		}
	}
	return !c.empty && c.resultOverlap(placed[:used], func(k int) string { return operands[k].name }) || c.launch()
}

func (c *ArrayCall) parallelFilter() bool {
	b := c.Bounds
	return b == nil && c.refuse(BadArgument, "bounds is NULL") || c.NoCount && c.refuse(BadArgument, "count_out is NULL") || c.null("the predicate", c.A) ||
		b.Known && b.Rank != 1 && c.refuse(BadArgument, "bounds have the rank %d; a list of indices is of one dimension", b.Rank) || c.indexKind() ||
		c.Count < 0 && c.refuse(BadArgument, "room is %d; it is 0 or more", c.Count) ||
		c.Count > 0 && c.B.At == 0 && c.refuse(BadArgument, "indices is NULL, but has room") ||
		c.IndexKind == kindInt32 && b.Lower <= b.Upper && (b.Lower < math.MinInt32 || b.Upper > math.MaxInt32) &&
			c.refuse(Overflow, "indices from %d to %d do not fit int32; take int64", b.Lower, b.Upper)
}

// randomFill: Op is the distribution.
func (c *ArrayCall) randomFill() bool {
	c.ElementBytes = c.Kind.bytes()
	return c.options() || !c.Kind.in(real) && c.refuse(BadArgument, "%d is not a kind of random numbers; they are PORTABLE_KIND_REAL32 and _REAL64", c.Kind) ||
		(c.Op < 0 || c.Op > 1) && c.refuse(BadArgument, "distribution is %d; it is PORTABLE_RANDOM_UNIFORM or _NORMAL", c.Op) ||
		c.rank() || c.extents() || !c.empty && c.nullOf("data", c.Result) || c.order() || c.tooMany("bytes", c.ElementBytes, -1) || !c.empty && c.randomPlaces() || c.launch()
}

func (c *ArrayCall) randomPlaces() bool {
	var to Placed
	last := c.elements() - 1
	return c.place(&to, "data", c.Result, c.ElementBytes) || c.onItself(&to, "data") ||
		c.Lower > math.MaxInt64-last && c.refuse(Overflow, "cells from %d for %d elements do not fit int64", c.Lower, last+1)
}

// ---- one function for each kind of argument ----

func (c *ArrayCall) refuse(f Status, format string, args ...any) bool {
	c.fault, c.text = f, algorithms[c.Call].call+" '"+c.Label+"': "+fmt.Sprintf(format, args...)
	return true
}

func (c *ArrayCall) options() bool {
	return c.Options.Wrong() && c.refuse(BadArgument, "options.struct_size is %d; begin with PORTABLE_%s_OPTIONS_INIT", c.Options.Given, algorithms[c.Call].options)
}

func (c *ArrayCall) launch() bool {
	return c.Launch.Wrong() && c.refuse(BadArgument, "launch.struct_size is %d; begin with PORTABLE_LAUNCH_CONFIG_INIT", c.Launch.Given)
}

func (c *ArrayCall) operation(list []operation, they string) bool {
	if c.Op < 1 || int(c.Op) >= len(list) {
		return c.refuse(BadArgument, "%d is not an operation; they are %s", c.Op, they)
	}
	if !c.Kind.in(^exact) {
		return c.refuse(BadArgument, "%d is not a kind of element; they are PORTABLE_KIND_INT8 to _LOGICAL64", c.Kind)
	}
	if c.Kind.in(list[c.Op].of) {
		return false
	}
	hint := "operands are int32, int64, real32, real64 or logical"
	switch of := c.Kind; {
	case c.Call == ReduceArray && of.in(logical):
		hint = "logicals have any, all and count"
	case c.Call == ReduceArray && c.Op >= opAny:
		hint = "any, all and count are for logicals"
	case c.Call == ReduceArray:
		hint = "complex scalars have no order: they have sum and product"
	case of.in(logical):
		hint = "logicals have and, or, not, equal and unequal"
	case of.in(whole):
		hint = "integers have no functions of reals"
	}
	return c.refuse(BadArgument, "there is no %s of elements of the kind %s; %s", list[c.Op].name, c.Kind.Name(), hint)
}

func (c *ArrayCall) maskKind() bool {
	return !c.MaskKind.in(logical) && c.refuse(BadArgument, "mask_kind is %d; a mask is of a kind PORTABLE_KIND_LOGICAL...", c.MaskKind)
}

func (c *ArrayCall) indexKind() bool {
	return c.IndexKind != kindInt32 && c.IndexKind != kindInt64 && c.refuse(BadArgument, "index_kind is %d; it is PORTABLE_KIND_INT32 or _INT64", c.IndexKind)
}

func (c *ArrayCall) rank() bool {
	return (c.Rank < 1 || c.Rank > 8) && c.refuse(BadArgument, "rank is %d; it is 1 to 8", c.Rank) ||
		c.Extents == nil && c.refuse(BadArgument, "extents is NULL")
}

func (c *ArrayCall) extents() bool {
	for d, n := range c.Extents {
		if n < 0 {
			return c.refuse(BadArgument, "extent %d is %d; it is 0 or more", d+1, n)
		}
		c.empty = c.empty || n == 0
	}
	return false
}

func (c *ArrayCall) order() bool {
	return (c.Order < 0 || c.Order > 1) && c.refuse(BadArgument, "order is %d; it is PORTABLE_ORDER_C or PORTABLE_ORDER_FORTRAN", c.Order)
}

func (c *ArrayCall) dim() bool {
	return (c.Dim < 0 || c.Dim > c.Rank) && c.refuse(BadArgument, "dim is %d; the array has the dimensions 1 to %d", c.Dim, c.Rank)
}

func (c *ArrayCall) flags(known uint32, they string) bool {
	return c.Flags&^known != 0 && c.refuse(BadArgument, "flags is %#x; %s", c.Flags, they)
}

func (c *ArrayCall) reserved() bool {
	return c.Reserved != 0 && c.refuse(BadArgument, "options.reserved is %d; it is 0 in this version: begin with PORTABLE_%s_OPTIONS_INIT", c.Reserved, algorithms[c.Call].options)
}

func (c *ArrayCall) null(name string, o Operand) bool {
	return o.At == 0 && c.refuse(BadArgument, "%s is NULL", name)
}

// nullOf: an array that has elements.
func (c *ArrayCall) nullOf(name string, o Operand) bool {
	return o.At == 0 && c.refuse(BadArgument, "%s is NULL, but the array has elements", name)
}

func (c *ArrayCall) nullKeys(name string, o Operand) bool {
	return o.At == 0 && c.refuse(BadArgument, "%s is NULL, but there are %d keys", name, c.Count)
}

// step: the stride of a vector; 0 is contiguous.
func (c *ArrayCall) step(name string, stride, bytes int64) bool {
	return stride != 0 && stride > -bytes && stride < bytes &&
		c.refuse(BadArgument, "%s is %d bytes; elements of %d bytes are at least as far apart, or it is 0", name, stride, bytes)
}

// elements counts the elements of an array with checked extents.
func (c *ArrayCall) elements() int64 { n, _ := c.product(1, -1); return n }

// product multiplies by all extents but that of one dimension; false: it does not fit.
func (c *ArrayCall) product(bytes int64, without int) (int64, bool) {
	n, fits := uint64(bytes), true
	for d, extent := range c.Extents {
		if d == without {
			continue
		}
		if extent == 0 {
			return 0, true
		}
		high, low := bits.Mul64(n, uint64(extent))
		n, fits = low, fits && high == 0 && low <= math.MaxInt64
	}
	return int64(n), fits
}

// tooMany: elements of so many bytes, in all dimensions but one.
func (c *ArrayCall) tooMany(what string, bytes int64, without int) bool {
	_, fits := c.product(bytes, without)
	return !fits && c.refuse(Overflow, "there are more %s than a 64-bit integer counts", what)
}

// tooManyResults: reductions along dim have a result of up to 8 bytes for each line.
func (c *ArrayCall) tooManyResults() bool {
	return c.Dim > 0 && c.tooMany("bytes of results", 8, int(c.Dim)-1)
}

func (c *ArrayCall) indicesFit(count int64) bool {
	least, most := int64(math.MinInt64), int64(math.MaxInt64)
	if c.IndexKind == kindInt32 {
		least, most = math.MinInt32, math.MaxInt32
	}
	if count == 0 || c.Lower >= least && c.Lower <= most && c.Lower <= most-(count-1) {
		return false
	}
	return c.refuse(Overflow, "indices from %d for %d elements do not fit %s", c.Lower, count, [...]string{"int64", "int32; take int64"}[kindInt64-c.IndexKind])
}

// RefuseExtent: a section of Fortran has another shape than the array of its call.
func RefuseExtent(call, label, name string, dim int, has, array int64) (Status, string) {
	return BadArgument, fmt.Sprintf("%s '%s': extent %d of %s is %d; the array has %d there", call, label, dim, name, has, array)
}

// ---- memory ----

// place finds the strides of an operand, the fastest dimension first.
func (c *ArrayCall) place(to *Placed, name string, o Operand, bytes int64) bool {
	*to = Placed{At: o.At, Bytes: bytes, Rank: c.Rank}
	step := bytes
	for k := range c.Extents {
		d := k
		if c.Order == 0 {
			d = len(c.Extents) - 1 - k
		}
		to.Extents[k], to.Strides[k] = c.Extents[d], step
		if o.Strides != nil {
			to.Strides[k] = o.Strides[d]
		}
		step *= c.Extents[d]
	}
	_, fits := c.product(bytes, -1)
	return !(fits || o.Strides != nil) && c.wide(name) || !c.Memory.Fits(to) && c.wide(name)
}

func (c *ArrayCall) wide(name string) bool {
	return c.refuse(Overflow, "%s spans more bytes than a 64-bit integer counts", name)
}

func (c *ArrayCall) onItself(x *Placed, name string) bool {
	return c.Memory.OverlapsItself(x) &&
		c.refuse(BadArgument, "elements of %s overlap; the stride of each dimension must pass over all that the shorter strides span", name)
}

// sameElements: both are one array, read and written element by element.
func sameElements(x, y *Placed) bool {
	same := x.At == y.At && x.Bytes == y.Bytes
	for d, n := range x.Extents[:x.Rank] {
		same = same && (n == 1 || x.Strides[d] == y.Strides[d])
	}
	return same
}

func (c *ArrayCall) scanOverlap() bool {
	var from, to Placed
	if c.place(&from, "data", c.A, c.ElementBytes) || c.place(&to, "out", c.Result, c.ElementBytes) || c.onItself(&to, "out") || sameElements(&from, &to) {
		return c.fault != Ordinary
	}
	found := c.Memory.Overlap(&from, &to)
	return found != Distinct && c.refuse(BadArgument, "out (%#x) %s data (%#x) and is not the same section; take another array, or out = data with the same strides",
		to.At, found, from.At)
}

// String is the verb of a text.
func (s Sharing) String() string { return [...]string{"is apart from", "overlaps", "may overlap"}[s] }

// filterOverlap: nothing that is written overlaps itself, or is read.
func (c *ArrayCall) filterOverlap(packedName string) bool {
	count := c.elements()
	var data, mask Placed
	packed := Placed{At: c.B.At, Bytes: c.ElementBytes, Rank: 1}
	if c.Call == FilterIndices {
		packed.Bytes = c.IndexKind.bytes()
	}
	packed.Extents[0], packed.Strides[0] = c.Count, packed.Bytes
	if !c.Rest {
		packed.Extents[0] = min(c.Count, count)
	}
	if c.SecondStride != 0 {
		packed.Strides[0] = c.SecondStride
	}
	room := packed.Extents[0] > 0
	if room && !c.Memory.Fits(&packed) {
		return c.wide(packedName)
	}
	if count > 0 && (c.place(&mask, "mask", c.Mask, c.MaskKind.bytes()) || c.Call != FilterIndices && c.place(&data, "data", c.A, c.ElementBytes)) {
		return true
	}
	between := func(x *Placed, name string, y *Placed, other string) bool {
		found := c.Memory.Overlap(x, y)
		return found != Distinct && c.refuse(BadArgument, "%s (%#x) %s %s; take another array", name, x.At, found, other)
	}
	if c.Call == Unpack {
		return count > 0 && (c.onItself(&data, "data") || room && between(&data, "data", &packed, packedName) || between(&data, "data", &mask, "the mask"))
	}
	return room && (c.onItself(&packed, packedName) || count > 0 &&
		(c.Call == Pack && between(&data, "data", &packed, packedName) || between(&packed, packedName, &mask, "the mask")))
}

func (c *ArrayCall) sortMemory(bytes int64) bool {
	keys := Placed{At: c.A.At, Bytes: bytes, Rank: 1}
	moved := Placed{At: c.B.At, Bytes: c.ElementBytes, Rank: 1}
	keys.Extents[0], keys.Strides[0], moved.Extents[0], moved.Strides[0] = c.Count, bytes, c.Count, c.ElementBytes
	if c.Stride != 0 {
		keys.Strides[0] = c.Stride
	}
	if c.SecondStride != 0 {
		moved.Strides[0] = c.SecondStride
	}
	if !multiplies(keys.Strides[0], c.Count) || !multiplies(moved.Strides[0], c.Count) ||
		c.ElementBytes != 0 && (!c.Memory.Fits(&keys) || !c.Memory.Fits(&moved)) {
		return c.refuse(Overflow, "%d elements are more than a 64-bit integer counts the bytes of", c.Count)
	}
	return c.ElementBytes != 0 && c.Memory.Overlap(&keys, &moved) != Distinct &&
		c.refuse(BadArgument, "the second array (%#x) shares memory with the keys (%#x); give it memory of its own", moved.At, keys.At)
}

// multiplies: the product of a stride and a count is a number.
func multiplies(stride, count int64) bool {
	product := stride * count
	return count == 0 || product/count == stride
}

// resultOverlap: placed[0] is the result, which may be an operand element by element.
func (c *ArrayCall) resultOverlap(placed []Placed, name func(int) string) bool {
	result := &placed[0]
	if c.onItself(result, "the result") {
		return true
	}
	for k := 1; k < len(placed); k++ {
		x := &placed[k]
		if x.Rank == 0 || sameElements(x, result) {
			continue
		}
		if found := c.Memory.Overlap(result, x); found != Distinct {
			return c.refuse(BadArgument, "the result %s memory with %s, and not element by element; give it memory of its own, or copy %s first",
				[...]string{Shares: "shares", MayShare: "may share"}[found], name(k), name(k))
		}
	}
	return false
}
