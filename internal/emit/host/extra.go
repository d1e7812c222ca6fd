package host

import (
	"slices"

	"libportable/internal/emit/device"
	"libportable/internal/fortran/scope"
)

// Launches on devices have arguments that those on the host have not: the memory of private arrays, variables of modules, and values from texts.

// Private arrays of the text for devices whose bounds are no constants have memory from the pool: a matrix for each, with the numbers of the iterations as
// its first dimension. It is released behind the launch. If the pool has no memory, the host runs the nest.

// planScratch makes the bounds of the user's arrays arguments of the launch; false: a size has no form here.
func (n *one) planScratch() bool {
	for _, a := range n.device.kernel.Arguments {
		if a.Local == nil {
			continue
		}
		name, f := a.Local.Name, "lbound"
		if a.Upper {
			f = "ubound"
		}
		n.bounds = append(n.bounds, bound{a, n.dummy(name + "_" + f[:1] + decimal(a.Dim) + "_device"), f + "(" + name + ", " + decimal(a.Dim) + ")"})
	}
	for _, a := range n.scratch() {
		for _, x := range a.Sizes {
			if n.atHost(x) == "" {
				return false
			}
		}
	}
	return true
}

// bound is a bound of a private array, and the dummy of the launch that has it.
type bound struct {
	of           *device.Argument
	name, actual string
}

// scratch are the arguments that are such memory.
func (n *one) scratch() (list []*device.Argument) {
	if n.device == nil {
		return nil
	}
	for _, a := range n.device.kernel.Arguments {
		if a.Memory && len(a.Sizes) > 0 {
			list = append(list, a)
		}
	}
	return list
}

// memoryName is the matrix of an argument.
func (n *one) memoryName(a *device.Argument) string {
	for i, b := range n.device.kernel.Arguments {
		if a == b {
			return "@portable_memory_" + decimal(i+1)
		}
	}
	return ""
}

// declareScratch declares the matrices and what their sizes need.
func (n *one) declareScratch() {
	list := n.scratch()
	t := &n.place.text
	for _, b := range n.bounds {
		t.add(4, "integer, intent(in), target :: "+b.name)
	}
	if len(list) == 0 {
		return
	}
	for _, a := range list {
		base := map[scope.Base]string{scope.Integer: "integer", scope.Real: "real", scope.Logical: "logical", scope.ComplexType: "complex"}[a.Type.Base]
		t.add(4, base+"("+decimal(a.Type.Kind)+"), pointer :: "+n.memoryName(a)+"(:, :)")
	}
	t.add(4, "integer(@c_int64_t), target :: @portable_low("+decimal(len(n.loops))+"), @portable_high("+decimal(len(n.loops))+")")
	t.add(4, "integer :: @portable_stat")
	t.add(4, "logical :: @portable_takes")
}

// takeScratch takes the memory if the condition holds; @portable_takes is false then if there is none.
func (n *one) takeScratch(condition string) {
	t := &n.place.text
	t.add(4, "@portable_low = @portable_lower")
	t.add(4, "@portable_high = @portable_upper")
	t.add(4, "@portable_takes = "+condition)
	for _, a := range n.scratch() {
		name := n.memoryName(a)
		size := n.atHost(a.Sizes[0])
		if len(a.Sizes) > 1 {
			size = "max(" + size
			for _, x := range a.Sizes[1:] {
				size += ", " + n.atHost(x)
			}
			size += ")"
		}
		t.add(4, "nullify("+name+")")
		t.add(4, "if (@portable_takes) then")
		t.add(6, "call @gator_allocate("+name+", [max(1_@c_int64_t, product(max(0_@c_int64_t, @portable_upper - @portable_lower + 1))), max(1_@c_int64_t, "+size+
			")], label="+quoted("private arrays of "+n.n.Label)+", stat=@portable_stat)")
		t.add(6, "@portable_takes = @portable_stat == 0")
		t.add(4, "end if")
	}
}

// giveScratch releases the memory.
func (n *one) giveScratch() {
	for _, a := range n.scratch() {
		name := n.memoryName(a)
		n.place.text.add(4, "if (associated("+name+")) call @gator_deallocate("+name+")")
	}
}

// atHost is an expression of the device as the launch has it, in 64 bits; "": it has no form here.
func (n *one) atHost(x *device.Expression) string {
	wide := func(text string) string { return "int(" + text + ", @c_int64_t)" }
	array := func() string {
		if name, is := n.device.modules[x.Argument.Of]; is { // it exists: takeScratch asks behind the condition
			return name
		}
		for _, own := range n.args {
			if own.Argument == x.Argument.Of && own.form != starred && own.form != missing {
				return "@portable_b%" + own.name
			}
		}
		return ""
	}
	switch x.Do {
	case device.Constant:
		if x.Constant.Integer < 0 {
			return "(" + decimal(int(x.Constant.Integer)) + "_@c_int64_t)"
		}
		return decimal(int(x.Constant.Integer)) + "_@c_int64_t"
	case device.Value:
		for _, b := range n.bounds {
			if b.of == x.Argument {
				return wide(b.name)
			}
		}
		if x.Argument.Of == nil || array() == "" {
			return ""
		}
		return wide(array())
	case device.Lowest, device.Highest, device.Extent:
		name := array()
		if name == "" {
			return ""
		}
		f := map[device.Operation]string{device.Lowest: "lbound", device.Highest: "ubound", device.Extent: "size"}[x.Do]
		return f + "(" + name + ", " + decimal(x.Dim) + ", @c_int64_t)"
	case device.Convert:
		return n.atHost(x.Operands[0])
	}
	var list []string
	for _, o := range x.Operands {
		text := n.atHost(o)
		if text == "" {
			return ""
		}
		list = append(list, text)
	}
	switch x.Do {
	case device.Add, device.Subtract, device.Multiply, device.Divide:
		return "(" + list[0] + " " + string(x.Do) + " " + list[1] + ")"
	case device.Negate:
		return "(-" + list[0] + ")"
	case "min", "max", "mod", "abs":
		return string(x.Do) + "(" + join(list) + ")"
	}
	return ""
}

// Variables of modules that called procedures name are arguments of launches on devices alone: the body of the host names them, as the procedures do.
// The function that launches takes them from their module.

// planModules gives them names in the launch.
func (n *one) planModules() {
	for _, a := range n.device.kernel.Arguments {
		if a.Of == nil || a.Of.Module == nil {
			continue
		}
		name := a.Of.Module.Name
		if a.Of.Module.Module != "" {
			name = n.dummy(name + "_of_module")
		}
		n.device.modules[a.Of] = name
	}
}

// useModules uses the modules in the launch.
func (n *one) useModules(d *need) {
	if n.device == nil {
		return
	}
	for _, a := range n.device.kernel.Arguments {
		if a.Of != nil && a.Of.Module != nil && a.Of.Module.Module != "" {
			d.use(a.Of.Module.Module, n.device.modules[a.Of], a.Of.Module.Name)
		}
	}
}

// haveModules is the condition that those exist that are allocated while the program runs: a branch that no iteration takes may name one that is not.
func (n *one) haveModules() (text string) {
	for _, a := range n.device.kernel.Arguments {
		name, is := n.device.modules[a.Of]
		switch {
		case !is:
		case a.Of.Symbol.Allocatable:
			text += " .and. allocated(" + name + ")"
		case a.Of.Symbol.Pointer:
			text += " .and. associated(" + name + ")"
		}
	}
	return text
}

// moduleArgument is one in the list of the launch.
func (n *one) moduleArgument(a *device.Argument, name string) string {
	spelt := ", name='" + short(a.Of.Spelt) + "'"
	if a.Rank == 0 {
		return "@portable_arg(" + name + spelt + ")"
	}
	access, bounds := "'read'", "lbound("+name+")"
	if a.Write {
		access = "'both'"
	}
	if n.otherKinds() {
		bounds = "lbound(" + name + ", kind=@portable_kind)"
	}
	return "@portable_arg(" + name + ", " + bounds + ", " + access + spelt + ")"
}

// Devices have no texts. The launch computes the values that a nest takes from texts which no iteration changes: one, or one for each element of an array
// of texts. If there is no memory for them, the host runs the nest.

// texts are the arguments that are such values, by their numbers.
func (n *one) texts() map[int]*device.Argument {
	list := map[int]*device.Argument{}
	if n.device != nil {
		for i, a := range n.device.kernel.Arguments {
			if a.Text != nil {
				list[i] = a
			}
		}
	}
	return list
}

func textName(i int) string { return "@portable_text_" + decimal(i+1) }

// declareTexts declares the values, and what their loops need.
func (n *one) declareTexts() {
	list, rank := n.texts(), 0
	t := &n.place.text
	for i := range n.device.kernel.Arguments {
		a := list[i]
		if a == nil {
			continue
		}
		typ := map[scope.Base]string{scope.Integer: "integer", scope.Real: "real", scope.Logical: "logical"}[a.Type.Base] + "(" + decimal(a.Type.Kind) + ")"
		if a.Rank == 0 {
			t.add(4, typ+", target :: "+textName(i))
			continue
		}
		shape := ":"
		for range a.Rank - 1 {
			shape += ", :"
		}
		t.add(4, typ+", allocatable, target :: "+textName(i)+"("+shape+")")
		rank = max(rank, a.Rank)
	}
	if len(list) > 0 {
		t.add(4, "logical :: @portable_texts")
	}
	if rank > 0 {
		t.add(4, "integer :: @portable_text_stat")
	}
	for d := range rank {
		t.add(4, "integer(@c_int64_t) :: @portable_at_"+decimal(d+1))
	}
}

// takeTexts computes the values if a condition for the launch on the device holds, and is the condition with them.
func (n *one) takeTexts(condition string) string {
	list := n.texts()
	if len(list) == 0 {
		return condition
	}
	t := &n.place.text
	var exists []string
	for _, own := range n.args {
		used := false
		for _, a := range list {
			used = used || slices.Contains(a.Text.Of, own.Argument)
		}
		if used {
			exists = append(exists, own.exists()...)
		}
	}
	t.add(4, "@portable_texts = "+condition)
	for _, one := range exists {
		t.add(4, "if (@portable_texts) @portable_texts = "+one)
	}
	for i := range n.device.kernel.Arguments {
		a := list[i]
		if a == nil {
			continue
		}
		sp := n.speller()
		if a.Rank == 0 {
			t.add(4, "if (@portable_texts) "+textName(i)+" = "+sp.text(a.Text.Value))
			continue
		}
		array := sp.text(a.Text.Elements[0].Base)
		bounds := ""
		for d := range a.Rank {
			if d > 0 {
				bounds += ", "
			}
			bounds += "lbound(" + array + ", " + decimal(d+1) + ", @c_int64_t):ubound(" + array + ", " + decimal(d+1) + ", @c_int64_t)"
			for _, e := range a.Text.Elements {
				sp.names[e.Arguments[d].Value] = "@portable_at_" + decimal(d+1)
			}
		}
		t.add(4, "if (@portable_texts) then")
		t.add(6, "allocate ("+textName(i)+"("+bounds+"), stat=@portable_text_stat)")
		t.add(6, "@portable_texts = @portable_text_stat == 0")
		t.add(4, "end if")
		t.add(4, "if (@portable_texts) then")
		indices := ""
		for d := a.Rank; d >= 1; d-- {
			at := "@portable_at_" + decimal(d)
			t.add(6, "do "+at+" = lbound("+array+", "+decimal(d)+", @c_int64_t), ubound("+array+", "+decimal(d)+", @c_int64_t)")
			if indices != "" {
				indices = ", " + indices
			}
			indices = at + indices
		}
		t.add(8, textName(i)+"("+indices+") = "+sp.text(a.Text.Value))
		for range a.Rank {
			t.add(6, "end do")
		}
		t.add(4, "end if")
	}
	return "@portable_texts"
}

// textArgument is the argument of the launch.
func (n *one) textArgument(i int, a *device.Argument) string {
	name := "text"
	if a.Text.Array != nil {
		name = n.speller().text(a.Text.Elements[0].Base)
	}
	if a.Rank == 0 {
		return "@portable_arg(" + textName(i) + ", name='" + short(name) + "')"
	}
	bounds := "lbound(" + textName(i) + ")"
	if n.otherKinds() {
		bounds = "lbound(" + textName(i) + ", kind=@portable_kind)"
	}
	return "@portable_arg(" + textName(i) + ", " + bounds + ", 'read', name='" + short(name) + "')"
}
