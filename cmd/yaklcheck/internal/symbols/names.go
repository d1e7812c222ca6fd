package symbols

import (
	"regexp"
	"strings"

	"github.com/ianlancetaylor/demangle"
)

// This file converts names of the linker to names of the source. Names from debug information need
// this only for the pieces that compilers cut out of procedures.

// program is the name of a main program whose name is unknown.
const program = "main program"

// region is added to the name of a procedure whose OpenMP region has become a procedure.
const region = " (OpenMP region)"

var (
	// clone matches the suffixes of copies and pieces that optimisers make of a procedure.
	clone = regexp.MustCompile(`(\.(constprop|isra|part|cold|lto_priv|localalias|clone|llvm|specialized)(\.[0-9]+)*)+$`)
	// numbered matches an internal procedure of gfortran, or a static function of C whose name another one has.
	numbered = regexp.MustCompile(`\.[0-9]+$`)
	// outlined matches a region of OpenMP: gcc's (also of tasks), and clang's.
	outlined = regexp.MustCompile(`(\._omp_(fn|cpyfn)\.[0-9]+|\.?\.?omp_outlined[A-Za-z_.]*[0-9]*|\.omp_par[0-9.]*|\.omp_task_entry\.?[0-9]*)$`)
)

// readable converts a symbol to name and scope.
func (f *file) readable(symbol string) (name, scope string) {
	return readable(symbol, f.fortran, "")
}

// readable converts a symbol to name and scope. fortran: the file has Fortran in it; main is the name of the main
// program, or "".
func readable(symbol string, fortran bool, main string) (name, scope string) {
	if main == "" {
		main = program
	}
	name, _, _ = strings.Cut(symbol, "@") // a version
	name = clone.ReplaceAllString(name, "")
	if at := outlined.FindStringIndex(name); at != nil {
		if at[0] == 0 {
			return "OpenMP region", ""
		}
		name, scope = readable(name[:at[0]], fortran, main)
		return name + region, scope
	}
	switch {
	case strings.HasPrefix(name, "_Z"):
		return demangled(numbered.ReplaceAllString(name, "")), ""
	case strings.HasPrefix(name, "_Q"):
		if n, s, ok := flang(name, main); ok {
			return n, s
		}
		return name, ""
	}
	name = numbered.ReplaceAllString(name, "")
	if fortran {
		if name == "MAIN__" || name == "MAIN_" {
			return main, ""
		}
		// gfortran: __module_MOD_procedure; a submodule's are __module.submodule_MOD_procedure.
		if mod, procedure, ok := strings.Cut(name, "_MOD_"); ok && strings.HasPrefix(mod, "__") {
			return procedure, strings.TrimPrefix(mod, "__")
		}
		// External procedures end in one underscore, or in two with -fsecond-underscore.
		if n := len(name); n > 1 && name[n-1] == '_' && name[0] != '_' {
			return strings.TrimRight(name, "_"), ""
		}
	}
	return name, ""
}

// demangled is a C++ name without parameters and template arguments, which are long; file and line distinguish
// overloads.
func demangled(name string) string {
	text, err := demangle.ToString(name, demangle.NoParams, demangle.NoTemplateParams, demangle.NoEnclosingParams)
	if err != nil {
		return name
	}
	return text
}

// flang splits a name of LLVM's Fortran compiler: _QMmoduleSsubmoduleFhostPprocedure. A capital letter says what
// follows; names are in small letters.
func flang(name, main string) (procedure, scope string, ok bool) {
	if name == "_QQmain" {
		return main, "", true
	}
	var hosts []string
	rest := name[len("_Q"):]
	for rest != "" {
		what := rest[0]
		n := strings.IndexFunc(rest[1:], func(r rune) bool { return r >= 'A' && r <= 'Z' }) + 1
		if n == 0 {
			n = len(rest)
		}
		word := rest[1:n]
		rest = rest[n:]
		switch what {
		case 'M':
			scope = word
		case 'S':
			scope += "." + word
		case 'F', 'P':
			if word == "" { // the main program has none
				continue
			}
			hosts = append(hosts, strings.TrimSuffix(word, "_"))
		default: // data, types, constants
			return "", "", false
		}
	}
	if len(hosts) == 0 {
		return "", "", false
	}
	return strings.Join(hosts, "::"), scope, true
}
