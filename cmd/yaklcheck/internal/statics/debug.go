package statics

import (
	"cmp"
	"debug/dwarf"
	"debug/elf"
	"encoding/binary"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"libportable/cmd/yaklcheck/internal/symbols"
)

// This file reads DWARF: procedures with their addresses, parameters and inlined calls, and
// variables at fixed addresses.

type procedure struct {
	name, display string
	file          string
	line          int
	ranges        [][2]uint64
	inlined       []dwarf.Offset
	tile          bool // a parameter is a tile or a team
	library       bool
	isMain        bool
}

type variable struct {
	name    string
	owner   string     // the procedure or module that declares it, for output
	in      *procedure // nil: a module, or a unit of C
	module  bool
	common  string
	address uint64
	bytes   int64
	array   bool
	file    string
	line    int
	section *elf.Section
}

type executable struct {
	file       *elf.File
	machine    elf.Machine
	debug      *symbols.Debug
	data       *dwarf.Data
	procedures []*procedure
	byOffset   map[dwarf.Offset]*procedure
	entries    map[uint64]*procedure
	variables  []*variable // by address
	blocks     []*variable // of COMMON, each as a whole: gfortran does not give the addresses of members if a module declares the block
	symbols    map[uint64]elf.Symbol
	named      map[string]elf.Symbol
	text       []*section
	table      map[uint64]uint64 // of aarch64: tableOf
	files      []string
}

type section struct {
	*elf.Section
	bytes []byte
}

// scopeAt is an entry whose children are being read.
type scopeAt struct {
	tag    dwarf.Tag
	name   string
	p      *procedure
	common string
}

func read(file *elf.File) (*executable, error) {
	debug, err := symbols.Read(file)
	if errors.Is(err, symbols.ErrNoDebug) {
		return nil, err
	}
	if err != nil {
		return nil, fmt.Errorf("its debug information cannot be read: %w", err)
	}
	data := debug.Data()
	b := &executable{file: file, machine: file.Machine, debug: debug, data: data, byOffset: map[dwarf.Offset]*procedure{}, entries: map[uint64]*procedure{},
		symbols: map[uint64]elf.Symbol{}, named: map[string]elf.Symbol{}}
	if all, err := file.Symbols(); err == nil {
		for _, s := range all {
			if elf.ST_TYPE(s.Info) == elf.STT_OBJECT {
				b.symbols[s.Value], b.named[s.Name] = s, s
			}
		}
	}
	for _, s := range file.Sections {
		if s.Flags&elf.SHF_EXECINSTR != 0 && s.Type == elf.SHT_PROGBITS {
			text, err := s.Data()
			if err != nil {
				return nil, fmt.Errorf("its code cannot be read: %w", err)
			}
			b.text = append(b.text, &section{s, text})
		}
	}
	if b.machine == elf.EM_AARCH64 {
		b.table = tableOf(file)
	}
	if err := b.entriesOf(data.Reader()); err != nil {
		return nil, fmt.Errorf("its debug information cannot be read: %w", err)
	}
	for _, p := range b.procedures {
		for _, r := range p.ranges {
			b.entries[r[0]] = cmp.Or(b.entries[r[0]], p)
		}
	}
	slices.SortStableFunc(b.variables, func(x, y *variable) int { return cmp.Compare(x.address, y.address) })
	return b, nil
}

func (b *executable) entriesOf(r *dwarf.Reader) error {
	var open []scopeAt
	for {
		e, err := r.Next()
		if err != nil || e == nil {
			return err
		}
		if e.Tag == 0 {
			if len(open) > 0 {
				open = open[:len(open)-1]
			}
			continue
		}
		at := scopeAt{tag: e.Tag, name: symbols.Text(e, dwarf.AttrName)}
		if len(open) > 0 {
			at.p, at.common = open[len(open)-1].p, open[len(open)-1].common
		}
		switch e.Tag {
		case dwarf.TagCompileUnit:
			b.files = b.debug.Files(e.Offset)
		case dwarf.TagSubprogram:
			at.p = b.procedure(e, open)
		case dwarf.TagInlinedSubroutine:
			if origin, ok := e.Val(dwarf.AttrAbstractOrigin).(dwarf.Offset); ok && at.p != nil {
				at.p.inlined = append(at.p.inlined, origin)
			}
			at.p = nil // the children are copies
		case dwarf.TagFormalParameter:
			if at.p != nil && b.isTile(e) {
				at.p.tile = true
			}
		case dwarf.TagCommonDwarfBlock:
			at.common = at.name
			if s, ok := b.named[symbols.Text(e, dwarf.AttrLinkageName)]; ok && s.Size > 0 {
				v := &variable{common: at.name, address: s.Value, bytes: int64(s.Size), file: b.fileOf(e), line: lineOf(e)}
				if v.section = b.sectionOf(s.Value); v.section != nil {
					b.blocks = append(b.blocks, v)
				}
			}
		case dwarf.TagVariable, dwarf.TagMember:
			b.variable(e, open, at)
		}
		if e.Children {
			open = append(open, at)
		}
	}
}

func (b *executable) fileOf(e *dwarf.Entry) string {
	if n, ok := e.Val(dwarf.AttrDeclFile).(int64); ok && int(n) < len(b.files) && n >= 0 {
		return b.files[n]
	}
	return ""
}

func lineOf(e *dwarf.Entry) int { return int(symbols.Integer(e, dwarf.AttrDeclLine)) }

// procedure reads a subprogram. A subprogram that was inlined has several entries, which become one procedure.
func (b *executable) procedure(e *dwarf.Entry, open []scopeAt) *procedure {
	p := b.known(e.Offset)
	for _, a := range []dwarf.Attr{dwarf.AttrAbstractOrigin, dwarf.AttrSpecification} {
		if origin, ok := e.Val(a).(dwarf.Offset); ok {
			p = b.known(origin)
			b.byOffset[e.Offset] = p
		}
	}
	if p.name == "" {
		p.name, p.file, p.line = symbols.Text(e, dwarf.AttrName), b.fileOf(e), lineOf(e)
		p.display = p.name
		for i := len(open) - 1; i >= 0; i-- {
			if t := open[i].tag; t == dwarf.TagModule || t == dwarf.TagSubprogram || t == dwarf.TagNamespace {
				if open[i].name != "" {
					p.display = open[i].name + "::" + p.name
				} else if open[i].p != nil {
					p.display = open[i].p.name + "::" + p.name
				}
				break
			}
		}
		p.library = isLibrary(p.file, symbols.Text(e, dwarf.AttrLinkageName), p.name)
		p.isMain, _ = e.Val(dwarf.AttrMainSubprogram).(bool)
		p.isMain = p.isMain || p.name == "MAIN__"
	}
	if ranges, err := b.data.Ranges(e); err == nil {
		p.ranges = append(p.ranges, ranges...)
	}
	return p
}

func (b *executable) known(o dwarf.Offset) *procedure {
	p := b.byOffset[o]
	if p == nil {
		p = &procedure{}
		b.byOffset[o] = p
		b.procedures = append(b.procedures, p)
	}
	return p
}

// isLibrary reports whether a procedure is the library's own. statics does not look into these.
func isLibrary(file, linkage, name string) bool {
	base := filepath.Base(file)
	fortran := strings.HasPrefix(strings.ToLower(filepath.Ext(base)), ".f") || filepath.Ext(base) == ".inc"
	switch {
	case strings.HasPrefix(linkage, "__portable_") && strings.Contains(linkage, "_mod_MOD_"), strings.HasPrefix(linkage, "__gator_"):
		return true
	case fortran && (strings.HasPrefix(base, "portable_") || strings.HasPrefix(base, "gator_")):
		return true
	case strings.HasPrefix(name, "portable__"), filepath.Ext(base) == ".go":
		return true
	}
	// The archive names its sources so. A user may have a folder of the library's name.
	if strings.HasPrefix(file, "/_/libportable/") && !strings.Contains(file, "/include/") {
		return true
	}
	for _, room := range []string{"/capi/", "/internal/team/", "/internal/backend/", "/internal/kernels/"} {
		if strings.Contains(file, room) && !fortran && !strings.Contains(file, "/include/") {
			return true
		}
	}
	return strings.HasPrefix(file, "portable/") && !strings.Contains(file, "/include/")
}

// isTile follows the type of a parameter.
func (b *executable) isTile(e *dwarf.Entry) bool {
	kind, _ := b.typeOf(e)
	name := symbols.Text(kind, dwarf.AttrName)
	return name == "portable_tile" || name == "portable_team"
}

// typeOf is the type behind names, qualifiers, pointers and references; array: it passed an array.
func (b *executable) typeOf(e *dwarf.Entry) (kind *dwarf.Entry, array bool) {
	kind = e
	for range 20 {
		next, ok := kind.Val(dwarf.AttrType).(dwarf.Offset)
		if !ok {
			return kind, array
		}
		found, _ := b.debug.Entry(next)
		if found == nil {
			return kind, array
		}
		kind = found
		switch kind.Tag {
		case dwarf.TagArrayType, dwarf.TagStringType:
			return kind, kind.Tag == dwarf.TagArrayType
		case dwarf.TagStructType, dwarf.TagBaseType, dwarf.TagClassType, dwarf.TagUnionType:
			return kind, array
		}
	}
	return kind, array
}

// variable keeps a variable that has one address for all threads.
func (b *executable) variable(e *dwarf.Entry, open []scopeAt, at scopeAt) {
	where, ok := e.Val(dwarf.AttrLocation).([]byte)
	hidden, _ := e.Val(dwarf.AttrArtificial).(bool)
	if !ok || len(where) < 9 || where[0] != 3 || hidden || at.name == "" || strings.HasPrefix(at.name, "__") {
		return
	}
	address := binary.LittleEndian.Uint64(where[1:9])
	if len(where) > 9 { // DW_OP_addr x, DW_OP_plus_uconst n: an element of COMMON
		if where[9] != 0x23 {
			return
		}
		n, _ := binary.Uvarint(where[10:])
		address += n
	}
	kind, array := b.typeOf(e)
	v := &variable{name: at.name, in: at.p, common: at.common, address: address, array: array, file: b.fileOf(e), line: lineOf(e)}
	if size, ok := kind.Val(dwarf.AttrByteSize).(int64); ok && !array {
		v.bytes = size
	}
	if s, ok := b.symbols[address]; ok && s.Size > 0 && at.common == "" {
		v.bytes = int64(s.Size)
	}
	for i := len(open) - 1; i >= 0 && v.owner == ""; i-- {
		switch open[i].tag {
		case dwarf.TagModule:
			v.owner, v.module = open[i].name, true
		case dwarf.TagSubprogram:
			if open[i].p != nil {
				v.owner = open[i].p.display
			}
		}
	}
	v.section = b.sectionOf(address)
	if v.section == nil || v.section.Flags&elf.SHF_TLS != 0 || isLibrary(v.file, "", "") {
		return
	}
	b.variables = append(b.variables, v)
}

func (b *executable) sectionOf(address uint64) *elf.Section {
	for _, s := range b.file.Sections {
		if s.Flags&elf.SHF_ALLOC != 0 && address >= s.Addr && address < s.Addr+s.Size {
			return s
		}
	}
	return nil
}
