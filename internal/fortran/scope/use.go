package scope

import "libportable/internal/fortran/tree"

// use is a USE statement with the module that it means.
type use struct {
	*tree.Use
	file    *tree.File
	module  *Scope
	bound   bool
	renamed map[string]bool // names of the module that have another local name
}

// imports are the names that IMPORT makes accessible.
type imports struct {
	all, none bool
	names     []string
}

func (i *imports) has(name string) bool {
	for _, n := range i.names {
		if n == name {
			return true
		}
	}
	return false
}

// bind finds the module: one of the files, else one that the compiler brings along. Its scope is nil if there is none.
func (u *use) bind(p *Program) *Scope {
	if u.bound {
		return u.module
	}
	u.bound = true
	u.renamed = map[string]bool{}
	for _, r := range u.Renames {
		if r.Local != r.Name {
			u.renamed[r.Name] = true
		}
	}
	if u.Nature != "intrinsic" {
		if u.module = p.inFile[fileModule{u.file, u.Module}]; u.module == nil {
			u.module = p.modules[u.Module]
		}
	}
	if u.module == nil && u.Nature != "non_intrinsic" || u.module == nil && !isIntrinsicModule(u.Module) {
		u.module = p.compilerModule(u.Module)
	}
	return u.module
}

// names are the module's names that the local one can mean.
func (u *use) names(local string) (names []string) {
	for _, r := range u.Renames {
		if r.Local == local {
			names = append(names, r.Name)
		}
	}
	if !u.Only && !u.renamed[local] && len(names) == 0 {
		names = append(names, local)
	}
	return names
}

// mayBring reports whether the USE can make the name accessible. It serves while names are still being entered.
func (u *use) mayBring(p *Program, name string) bool {
	module := u.bind(p)
	for _, theirs := range u.names(name) {
		if module == nil {
			if offers, known := p.offers(u.Module, theirs); !known || offers || u.Only || theirs != name {
				return true
			}
			continue
		}
		var r result
		if module.export(theirs, map[visit]bool{}, &r); len(r.symbols) > 0 || r.missing != "" {
			return true
		}
	}
	return false
}

// result of a search in modules: the symbols, and a module that no file has and that may have the name.
type result struct {
	symbols []*Symbol
	missing string
	theirs  string // the name there
	certain bool   // the missing module must have it: ONLY names it, or Options.Library knows it
}

func (r *result) add(y *Symbol) {
	for _, have := range r.symbols {
		if have == y || have.Body != nil && have.Body == y.Body && have.Kind == y.Kind {
			return
		}
	}
	r.symbols = append(r.symbols, y)
}

type visit struct {
	scope *Scope
	name  string
}

// fromModules searches the USE statements of a scope.
func (s *Scope) fromModules(local string, visited map[visit]bool, r *result) {
	for _, u := range s.uses {
		module := u.bind(s.Program)
		for _, name := range u.names(local) {
			if name == local && !u.Only && s.renamesElsewhere(u, name) {
				continue
			}
			if module == nil {
				r.fromMissing(s.Program, u, name, u.Only || name != local)
				continue
			}
			module.export(name, visited, r)
		}
	}
}

// fromMissing notes that a module that no file has may have a name. named: the USE says that it has it.
func (r *result) fromMissing(p *Program, u *use, name string, named bool) {
	offers, known := p.offers(u.Module, name)
	if !r.certain && (named || offers || !known) {
		r.missing, r.theirs, r.certain = u.Module, name, named || known
	}
}

// offers asks Options.Library for a name of a module that no file has.
func (p *Program) offers(module, name string) (offers, known bool) {
	if p.Options.Library == nil {
		return false, false
	}
	return p.Options.Library.Offers(module, name)
}

// renamesElsewhere reports whether another USE of the same module renames a name: all USE statements of a module count as one.
func (s *Scope) renamesElsewhere(u *use, name string) bool {
	renamed := false
	for _, other := range s.uses {
		if other.Module != u.Module || other == u {
			continue
		}
		for _, r := range other.Renames {
			if r.Name == name && r.Local == name {
				return false
			}
			renamed = renamed || r.Name == name
		}
	}
	return renamed
}

// export finds a name that a module offers: its own, or one that it got by USE.
func (s *Scope) export(name string, visited map[visit]bool, r *result) {
	at := visit{s, name}
	if visited[at] {
		return
	}
	visited[at] = true
	if !s.offers(name) {
		return
	}
	own := s.symbols[name]
	if own != nil {
		if !own.Private {
			r.add(own)
		}
		if own.Kind != Generic && own.Kind != DerivedType {
			return
		}
	}
	if s.absent != "" {
		r.missing = s.absent
	}
	s.fromModules(name, visited, r)
	if own == nil && len(r.symbols) == 0 && s.incomplete(name) {
		r.missing = s.Name
	}
}

// offers reports whether a name is public.
func (s *Scope) offers(name string) bool {
	if public, said := s.access[name]; said {
		return public
	}
	return !s.private || s.symbols[name] != nil && s.symbols[name].declaredPublic()
}

// declaredPublic reports whether the declaration itself has the attribute PUBLIC.
func (y *Symbol) declaredPublic() bool {
	for _, d := range y.Decls {
		switch d := d.(type) {
		case *tree.Variables:
			if has(d.Attributes, "public") {
				return true
			}
		case *tree.DerivedType:
			if has(d.Attributes, "public") {
				return true
			}
		}
	}
	return false
}

// one makes one symbol of what a search found: generics of several modules are joined.
func (s *Scope) one(name string, r *result) *Symbol {
	if len(r.symbols) == 0 {
		return nil
	}
	first := r.symbols[0]
	if len(r.symbols) == 1 {
		return first
	}
	generics := 0
	for _, y := range r.symbols {
		switch y.Kind {
		case Generic:
			generics++
		case DerivedType:
			first = y
		}
	}
	if generics == 0 || generics < len(r.symbols)-1 {
		return first
	}
	joined := &Symbol{Kind: Generic, Name: name, Scope: s, Where: first.Where, joins: r.symbols}
	if first.Kind == DerivedType {
		joined.Kind, joined.Def = DerivedType, first.Def
	}
	s.Program.joined = append(s.Program.joined, joined)
	if s.Program.linked {
		joined.link()
	}
	return joined
}
