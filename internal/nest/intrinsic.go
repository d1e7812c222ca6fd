package nest

import (
	"libportable/internal/fortran/scope"
	"libportable/internal/fortran/tree"
	"libportable/internal/nest/affine"
)

// This file holds the intrinsic procedures: which have effects, which only ask for properties, and which integer values can be followed.

// effectful are intrinsic procedures that are not pure, with what they do.
var effectful = map[string]string{
	"date_and_time": "reads the clock", "system_clock": "reads the clock", "cpu_time": "reads the clock", "etime": "reads the clock", "second": "reads the clock",
	"dtime": "reads the clock", "time": "reads the clock", "secnds": "reads the clock", "random_number": "changes the state of the random numbers",
	"random_seed": "changes the state of the random numbers", "random_init": "changes the state of the random numbers",
	"rand": "changes the state of the random numbers", "irand": "changes the state of the random numbers", "ran": "changes the state of the random numbers",
	"srand": "changes the state of the random numbers", "get_command": "asks the system", "get_command_argument": "asks the system",
	"get_environment_variable": "asks the system", "getarg": "asks the system", "getenv": "asks the system", "iargc": "asks the system",
	"command_argument_count": "asks the system", "execute_command_line": "runs a command", "system": "runs a command", "exit": "stops the program",
	"abort": "stops the program", "flush": "writes to files", "move_alloc": "moves an allocation", "this_image": "asks for images",
	"num_images": "asks for images", "image_index": "asks for images", "event_query": "asks for images", "atomic_add": "works between images",
	"atomic_define": "works between images", "atomic_ref": "works between images", "co_sum": "works between images", "co_max": "works between images",
	"co_min": "works between images", "co_broadcast": "works between images", "co_reduce": "works between images", "sleep": "waits",
	"fget": "reads files", "fput": "writes to files", "unlink": "changes files", "rename": "changes files", "chdir": "changes the folder",
	"c_f_pointer": "sets a pointer", "c_f_procpointer": "sets a pointer", "perror": "writes to files", "signal": "changes signals", "itime": "reads the clock",
	"idate": "reads the clock", "fdate": "reads the clock", "ctime": "reads the clock", "getcwd": "asks the system", "hostnm": "asks the system",
	"getpid": "asks the system", "isatty": "asks the system", "c_loc": "takes an address", "loc": "takes an address", "c_funloc": "takes an address",
}

// inquiries ask for properties of their first argument, not for its value.
var inquiries = map[string]bool{"size": true, "shape": true, "lbound": true, "ubound": true, "kind": true, "huge": true, "tiny": true, "epsilon": true,
	"precision": true, "range": true, "digits": true, "radix": true, "maxexponent": true, "minexponent": true, "allocated": true, "associated": true,
	"present": true, "is_contiguous": true, "len": true, "bit_size": true, "storage_size": true, "rank": true, "sizeof": true, "c_sizeof": true,
	"extends_type_of": true, "same_type_as": true, "new_line": true}

// intrinsic goes through a call of an intrinsic function.
func (w *walker) intrinsic(name string, e *tree.Reference) affine.Form {
	if does, is := effectful[name]; is {
		w.refuse("effect", e.Span().From, "'"+name+"' at "+w.line(e.Span().From)+" "+does, "call it outside of the loop")
	}
	if inquiries[name] {
		return w.inquiry(name, e)
	}
	values := make([]affine.Form, 0, len(e.Arguments))
	keyword := false
	for i := range e.Arguments {
		values = append(values, w.expr(e.Arguments[i].Value))
		keyword = keyword || e.Arguments[i].Keyword != ""
	}
	t, rank := w.scope.TypeOf(e)
	if t.Base != scope.Integer || rank != 0 || len(values) == 0 || keyword && name != "int" {
		return affine.Unknown
	}
	return w.integerFunction(name, values)
}

// integerFunction is the value of an integer function of integers.
func (w *walker) integerFunction(name string, values []affine.Form) affine.Form {
	zero := affine.Integer(0)
	switch name {
	case "int", "nint", "int2", "int8", "long", "floor", "ceiling":
		return values[0]
	case "min", "max", "min0", "max0":
		f := values[0]
		for _, v := range values[1:] {
			f = w.extremum(name[:3], f, v)
		}
		return f
	case "abs", "iabs":
		f := w.opaque(name, values...)
		w.note(f, f, f.Minus(values[0]), f.Plus(values[0]))
		return f
	case "mod", "modulo":
		if len(values) != 2 {
			return affine.Unknown
		}
		f := w.opaque(name, values...)
		if n, ok := values[1].Constant(); ok && n > 0 {
			if name == "modulo" || w.table.NotNegative(w.st.facts, values[0]) {
				w.note(f, f, affine.Integer(n-1).Minus(f))
			} else {
				w.note(f, affine.Integer(n-1).Minus(f), f.Plus(affine.Integer(n-1)))
			}
		}
		return f
	case "dim", "idim":
		if len(values) != 2 {
			return affine.Unknown
		}
		return w.extremum("max", values[0].Minus(values[1]), zero)
	case "merge":
		return w.some("a value of merge")
	}
	return w.opaque(name, values...)
}

// extremum is the smaller, or the larger, of two values.
func (w *walker) extremum(name string, a, b affine.Form) affine.Form {
	if d, ok := a.Minus(b).Constant(); ok {
		if (d < 0) == (name == "min") {
			return a
		}
		return b
	}
	if a.Known() && b.Known() && b.Key() < a.Key() {
		a, b = b, a
	}
	f := w.opaque(name, a, b)
	if name == "min" {
		w.note(f, a.Minus(f), b.Minus(f))
	} else {
		w.note(f, f.Minus(a), f.Minus(b))
	}
	return f
}

// note adds facts about a new value: for ever if it is fixed, else up to the end of the block.
func (w *walker) note(f affine.Form, facts ...affine.Form) {
	for _, x := range facts {
		if !f.Known() || !x.Known() {
			continue
		}
		if w.table.Varies(x) {
			w.assume(x)
		} else {
			w.table.Always = w.table.Always.And(x)
		}
	}
}

// inquiry is size, lbound, ubound and others: they do not read their first argument.
func (w *walker) inquiry(name string, e *tree.Reference) affine.Form {
	if v, ok := w.scope.Constant(e); ok && v.Type.Base == scope.Integer && len(v.List) == 0 {
		return affine.Integer(v.Integer)
	}
	var rest []affine.Form
	for i := range e.Arguments {
		if i == 0 {
			continue
		}
		if e.Arguments[i].Keyword == "kind" {
			continue
		}
		rest = append(rest, w.expr(e.Arguments[i].Value))
	}
	if len(e.Arguments) == 0 {
		return affine.Unknown
	}
	first := e.Arguments[0].Value
	if name != "size" && name != "lbound" && name != "ubound" && name != "shape" && name != "allocated" {
		return affine.Unknown
	}
	if _, variable := w.effects.datumOf(w.scope, first); !variable {
		return affine.Unknown
	}
	w.silent++
	r, ok := w.resolve(first)
	w.silent--
	if ok && w.borrows(r, false) {
		w.inquired[r.steps[0].symbol] = access{ref: r, where: w.here(e.Span().From, r.foreign)}
	}
	if !ok || name == "shape" || name == "allocated" {
		return affine.Unknown
	}
	var ranges []sub
	for _, s := range r.subs() {
		if !s.point {
			ranges = append(ranges, s)
		}
	}
	dim := int64(1)
	if len(rest) > 0 {
		dim, ok = rest[0].Constant()
		if !ok {
			return affine.Unknown
		}
	} else if len(ranges) != 1 {
		return affine.Unknown
	}
	if dim < 1 || int(dim) > len(ranges) || ranges[dim-1].stride != 1 {
		return affine.Unknown
	}
	s := ranges[dim-1]
	extent := s.hi.Minus(s.lo).Plus(affine.Integer(1))
	plain := len(r.steps[len(r.steps)-1].symbol.Dims) == len(ranges) && w.plainArray(first)
	switch {
	case name == "size":
		return extent
	case !plain && name == "lbound":
		return affine.Integer(1)
	case !plain:
		return extent
	case name == "lbound":
		return s.lo
	}
	return s.hi
}

// plainArray reports whether an expression is an array by its own name or component, without subscripts behind, and not bound to another one.
func (w *walker) plainArray(e tree.Expression) bool {
	switch e := e.(type) {
	case *tree.Name:
		return w.frame.bindings[w.scope.Lookup(e.Name)] == nil
	case *tree.Component:
		return true
	}
	return false
}

// intrinsicSubroutine goes through a call of an intrinsic subroutine.
func (w *walker) intrinsicSubroutine(name string, n *tree.Call) {
	if does, is := effectful[name]; is || name != "mvbits" {
		if !is {
			does = "is not understood"
		}
		w.refuse("effect", n.Where.From, "'"+name+"' at "+w.line(n.Where.From)+" "+does, "call it outside of the loop")
		w.unfollowed(nil, n.Arguments)
		return
	}
	for i := range n.Arguments {
		w.expr(n.Arguments[i].Value)
	}
	if len(n.Arguments) > 3 {
		if r, ok := w.resolve(n.Arguments[3].Value); ok {
			w.write(r, affine.Unknown)
		}
	}
}
