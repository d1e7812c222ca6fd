package host

import (
	"slices"
	"strings"

	"libportable/internal/emit"
	"libportable/internal/emit/device"
	"libportable/internal/fortran/scope"
	"libportable/internal/nest"
)

// deviceText is a kernel for devices: the lines of its text, which the program holds, and what its argument block has.
type deviceText struct {
	kernel  *device.Kernel
	lines   []string
	modules map[*emit.Argument]string // variables of modules that called procedures name, by their names in the launch
}

// most lines in one DATA statement: standards limit continuation lines
const mostDataLines = 40

// DeviceRefuses says why a nest that runs on the threads of the host does not run on devices.
func DeviceRefuses(k *emit.Kernel, o Options) []emit.Reason {
	if o.Device == nil || !k.Nest.OnDevices() || len(k.Nest.Leaves()) > 0 {
		return nil
	}
	return o.Device.Refuses(k)
}

// HasVersion reports whether a nest has a version for devices.
func HasVersion(n *nest.Nest, o Options) bool {
	k, reasons := emit.New(o.Program, n)
	if len(reasons) > 0 {
		return false
	}
	x := newWriter(n.File, &o).nest(k)
	return len(x.reasons) == 0 && x.device != nil
}

// OnDevice reports whether a nest has a version for devices that is better than those of loops inside.
func OnDevice(n *nest.Nest, o Options) bool {
	k, reasons := emit.New(o.Program, n)
	if len(reasons) > 0 {
		return false
	}
	x := newWriter(n.File, &o).nest(k)
	return len(x.reasons) == 0 && x.device != nil && len(x.scratch()) == 0
}

// planDevice makes the text for devices if the nest has one.
func (n *one) planDevice() {
	o := n.w.o
	if o.Device == nil || !n.n.OnDevices() || n.leavesDevices() {
		return
	}
	whole := *n.k
	whole.Arguments = append(slices.Clone(n.k.Arguments), n.partials...)
	kernel, reasons := device.Lower(&whole)
	if len(reasons) > 0 || len(o.Device.Refuses(&whole)) > 0 {
		return
	}
	var b strings.Builder
	if err := o.Device.Write(&b, &whole); err != nil {
		return
	}
	count := 0
	for _, r := range kernel.Results {
		if r.Of != nil {
			count++
		}
		if r.Array != nil && n.arrayResult(r.Array) == nil {
			return
		}
	}
	if len(n.scalarResults()) != count {
		return // results that the device has not
	}
	n.device = &deviceText{kernel, strings.Split(strings.TrimSuffix(b.String(), "\n"), "\n"), map[*emit.Argument]string{}}
	n.planModules()
	if !n.planScratch() || len(n.scratch()) > 0 && len(n.nestsInside()) > 0 {
		n.device, n.bounds = nil, nil
	}
}

// deviceSource declares the text.
func (n *one) deviceSource() {
	d := n.device
	if d == nil {
		return
	}
	t := &n.place.text
	width := 1
	for _, l := range d.lines {
		width = max(width, len(l))
	}
	t.add(4, "character(len="+decimal(width)+"), target, save :: @portable_source("+decimal(len(d.lines))+")")
	for from := 0; from < len(d.lines); from += mostDataLines {
		to := min(from+mostDataLines, len(d.lines))
		list := make([]string, 0, mostDataLines)
		for _, l := range d.lines[from:to] {
			list = append(list, quoted(l))
		}
		t.data(4, t.resolve("data @portable_source("+decimal(from+1)+":"+decimal(to)+") /"), list, "/")
	}
}

// forDevices leaves the plain loop to the host if the directive gives the nest to devices alone.
func (n *one) forDevices() {
	if n.n.OnHost() && !n.w.inside[n.n] {
		return
	}
	t := &n.place.text
	switch {
	case n.device == nil:
		t.add(4, "@portable_done = .false.")
	case n.alike():
		t.add(4, "if (.not. ("+n.mayUseDevice()+")) @portable_host = 1")
		return
	default:
		t.add(4, "@portable_done = "+n.mayUseDevice())
	}
	n.fence()
	t.add(4, "if (.not. @portable_done) return")
}

// streamName is the launch's name of the stream; empty for the default stream.
func (n *one) streamName() string {
	if n.stream() == "" {
		return ""
	}
	return "@portable_stream"
}

// onDevice launches with the list of arguments where the device may take them, else as without a device.
func (n *one) onDevice(call, more string) {
	t := &n.place.text
	takes := n.takeTexts(n.mayUseDevice())
	if len(n.scratch()) > 0 {
		n.takeScratch(takes)
		takes = "@portable_takes"
	}
	t.add(4, "if ("+takes+") then")
	n.pointParts()
	t.add(6, call+"@portable_k, "+n.block()+", ["+join(n.deviceArguments())+"], @portable_source"+more+")")
	t.add(4, "else")
	n.leaveRegions(6)
	n.onHost(6, call, more)
	t.add(4, "end if")
	n.giveScratch()
}

// reduceOnDevice launches a reduction with the lists of arguments and results; @portable_on is false then if the host has to do it.
func (n *one) reduceOnDevice(tiles string) {
	t := &n.place.text
	takes := n.takeTexts(n.mayUseDevice())
	if len(n.scratch()) > 0 {
		n.takeScratch(takes)
		takes = "@portable_takes"
	}
	t.add(4, "@portable_on = "+takes)
	t.add(4, "if (@portable_on) then")
	n.pointParts()
	n.beginSeek()
	arguments := n.deviceArguments()
	if len(arguments) == 0 { // no block is empty
		t.add(6, "@portable_none = 0")
		arguments = []string{"@portable_arg(@portable_none)"}
	}
	launch := func(results string) {
		list := n.beginOnDevice(results)
		t.add(6, "call @portable_parallel_reduce("+quoted(n.n.Label)+", @portable_bounds(@portable_lower, @portable_upper), ["+join(list)+"], ["+
			join(arguments)+"], @portable_source, @portable_on"+n.config()+tiles+")")
	}
	launch("@portable_r")
	t.add(4, "end if")
	n.seek(launch)
	n.giveScratch()
}

// beginOnDevice sets what the results of a launch begin with, and lists them.
func (n *one) beginOnDevice(results string) (list []string) {
	t := &n.place.text
	for i, r := range n.scalarResults() {
		t.add(6, results+"%"+r.name+" = "+r.name)
		list = append(list, "@portable_result_of("+results+"%"+r.name+", '"+n.device.kernel.Results[i].Operation+"', into=.true."+n.suffix()+")")
	}
	for i, r := range n.placed() {
		t.add(6, numberName(i)+" = "+r.noNumber())
		do := "max"
		if r.reduction.Strict {
			do = "min"
		}
		list = append(list, "@portable_result_of("+numberName(i)+", '"+do+"', into=.true."+n.suffix()+")")
	}
	list = append(list, n.beginLasts()...)
	list = append(list, n.beginArrays(results)...)
	if n.takesOdd() {
		t.add(6, "@portable_odd = .false.")
		list = append(list, "@portable_result_of(@portable_odd, '"+n.device.kernel.Results[len(n.device.kernel.Results)-1].Operation+"')")
	}
	return list
}

// mayUseDevice is the condition for a launch on the device. A launch with results has no stream.
func (n *one) mayUseDevice() string {
	condition := "@portable_on_device(" + n.streamName() + ")" + n.haveParts()
	if n.alike() {
		condition += " .and. @portable_host == 0"
	}
	if n.self() != "" {
		condition += " .and. .not. @portable_self"
	}
	return condition
}

// haveParts is the condition that arrays exist whose components are arguments.
func (n *one) haveParts() (text string) {
	text = n.haveModules()
	for _, own := range n.args {
		used := slices.ContainsFunc(n.device.kernel.Arguments, func(a *device.Argument) bool { return a.Of == own.Argument })
		if used && own.form == reference && own.optional() != "" {
			text += " .and. associated(@portable_b%" + own.name + ")"
		}
		for _, a := range n.device.kernel.Arguments {
			if a.InPlace && a.Of == own.Argument {
				text += " .and. @portable_device_takes([@portable_arg(@portable_b%" + own.name + ", 'read', name='" + short(own.name) + "')])"
			}
		}
		for _, a := range n.device.kernel.Arguments {
			if a.Part != "" && a.Of == own.Argument && (own.form == pointer || own.form == allocatable) {
				text += " .and. associated(@portable_b%" + own.name + ")"
				break
			}
		}
		for _, a := range n.device.kernel.Arguments {
			if a.Component == nil || a.Of != own.Argument {
				continue
			}
			if a.Component.Allocatable {
				for _, designator := range n.components(own, a) {
					text += " .and. allocated(" + designator + ")"
				}
			}
			if a.Component.Pointer {
				text += " .and. associated(@portable_b%" + own.name + a.Part + ")"
			}
		}
	}
	return text
}

// components are the designators of a component: of the variable, or of each element of an array.
func (n *one) components(own *arg, a *device.Argument) (list []string) {
	array := "@portable_b%" + own.name
	if a.Views == 0 {
		return []string{array + a.Part}
	}
	for i := range a.Views {
		index := "lbound(" + array + ", 1)"
		if i > 0 {
			index += " + " + decimal(i)
		}
		list = append(list, array+"("+index+")"+a.Part)
	}
	return list
}

// viewName is the pointer to the component of element k.
func viewName(i, k int) string { return partName(i) + "_" + decimal(k+1) }

// partName is the pointer to the component that is argument i: compilers copy a component that is an actual argument, but not a pointer's target.
func partName(i int) string { return "@portable_part_" + decimal(i+1) }

// declareParts declares the pointers to components.
func (n *one) declareParts() {
	for i, a := range n.device.kernel.Arguments {
		if a.Part != "" && a.Rank > 0 {
			names := []string{partName(i)}
			for k := range a.Views {
				names = append(names[:k], viewName(i, k))
			}
			base := map[scope.Base]string{scope.Integer: "integer", scope.Real: "real", scope.Logical: "logical", scope.ComplexType: "complex"}[a.Type.Base]
			n.place.text.add(4, base+"("+decimal(a.Type.Kind)+"), pointer, dimension("+strings.TrimSuffix(strings.Repeat(":, ", a.Rank), ", ")+") :: "+join(names))
		}
	}
}

// pointParts sets them.
func (n *one) pointParts() {
	for i, a := range n.device.kernel.Arguments {
		for _, own := range n.args {
			if a.Part == "" || a.Rank == 0 || own.Argument != a.Of {
				continue
			}
			name, part := partName(i), a.Part
			arrays := []string{"@portable_b%" + own.name}
			if a.Component != nil {
				// a section: gfortran 12 leaves a wrong stride in a component that a structure constructor has set, which its elements do not use
				arrays, part = n.components(own, a), "("+strings.TrimSuffix(strings.Repeat(":, ", a.Rank), ", ")+")"
			}
			for k := range max(a.Views, 1) {
				array := arrays[min(k, len(arrays)-1)]
				if a.Views > 0 {
					name = viewName(i, k)
				}
				if len(a.Elements) > 0 {
					part = a.Elements[k]
				}
				var bounds []string
				for d := range a.Rank {
					bounds = append(bounds, "lbound("+array+", "+decimal(d+1)+"):")
				}
				n.place.text.add(6, name+"("+join(bounds)+") => "+array+part)
			}
		}
	}
}

// scalarResults are those that are no places and no partial arrays, into which devices add by atomic operations.
func (n *one) scalarResults() (list []*result) {
	for _, r := range n.results {
		if r.dims == "" && r.of == nil {
			list = append(list, r)
		}
	}
	return list
}

// takesOdd reports whether the device says that the host has to reduce again, which the library then asks for by @portable_on.
func (n *one) takesOdd() bool {
	if n.device == nil || len(n.device.kernel.Results) == 0 {
		return false
	}
	end := n.device.kernel.Results[len(n.device.kernel.Results)-1]
	return (end.Operation == device.Odd || end.Operation == device.Never) && end.Of == nil && end.Last == nil
}

// deviceArguments are the members of the block in their order.
func (n *one) deviceArguments() (list []string) {
	for i, a := range n.device.kernel.Arguments {
		if a.Of == nil {
			switch {
			case a.LastOf != nil:
				for _, x := range n.locals {
					if x.symbol == a.LastOf && x.last != nil {
						list = append(list, "@portable_arg(@portable_b%"+x.last.name+", 'both', name='"+short(x.symbol.Name)+"')")
					}
				}
				continue
			case a.Text != nil:
				list = append(list, n.textArgument(i, a))
				continue
			case a.Phase:
				list = append(list, "@portable_arg(@portable_phase)")
				continue
			case a.Memory:
				list = append(list, "@portable_arg("+n.memoryName(a)+", 'both', name='private arrays')")
				continue
			case a.Local != nil:
				for _, b := range n.bounds {
					if b.of == a {
						list = append(list, "@portable_arg("+b.name+")")
					}
				}
				continue
			case len(n.scratch()) > 0 && a == n.device.kernel.Loops[a.Loop].End:
				list = append(list, "@portable_arg(@portable_high("+decimal(len(n.loops)-a.Loop)+"))")
				continue
			case a.Found != nil:
				list = append(list, "@portable_arg("+n.foundName(a.Found)+")")
				continue
			case a == n.device.kernel.Loops[a.Loop].Low:
				list = append(list, "@portable_arg(@portable_low("+decimal(len(n.loops)-a.Loop)+"))")
				continue
			}
			if a == n.device.kernel.Loops[a.Loop].End {
				list = append(list, "@portable_arg(@portable_b%@portable_upper("+decimal(len(n.loops)-a.Loop)+"))")
				continue
			}
			name := n.loops[a.Loop].first
			if a == n.device.kernel.Loops[a.Loop].Step {
				name = n.loops[a.Loop].step
			}
			list = append(list, "@portable_arg(@portable_b%"+name+")")
			continue
		}
		if name, is := n.device.modules[a.Of]; is {
			list = append(list, n.moduleArgument(a, name))
			continue
		}
		for _, r := range n.results {
			if r.dims != "" && r.symbol == a.Of.Symbol {
				bounds := "lbound(" + r.name + ")"
				if n.otherKinds() {
					bounds = "lbound(" + r.name + ", kind=@portable_kind)"
				}
				list = append(list, "@portable_arg("+r.name+", "+bounds+", 'both', name='"+short(r.name)+"')")
			}
		}
		for _, own := range n.args {
			if own.Argument != a.Of {
				continue
			}
			if a.Rank == 0 {
				list = append(list, "@portable_arg(@portable_b%"+own.name+a.Part+", name='"+short(own.name+a.Part)+"')")
				continue
			}
			access := "'read'"
			if a.Write {
				access = "'both'"
			}
			if a.AnyOrder() {
				access = strings.TrimSuffix(access, "'") + ", any order'"
			}
			for k := range a.Views {
				list = append(list, "@portable_arg("+viewName(i, k)+", "+access+", name='"+short(own.name+a.Part)+"')")
			}
			if a.Views > 0 {
				continue
			}
			if a.Part != "" {
				list = append(list, "@portable_arg("+partName(i)+", "+access+", name='"+short(own.name+a.Part)+"')")
				continue
			}
			list = append(list, "@portable_arg(@portable_b%"+own.name+", "+access+", name='"+short(own.name)+"')")
		}
	}
	return list
}

// givesLasts reports whether the text for devices has last values.
func (n *one) givesLasts() bool { return len(n.lasts()) > 0 }

// lasts are the results of the device that are last values.
func (n *one) lasts() (list []*device.Result) {
	if n.device == nil {
		return nil
	}
	for _, r := range n.device.kernel.Results {
		if r.Last != nil {
			list = append(list, r)
		}
	}
	return list
}

// carrier is the name of the integer that gets last value i.
func carrier(i int) string { return "@portable_last_" + decimal(i+1) }

// declareLasts declares the integers.
func (n *one) declareLasts() {
	for i, r := range n.lasts() {
		n.place.text.add(4, "integer("+decimal(r.Variable.Type.Kind)+"), target :: "+carrier(i))
	}
}

// beginLasts sets them to zero, to which the last iteration adds; they are the results of the launch behind the reductions.
func (n *one) beginLasts() (list []string) {
	for i, r := range n.lasts() {
		n.place.text.add(6, carrier(i)+" = 0")
		list = append(list, "@portable_result_of("+carrier(i)+", '"+r.Operation+"')")
	}
	return list
}

// endLasts gives them to the user's variables if the device ran an iteration.
func (n *one) endLasts() {
	lasts := n.lasts()
	if len(lasts) == 0 {
		return
	}
	t := &n.place.text
	ran := "@portable_on"
	for i := range n.loops {
		d := decimal(i + 1)
		ran += " .and. @portable_upper(" + d + ") >= @portable_lower(" + d + ")"
	}
	t.add(4, "if ("+ran+") then")
	for i, r := range lasts {
		for _, l := range n.locals {
			if l.symbol != r.Last.Symbol || l.last == nil {
				continue
			}
			kind := l.symbol.Type.Kind
			switch {
			case l.symbol.Type.Base == scope.Real:
				t.add(6, l.last.name+" = transfer("+carrier(i)+", "+l.last.name+")")
			case l.symbol.Type.Base == scope.Logical:
				t.add(6, l.last.name+" = "+carrier(i)+" /= 0")
			case kind < 4:
				t.add(6, l.last.name+" = int("+carrier(i)+", "+decimal(kind)+")")
			default:
				t.add(6, l.last.name+" = "+carrier(i))
			}
		}
	}
	t.add(4, "end if")
}
