package scope

// Exported is the symbol that a USE of this module gives a name; nil: the module does not offer the name.
func (s *Scope) Exported(name string) *Symbol {
	var r result
	s.export(name, map[visit]bool{}, &r)
	return s.one(name, &r)
}
