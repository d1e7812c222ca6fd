// Command members sorts the objects of Go's C archive: those that every program gets, and those that a program gets only if it calls
// them. Usage: members FOLDER EXPORTS, a folder of objects with go.o among them, and the file of names that stay global. It writes
// core.txt, members.txt (names of objects, one on a line) and names.txt (for objcopy) into the folder. Only programs of the build run it.
//
// Every program gets what Go's object needs, constructors, and objects whose definition replaces a weak one; a member needs nothing
// global that is not ours. Objects that neither these nor public functions need are left out. Not here: linking (cmake/build_archive.cmake).
package main

import (
	"bufio"
	"debug/elf"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
)

type object struct {
	name           string
	defined, weak  []string
	needed         []string
	hasConstructor bool
}

func main() {
	if len(os.Args) != 3 {
		fmt.Fprintln(os.Stderr, "usage: members FOLDER EXPORTS")
		os.Exit(2)
	}
	if err := sort(os.Args[1], os.Args[2]); err != nil {
		fmt.Fprintln(os.Stderr, "members:", err)
		os.Exit(1)
	}
}

func sort(folder, exports string) error {
	files, err := filepath.Glob(filepath.Join(folder, "*.o"))
	if err != nil {
		return err
	}
	var objects []*object
	for _, f := range files {
		o, err := read(f)
		if err != nil {
			return fmt.Errorf("%s: %w", f, err)
		}
		objects = append(objects, o)
	}
	patterns, err := lines(exports)
	if err != nil {
		return err
	}
	p := divide(objects, patterns)
	for file, list := range map[string][]string{"core.txt": p.core, "members.txt": p.members, "names.txt": append(patterns, p.names...)} {
		if err := os.WriteFile(filepath.Join(folder, file), []byte(strings.Join(list, "\n")+"\n"), 0o666); err != nil {
			return err
		}
	}
	return nil
}

// lines are the lines of a file without empty ones and comments.
func lines(file string) (list []string, err error) {
	f, err := os.Open(file)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	s := bufio.NewScanner(f)
	for s.Scan() {
		if l := strings.TrimSpace(s.Text()); l != "" && l[0] != '#' {
			list = append(list, l)
		}
	}
	return list, s.Err()
}

func read(file string) (*object, error) {
	f, err := elf.Open(file)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	o := &object{name: filepath.Base(file)}
	for _, s := range f.Sections {
		// Go's own constructor has another name by now.
		o.hasConstructor = o.hasConstructor || strings.HasPrefix(s.Name, ".init_array") || strings.HasPrefix(s.Name, ".ctors")
	}
	symbols, err := f.Symbols()
	if err != nil {
		return nil, err
	}
	for _, s := range symbols {
		switch binding := elf.ST_BIND(s.Info); {
		case binding == elf.STB_LOCAL || s.Name == "":
		case s.Section == elf.SHN_UNDEF:
			o.needed = append(o.needed, s.Name)
		case binding == elf.STB_WEAK:
			o.weak = append(o.weak, s.Name)
		default:
			o.defined = append(o.defined, s.Name)
		}
	}
	return o, nil
}

// parts are names of objects, and the names of symbols, beyond the public ones, that one of them takes from another.
type parts struct{ core, members, names []string }

func divide(objects []*object, patterns []string) (p parts) {
	strong, weak := map[string]*object{}, map[string]*object{}
	for _, o := range objects {
		for _, n := range o.defined {
			strong[n] = o
		}
		for _, n := range o.weak {
			if weak[n] == nil {
				weak[n] = o
			}
		}
	}
	// The symbol's object; nil: it is of a system library.
	home := func(name string) *object {
		if o := strong[name]; o != nil {
			return o
		}
		return weak[name]
	}
	closure := func(into map[*object]bool, roots []*object) {
		for len(roots) > 0 {
			o := roots[0]
			roots = roots[1:]
			if into[o] {
				continue
			}
			into[o] = true
			for _, n := range o.needed {
				if h := home(n); h != nil && !into[h] {
					roots = append(roots, h)
				}
			}
		}
	}
	core, called := map[*object]bool{}, map[*object]bool{}
	public := func(n string) bool {
		return slices.ContainsFunc(patterns, func(p string) bool {
			is, _ := path.Match(strings.ReplaceAll(p, "[!", "[^"), n) // objcopy negates by !
			return is
		})
	}
	var roots, entries []*object
	for _, o := range objects {
		replaces := slices.ContainsFunc(o.defined, func(n string) bool { return weak[n] != nil })
		pulls := len(o.defined) == 0 && len(o.weak) == 0 && len(o.needed) > 0 // its references are its purpose
		if o.name == "go.o" || o.hasConstructor || replaces || pulls {
			roots = append(roots, o)
		} else if slices.ContainsFunc(o.defined, public) {
			entries = append(entries, o)
		}
	}
	closure(core, roots)
	closure(called, entries)
	// A member that needs a name that is not ours would make that name global.
	for again := true; again; {
		again = false
		for _, o := range objects {
			if !called[o] || core[o] {
				continue
			}
			if slices.ContainsFunc(o.needed, func(n string) bool { return !ours(n) && home(n) != nil }) {
				closure(core, []*object{o})
				again = true
			}
		}
	}
	names := map[string]bool{}
	for _, o := range objects {
		switch {
		case core[o]:
			p.core = append(p.core, o.name)
		case called[o]:
			p.members = append(p.members, o.name)
			for _, n := range o.needed {
				if h := home(n); h != nil && h != o && !public(n) {
					names[n] = true
				}
			}
		}
	}
	for n := range names {
		p.names = append(p.names, n)
	}
	slices.Sort(p.names)
	return p
}

func ours(name string) bool {
	return strings.HasPrefix(name, "portable_") || strings.HasPrefix(name, "gator")
}
