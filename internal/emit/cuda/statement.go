package cuda

import (
	"fmt"
	"strings"

	"libportable/internal/emit/device"
	"libportable/internal/fortran/scope"
)

func (w *writer) statements(list []device.Statement) {
	for _, s := range list {
		w.statement(s)
	}
}

func (w *writer) statement(s device.Statement) {
	switch s := s.(type) {
	case *device.Assign:
		w.addf("%s = %s;", w.text(s.To, lowest), w.text(s.Value, lowest))
	case *device.Atomic:
		do := map[device.Operation]string{device.Add: "add", "min": "min", "max": "max"}[s.Do]
		kind := map[scope.Base]string{scope.Integer: "int", scope.Real: "real"}[s.To.Type.Base]
		w.addf("portable_atomic_%s_%s%d(&%s, %s);", do, kind, 8*s.To.Type.Kind, w.text(s.To, highest), w.text(s.Value, lowest))
	case *device.Do:
		w.addf("%s;", w.text(s.Call, lowest))
	case *device.Bind:
		w.addf("%s = %s;", s.Variable.Name, w.vector(s.Value, s.Variable))
	case *device.Slice:
		memory := "args->" + s.Memory.Name
		if !s.Memory.Memory {
			t := typeName(s.Variable.Type)
			if s.Variable.Constant {
				t = "const " + t
			}
			w.addf("%s = %s<%s>(&%s(1), %s.argument, 0, 1%s);", s.Variable.Name, w.need(fmt.Sprintf("array_%d", s.Variable.View)), t, memory, memory,
				strings.Repeat(", 0, 0", s.Variable.View-1))
			break
		}
		w.addf("%s = %s<%s>(&%s(%snumber + 1, 1), %s.argument, 0, %s.dim[1].stride%s);", s.Variable.Name, w.need(fmt.Sprintf("array_%d", s.Variable.View)),
			typeName(s.Variable.Type), memory, device.Own, memory, memory, strings.Repeat(", 0, 0", s.Variable.View-1))
	case *device.Shape:
		w.shape(s)
	case *device.Mark:
		w.addf("%slabel_%d:;", device.Own, s.Label)
	case *device.Goto:
		w.addf("goto %slabel_%d;", device.Own, s.Label)
	case *device.Return:
		if s.Value == nil {
			w.add("return;")
		} else {
			w.addf("return %s;", s.Value.Name)
		}
	case *device.If:
		w.conditional(s)
	case *device.Counted:
		w.counted(s)
	case *device.While:
		condition := "true"
		if s.Condition != nil {
			condition = w.text(s.Condition, lowest)
		}
		w.loop("while ("+condition+") {", s.Frame, s.Body)
	case *device.Block:
		w.add("{")
		w.depth++
		w.statements(s.Body)
		w.depth--
		w.add("}")
		if s.Frame.Leave {
			w.addf("end_%d:;", s.Frame.Number)
		}
	case *device.Jump:
		w.jump(s)
	}
}

// shape sets the bounds of a dimension. One without elements begins at 1, as Fortran says.
func (w *writer) shape(s *device.Shape) {
	at := fmt.Sprintf("%s.dim[%d].", s.Variable.Name, s.Dim-1)
	w.addf("%slower = %s;", at, w.text(s.Lower, lowest))
	low, first := constant(s.Lower)
	high, last := int64(0), false
	if s.Upper != nil {
		high, last = constant(s.Upper)
		extent := fmt.Sprintf("%s - %slower + 1", w.text(s.Upper, sumLevel), at)
		if !first || !last || high < low {
			extent = fmt.Sprintf("%s<int64_t>(%s, 0)", w.need("max"), extent)
		}
		w.addf("%sextent = %s;", at, extent)
		if s.Dim > 1 {
			before := fmt.Sprintf("%s.dim[%d].", s.Variable.Name, s.Dim-2)
			w.addf("%sstride = %sstride * %sextent;", at, before, before)
		}
	}
	if !(first && (low == 1 || last && high >= low)) {
		w.addf("if (%sextent == 0) %slower = 1;", at, at)
	}
}

func (w *writer) conditional(s *device.If) {
	for i, c := range s.Conditions {
		word := "if"
		if i > 0 {
			word = "} else if"
		}
		w.addf("%s (%s) {", word, w.text(c, lowest))
		w.depth++
		w.statements(s.Bodies[i])
		w.depth--
	}
	if len(s.Else) > 0 {
		w.add("} else {")
		w.depth++
		w.statements(s.Else)
		w.depth--
	}
	w.add("}")
}

// loop writes a loop with the labels that jumps from inner constructs need.
func (w *writer) loop(head string, f *device.Frame, body []device.Statement) {
	w.add(head)
	w.depth++
	w.statements(body)
	if f.Next {
		w.addf("next_%d:;", f.Number)
	}
	w.depth--
	w.add("}")
	if f.Leave {
		w.addf("end_%d:;", f.Number)
	}
}

// counted writes a loop whose bounds are evaluated once. Trips are counted without a sign, so that a bound may be the last number of the type.
func (w *writer) counted(s *device.Counted) {
	t, v := typeName(s.Variable.Type), s.Variable.Name
	name := func(of string) string { return fmt.Sprintf("%s%s_%d", device.Own, of, s.Frame.Number) }
	w.add("{")
	w.depth++
	last := name("last")
	w.addf("const %s %s = %s;", t, last, w.text(s.Last, lowest))
	if s.Inside {
		w.loop(fmt.Sprintf("for (%s = %s; %s <= %s; %s++) {", v, w.text(s.First, lowest), v, last, v), s.Frame, s.Body)
	} else {
		by, trips := name("step"), name("trips")
		w.addf("const %s %s = %s;", t, by, w.text(s.Step, lowest))
		w.addf("%s = %s;", v, w.text(s.First, lowest))
		w.addf("uint64_t %s = %s<%s>(%s, %s, %s);", trips, w.need("trips"), t, v, last, by)
		w.loop(fmt.Sprintf("for (; %s > 0; %s--, %s = (%s)((uint64_t)%s + (uint64_t)%s)) {", trips, trips, v, t, v, by), s.Frame, s.Body)
	}
	w.depth--
	w.add("}")
}

func constant(x *device.Expression) (int64, bool) {
	if x.Do == device.Constant && x.Type.Base == scope.Integer {
		return x.Constant.Integer, true
	}
	return 0, false
}

func (w *writer) jump(s *device.Jump) {
	switch {
	case s.To.Iterate && w.last:
		w.add("goto iteration_end;")
	case s.To.Iterate && w.alone:
		w.add("return;")
	case s.Nearby && s.Next:
		w.add("continue;")
	case s.Nearby:
		w.add("break;")
	case s.To.Iterate:
		w.add("goto iteration_end;")
	case s.Next:
		w.addf("goto next_%d;", s.To.Number)
	default:
		w.addf("goto end_%d;", s.To.Number)
	}
}

// jumpsToEnd reports whether a statement in an inner loop ends the iteration of the kernel, with all whether any statement does.
func jumpsToEnd(list []device.Statement, all bool) bool {
	for _, s := range list {
		found := false
		switch s := s.(type) {
		case *device.Jump:
			found = s.To.Iterate && (all || !s.Nearby)
		case *device.If:
			for _, b := range s.Bodies {
				found = found || jumpsToEnd(b, all)
			}
			found = found || jumpsToEnd(s.Else, all)
		case *device.Counted:
			found = jumpsToEnd(s.Body, all)
		case *device.While:
			found = jumpsToEnd(s.Body, all)
		case *device.Block:
			found = jumpsToEnd(s.Body, all)
		}
		if found {
			return true
		}
	}
	return false
}
