package doctor

import (
	"bytes"
	"debug/elf"
	"encoding/binary"
	"fmt"
	"slices"
	"strings"

	"libportable/cmd/yaklcheck/internal/symbols"
	"libportable/internal/settings"
)

// This file examines the executable.

// version is PORTABLE_VERSION of the library that belongs to this tool; a test compares it with portable.h.
const version = 100

func (d *doctor) program(name string, image []byte) {
	file, err := elf.NewFile(bytes.NewReader(image))
	if err != nil {
		d.tell(Warning, "program", fmt.Sprintf("%s cannot be read as an executable: %v", name, err), "name the program itself, and not a script that starts it")
		return
	}
	defer file.Close()
	static, _ := file.Symbols()
	dynamic, _ := file.DynamicSymbols()
	all := map[string]elf.Symbol{}
	for _, s := range append(dynamic, static...) {
		n, _, _ := strings.Cut(s.Name, "@")
		all[n] = s
	}
	needed, _ := file.ImportedLibraries()
	_, ours := all["portable_init"]
	shared := slices.IndexFunc(needed, func(l string) bool { return strings.HasPrefix(l, "libportable.so") })
	switch {
	case shared >= 0:
		d.tell(OK, "program", "it uses "+needed[shared], "")
	case ours || bytes.Contains(image, []byte(settings.Threads)):
		d.libraryVersion(file, all)
	default:
		d.tell(Warning, "program", "libportable is not in it", "link portable::fortran, portable::cxx or portable::portable; or name the program that mpirun starts")
	}
	d.debugging(file, len(static) > 0)
	d.shape(file)
	if fpe, traps := all["_gfortran_set_fpe"]; traps {
		text := "it traps floating-point exceptions (-ffpe-trap)"
		if fpe.Section != elf.SHN_UNDEF {
			text = "it may trap floating-point exceptions (_gfortran_set_fpe is linked statically)"
		}
		d.tell(Note, "floating point", text+": kernels do on all threads, too; the library itself never traps", "")
	}
	d.runtimes(needed)
}

// libraryVersion reads the number that portable_version returns: mov eax, number.
func (d *doctor) libraryVersion(file *elf.File, all map[string]elf.Symbol) {
	s, ok := all["portable_version"]
	if !ok || int(s.Section) >= len(file.Sections) || file.Machine != elf.EM_X86_64 {
		d.tell(OK, "program", "libportable is in it", "")
		return
	}
	section := file.Sections[s.Section]
	code := make([]byte, 16)
	n, _ := section.ReadAt(code, int64(s.Value-section.Addr))
	i := bytes.IndexByte(code[:n], 0xb8)
	if i < 0 || i+5 > n {
		d.tell(OK, "program", "libportable is in it", "")
		return
	}
	found := binary.LittleEndian.Uint32(code[i+1:])
	text := fmt.Sprintf("libportable %d.%d is in it", found/10000, found/100%100)
	if found != version {
		d.tell(Warning, "program", text+fmt.Sprintf("; this yaklcheck is of %d.%d", version/10000, version/100%100), "use the yaklcheck of the program's library")
		return
	}
	d.tell(OK, "program", text, "")
}

func (d *doctor) debugging(file *elf.File, named bool) {
	switch {
	case symbols.HasDebug(file):
		d.tell(OK, "debug information", "reports will have files and lines", "")
	case named:
		d.tell(Warning, "debug information", "there is none: reports will have procedures, but no lines", "compile with -g; it costs no time, also with -O3")
	default:
		d.tell(Warning, "debug information", "the program is stripped: reports will have addresses only", "compile with -g, and link without -s; do not install with --strip")
	}
}

// shape reports how the program is linked.
func (d *doctor) shape(file *elf.File) {
	dynamic, stack := false, elf.ProgFlag(elf.PF_R|elf.PF_W)
	for _, p := range file.Progs {
		dynamic = dynamic || p.Type == elf.PT_INTERP
		if p.Type == elf.PT_GNU_STACK {
			stack = p.Flags
		}
	}
	switch {
	case !dynamic:
		d.tell(Note, "linking", "static: tools of Kokkos and the NVIDIA driver cannot be loaded", "")
	case file.Type == elf.ET_DYN:
		d.tell(OK, "linking", "position-independent", "")
	default:
		d.tell(OK, "linking", "at fixed addresses", "")
	}
	if stack&elf.PF_X != 0 {
		d.tell(Note, "executable stack", "the program asks for an executable stack, which an internal procedure as a kernel needs; hardened systems refuse it",
			"make such kernels module procedures (docs/start/first-loop.md)")
	}
}

// runtimes reports several OpenMP libraries in one program, which compete for the processors.
func (d *doctor) runtimes(needed []string) {
	var found []string
	for _, l := range needed {
		if strings.HasPrefix(l, "libgomp.so") || strings.HasPrefix(l, "libomp.so") || strings.HasPrefix(l, "libiomp5.so") {
			found = append(found, l)
		}
	}
	if len(found) > 1 {
		d.tell(Warning, "OpenMP", "it links several OpenMP libraries, each with threads of its own: "+strings.Join(found, ", "),
			"compile all with one compiler, or link LLVM's libomp for both")
	} else if len(found) == 1 {
		d.tell(OK, "OpenMP", "it uses "+found[0]+"; the device openmp launches on its threads (docs/build/openmp.md)", "")
	}
}
