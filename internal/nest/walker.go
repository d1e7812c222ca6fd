package nest

import (
	"fmt"
	"slices"
	"strconv"

	"libportable/internal/fortran/scope"
	"libportable/internal/fortran/token"
	"libportable/internal/fortran/tree"
	"libportable/internal/nest/affine"
	"libportable/internal/nest/parts"
)

// walker goes through the statements of one iteration in their order. It follows the values of integer scalars, notes what is set on
// every path, and records accesses. Calls are followed into their procedures.
type walker struct {
	program  *scope.Program
	effects  *summaries
	table    *affine.Table
	changing *effects // what the loop may write
	st       *state
	frame    *frame
	scope    *scope.Scope
	stmt     tree.Node // statement of the nest, not of a called procedure

	accesses  []access
	exposed   map[datum][]place             // scalars read before they are set, with the places
	sets      map[datum][]place             // scalars set
	setOf     map[*scope.Symbol][]datum     // the keys of sets by their variables
	exposedOf map[*scope.Symbol][]datum     // those of exposed
	unset     map[*scope.Symbol]bool        // structures of which a part is read that the iteration has not set
	pointing  map[*scope.Symbol]bool        // structures of which a component is used that is a pointer
	inquired  map[*scope.Symbol]access      // structures of which bounds or allocations are asked for that the iteration has not set
	foreign   map[datum]place               // data outside that called procedures use by their names
	notes     map[affine.Atom]*scope.Symbol // arrays and functions that values come from
	ofIndex   map[affine.Atom]bool          // values of functions that the index of the loop goes into
	isIndex   map[affine.Atom]bool          // indices of loops and sections
	symbols   map[*scope.Symbol]int         // numbers for keys of atoms
	refusals  []Refusal
	calls     []CallSite
	callees   []*scope.Symbol
	divisions []division

	covering map[datum]bool  // arrays whose set elements are followed
	loop     affine.Atom     // index of the analysed loop
	left     int             // statements that may still be walked
	tallied  int64           // work of proofs that the budget has got
	strict   bool            // statements that a kernel cannot have are refused
	follow   bool            // calls are followed
	cut      bool            // a part is not walked: it is too large
	lost     bool            // the flow is not understood: no scalar counts as set
	trusting bool            // unseen procedures are trusted (independent)
	hidden   []datum         // dummies of statement functions
	file     int32           // of the nest
	bounding int             // bounds that are evaluated
	under    int             // conditions around
	ahead    *ahead          // of a walk behind a loop
	behind   []*scope.Symbol // variables of modules that it looks for
	sweeps   int             // earlier iterations that are walked
	silent   int             // > 0: accesses and reads are not recorded
}

// place is where something happens: in the nest, or in a procedure that it calls.
type place struct {
	at      token.Pos
	call    token.Pos // place of the call in the nest, if at is in a called procedure
	foreign bool      // by its own name in a called procedure
	after   bool      // of a read: some statement before it sets the variable
	node    tree.Node
}

// access is one reference to an array or structure.
type access struct {
	ref     ref
	write   bool
	facts   affine.Facts
	where   place
	covered bool // a read of elements that the iteration has set
	borrows bool // an allocatable component has memory that the iteration did not allocate
	always  bool // no condition stands before it
}

// frame is a procedure that is walked: the one of the nest or a called one.
type frame struct {
	up         *frame
	scope      *scope.Scope
	callee     *scope.Symbol
	call       token.Pos // place of the outermost call
	bindings   map[*scope.Symbol]*binding
	returns    *state
	procedures map[*scope.Symbol]*scope.Symbol // dummy procedures
	functions  int                             // statement functions that are open
	pending    map[int32]*state                // states of jumps to labels
	labels     map[int32]int32                 // places of labels that may be jumped to
	back       map[int32]int32                 // labels that jumps go back to, with the place of the last jump
	open       map[int32]int                   // those of back whose loop is walked
	loops      []*loopFrame
	last       token.Pos // place of the statement that is walked
}

// loopFrame is a construct that CYCLE and EXIT can name.
type loopFrame struct {
	name         string
	isLoop       bool
	cycle, leave *state
	analysed     bool // the loop that is analysed
}

// binding is what a dummy, or a name of ASSOCIATE, stands for.
type binding struct {
	ref   ref  // a designator
	isRef bool // else a value
	value affine.Form
}

// view maps subscripts of a bound array to those of its actual argument.
type view struct {
	subs         []sub // of the actual array
	lower, upper []affine.Form
	bounds       [][2]affine.Form // of the actual array, if it is an element
	from         []bool           // of subs: points from which the array goes on
	limited      []bool           // of subs: an index beyond the end of the range means another column
	whole        bool             // without subscripts it is all of subs
	rough        bool             // nothing is known but subs
}

// division is an integer quotient: if it is positive, by*quotient <= of < by*quotient+by.
type division struct {
	quotient, of affine.Form
	by           int64
}

const (
	mostStatements = 20000
	mostRefusals   = 1000 // of one loop: more are not readable
)

func newWalker(p *scope.Program, m *summaries, s *scope.Scope, changing *effects) *walker {
	return &walker{program: p, effects: m, table: affine.NewTable(), changing: changing, st: newState(), scope: s,
		frame:   &frame{scope: procedure(s), bindings: map[*scope.Symbol]*binding{}, pending: map[int32]*state{}},
		exposed: map[datum][]place{}, sets: map[datum][]place{}, setOf: map[*scope.Symbol][]datum{}, exposedOf: map[*scope.Symbol][]datum{}, foreign: map[datum]place{}, notes: map[affine.Atom]*scope.Symbol{}, isIndex: map[affine.Atom]bool{}, ofIndex: map[affine.Atom]bool{},
		unset: map[*scope.Symbol]bool{}, pointing: map[*scope.Symbol]bool{}, inquired: map[*scope.Symbol]access{}, symbols: map[*scope.Symbol]int{}, left: mostStatements}
}

// refuse notes that the nest cannot be a kernel.
func (w *walker) refuse(rule Rule, at token.Pos, text, remedy string) {
	if !w.strict || w.st.dead {
		return
	}
	if w.frame.up != nil {
		if rule == "effect" {
			rule = "call-effect"
		}
		text = "'" + w.frame.callee.Name + "', called at " + w.line(w.frame.call) + ": " + text
	}
	r := Refusal{Rule: rule, At: at, Text: text, Remedy: remedy}
	if w.frame.up != nil {
		r.At, r.Also = w.frame.call, []token.Pos{at}
	}
	if len(w.refusals) >= mostRefusals {
		return
	}
	for _, old := range w.refusals {
		if old.At == r.At && old.Rule == r.Rule && old.Text == r.Text {
			return
		}
	}
	w.refusals = append(w.refusals, r)
}

func (w *walker) here(at token.Pos, foreign bool) place {
	p := place{at: at, foreign: foreign, node: w.stmt}
	if w.frame.up != nil {
		p.call = w.frame.call
	}
	return p
}

// key is a text for a datum, unlike those of all others.
func (w *walker) key(d datum) string {
	n, known := w.symbols[d.root]
	if !known {
		n = len(w.symbols) + 1
		w.symbols[d.root] = n
	}
	return d.name() + "@" + strconv.Itoa(n)
}

// noteOf is the array or function that decides the value of a form, or nil.
func (w *walker) noteOf(f affine.Form) (y *scope.Symbol) {
	f.Has(func(a affine.Atom) bool {
		if n := w.notes[a]; n != nil {
			y = n
		}
		return false
	})
	return y
}

// ofFrames reports whether y belongs to a call that the loop is in: to the procedure that is walked, or to one that has called it and may have
// passed y on. Each call has its own.
func (w *walker) ofFrames(y *scope.Symbol) bool {
	for f := w.frame; f.up != nil; f = f.up {
		if ofCall(y, f.scope) || y.Dummy && procedure(y.Scope) == f.scope {
			return true
		}
	}
	return false
}

// read records that a designator is read.
func (w *walker) read(r ref) { w.touch(r, false, affine.Unknown) }

// write records that a designator is set to a value.
func (w *walker) write(r ref, value affine.Form) { w.touch(r, true, value) }

func (w *walker) touch(r ref, write bool, value affine.Form) {
	if w.st.dead || len(r.steps) == 0 {
		return
	}
	w.effects.budget.spend(30)
	d := r.datum()
	if len(w.hidden) > 0 && slices.Contains(w.hidden, d) {
		return
	}
	if w.ofFrames(d.root) {
		w.local(r, d, write, value)
		return
	}
	if d.path != "" && viaPointer(r) {
		w.pointing[d.root] = true
	}
	if d.root.Kind == scope.Variable && d.root.Scope != nil && d.root.Scope.Kind == scope.BlockScope {
		w.elsewhere(r)
	}
	at := w.here(r.node.Span().From, r.foreign)
	if at.foreign && static(d.root) && d.root.Scope != nil && procedure(d.root.Scope) == w.frame.scope && d.root.Common == "" && write {
		w.refuse("call-effect", at.at, fmt.Sprintf("it keeps '%s' from one call to another", d.name()), "make it a local variable without SAVE")
	}
	if d.root.ThreadPrivate {
		w.refuse("not-converted", at.at, "'"+d.root.Name+"' is THREADPRIVATE", "use a variable without THREADPRIVATE")
	}
	if at.foreign && w.silent == 0 {
		if _, known := w.foreign[d]; !known || write {
			w.foreign[d] = at
		}
	}
	if r.scalar() {
		w.scalar(r, d, write, value, at)
		return
	}
	if w.silent == 0 {
		a := access{ref: r, write: write, facts: w.st.facts, where: at, always: w.under == 0, borrows: w.borrows(r, write)}
		if !write && len(d.root.Dims) == 0 && w.st.isSet(datum{root: d.root}) {
			a.covered = true
		}
		if !write && w.covering[d] && !a.covered {
			if g, ok := regionOf(r.subs(), false); ok {
				a.covered = w.coversRegion(w.legal(r), d, g)
			} else { // any element, if all are set
				a.covered = w.coversRegion(w.st, d, region{})
			}
		}
		w.accesses = append(w.accesses, a)
	}
	if write && !r.rough && w.covering[d] {
		if g, ok := regionOf(r.subs(), true); ok {
			w.addRegion(w.st, d, g)
		}
	}
	if write {
		w.forgetShared(d)
	}
}

// legal is the state with what a legal program tells: an index lies within the bounds of its array.
func (w *walker) legal(r ref) *state {
	s := *w.st
	for i, x := range r.steps {
		if len(x.subs) != len(x.symbol.Dims) {
			continue
		}
		for k, u := range x.subs {
			if !u.point {
				continue
			}
			low, high := w.boundsOf(r.steps[:i+1], k)
			s.facts = s.facts.And(u.lo.Minus(low))
			if !x.symbol.Dummy || !x.symbol.Dims[k].Star && (x.symbol.Dims[k].Assumed || x.symbol.Dims[k].Deferred) {
				s.facts = s.facts.And(high.Minus(u.lo)) // old programs go beyond the declared end of dummies
			}
		}
	}
	return &s
}

// elsewhere refuses pointers of a variable that each iteration has for itself: they may have memory of other iterations. A component has it by its
// default value or by a structure constructor, an argument by a function that gives a pointer.
func (w *walker) elsewhere(r ref) {
	for i, s := range r.steps {
		if s.symbol.Pointer && (i > 0 || s.symbol.Dummy) {
			at := w.here(r.node.Span().From, r.foreign)
			w.refuse("call-effect", at.at, "'"+s.symbol.Name+"', used at "+w.line(at.at)+", may point to memory of other iterations", "use the array itself")
			return
		}
	}
}

// local is a use of a variable of a called procedure: only its value matters.
func (w *walker) local(r ref, d datum, write bool, value affine.Form) {
	w.elsewhere(r)
	if write {
		w.forgetShared(d)
	}
	if !r.scalar() || !write {
		return
	}
	w.forgetParts(d)
	if isInteger(r.last()) {
		w.st.env[d] = w.valued(value)
	}
	w.st.set[d] = true
}

// forgetParts forgets the values of variables that are parts of one that is set, or that it is a part of.
func (w *walker) forgetParts(d datum) {
	if d.path != "" || d.root.Type.Base == scope.Derived || d.root.Type.Base == scope.Class {
		for e := range w.st.env {
			if e != d && e.overlaps(d) {
				delete(w.st.env, e)
			}
		}
		w.spend(int64(len(w.st.env)))
	}
}

func (w *walker) scalar(r ref, d datum, write bool, value affine.Form, at place) {
	if w.borrows(r, write) {
		w.unset[d.root] = true
	}
	if !write {
		if d.path != "" && !w.st.isSet(d) {
			w.unset[d.root] = true
		}
		if w.silent == 0 && w.changing.written(d) && !w.st.isSet(d) {
			for _, e := range w.setOf[d.root] {
				at.after = at.after || e.overlaps(d)
			}
			if _, known := w.exposed[d]; !known {
				w.exposedOf[d.root] = append(w.exposedOf[d.root], d)
			}
			w.exposed[d] = append(w.exposed[d], at)
		}
		return
	}
	if w.silent == 0 {
		if _, known := w.sets[d]; !known {
			w.setOf[d.root] = append(w.setOf[d.root], d)
		}
		w.sets[d] = append(w.sets[d], at)
	}
	w.forgetParts(d)
	w.forgetShared(d)
	if isInteger(r.last()) {
		w.st.env[d] = w.valued(value)
	}
	if !r.rough {
		w.st.set[d] = true
	}
}

// valued is a form for a value that may be unknown.
func (w *walker) valued(value affine.Form) affine.Form {
	if value.Known() {
		return value
	}
	return affine.Of(w.table.Varying("a value"))
}

// forgetShared drops values of variables that share memory with d.
func (w *walker) forgetShared(d datum) {
	if !mayPoint(d.root) && d.root.Common == "" && len(d.root.Shares) == 0 {
		return
	}
	w.spend(2 * int64(len(w.st.env)))
	for e := range w.st.env {
		if e.root == d.root {
			continue
		}
		shared := mayPoint(d.root) && mayPoint(e.root) || d.root.Common != "" && d.root.Common == e.root.Common && d.root.Scope != e.root.Scope
		for _, y := range d.root.Shares {
			shared = shared || y == e.root
		}
		if shared {
			w.st.env[e] = affine.Of(w.table.Varying("a shared value"))
		}
	}
}

func isInteger(y *scope.Symbol) bool { return y.Type.Base == scope.Integer && len(y.Dims) == 0 }

// valueOf is the value of an integer scalar.
func (w *walker) valueOf(r ref) affine.Form {
	if r.last().Type.Base != scope.Integer || r.last().AssumedRank || !r.point() {
		return affine.Unknown
	}
	if !r.scalar() {
		return w.elementValue(r)
	}
	d := r.datum()
	if f, ok := w.st.env[d]; ok {
		return f
	}
	if w.fixed(d) {
		a, _ := w.table.Fixed(w.key(d))
		return affine.Of(a)
	}
	f := affine.Of(w.table.Varying(d.name()))
	w.st.env[d] = f
	return f
}

// fixed reports whether d keeps its value while the loop runs.
func (w *walker) fixed(d datum) bool {
	if w.ofFrames(d.root) || d.root.Volatile {
		return false
	}
	return !w.changing.written(d)
}

// elementValue is the value of an element of an integer array: an atom of its own if neither the array nor the subscripts change.
func (w *walker) elementValue(r ref) affine.Form {
	d := r.datum()
	name := parts.Show(r.node)
	if w.fixed(d) && !viaPointer(r) {
		key := "element " + w.key(d)
		fixed := true
		for _, s := range r.subs() {
			if !s.point || w.table.Varies(s.lo) {
				fixed = false
				break
			}
			key += "," + s.lo.Key()
		}
		if fixed {
			a, _ := w.table.Fixed(key)
			return affine.Of(a)
		}
	}
	a := w.table.Varying(name)
	w.notes[a] = r.last()
	return affine.Of(a)
}

// viaPointer reports whether a component of r is a pointer.
func viaPointer(r ref) bool {
	for _, s := range r.steps {
		if s.symbol.Pointer {
			return true
		}
	}
	return false
}

// isLoop reports whether an atom tells the iterations of the analysed loop apart.
func (w *walker) isLoop(a affine.Atom) bool { return a == w.loop }
