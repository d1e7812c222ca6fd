package verdicts

import (
	"cmp"
	"slices"
)

// Place is a place in a source. The zero Place is none.
type Place struct {
	File   string `json:"file"`
	Line   int    `json:"line"`
	Column int    `json:"column"` // in characters, from 1
}

// Verdicts of a nest, in JSON too.
const (
	Parallel = "parallel" // it runs in parallel
	Refused  = "refused"  // it cannot be proved
	Serial   = "serial"   // it was not looked at: it has no directive, or one that says so
)

// Places of a nest for which a device was asked.
const (
	OnHost = "host"
	Inside = "inside"
)

// Nest is a loop nest with its verdict.
type Nest struct {
	Place
	Verdict    string      `json:"verdict"`
	Asked      bool        `json:"asked"`     // a directive or DO CONCURRENT asks for it; a refusal is then an error
	Directive  string      `json:"directive"` // portable, omp, acc, do concurrent; "": none
	Asserted   bool        `json:"asserted"`  // the user says that it is independent: not all is proved
	Procedure  string      `json:"procedure"` // that it is in; "" in a main program without a name
	Label      string      `json:"label"`
	Loops      []string    `json:"loops"`  // variables of the parallel loops, outermost first; of other nests that of the outermost loop
	Around     []string    `json:"around"` // variables of loops around them that stay serial
	Statements int         `json:"statements"`
	Device     string      `json:"device,omitempty"`       // of a parallel nest, if a device was asked for: that device; inside: its loops inside run there; host: it stays there
	Leaves     []string    `json:"device_loops,omitempty"` // labels of the nests that run on the device in its place, in its loops and in procedures that it calls
	Within     []string    `json:"host_loops,omitempty"`   // labels of the nests that do so for it and for others: on the host it is a part of these
	Private    []string    `json:"private"`
	Last       []string    `json:"last_values"`
	Reductions []Reduction `json:"reductions"`
	Sums       []Sum       `json:"sums"`
	Data       []Datum     `json:"data"`
	Calls      []Call      `json:"calls"`
	Overlaps   [][2]string `json:"compared"` // arrays that are compared at each launch, because they may overlap
	Proofs     []Proof     `json:"proofs"`
	Columns    []Insertion `json:"columns,omitempty"` // dimensions that the clause columns inserts
	Refusals   []Refusal   `json:"refusals"`          // of a parallel nest: why loops around stay serial
	Parts      []string    `json:"parts,omitempty"`   // of a refused nest: loops into which the outer one can be split; with part_of: is cut
	PartOf     *Lines      `json:"part_of,omitempty"` // the loop of the source that is cut, of which this nest is a part
	End        int         `json:"end_line"`
	Source     string      `json:"-"` // the file that was read; Place may be in one that it includes
}

// Lines are lines of the file of a nest.
type Lines struct {
	First int `json:"line"`
	Last  int `json:"end_line"`
}

// Insertion is a dimension that the clause columns inserts, or data of which each column gets its own.
type Insertion struct {
	Place
	Name string `json:"name"`
	Text string `json:"text"`
}

// Reduction is a scalar that all iterations combine.
type Reduction struct {
	Operator string   `json:"operator"`
	Variable string   `json:"variable"`
	Place    []string `json:"with"` // scalars that are set together with a minimum or maximum
}

// Sum is a sum into elements that several iterations share.
type Sum struct {
	Operator string `json:"operator"`
	Array    string `json:"array"`
}

// Datum is data from outside of the nest.
type Datum struct {
	Name   string `json:"name"`
	Access string `json:"access"` // read, write, update
	Uses   []Use  `json:"uses"`
}

// Use is one reference.
type Use struct {
	Place
	Text   string `json:"text"` // as the source has it
	Access string `json:"access"`
}

// Call is a procedure that the nest calls.
type Call struct {
	Place
	Procedure string `json:"procedure"`
	Trusted   bool   `json:"trusted"` // no file has it, but it is PURE, or the directive says independent
}

// Proof is the reason why two references are no conflict.
type Proof struct {
	Loop  string `json:"loop"`
	Array string `json:"array"`
	Way   string `json:"way"`
	A     Place  `json:"first"`
	B     Place  `json:"second"`
}

// Refusal is one reason why a loop does not run in parallel.
type Refusal struct {
	Place
	Rule   string  `json:"rule"`
	Loop   string  `json:"loop"`
	Text   string  `json:"text"`
	Remedy string  `json:"remedy"`
	Also   []Place `json:"also"`
}

// Message is about a file or a statement, not about a nest.
type Message struct {
	Place         // Line 0: the whole file
	Level  string `json:"level"` // error, warning, note
	Text   string `json:"text"`
	Remedy string `json:"remedy"`
}

// File is a file that was read to be converted.
type File struct {
	Name       string `json:"name"`
	Output     string `json:"output"` // the generated file; "": none was written
	Statements int    `json:"statements"`
	Unread     int    `json:"unread"`
}

// Report is the outcome of a run.
type Report struct {
	Command  string
	Files    []File
	Nests    []Nest
	Messages []Message
}

// Sort puts nests and messages into the order of the files, and of their lines.
func (r *Report) Sort() {
	order := map[string]int{}
	for i, f := range r.Files {
		order[f.Name] = i
	}
	compare := func(a, b Place) int {
		i, known := order[a.File]
		j, too := order[b.File]
		if !known || !too { // included files stand behind the others
			i, j = len(order), len(order)
			if known {
				i = 0
			}
			if too {
				j = 0
			}
		}
		return cmp.Or(cmp.Compare(i, j), cmp.Compare(a.File, b.File), cmp.Compare(a.Line, b.Line), cmp.Compare(a.Column, b.Column))
	}
	slices.SortStableFunc(r.Nests, func(a, b Nest) int { return compare(a.Place, b.Place) })
	slices.SortStableFunc(r.Messages, func(a, b Message) int { return compare(a.Place, b.Place) })
}

// Failed reports whether a nest that was asked for is refused, or an error stands among the messages. Strict counts
// warnings too.
func (r *Report) Failed(strict bool) bool {
	if strict && slices.ContainsFunc(r.Nests, func(n Nest) bool { return n.Verdict == Refused && n.Directive != "" }) {
		return true
	}
	return slices.ContainsFunc(r.Nests, Nest.failed) || slices.ContainsFunc(r.Messages, func(m Message) bool {
		return m.Level == "error" || strict && m.Level == "warning"
	})
}

// FileFailed is Failed for one file.
func (r *Report) FileFailed(name string, strict bool) bool {
	one := Report{}
	for _, n := range r.Nests {
		if n.Source == name || n.File == name {
			one.Nests = append(one.Nests, n)
		}
	}
	for _, m := range r.Messages {
		if m.File == name {
			one.Messages = append(one.Messages, m)
		}
	}
	return one.Failed(strict)
}

// SetOutput notes the generated file of a source.
func (r *Report) SetOutput(name, output string) {
	for i := range r.Files {
		if r.Files[i].Name == name {
			r.Files[i].Output = output
		}
	}
}

func (n Nest) failed() bool { return n.Asked && n.Verdict == Refused }
