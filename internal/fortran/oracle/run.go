package oracle

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"libportable/internal/fortran/parse"
	"libportable/internal/fortran/scope"
	"libportable/internal/fortran/source"
	"libportable/internal/fortran/tree"
)

// Compare reads files and compares each one that gfortran accepts. Files that use each other's modules are one program; where
// several files have a module of one name, the nearest folder decides. Flags are gfortran's, options mean the same.
func Compare(names []string, folder string, flags []string, o scope.Options) (*Report, error) {
	set := source.NewSet(nil)
	owners := owners{}
	var files []*tree.File
	for _, name := range names {
		contents, err := source.ReadFile(set, name, source.Options{})
		if err != nil {
			return nil, err
		}
		file := parse.File(contents)
		files = append(files, file)
		owners.add(file)
	}
	report := &Report{}
	compared := map[*tree.File]bool{}
	for i, file := range owners.roots(files) {
		program := owners.closure(file)
		modules := filepath.Join(folder, strconv.Itoa(i))
		if err := os.MkdirAll(modules, 0o755); err != nil {
			return nil, err
		}
		p := scope.Build(program, o)
		for _, file := range program {
			dump, err := dumpOf(file.Source.Name, modules, flags)
			if err != nil || compared[file] {
				continue
			}
			compared[file] = true
			report.Files++
			c := &comparer{Report: report, where: file.Source.Name, options: p.Options}
			c.file(p, file, read(dump))
		}
	}
	return report, nil
}

// dumpOf runs gfortran. Modules go into the folder.
func dumpOf(name, folder string, flags []string) (string, error) {
	limit, stop := context.WithTimeout(context.Background(), time.Minute)
	defer stop()
	args := append([]string{"-fsyntax-only", "-fdump-fortran-original", "-w", "-ffree-line-length-none", "-J", folder, "-I", filepath.Dir(name)}, flags...)
	command := exec.CommandContext(limit, "gfortran", append(args, name)...)
	command.Env = append(os.Environ(), "LC_ALL=C")
	text, err := command.Output()
	return string(text), err
}

// owners are the files that have a module.
type owners map[string][]*tree.File

func (o owners) add(file *tree.File) {
	for _, unit := range file.Units {
		if unit.Kind == tree.Module {
			o[unit.Name] = append(o[unit.Name], file)
		}
	}
}

// of is the file with a module that is nearest to another file.
func (o owners) of(module string, file *tree.File) (nearest *tree.File) {
	best := -1
	for _, candidate := range o[module] {
		a, b := candidate.Source.Name, file.Source.Name
		common := 0
		for common < len(a) && common < len(b) && a[common] == b[common] {
			common++
		}
		if common > best {
			best, nearest = common, candidate
		}
	}
	return nearest
}

// uses calls f for the files whose modules a file uses.
func (o owners) uses(file *tree.File, f func(*tree.File)) {
	module := func(name string) {
		if owner := o.of(name, file); owner != nil && owner != file {
			f(owner)
		}
	}
	tree.Walk(file, func(n any) bool {
		switch n := n.(type) {
		case *tree.Use:
			module(n.Module)
		case *tree.Unit:
			if len(n.Ancestor) > 0 {
				module(n.Ancestor[0])
			}
		}
		return true
	})
}

// roots are the files that no other file uses.
func (o owners) roots(files []*tree.File) (roots []*tree.File) {
	used := map[*tree.File]bool{}
	for _, file := range files {
		o.uses(file, func(other *tree.File) { used[other] = true })
	}
	for _, file := range files {
		if !used[file] {
			roots = append(roots, file)
		}
	}
	return roots
}

// closure is a file behind all files that it needs.
func (o owners) closure(file *tree.File) (ordered []*tree.File) {
	seen := map[*tree.File]bool{}
	var visit func(file *tree.File)
	visit = func(file *tree.File) {
		if !seen[file] {
			seen[file] = true
			o.uses(file, visit)
			ordered = append(ordered, file)
		}
	}
	visit(file)
	return ordered
}

// file compares the scopes of one file by their paths of names.
func (c *comparer) file(p *scope.Program, file *tree.File, dump []*namespace) {
	byPath := map[string][]*namespace{}
	for _, n := range dump {
		path := strings.Join(n.path, "/")
		byPath[path] = append(byPath[path], n)
	}
	var visit func(u *tree.Unit, path []string)
	visit = func(u *tree.Unit, path []string) {
		name := u.Name
		if name == "" && u.Kind == tree.Program {
			name = "MAIN__"
		}
		path = append(slices.Clone(path), name)
		if found := byPath[strings.Join(path, "/")]; len(found) == 1 {
			s := p.Of(u)
			c.symbols(s, found[0])
			c.unit(s, found[0])
		} else {
			c.NotAligned++
		}
		for _, inner := range u.Contains {
			visit(inner, path)
		}
	}
	for _, u := range file.Units {
		visit(u, nil)
	}
}

// String is one line for a log.
func (r *Report) String() string {
	return fmt.Sprintf("%d files: %d symbols, %d statements, %d types, %d conversions, %d constants, %d calls compared; not valued %d, not read %d, not aligned %d; %d differences",
		r.Files, r.Symbols, r.Statements, r.Types, r.Conversions, r.Constants, r.Calls, r.NotValued, r.NotRead, r.NotAligned, len(r.Differences))
}
