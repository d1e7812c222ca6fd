package lint

// This file is the table of the rules: names, titles, levels, and remedies that do not depend on
// the source.

// Rule names a kind of finding, for reports and suppressions.
type Rule string

// The rules.
const (
	SharedScalar   Rule = "shared-scalar"
	SharedArray    Rule = "shared-array"
	SharedSum      Rule = "reduction-by-hand"
	SavedLocal     Rule = "saved-local"
	NotRecursive   Rule = "not-recursive"
	StaticArray    Rule = "static-array"
	InputOutput    Rule = "io-in-kernel"
	StopInKernel   Rule = "stop-in-kernel"
	SharedPointer  Rule = "shared-pointer"
	PointerSpeed   Rule = "pointer-stencil"
	ScatteredSum   Rule = "scattered-sum"
	BoundsRank     Rule = "bounds-rank"
	NotIndependent Rule = "not-independent"
)

// row is the part that all findings of a rule share.
type row struct {
	title  string
	level  Level
	remedy string // "": each finding has one of its own
}

var table = map[Rule]row{
	SharedScalar: {"A scalar that a kernel assigns is shared by all threads", Error, ""},
	SharedArray: {"All threads assign the same elements of an array", Error,
		"declare the array in the kernel, or give it a dimension for the index of the launch"},
	SharedSum:     {"A sum, minimum or maximum of all threads is kept by hand", Error, ""},
	SharedPointer: {"A kernel allocates, frees or moves what all threads share", Error, "declare it in the kernel, or do this before the launch"},
	SavedLocal: {"A local variable with SAVE is one for all threads", Error,
		"assign it in an executable statement instead of its declaration, and leave SAVE out"},
	NotRecursive: {"A procedure of several threads is not RECURSIVE", Warning, "write recursive in front of it, or compile with -frecursive"},
	StaticArray: {"A large local array is in static memory", Error,
		"write recursive in front of the procedure, or compile with -frecursive"},
	InputOutput:    {"A kernel reads or writes files", Warning, "move it after the launch; for errors call kernel_fail(t, code, text)"},
	StopInKernel:   {"A kernel stops the program", Warning, "call kernel_fail(t, code, text), and look at stat of the launch"},
	PointerSpeed:   {"A loop over POINTER arrays is not vectorised", Hint, ""},
	ScatteredSum:   {"A sum goes into an element that data choose", Hint, ""},
	NotIndependent: {"A loop is said to be independent, and is not", Error, ""},
	BoundsRank: {"A launch has other dimensions than its kernel reads", Error,
		"give the bounds as many dimensions as the kernel has loops: bounds([1, 1], [nx, ny]) are two"},
}

// Title is a rule in one line.
func (r Rule) Title() string { return table[r].title }

// complete adds the rule's level and remedy to a finding without them.
func (f *Finding) complete() {
	if f.Level == "" {
		f.Level = table[f.Rule].level
	}
	if f.Remedy == "" {
		f.Remedy = table[f.Rule].remedy
	}
}
