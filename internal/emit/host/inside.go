package host

import (
	"slices"
	"strings"

	"libportable/internal/emit"
	"libportable/internal/emit/within"
	"libportable/internal/nest"
)

// This file leaves devices to the nests inside: of a nest without a version for them (package within says which), and of one that is parallel on the
// host alone, because others that it calls are parallel on devices (package nest, levels.go).

// Inside are the labels of the nests inside that run on devices in the place of a nest; none if it keeps them from devices.
func Inside(n *nest.Nest, o Options) (labels []string) {
	k, reasons := emit.New(o.Program, n)
	if len(reasons) > 0 {
		return nil
	}
	for _, x := range newWriter(n.File, &o).nest(k).inside {
		labels = append(labels, x.Nest.Label)
	}
	return labels
}

// Launches reports whether a nest runs on devices, and gives the nests inside that do in its place.
func Launches(n *nest.Nest, o Options) (device bool, inside []*nest.Nest) {
	k, reasons := emit.New(o.Program, n)
	if len(reasons) > 0 || !launched(n) {
		return false, nil
	}
	x := newWriter(n.File, &o).nest(k)
	for _, i := range x.inside {
		inside = append(inside, i.Nest)
	}
	return x.device != nil, inside
}

// inside is a nest inside with the dummies that the launch around has for its bounds, for each of its loops the first and the last one.
type inside struct {
	within.Inside
	bounds [][2]string
}

// planInside decides whether the nests inside run on devices.
func (n *one) planInside() {
	if n.device != nil || n.leavesDevices() {
		return
	}
	for _, found := range n.nestsInside() {
		x := &inside{Inside: found}
		for _, l := range found.Kernel.Loops {
			x.bounds = append(x.bounds, [2]string{n.dummy(l.Do.Variable + "_inside_first"), n.dummy(l.Do.Variable + "_inside_last")})
		}
		n.inside = append(n.inside, x)
	}
	for _, x := range n.inside {
		n.w.inside[x.Nest] = true
	}
}

// nestsInside are those that run on devices if the nest does not.
func (n *one) nestsInside() []within.Inside {
	if n.w.o.Device == nil || !n.n.OnDevices() || len(n.n.Self()) > 0 || !n.seesArrays() {
		return nil
	}
	return within.Nests(n.w.o.Program, n.n, n.k.Inner)
}

// seesArrays reports whether the launch can ask if a device takes all arrays of the nests inside.
func (n *one) seesArrays() bool {
	for _, a := range n.args {
		if a.Rank > 0 && (!a.comparable() || a.form == starred || a.optional() != "") {
			return false
		}
	}
	return true
}

// ordinary reports whether a nest inside has a private array of this one, which lies in ordinary memory of the host.
func (n *one) ordinary() bool {
	for _, x := range n.inside {
		for _, a := range x.Kernel.Arguments {
			if a.Rank > 0 && (slices.Contains(n.n.Private, a.Symbol) || slices.Contains(n.n.Last, a.Symbol)) {
				return true
			}
		}
	}
	return false
}

// insideDummies are the dummies with their actual arguments.
func (n *one) insideDummies() (names, actual []string) {
	for _, x := range n.inside {
		for i, b := range x.bounds {
			do := x.Kernel.Loops[i].Do
			names = append(names, b[0], b[1])
			actual = append(actual, "int("+n.w.words(do.First)+", 8)", "int("+n.w.words(do.Last)+", 8)")
		}
	}
	return names, actual
}

// leaveInside leaves the nest to the nests inside where they are long enough, and run on a device that needs no copies of their arrays.
func (n *one) leaveInside() {
	if len(n.inside) == 0 {
		return
	}
	t := &n.place.text
	var sum []string
	for _, x := range n.inside {
		count := decimal(int(x.Work)) + "_@c_int64_t"
		for _, b := range x.bounds {
			count += "*max(0_@c_int64_t, " + b[1] + " - " + b[0] + " + 1_@c_int64_t)"
		}
		sum = append(sum, count)
	}
	least := len(n.inside) * within.Least
	if n.w.o.Always {
		least = 1
	}
	kind := ""
	if n.otherKinds() {
		kind = ", kind=@portable_kind"
	}
	t.comment(4, "the loops inside run on a device, if they are long enough and it needs no copies")
	t.add(4, "if ("+strings.Join(sum, " + ")+" >= "+decimal(least)+"_@c_int64_t) then")
	t.add(6, "@portable_done = @portable_on_device()")
	var list []string
	if n.ordinary() { // as this variable does
		list = append(list, "@portable_arg(@portable_lower, lbound(@portable_lower"+kind+"), 'read')")
	}
	for _, a := range n.args {
		if a.Rank == 0 {
			continue
		}
		for _, condition := range a.exists() {
			t.add(6, "if (@portable_done) @portable_done = "+condition)
		}
		list = append(list, a.listed(kind, "'read'"))
	}
	t.add(6, "if (@portable_done) @portable_done = @portable_device_takes(["+join(list)+"])")
	t.add(6, "@portable_done = .not. @portable_done")
	n.fence()
	t.add(6, "if (.not. @portable_done) return")
	t.add(4, "end if")
}

// leavesDevices reports whether nests inside run on devices in the place of this one.
func (n *one) leavesDevices() bool { return n.w.o.Device != nil && len(n.n.Leaves()) > 0 }

// outside reports whether the calling thread runs the parts of a reduction one after another where a device runs, and launches the nests inside: the
// bits are then those of the threads.
func (n *one) outside() bool { return n.leavesDevices() && n.n.Rounds() && len(n.results) > 0 }

// alike reports whether the host reduces in the parts of a launch also where the nest is none, because its bits must be those of a launch on a device.
func (n *one) alike() bool {
	return n.w.o.Device != nil && n.n.Rounds() && len(n.results) > 0 && (len(n.n.Within()) > 0 || n.device != nil && !n.n.OnHost())
}

// declareLevels declares what chooses where the host runs the nest.
func (n *one) declareLevels() {
	t := &n.place.text
	if n.outside() || n.alike() {
		kind := ""
		if n.otherKinds() {
			kind = "(@portable_kind)"
		}
		t.add(4, "integer"+kind+" :: @portable_host") // the device of a launch on the host; 0: the default one, 1: the calling thread
	}
	if n.outside() {
		t.add(4, "logical :: @portable_outside")
	}
}

// inKernel leaves the plain loop to a running kernel.
func (n *one) inKernel() {
	t := &n.place.text
	if n.outside() || n.alike() {
		t.add(4, "@portable_host = 0")
	}
	if !n.alike() {
		t.add(4, "@portable_done = .not. @portable_in_kernel()")
		t.add(4, "if (.not. @portable_done) return")
		return
	}
	t.add(4, "@portable_done = .true.")
	t.add(4, "if (@portable_in_kernel()) @portable_host = 1")
}

// leaveLevel leaves devices to the nests inside.
func (n *one) leaveLevel() {
	if !n.leavesDevices() {
		return
	}
	t := &n.place.text
	t.comment(4, "the loops inside run on a device")
	if n.outside() {
		t.add(4, "@portable_outside = @portable_on_device() .and. @portable_host == 0")
		if n.w.o.hasRegions() { // the body has no calls that bring arrays of regions between launches
			t.add(4, "if (@portable_outside) @portable_outside = .not. @portable_data_open()")
		}
		t.add(4, "if (@portable_outside) @portable_host = 1")
		return
	}
	t.add(4, "@portable_done = .not. @portable_on_device()")
	t.add(4, "if (.not. @portable_done) return")
}

// asksHost reports whether directives keep the nest from devices: always, or where the condition of SELF holds.
func (n *one) asksHost() bool {
	return n.w.o.Device != nil && (!n.n.OnDevices() && !n.leavesDevices() || n.self() != "")
}

// tellAsked says so in front of a launch on the host.
func (n *one) tellAsked() {
	if !n.asksHost() {
		return
	}
	condition := ""
	if n.self() != "" {
		condition = "if (@portable_self) "
	}
	n.place.text.add(4, condition+"call @portable_host_asked("+quoted(n.n.Label)+")")
}

// hostDevice is the device of a launch on the host, as an argument.
func (n *one) hostDevice() string {
	if n.outside() || n.alike() {
		return ", device=@portable_host"
	}
	return ""
}

// callBody calls the body from the tile, outside of the kernel if the nests inside are to be launched.
func (n *one) callBody(call string) {
	t := &n.place.text
	if !n.outside() {
		t.add(4, call)
		return
	}
	t.add(4, "@portable_job = @c_null_ptr")
	t.add(4, "if (@portable_b%@portable_outside) call @portable_swap_kernel(@portable_job)")
	t.add(4, call)
	t.add(4, "if (@portable_b%@portable_outside) call @portable_swap_kernel(@portable_job)")
}
