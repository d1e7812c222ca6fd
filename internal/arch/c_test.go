package arch

import (
	"bytes"
	"debug/elf"
	"fmt"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// levels are the rooms with C, from the lowest one up. A room may use rooms of earlier lines: in Go imports, in #include, and by symbols. A call to a
// room of a later line goes through a table of internal/edge/above.h, a question to Go through a table of the room's own questions.h.
var levels = [][]string{
	{"internal/edge", "internal/kernels/base"},
	{"internal/team", "internal/tracing", "internal/kernels/reduction", "internal/kernels/fft", "internal/kernels/scan", "internal/kernels/solve", "internal/kernels/sort", "internal/kernels/componentwise", "internal/kernels/copy", "internal/kernels/random"},
	{"internal/handle", "internal/stacks", "internal/observe", "internal/backend/opencl"},
	{"internal/guard", "internal/backend/cuda"},
	{"internal/memcheck"},
	{"gator/front"},
	{"exec/timer", "exec/liveout", "exec/race"},
	{"exec/launch"},
	{"exec/stream"},
	{"exec/device"},
	{"exec/algorithm", "exec/graph", "exec/stage"},
	{"arrays/owner"},
	{"exec/halo", "exec/mesh"},
	{"capi/fortran"},
	{"capi"},
}

// public are headers that users see: any room may include them.
const public = "capi/include"

func level(room string) int {
	return slices.IndexFunc(levels, func(row []string) bool { return slices.Contains(row, room) })
}

// mayUse says whether C of one room may use C of another one.
func mayUse(room, other string) bool { return room == other || level(other) < level(room) }

// TestRoomsWithCHaveALevel compares the lines with the table of Go imports, and the imports with the lines.
func TestRoomsWithCHaveALevel(t *testing.T) {
	for _, row := range levels {
		for _, name := range row {
			if _, known := rooms[name]; !known {
				t.Errorf("%s has a level, but no line in the table of rooms", name)
			}
			for _, other := range rooms[name].imports {
				if level(other) >= 0 && !mayUse(name, other) {
					t.Errorf("the table lets %s import %s, which is not below it", name, other)
				}
			}
		}
	}
}

var included = regexp.MustCompile(`(?m)^[ \t]*#[ \t]*include[ \t]+"([^"]+)"`)

// TestIncludesOfC: a file includes its own room's headers, those of rooms below, and public ones.
func TestIncludesOfC(t *testing.T) {
	root, looked := filepath.Join("..", ".."), 0
	for _, row := range levels {
		for _, room := range row {
			entries, err := os.ReadDir(filepath.Join(root, room))
			if os.IsNotExist(err) {
				continue
			}
			require.NoError(t, err)
			for _, e := range entries {
				if !slices.Contains([]string{".c", ".h", ".go", ".inc"}, path.Ext(e.Name())) || strings.Contains(e.Name(), "doors") {
					continue
				}
				text, err := os.ReadFile(filepath.Join(root, room, e.Name()))
				require.NoError(t, err)
				for _, m := range included.FindAllSubmatch(text, -1) {
					to := path.Join(room, string(m[1]))
					if _, err := os.Stat(filepath.Join(root, to)); err != nil || strings.HasPrefix(to, public) {
						continue // a header of the system, of NVIDIA's driver, or cgo's
					}
					looked++
					other := path.Dir(to)
					for level(other) < 0 && other != "." {
						other = path.Dir(other) // a folder of the room
					}
					if !mayUse(room, other) {
						t.Errorf("%s/%s includes %s, whose room is not below", room, e.Name(), to)
					}
				}
			}
		}
	}
	require.Greater(t, looked, 300)
}

// object is a file of C in a package's archive.
type object struct {
	defined, undefined []string
}

// objects are the files of C of a package, as the build of the archive has compiled them.
func objects(t *testing.T, archive []byte) (all []object) {
	rest, ok := bytes.CutPrefix(archive, []byte("!<arch>\n"))
	require.True(t, ok, "not an archive")
	for len(rest) >= 60 {
		size, err := strconv.Atoi(strings.TrimSpace(string(rest[48:58])))
		require.NoError(t, err)
		member := rest[60 : 60+size]
		rest = rest[min(len(rest), 60+size+size&1):]
		if !bytes.HasPrefix(member, []byte(elf.ELFMAG)) {
			continue
		}
		file, err := elf.NewFile(bytes.NewReader(member))
		require.NoError(t, err)
		symbols, err := file.Symbols()
		if err != nil {
			continue // an object without symbols
		}
		var o object
		for _, s := range symbols {
			switch bind := elf.ST_BIND(s.Info); {
			case !strings.HasPrefix(s.Name, "portable_"), bind == elf.STB_LOCAL:
			case s.Section != elf.SHN_UNDEF:
				o.defined = append(o.defined, s.Name)
			case bind != elf.STB_WEAK: // a weak one may be missing
				o.undefined = append(o.undefined, s.Name)
			}
		}
		all = append(all, o)
	}
	return all
}

// TestSymbolsOfC: what an object of a room calls or reads of the library is defined in its room or below. Go's exports are capi's.
func TestSymbolsOfC(t *testing.T) {
	command := exec.Command("go", "list", "-export", "-deps", "-f", "{{.ImportPath}} {{.Export}}", "./capi")
	command.Dir = filepath.Join("..", "..")
	var complaints strings.Builder
	command.Stderr = &complaints
	text, err := command.Output()
	require.NoError(t, err, complaints.String())
	definers, found := map[string][]string{}, map[string][]object{}
	for _, line := range strings.Split(strings.TrimSpace(string(text)), "\n") {
		importPath, export, _ := strings.Cut(line, " ")
		room, ours := strings.CutPrefix(importPath, module)
		if !ours || level(room) < 0 {
			continue
		}
		archive, err := os.ReadFile(export)
		require.NoError(t, err)
		found[room] = objects(t, archive)
		for _, o := range found[room] {
			for _, name := range o.defined {
				definers[name] = append(definers[name], room)
			}
		}
	}
	looked := 0
	for room, all := range found {
		wrong := map[string]bool{}
		for _, o := range all {
			for _, name := range o.undefined {
				looked++
				if of := definers[name]; len(of) > 0 && !slices.ContainsFunc(of, func(other string) bool { return mayUse(room, other) }) {
					wrong[fmt.Sprintf("%s uses %s of %s, which is not below it", room, name, strings.Join(of, ", "))] = true
				}
			}
		}
		for text := range wrong {
			t.Error(text)
		}
	}
	require.Greater(t, len(found), 12, "rooms with C")
	require.Greater(t, looked, 1000, "undefined symbols")
}
