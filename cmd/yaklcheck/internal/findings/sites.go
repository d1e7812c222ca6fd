package findings

// This file makes places: a stack of a trace as frames, the owner of each frame, and the frames
// that a report shows.

import (
	"fmt"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"libportable/cmd/yaklcheck/internal/symbols"
	"libportable/cmd/yaklcheck/internal/trace"
)

// sites makes the sites of one process.
type sites struct {
	file    *trace.File
	folder  string // the working folder of the process: names of files are relative to it
	symbols Symbols
	library [][2]uint64 // the library's code, as the trace gives it
}

// sitesOf prepares the sites of a trace; of gives its symbols, and may be nil.
func sitesOf(f *trace.File, of func(*trace.File) Symbols) *sites {
	s := &sites{file: f, folder: f.Meta.Value("cwd"), library: codeOf(f.Meta.Value("library"))}
	if of != nil {
		s.symbols = of(f)
	}
	return s
}

// codeOf reads the ranges of the library's code: START-END, with commas between.
func codeOf(text string) (all [][2]uint64) {
	for part := range strings.SplitSeq(text, ",") {
		var start, end uint64
		if n, _ := fmt.Sscanf(part, "%x-%x", &start, &end); n == 2 && start < end {
			all = append(all, [2]uint64{start, end})
		}
	}
	return all
}

// owner is the owner of a frame: the library by its address, others by name, module and file.
func (s *sites) owner(f *Frame) Owner {
	if slices.ContainsFunc(s.library, func(r [2]uint64) bool { return f.Address >= r[0] && f.Address < r[1] }) {
		return Library
	}
	return ownerOf(&f.Frame)
}

func (s *sites) site(role Role, number uint32) (Site, bool) {
	stack := s.file.Stacks[number]
	if stack == nil || len(stack.PC) == 0 {
		return Site{}, false
	}
	site := Site{Role: role, Kernel: printable(stack.Kernel)}
	if s.symbols != nil {
		for _, f := range s.symbols.Stack(stack) {
			site.Frames = append(site.Frames, Frame{Frame: f})
		}
	}
	if site.Frames == nil {
		for _, pc := range stack.PC {
			site.Frames = append(site.Frames, Frame{Frame: s.unknown(pc)})
		}
	}
	for i := range site.Frames {
		site.Frames[i].Owner = s.owner(&site.Frames[i])
	}
	return site, true
}

// unknown is the frame of an address without symbols.
func (s *sites) unknown(pc uint64) symbols.Frame {
	for _, m := range s.file.Modules {
		if pc >= m.Start && pc < m.End {
			return symbols.Frame{Module: m.Path, Offset: pc - m.Bias, Address: pc}
		}
	}
	return symbols.Frame{Offset: pc, Address: pc}
}

// servedLabel is the label of blocks of the program's own ALLOCATE, malloc and new.
const servedLabel = "ALLOCATE"

// isLost reports whether a block of servedLabel without a pointer to it is a leak: one that the user's own code has
// taken, outside of Fortran. A Fortran main program keeps what it has allocated, and its variables no longer exist at the end.
func (s *sites) isLost(stack uint32) bool {
	site, ok := s.site(Allocated, stack)
	if !ok {
		return false
	}
	// Containers and make_unique allocate for the program. Their code is in headers, which belong to the system only in
	// a report.
	i := slices.IndexFunc(site.Frames, func(f Frame) bool { return f.Owner != Library && !strings.HasPrefix(f.File, "/usr/include/") })
	if i < 0 || site.Frames[i].Owner != User || isFortran(site.Frames[i].File) {
		return false
	}
	return !slices.ContainsFunc(site.Frames, func(f Frame) bool {
		return f.Procedure == "MAIN__" || f.Procedure == "_QQmain" || f.Procedure == "main" && isFortran(f.File)
	})
}

func isFortran(file string) bool { return strings.HasPrefix(strings.ToLower(filepath.Ext(file)), ".f") }

// startUp are the procedures that call the program's first, or a thread's.
var startUp = []string{"_start", "__libc_start_main", "__libc_start_call_main", "__libc_start_main_impl", "start_thread", "clone", "clone3",
	"__clone3", "__clone", "call_init", "_dl_init", "_dl_start_user", "__restore_rt"}

// systemModules begin the names of shared objects without code of users.
var systemModules = []string{"libc.so", "libc-", "ld-linux", "libpthread", "libm.so", "libgfortran", "libgomp", "libomp.so", "libgcc_s",
	"libstdc++", "libmpi", "libopen-", "libFortran", "[vdso]", "libasan", "libubsan"}

// systemFolders begin the names of files of the C and C++ libraries: inlined headers, and libc itself if it has debug
// information and is linked statically.
var systemFolders = []string{"/usr/include/", "/usr/lib/gcc", "../sysdeps/", "../csu/", "./csu/", "./nptl/", "./malloc/", "./stdlib/", "./signal/",
	"./string/", "./elf/", "../nptl/", "../elf/"}

// fortranRunTime begin the names of the compilers' run-time libraries, linked statically.
var fortranRunTime = []string{"_gfortran", "_Fortran", "GOMP_", "gomp_", "__kmp"}

// libcPrefixes begin the names of libc's own procedures, linked statically: start, loader, locales and files.
var libcPrefixes = []string{"__", "_dl_", "_nl_", "_IO_"}

// libcNames are procedures of libc, linked statically, between the user's code and the place where the program dies.
// libcPrefixes has more.
var libcNames = []string{"raise", "gsignal", "pthread_kill", "abort", "free", "cfree", "malloc", "calloc", "realloc", "malloc_printerr", "malloc_consolidate", "munmap_chunk",
	"_int_free", "_int_free_merge_chunk", "_int_malloc", "_int_realloc", "sysmalloc", "unlink_chunk", "kill", "memcpy", "memmove", "memset", "strlen", "qsort"}

// ownerOf distinguishes code of users from that of the library and the system. The archive's sources are
// named /_/libportable/. Users' compilers compile its Fortran modules and headers, which have known file names.
func ownerOf(f *symbols.Frame) Owner {
	module := filepath.Base(f.Module)
	file := filepath.Base(f.File)
	isFortran := isFortran(file)
	hasPrefix := func(text string, all []string) bool {
		return slices.ContainsFunc(all, func(p string) bool { return strings.HasPrefix(text, p) })
	}
	switch {
	case f.Module == "" && f.File == "" && f.Procedure == "": // a jump into data
		return System
	case hasPrefix(module, systemModules), slices.Contains(startUp, f.Procedure), f.Procedure == "main" && isFortran:
		return System
	case f.File == "" && (hasPrefix(f.Procedure, fortranRunTime) || hasPrefix(f.Procedure, libcPrefixes) || slices.Contains(libcNames, f.Procedure)): // libc in a static program
		return System
	case hasPrefix(f.File, systemFolders):
		return System
	case f.File == "" && hasPrefix(f.Procedure, []string{"operator new", "operator delete"}): // libstdc++ in the program
		return System
	case strings.HasPrefix(module, "libportable.so"), strings.HasPrefix(f.File, "/_/libportable/"),
		strings.HasPrefix(f.File, "portable/capi/"), strings.HasPrefix(f.File, "portable/gator/"), ofModules(file, isFortran):
		return Library
	case filepath.Ext(file) == ".go", strings.HasPrefix(f.Procedure, "runtime."), strings.Contains(f.Procedure, "_cgoexp_"):
		return Library
	case f.File == "" && (hasPrefix(f.Procedure, []string{"portable_", "portable::", "gator"}) || ofModules(f.Scope+".f90", true)): // without -g
		return Library
	}
	return User
}

// ofModules reports whether users' compilers compile a file for us: Fortran modules, what they include, headers.
func ofModules(file string, isFortran bool) bool {
	if file == "portable.hpp" || file == "portable.h" || file == "YAKL.h" {
		return true
	}
	ours := strings.HasPrefix(file, "portable_") || strings.HasPrefix(file, "gator_")
	if isFortran {
		return ours && (strings.Contains(file, "_mod.") || strings.HasPrefix(file, "portable_stub") || strings.HasPrefix(file, "portable_mpi.") || strings.HasPrefix(file, "portable_halo.") || strings.HasPrefix(file, "portable_hdf5.") ||
			strings.HasPrefix(file, "portable_openmp."))
	}
	return ours && slices.Contains([]string{".inc", ".h", ".hpp"}, filepath.Ext(file))
}

// watcher matches the archive's files between an event and its stack.
var watcher = regexp.MustCompile(`/libportable/(internal/(stacks|memcheck|observe)|gator/front)/(stack|memcheck|watch)\w*\.c$`)

// Shown are the frames that a report names: the user's, or all of them if all are wanted or none is the user's.
func (s *Site) Shown(everything bool) []Frame {
	if everything {
		// The frames that took the stack are always the same.
		first := 0
		for first < len(s.Frames)-1 && watcher.MatchString(s.Frames[first].File) {
			first++
		}
		return s.Frames[first:]
	}
	var shown []Frame
	for _, f := range s.Frames {
		if f.Owner == User {
			shown = append(shown, f)
		}
	}
	if shown == nil && len(s.Frames) > 0 {
		return s.Frames[:1]
	}
	return shown
}

// Place is a frame as `procedure  file:line`, with a relative path if the file is near the folder. A frame without a
// line has procedure or module, and the offset from its start.
func (f *Frame) Place(folder string) string {
	switch {
	case f.File != "" && f.Line > 0:
		return strings.TrimSpace(fmt.Sprintf("%s  %s:%d", f.Procedure, relative(folder, f.File), f.Line))
	case f.File != "":
		return strings.TrimSpace(fmt.Sprintf("%s  %s", f.Procedure, relative(folder, f.File)))
	case f.Procedure != "":
		return fmt.Sprintf("%s+0x%x  (%s)", f.Procedure, f.Offset, filepath.Base(f.Module))
	case f.Module != "":
		return fmt.Sprintf("%s+0x%x", relative(folder, f.Module), f.Offset)
	}
	return fmt.Sprintf("0x%x", f.Offset)
}

func relative(folder, path string) string {
	if folder == "" || !filepath.IsAbs(path) {
		return path
	}
	if short, err := filepath.Rel(folder, path); err == nil && !strings.HasPrefix(short, "../../../") {
		return short
	}
	return path
}
