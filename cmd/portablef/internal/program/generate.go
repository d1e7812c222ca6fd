package program

import (
	"errors"
	"strings"

	"libportable/cmd/portablef/internal/verdicts"
	"libportable/internal/emit"
	"libportable/internal/emit/cuda"
	"libportable/internal/emit/host"
	"libportable/internal/emit/libmath"
	"libportable/internal/fortran/tree"
	"libportable/internal/nest"
	"libportable/internal/nest/data"
)

// Emission says how generated files are written.
type Emission struct {
	Check   bool // bodies for PORTABLE_CHECK=races
	Markers bool // line markers to the user's file
	Always  bool // launch nests with few operations too
	Device  bool // embed the text for CUDA devices
}

func (p *Program) options(i int, output string, e Emission) host.Options {
	in := p.Inputs[i]
	o := host.Options{Program: p.Scope, Output: output, NoMarkers: !e.Markers, Check: e.Check, Always: e.Always, Math: p.math(i), Data: p.regions, Width: in.Flags.Source.FreeColumns,
		Preprocessed: in.Flags.Source.IsPreprocessed(in.Name), Defined: defined(in.Flags),
		WholeCopies: isFlang(in.Flags)}
	if e.Device {
		o.Device = cuda.Emitter{Bits: p.bits}
	}
	if p.Files[i].Source.Fixed {
		o.Width = 0
	}
	return o
}

// math is the plan of a file under --bits, made once: each nest of the file asks for it. nil: without --bits.
func (p *Program) math(i int) *libmath.Plan {
	file := p.Files[i]
	if p.bits && p.plans[file] == nil {
		p.plans[file] = libmath.Find(p.Scope, file)
	}
	return p.plans[file]
}

// emittable refuses the nests that cannot be written, so that each command gives the verdict of convert.
func (p *Program) emittable() {
	for _, n := range p.Nests {
		if n.Verdict != nest.Parallel {
			continue
		}
		reasons := p.shared(n)
		if len(reasons) == 0 {
			reasons = host.Check(n, p.options(p.input[n.File], "", Emission{}))
		}
		if len(reasons) > 0 {
			n.Verdict, n.Refusals = nest.Refused, reasons
		}
	}
	nest.Keep(p.Nests)
}

// hasVersion reports whether a nest is converted and has a version for devices.
func (p *Program) hasVersion(n *nest.Nest) bool {
	i, known := p.input[n.File]
	if !known || p.Inputs[i].Modules || len(p.shared(n)) > 0 {
		return false
	}
	return host.HasVersion(n, p.options(i, "", Emission{Device: true}))
}

// dataRegions decides what the data regions of all sources mean.
func (p *Program) dataRegions(o Options) {
	options := data.Options{Accept: o.Accept, Small: p.Scope.Options.Integer == 4, Converted: func(f *tree.File) bool {
		i, known := p.input[f]
		return known && !p.Inputs[i].Modules
	}}
	if o.Device {
		options.Device = func(n *nest.Nest) (bool, []*nest.Nest) {
			return host.Launches(n, p.options(p.input[n.File], "", Emission{Device: true}))
		}
	}
	p.regions = data.Find(p.Scope, p.Nests, options)
	p.Stray = append(p.Stray, p.regions.Refusals...)
}

// onDevice reports whether a nest has a version for devices that is better than those of loops inside.
func (p *Program) onDevice(n *nest.Nest) bool {
	i, known := p.input[n.File]
	return known && len(p.shared(n)) == 0 && host.OnDevice(n, p.options(i, "", Emission{Device: true}))
}

// HostOnly notes which nests of a report run on the device, and adds a warning for each nest that runs on the threads of the host and has no text for
// devices, a note if loops inside have one.
func (p *Program) HostOnly(r *verdicts.Report, device string) {
	at := map[verdicts.Place]*verdicts.Nest{}
	for i := range r.Nests {
		at[r.Nests[i].Place] = &r.Nests[i]
	}
	place := func(n *nest.Nest, where string) {
		if x := at[p.Place(n.Loops[0].Do.Where.From)]; x != nil {
			x.Device = where
		}
	}
	for _, n := range p.Nests {
		if n.Verdict != nest.Parallel {
			continue
		}
		r.Messages = append(r.Messages, p.levels(n)...)
		if len(n.Leaves()) > 0 {
			place(n, verdicts.Inside)
			continue
		}
		if !n.OnDevices() {
			place(n, verdicts.OnHost)
			continue
		}
		k, reasons := emit.New(p.Scope, n)
		if len(reasons) == 0 {
			reasons = host.DeviceRefuses(k, p.options(p.input[n.File], "", Emission{Device: true}))
		}
		var inside []string
		if len(n.Inside) > 0 || len(reasons) > 0 {
			inside = host.Inside(n, p.options(p.input[n.File], "", Emission{Device: true}))
		}
		if len(reasons) == 0 && len(inside) > 0 {
			reasons = []nest.Refusal{{At: n.Loops[0].Do.Where.From, Text: "its private arrays have no constant bounds"}}
		}
		if len(reasons) == 0 {
			place(n, device)
			continue
		}
		place(n, verdicts.OnHost)
		m := verdicts.Message{Place: p.Place(reasons[0].At), Level: "warning",
			Text: "the loop '" + n.Label + "' stays on the host: " + p.spoken(reasons[0].Text), Remedy: reasons[0].Remedy}
		if len(inside) > 0 {
			place(n, verdicts.Inside)
			m.Level, m.Remedy = "note", "where they are long, the loops inside run on the device: '"+strings.Join(inside, "', '")+"'"
		}
		r.Messages = append(r.Messages, m)
	}
}

// levels are the messages about a nest that is parallel on the host and may have others inside that are parallel on devices.
func (p *Program) levels(n *nest.Nest) (list []verdicts.Message) {
	at := p.Place(n.Loops[0].Do.Where.From)
	if leaves := n.Leaves(); len(leaves) > 0 {
		list = append(list, verdicts.Message{Place: at, Level: "note", Text: "the loop '" + n.Label + "' runs on the threads of the host; on a device these run in its place: '" +
			strings.Join(labels(leaves), "', '") + "'"})
	}
	if n.Whole != nil {
		list = append(list, verdicts.Message{Place: at, Level: "warning", Text: "the loop '" + n.Label + "' runs on the host where a device runs, too, with the loops inside: " +
			n.Whole.Text, Remedy: n.Whole.Remedy})
	}
	if within := n.Within(); len(within) > 0 && n.Directive != nil && n.Directive.Async != "" {
		list = append(list, verdicts.Message{Place: at, Level: "note", Text: "async of the loop '" + n.Label + "' is not used: '" + strings.Join(labels(within), "', '") +
			"' waits for it in each iteration"})
	}
	return list
}

func labels(nests []*nest.Nest) (list []string) {
	for _, n := range nests {
		list = append(list, n.Label)
	}
	return list
}

// Generate is the generated text of an input, whose nests were all read. The error says why there is none.
func (p *Program) Generate(i int, output string, e Emission) ([]byte, error) {
	o := p.options(i, output, e)
	o.Recursive = p.called()
	return host.Write(p.Files[i], p.Nests, o)
}

// NotWritten are the messages about an input for which Generate gave an error.
func (p *Program) NotWritten(i int, err error) (list []verdicts.Message) {
	var refused *host.Refused
	if !errors.As(err, &refused) {
		return []verdicts.Message{{Place: verdicts.Place{File: p.Inputs[i].Name}, Level: "error", Text: "it cannot be written: " + err.Error()}}
	}
	for _, r := range refused.Reasons {
		m := verdicts.Message{Place: p.Place(r.At), Level: "error", Text: "the file cannot be written: " + r.Text, Remedy: r.Remedy}
		if m.File == "" {
			m.File = p.Inputs[i].Name
		}
		list = append(list, m)
	}
	return list
}

// called are the procedures that nests of all files call.
func (p *Program) called() map[*tree.Unit]bool { return host.Called(p.Scope, p.Nests) }
