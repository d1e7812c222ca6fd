package lint

import "slices"

// This file finds the meaning of a name: in the scopes from the inside out, then in the modules
// that they use.

// meaning is the result of a lookup. Nothing is set if it is unknown.
type meaning struct {
	symbol    *symbol
	procedure *scope
	generic   []*scope // the specific procedures of a generic name
	library   string   // the name in portable_core_mod, as portable_parallel_for
	module    string   // it comes from a module that no file has
}

func (m meaning) known() bool {
	return m.symbol != nil || m.procedure != nil || m.generic != nil || m.library != "" || m.module != ""
}

// libraryModules are the library's modules.
var libraryModules = map[string]bool{"portable_mod": true, "portable_core_mod": true, "portable_reduce_mod": true, "portable_sort_mod": true,
	"portable_algorithm_mod": true, "portable_argument_mod": true, "gator_mod": true, "portable_array_mod": true, "portable_componentwise_mod": true}

// lookup finds a name in a scope. All files have been read by then, so answers stay.
func (p *program) lookup(s *scope, n string) meaning {
	key := seen{s, n}
	m, known := p.looked[key]
	if !known {
		m = p.search(s, n)
		p.looked[key] = m
	}
	return m
}

func (p *program) search(s *scope, n string) (m meaning) {
	maybe := "" // a module that may have it
	implicit := true
	for at := s; at != nil; at = at.parent {
		implicit = implicit && !at.noImplicit
		if m, found := p.own(at, n); found {
			return m
		}
		for _, u := range at.uses {
			m, module := p.fromModule(u, n, &[]seen{})
			if m.known() {
				return m
			}
			if module != "" {
				maybe = module
			}
		}
		if at.kind != blockScope && at != s.procedure() && at.kind != moduleScope && implicit && maybe == "" && at.referenced[n] {
			return meaning{symbol: &symbol{name: n, scope: at, where: at.where}} // implicitly the host's
		}
	}
	if g := p.globals[n]; g != nil {
		return meaning{procedure: g}
	}
	if maybe != "" && !implicit {
		return meaning{module: maybe}
	}
	return meaning{}
}

// own is the scope's own meaning of a name.
func (p *program) own(s *scope, n string) (m meaning, found bool) {
	if names := s.generic[n]; names != nil {
		for _, one := range names {
			if q := p.lookupProcedure(s, one); q != nil {
				m.generic = append(m.generic, q)
			}
		}
		if q := s.inside[n]; q != nil { // a specific procedure with the name of the generic one
			m.procedure = q
		}
		return m, true
	}
	if s.types[n] {
		return meaning{symbol: &symbol{name: n, scope: s, where: s.where, attributes: attributes{parameter: true}}}, true
	}
	if q := s.inside[n]; q != nil {
		if q.body {
			if g := p.globals[n]; g != nil {
				q = g
			}
		}
		return meaning{procedure: q}, true
	}
	if y := s.symbols[n]; y != nil {
		if y.external && !s.isArgument(n) && !y.pointer {
			if g := p.globals[n]; g != nil {
				return meaning{procedure: g}, true
			}
		}
		if y.parameter || y.declared || y.alias != nil || y.common != "" || y.saved || y.external || s.isArgument(n) || y.pointer || y.private {
			return meaning{symbol: y}, true
		}
	}
	if s.kind == procedureScope && (n == s.result && s.result != "") {
		return meaning{symbol: s.symbol(n, s.where)}, true
	}
	if s.kind == procedureScope && n == s.name { // a procedure that calls itself
		return meaning{procedure: s}, true
	}
	return m, false
}

func (p *program) lookupProcedure(s *scope, n string) *scope {
	for at := s; at != nil; at = at.parent {
		if q := at.inside[n]; q != nil {
			return q
		}
		for _, u := range at.uses {
			if m, _ := p.fromModule(u, n, &[]seen{}); m.procedure != nil {
				return m.procedure
			}
		}
	}
	return p.globals[n]
}

// seen is a name in a scope.
type seen struct {
	scope *scope
	name  string
}

// fromModule is the meaning that USE brings. module: an absent module that it may come from.
func (p *program) fromModule(u use, n string, before *[]seen) (m meaning, module string) {
	theirs, renamed := u.renames[n]
	if !renamed {
		theirs = n
		if u.only && !u.names[n] {
			return m, ""
		}
		for _, original := range u.renames {
			if original == n && !u.only {
				return m, ""
			}
		}
	}
	if libraryModules[u.module] {
		full := libraryName(theirs)
		if full != "" {
			return meaning{library: full}, ""
		}
		if u.only || renamed {
			return meaning{library: theirs}, ""
		}
		return m, ""
	}
	s := p.modules[u.module]
	if s == nil {
		if u.only || renamed {
			return meaning{module: u.module}, ""
		}
		if intrinsicModules[u.module] {
			return m, ""
		}
		return m, u.module
	}
	if slices.Contains(*before, seen{s, theirs}) { // modules that use each other, or one that is used in many ways
		return m, ""
	}
	*before = append(*before, seen{s, theirs})
	if m, found := p.own(s, theirs); found {
		return m, ""
	}
	for _, inner := range s.uses {
		got, maybe := p.fromModule(inner, theirs, before)
		if got.known() {
			return got, ""
		}
		if maybe != "" {
			module = maybe
		}
	}
	return m, module
}

var intrinsicModules = map[string]bool{"iso_c_binding": true, "iso_fortran_env": true, "ieee_arithmetic": true, "ieee_exceptions": true,
	"ieee_features": true, "omp_lib": true, "openacc": true, "mpi": true, "mpi_f08": true, "netcdf": true}

// variable follows the names of ASSOCIATE to the variable: its symbol, and the whole designator there. nil: there is
// none, or unknown.
func (p *program) variable(s *scope, t []token) (y *symbol, full []token, m meaning) {
	full = t
	for range 100 {
		m = p.lookup(s, t[0].word)
		y = m.symbol
		if y == nil || y.alias == nil {
			return y, full, m
		}
		n := designator(y.alias)
		if n == 0 || n != len(y.alias) {
			return y, full, m // an expression: nothing can assign it
		}
		full = append(append([]token{}, y.alias...), full[1:]...)
		s = y.scope.parent
		t = y.alias
		if s == nil {
			return nil, full, meaning{}
		}
	}
	return nil, full, meaning{}
}
