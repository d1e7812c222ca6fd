package cuda

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"libportable/internal/emit"
	"libportable/internal/emit/device"
	"libportable/internal/fortran/scope"
)

// Emitter writes kernels in CUDA C++.
type Emitter struct {
	Bits bool // functions and powers of reals are those of portable_math.h
}

var _ emit.Emitter = Emitter{}

// Name is the name of the output.
func (Emitter) Name() string { return "cuda" }

// Suffix is that of the text as a file of its own.
func (Emitter) Suffix() string { return ".pf.cu" }

// Refuses says why the kernel stays on the host.
func (m Emitter) Refuses(k *emit.Kernel) []emit.Reason {
	d, reasons := device.Lower(k)
	if m.Bits && len(reasons) == 0 && strings.Contains(m.Text(d), "portable_f_cabs") {
		reasons = append(reasons, emit.Reason{Rule: device.NotDevice, At: k.Loops[0].Do.Where.From, Text: "ABS of a complex number has other last bits on devices (--bits)",
			Remedy: "write sqrt(real(z)**2 + aimag(z)**2)"})
	}
	return reasons
}

// Write writes the whole text of a kernel, which is compiled on its own. The entry is named Entry.
func (m Emitter) Write(out io.Writer, k *emit.Kernel) error {
	d, reasons := device.Lower(k)
	if len(reasons) > 0 {
		return fmt.Errorf("%s", reasons[0].Text)
	}
	_, err := io.WriteString(out, m.Text(d))
	return err
}

// Entry is the name of each kernel's entry: each text has one.
const Entry = "portable_nest"

// Text is the text of a kernel.
func (m Emitter) Text(k *device.Kernel) string {
	w := &writer{needs: map[string]bool{}, bits: m.Bits}
	w.arguments(k)
	for _, f := range k.Functions {
		w.called(f)
	}
	w.kernel(k)
	if strings.Contains(w.String(), complexName) {
		w.needs["complex"] = true
	}
	var b strings.Builder
	header := "portable_device"
	if len(k.Results) > 0 {
		header += "_reduce"
	}
	if k.InOrder {
		b.WriteString("#define PORTABLE__REDUCE_IN_ORDER\n")
	}
	b.WriteString("#include <" + header + ".h>\n")
	if w.functions {
		b.WriteString("#include <portable_math.h>\n")
	}
	b.WriteString(preludeOf(w.needs))
	b.WriteString(w.String())
	return b.String()
}

// writer collects the lines of a kernel.
type writer struct {
	b         strings.Builder
	depth     int
	needs     map[string]bool // functions of the prelude
	bits      bool            // functions of reals are those of portable_math.h
	functions bool            // there are some
	alone     bool            // the body is one iteration, as reductions have it
	last      bool            // behind it the last iteration gives its values, so that no jump leaves the body
}

func (w *writer) String() string { return w.b.String() }

// widest line of the text, so that a generated Fortran line of any form can hold it
const widest = 56

// add writes a line, broken at blanks where it is too long: C has no lines.
func (w *writer) add(text string) {
	indent := strings.Repeat(" ", min(w.depth, 8))
	for len(indent)+len(text) > widest {
		at := strings.LastIndexByte(text[:min(len(text), widest-len(indent))], ' ')
		if at <= 0 {
			if at = strings.IndexByte(text, ' '); at <= 0 {
				break
			}
		}
		w.b.WriteString(indent + text[:at] + "\n")
		text = text[at+1:]
		indent = strings.Repeat(" ", min(w.depth+2, 10))
	}
	w.b.WriteString(indent + text + "\n")
}

func (w *writer) addf(format string, args ...any) { w.add(fmt.Sprintf(format, args...)) }

// arguments writes the structure of the argument block.
func (w *writer) arguments(k *device.Kernel) {
	w.add("struct portable_nest_args {")
	w.depth++
	for _, a := range k.Arguments {
		t := typeName(a.Type)
		if a.Rank == 0 {
			w.addf("%s %s;", t, a.Name)
			continue
		}
		if !a.Write {
			t = "const " + t
		}
		order := ""
		switch {
		case a.Packed && a.AnyOrder():
			order = ", PORTABLE_NEST_ORDER"
		case a.Packed:
			order = ", PORTABLE_ORDER_FORTRAN"
		}
		views := ""
		if a.Views > 0 {
			views = fmt.Sprintf("[%d]", a.Views)
		}
		w.addf("portable_view<%s, %d%s> %s%s;", t, a.Rank, order, a.Name, views)
	}
	if len(k.Arguments) == 0 {
		w.add("int64_t none;")
	}
	w.depth--
	w.add("};")
}

// called writes a procedure that the kernel calls. It gets the argument block first.
func (w *writer) called(f *device.Function) {
	t, list := "void", "const portable_nest_args *args"
	if f.Numbered {
		list += ", const int64_t " + device.Own + "number"
	}
	if f.Result != nil {
		t = typeName(f.Result.Type)
	}
	for _, p := range slices.Concat(f.Parameters, f.Captured) {
		if p.View > 0 {
			t := typeName(p.Type)
			if p.Constant {
				t = "const " + t
			}
			list += fmt.Sprintf(", portable_view<%s, %d> %s", t, p.View, p.Name)
			continue
		}
		switch {
		case len(p.Lower) > 0:
			list += ", " + typeName(p.Type) + " (&" + p.Name + ")" + extents(p)
		case p.Reference:
			list += ", " + typeName(p.Type) + " &" + p.Name
		default:
			list += ", " + typeName(p.Type) + " " + p.Name
		}
	}
	w.addf("PORTABLE_FUNCTION %s %s(%s) {", t, f.Name, list)
	w.depth++
	w.add("(void)args;")
	w.locals(f.Locals)
	w.statements(f.Body)
	if f.Result != nil {
		w.addf("return %s;", f.Result.Name)
	}
	w.depth--
	w.add("}")
}

// kernel writes the entry.
func (w *writer) kernel(k *device.Kernel) {
	rank := len(k.Loops)
	index := make([]string, rank)
	for i := range index {
		index[i] = fmt.Sprintf("portable_i%d", i+1)
	}
	w.last = len(k.LastArrays) > 0
	if w.alone = len(k.Results) > 0; w.alone {
		if k.InOrder {
			w.resultsInOrder(k.Results)
		} else {
			w.results(k.Results)
		}
		for _, r := range k.Results {
			w.last = w.last || r.Last != nil
		}
		w.addf("PORTABLE_REDUCE_KERNEL_%d(%s, portable_nest_args, args, %s, give, GIVES) {", rank, Entry, strings.Join(index, ", "))
	} else {
		w.addf("PORTABLE_KERNEL(%s, portable_nest_args, args) {", Entry)
		w.depth++
		w.addf("PORTABLE_FOR_%d(%s) {", rank, strings.Join(index, ", "))
	}
	w.depth++
	for i, l := range k.Loops {
		from := index[rank-1-i]
		if l.First != nil {
			from = fmt.Sprintf("args->%s + %s * args->%s", l.First.Name, from, l.Step.Name)
		}
		w.addf("const %s %s = (%s)(%s);", typeName(l.Variable.Type), l.Variable.Name, typeName(l.Variable.Type), from)
	}
	if k.Number != nil {
		w.number(k, index)
	}
	w.locals(k.Locals)
	w.statements(k.Body)
	if w.alone && !w.last {
		w.depth--
		w.add("}")
		return
	}
	if jumpsToEnd(k.Body, w.last) {
		w.add("iteration_end:;")
	}
	if w.last {
		w.lasts(k, index)
	}
	w.depth--
	w.add("}")
	if !w.alone {
		w.depth--
		w.add("}")
	}
}

// number gives the iteration its number.
func (w *writer) number(k *device.Kernel, index []string) {
	text := ""
	for i, l := range k.Loops {
		at := fmt.Sprintf("%s - args->%s", index[len(index)-1-i], l.Low.Name)
		if i == 0 {
			text = at
			continue
		}
		text = fmt.Sprintf("(%s) * (args->%s - args->%s + 1) + %s", text, l.End.Name, l.Low.Name, at)
	}
	w.addf("const %s %s = %s;", typeName(k.Number.Type), k.Number.Name, text)
}

// lasts gives the values of the last iteration.
func (w *writer) lasts(k *device.Kernel, index []string) {
	var is []string
	for i, l := range k.Loops {
		is = append(is, fmt.Sprintf("%s == args->%s", index[len(index)-1-i], l.End.Name))
	}
	w.add("if (" + strings.Join(is, " && ") + ") {")
	w.depth++
	for i, r := range k.Results {
		if r.Last == nil {
			continue
		}
		v := r.Last.Local
		text := v.Name
		switch v.Type.Base {
		case scope.Real:
			text = fmt.Sprintf("%s(%s)", w.need(fmt.Sprintf("bits_%d", 8*v.Type.Kind)), v.Name)
		case scope.Logical:
			text += " != 0"
		}
		w.addf("give->r%d = %s;", i+1, text)
	}
	for _, x := range k.LastArrays {
		w.statements(x.Body)
	}
	w.depth--
	w.add("}")
}

// results writes the list of results; macros stand on one line.
func (w *writer) results(list []*device.Result) {
	all := "#define GIVES(R)"
	for i, r := range list {
		w.addf("#define GIVES%d(R) R(%s, %s, r%d)", i+1, strings.ToUpper(r.Operation), typeName(r.Variable.Type), i+1)
		all += fmt.Sprintf(" GIVES%d(R)", i+1)
	}
	w.b.WriteString(all + "\n")
}

// resultsInOrder declares the results, some of which are arrays, and lists them and their elements: each macro has the one before it.
func (w *writer) resultsInOrder(list []*device.Result) {
	w.add("struct " + Entry + "__results {")
	w.depth++
	for i, r := range list {
		w.addf("%s r%d%s;", typeName(r.Variable.Type), i+1, extents(r.Variable))
	}
	w.depth--
	w.add("};")
	before, count := "", 0
	give := func(r *device.Result, name string) {
		count++
		w.b.WriteString(fmt.Sprintf("#define G%d(R)%s R(%s, %s, %s)\n", count, before, strings.ToUpper(r.Operation), typeName(r.Variable.Type), name))
		before = fmt.Sprintf(" G%d(R)", count)
	}
	for i, r := range list {
		var each func(name string, dim int)
		each = func(name string, dim int) {
			if dim < 0 {
				give(r, name)
				return
			}
			for k := range r.Variable.Upper[dim] - r.Variable.Lower[dim] + 1 {
				each(fmt.Sprintf("%s[%d]", name, k), dim-1)
			}
		}
		each(fmt.Sprintf("r%d", i+1), len(r.Variable.Lower)-1)
	}
	w.addf("#define GIVES(R)%s", before)
}

// locals declares the private variables.
func (w *writer) locals(list []*device.Variable) {
	for _, v := range list {
		if v.View > 0 {
			t := typeName(v.Type)
			if v.Constant {
				t = "const " + t
			}
			w.addf("portable_view<%s, %d> %s;", t, v.View, v.Name)
			continue
		}
		if len(v.Values) == 0 {
			w.addf("%s %s%s;", typeName(v.Type), v.Name, extents(v))
			continue
		}
		var values []string
		for _, c := range v.Values {
			text, _ := literal(&device.Expression{Do: device.Constant, Type: v.Type, Constant: c})
			values = append(values, text)
		}
		w.addf("const %s %s[%d] = { %s };", typeName(v.Type), v.Name, len(values), strings.Join(values, ", "))
	}
}

// flat is the number of an element of a named constant: its values stand in one row.
func (w *writer) flat(x *device.Expression) string {
	text, distance := "", int64(1)
	for i, o := range x.Operands {
		low, high := x.Variable.Lower[i], x.Variable.Upper[i]
		index := &device.Expression{Do: device.Subtract, Type: o.Type, Operands: []*device.Expression{o, whole64(low)}}
		part := w.text(index, productLevel)
		if distance > 1 {
			part = fmt.Sprintf("%d * %s", distance, w.text(index, unaryLevel))
		}
		if i > 0 {
			text += " + "
		}
		text += part
		distance *= high - low + 1
	}
	return text
}

func whole64(value int64) *device.Expression {
	return &device.Expression{Do: device.Constant, Type: device.Type{Base: scope.Integer, Kind: 8}, Constant: scope.Value{Integer: value}}
}

// extents are those of an array, in C's order.
func extents(v *device.Variable) (text string) {
	for i := len(v.Lower) - 1; i >= 0; i-- {
		text += fmt.Sprintf("[%d]", max(v.Upper[i]-v.Lower[i]+1, 1))
	}
	return text
}
