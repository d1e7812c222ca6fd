package symbols

import (
	"cmp"
	"debug/dwarf"
	"slices"
	"strings"
)

// This file reads the procedures of a unit, the calls that were inlined in them, and their names.

// procedure is a piece of machine code: a procedure, or its copy that was inlined in another one.
type procedure struct {
	entry                int64 // offset of its entry
	ranges               [][2]uint64
	callFile             int64
	callLine, callColumn int
	inlined              []*procedure
}

// entity is the part of an entry that names it.
type entity struct {
	name, linkage string
	origin        dwarf.Offset // of the entry with more details; 0: none
	host          dwarf.Offset // of the host of an internal procedure; 0: none
	scope         string       // module or namespace
	class         string       // class inside a procedure
}

// walk reads all procedures of the unit.
func (u *unit) walk() {
	if u.walked {
		return
	}
	u.walked = true
	u.entities = map[dwarf.Offset]entity{}
	e, r := u.of.Entry(u.entry.Offset)
	if e == nil || !e.Children {
		return
	}
	u.children(r, context{})
	u.spans.sort()
}

// context is the surroundings of an entry.
type context struct {
	scope string
	class string // of C++, inside a procedure
	host  dwarf.Offset
	in    *procedure
	depth int
}

// children reads the entries below an entry, up to their end.
func (u *unit) children(r *dwarf.Reader, c context) {
	c.depth++
	for {
		e, err := r.Next()
		if err != nil || e == nil || e.Tag == 0 {
			return
		}
		below := c
		switch e.Tag {
		case dwarf.TagSubprogram, dwarf.TagEntryPoint:
			below.in = u.procedure(e, c)
			below.host = e.Offset
		case dwarf.TagInlinedSubroutine:
			p := u.procedure(e, c)
			if c.in != nil && p.ranges != nil {
				c.in.inlined = append(c.in.inlined, p)
				below.in = p
			}
		case dwarf.TagModule, dwarf.TagNamespace:
			below.scope = joined(c.scope, Text(e, dwarf.AttrName))
		case dwarf.TagLexDwarfBlock:
		default:
			if local := e.Tag == dwarf.TagStructType || e.Tag == dwarf.TagClassType; local && c.host != 0 && e.Children {
				below.class = className(e)
				break
			}
			// Types and data. A class declares procedures; they are looked up when a caller asks for their names.
			r.SkipChildren()
			continue
		}
		if !e.Children {
			continue
		}
		if c.depth > 200 {
			r.SkipChildren()
			continue
		}
		u.children(r, below)
	}
}

func joined(scope, name string) string {
	if scope == "" || name == "" {
		return scope + name
	}
	return scope + "::" + name
}

// procedure records an entry, and its code if it has any.
func (u *unit) procedure(e *dwarf.Entry, c context) *procedure {
	n := nameOf(e)
	n.host, n.scope, n.class = c.host, c.scope, c.class
	u.entities[e.Offset] = n
	if e.Tag == dwarf.TagSubprogram {
		main, _ := e.Val(dwarf.AttrMainSubprogram).(bool)
		if (main || Integer(e, dwarf.AttrCalling) == callingProgram) && fortran(u.language) {
			u.main = n.name
		}
	}
	p := &procedure{entry: int64(e.Offset), callFile: Integer(e, dwarf.AttrCallFile), callLine: int(Integer(e, dwarf.AttrCallLine)),
		callColumn: int(Integer(e, dwarf.AttrCallColumn))}
	ranges, err := u.of.data.Ranges(e)
	if err != nil {
		return p
	}
	for _, s := range ranges {
		if real(s) {
			p.ranges = append(p.ranges, s)
			if e.Tag == dwarf.TagSubprogram {
				u.spans = append(u.spans, span[*procedure]{s[0], s[1], p})
			}
		}
	}
	return p
}

func nameOf(e *dwarf.Entry) (n entity) {
	n.name = Text(e, dwarf.AttrName)
	n.linkage = cmp.Or(Text(e, dwarf.AttrLinkageName), Text(e, attrMIPSLinkage))
	var ok bool
	if n.origin, ok = e.Val(dwarf.AttrAbstractOrigin).(dwarf.Offset); !ok {
		n.origin, _ = e.Val(dwarf.AttrSpecification).(dwarf.Offset)
	}
	return n
}

// path returns the procedure at an address and the ones inlined there, the outermost first.
func (u *unit) path(at uint64) (path []*procedure) {
	u.walk()
	for p := range u.spans.at(at, len(u.spans)) {
		for ; p != nil; p = p.inlinedAt(at) {
			path = append(path, p)
		}
		break
	}
	return path
}

func (p *procedure) inlinedAt(at uint64) *procedure {
	for _, q := range p.inlined {
		if slices.ContainsFunc(q.ranges, func(s [2]uint64) bool { return s[0] <= at && at < s[1] }) {
			return q
		}
	}
	return nil
}

// name returns the name of a procedure as the user wrote it, and its module.
func (u *unit) name(entry int64) (name, scope string) {
	var n entity
	in := u
	for offset, hops := dwarf.Offset(entry), 0; offset != 0 && hops < 10; hops++ {
		if in = u.of.unitOf(offset); in == nil {
			break
		}
		one := in.entity(offset)
		n.linkage = cmp.Or(n.linkage, one.linkage)
		if n.name == "" && one.name != "" {
			n.name, n.host, n.scope, n.class = one.name, one.host, one.scope, one.class
		}
		offset = one.origin
	}
	if in == nil {
		in = u
	}
	switch {
	case strings.HasPrefix(n.linkage, "_Z") || strings.HasPrefix(n.name, "_Z"):
		return readable(cmp.Or(n.linkage, n.name), false, "")
	case outlined.MatchString(n.name) || strings.Contains(n.name, "_MOD_") || strings.HasPrefix(n.name, "_Q"):
		// Compilers' own pieces. Their position says nothing: gfortran puts the region of one procedure into another one.
		return readable(n.name, fortran(in.language), in.main)
	case n.name == "":
		return readable(n.linkage, fortran(in.language), in.main)
	}
	name, scope = clone.ReplaceAllString(n.name, ""), n.scope
	if !fortran(in.language) {
		name = joined(n.class, withoutArguments(name))
	}
	// Internal procedures of Fortran, lambdas and other members of local classes are known by their host.
	if n.host != 0 && (n.class != "" || fortran(in.language)) {
		if host, of := in.name(int64(n.host)); host != "" {
			return host + "::" + name, cmp.Or(scope, of)
		}
	}
	return name, scope
}

// className is the demanglers' name of a class, as far as it is known.
func className(e *dwarf.Entry) string {
	name := Text(e, dwarf.AttrName)
	if name == "" || strings.HasPrefix(name, "<lambda") {
		return "{lambda}"
	}
	return withoutArguments(name)
}

// withoutArguments removes the arguments of a template.
func withoutArguments(name string) string {
	if at := strings.IndexByte(name, '<'); at > 0 && !strings.HasPrefix(name, "operator") {
		return name[:at]
	}
	return name
}

// entity returns the names of the entry at an offset.
func (u *unit) entity(offset dwarf.Offset) entity {
	u.walk()
	if n, ok := u.entities[offset]; ok {
		return n
	}
	// A member of a class, which walk leaves out.
	e, _ := u.of.Entry(offset)
	if e == nil {
		return entity{}
	}
	n := nameOf(e)
	u.entities[offset] = n
	return n
}

// fortran reports whether a language of DWARF is Fortran: 77, 90, 95, 2003, 2008, 2018, 2023.
func fortran(language int64) bool {
	switch language {
	case 0x07, 0x08, 0x0e, 0x22, 0x23, 0x2d, 0x45:
		return true
	}
	return false
}
