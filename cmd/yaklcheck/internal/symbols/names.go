package symbols

import (
	"regexp"
	"strings"

	"github.com/ianlancetaylor/demangle"
)

// In this file: names of the linker made those of the source. Where debugging information has the name as the user wrote it,
// only what compilers cut out of procedures comes through here.

// program is what the main program is called where its name is not known.
const program = "main program"

// region is added to the name of a procedure whose OpenMP region has been made one of its own.
const region = " (OpenMP region)"

var (
	// clone is what optimisers append to copies and pieces of a procedure.
	clone = regexp.MustCompile(`(\.(constprop|isra|part|cold|lto_priv|localalias|clone|llvm|specialized)(\.[0-9]+)*)+$`)
	// numbered is an internal procedure of gfortran, or a static function of C that another one has the name of.
	numbered = regexp.MustCompile(`\.[0-9]+$`)
	// outlined is a region of OpenMP: gcc's (also for tasks), and clang's.
	outlined = regexp.MustCompile(`(\._omp_(fn|cpyfn)\.[0-9]+|\.?\.?omp_outlined[A-Za-z_.]*[0-9]*|\.omp_par[0-9.]*|\.omp_task_entry\.?[0-9]*)$`)
)

// readable makes name and scope of a symbol.
func (f *file) readable(symbol string) (name, scope string) {
	return readable(symbol, f.fortran, "")
}

// readable makes name and scope of a symbol. fortran says that the file has Fortran in it; main is the name of the main program,
// or "".
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
		// External procedures have one underscore at the end; two where f2c's way was asked for.
		if n := len(name); n > 1 && name[n-1] == '_' && name[0] != '_' {
			return strings.TrimRight(name, "_"), ""
		}
	}
	return name, ""
}

// demangled is a C++ name without parameters and template arguments, which are longer than any line; file and line tell
// overloads apart.
func demangled(name string) string {
	text, err := demangle.ToString(name, demangle.NoParams, demangle.NoTemplateParams, demangle.NoEnclosingParams)
	if err != nil {
		return name
	}
	return text
}

// flang takes a name of LLVM's Fortran compiler apart: _QMmoduleSsubmoduleFhostPprocedure. The capital letters say what comes;
// names are in small letters.
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
