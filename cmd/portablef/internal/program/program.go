package program

import (
	"fmt"
	"path/filepath"
	"runtime"
	"sync"

	"libportable/internal/columns"
	"libportable/internal/emit/libmath"
	"libportable/internal/fortran/flags"
	"libportable/internal/fortran/parse"
	"libportable/internal/fortran/scope"
	"libportable/internal/fortran/source"
	"libportable/internal/fortran/tree"
	"libportable/internal/nest"
	"libportable/internal/nest/data"
	"libportable/internal/outside"
)

// Input is a source to read.
type Input struct {
	Name    string
	Flags   flags.Flags
	Modules bool // it is read for what it declares; its nests are not looked at
}

// Options of a run.
type Options struct {
	Auto     bool
	Accept   map[string]bool
	Bits     bool   // functions and powers of reals are the library's
	Original bool   // positions are those of the files: the clause columns is left alone
	Always   bool   // short loops are cut like long ones
	Device   bool   // nests get a version for CUDA devices, if they have one
	Step     func() // is called for each file that is read; nil: not
}

// Program is the sources with their nests.
type Program struct {
	Inputs  []Input
	Set     *source.Set
	Files   []*tree.File // of Inputs, in their order
	Scope   *scope.Program
	Nests   []*nest.Nest   // of inputs that are not for their modules only
	Stray   []nest.Refusal // faults of directives that stand at no loop
	input   map[*tree.File]int
	bits    bool
	plans   map[*tree.File]*libmath.Plan // of --bits
	plan    *columns.Plan                // of the clause columns; nil: no directive has it
	user    []*tree.File                 // Files as they were before the clause columns and cuts of loops; nil: they are that
	cuts    []*loopCut
	regions *data.Plan
}

// Read reads the sources. An error is about a file that cannot be read.
func Read(inputs []Input, o Options) (*Program, error) {
	p := &Program{Inputs: unique(inputs), Set: source.NewSet(nil), input: map[*tree.File]int{}, bits: o.Bits, plans: map[*tree.File]*libmath.Plan{}}
	kinds, err := p.kinds()
	if err != nil {
		return nil, err
	}
	p.Files = make([]*tree.File, len(p.Inputs))
	failed := make([]error, len(p.Inputs))
	work := make(chan int)
	var all sync.WaitGroup
	for range min(runtime.GOMAXPROCS(0), len(p.Inputs)) {
		all.Go(func() {
			for i := range work {
				p.Files[i], failed[i] = p.read(p.Inputs[i])
				if o.Step != nil {
					o.Step()
				}
			}
		})
	}
	for i := range p.Inputs {
		work <- i
	}
	close(work)
	all.Wait()
	for i, err := range failed {
		if err != nil {
			return nil, err
		}
		p.input[p.Files[i]] = i
	}
	p.Scope = scope.Build(p.Files, kinds)
	options := nest.Options{Auto: o.Auto, Accept: o.Accept}
	if o.Device {
		options.Devices, options.Version = p.onDevice, p.hasVersion
		options.Converted = func(f *tree.File) bool { return !p.Inputs[p.input[f]].Modules }
	}
	if !o.Original {
		p.columns(kinds)
	}
	if p.plan != nil {
		options.Own = p.plan.Own
	}
	p.find(o, options)
	if !o.Original {
		p.cutLoops(kinds, o, func() { p.find(o, options) })
	}
	p.Stray = append(p.Stray, nest.Stray(p.Scope, options)...)
	p.dataRegions(o)
	return p, nil
}

// find finds the nests of the files as they are now.
func (p *Program) find(o Options, options nest.Options) {
	p.Nests = nil
	for _, n := range nest.Find(p.Scope, options) {
		if i, known := p.input[n.File]; known && !p.Inputs[i].Modules && !p.copied(n) && !p.spare(n) && !(o.Original && n.Directive != nil && len(n.Directive.Columns) > 0) {
			p.Nests = append(p.Nests, n)
		}
	}
	p.whole()
	p.emittable()
}

// Names are the names of all files that were read, included ones too.
func (p *Program) Names() (names []string) {
	for _, f := range p.Set.Files() {
		if f.Parts == nil {
			names = append(names, f.Name)
		}
	}
	return names
}

func (p *Program) read(in Input) (*tree.File, error) {
	text, err := outside.ReadArgument(in.Name, outside.TextMost)
	if err != nil {
		return nil, err
	}
	return parse.File(source.Read(p.Set, in.Name, text, in.Flags.Source)), nil
}

// unique keeps each file once; one that is to be converted wins.
func unique(inputs []Input) (out []Input) {
	at := map[string]int{}
	for _, in := range inputs {
		key := in.Name
		if absolute, err := filepath.Abs(in.Name); err == nil {
			key = absolute
		}
		if i, known := at[key]; known {
			if out[i].Modules && !in.Modules {
				out[i] = in
			}
			continue
		}
		at[key] = len(out)
		out = append(out, in)
	}
	return out
}

// kinds are the default kinds and rules of names, which all sources share: modules would not fit else.
func (p *Program) kinds() (first scope.Options, err error) {
	for i, in := range p.Inputs {
		o, err := scopes(in.Flags)
		if err != nil {
			return o, fmt.Errorf("%s: %w", in.Name, err)
		}
		if i == 0 {
			first = o
		}
		if o != first {
			return o, fmt.Errorf("%s and %s have flags that make different default kinds or rules of names; convert them in two runs", p.Inputs[0].Name, in.Name)
		}
	}
	return first, nil
}
