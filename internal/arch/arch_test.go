// Package arch tests the plan of the house: the imports of each room.
package arch

import (
	"encoding/json"
	"errors"
	"go/ast"
	"go/parser"
	"go/token"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

const module = "libportable/"

// room is what one package may do.
type room struct {
	imports  []string // of ours
	tests    []string // of ours, by tests only
	foreign  []string // of other modules
	cgo      bool
	unsafe   bool
	unsafeIn string // the one file that may, where the others may not
}

// rooms is the table: arrows go from capi down to the contract in internal/backend, and never turn round.
// A new package gets a line here before anything else.
var rooms = map[string]room{
	// The contract over C callbacks is implemented where C is.
	"capi/archive":      {imports: []string{"capi"}},
	"capi":              {imports: []string{"capi/fortran", "arrays/owner", "exec/algorithm", "exec/device", "exec/graph", "exec/halo", "exec/stream", "exec/launch", "exec/liveout", "exec/mesh", "exec/present", "exec/race", "exec/racecheck", "exec/replay", "exec/stage", "exec/timer", "internal/memcheck", "gator/front", "internal/observe", "internal/stacks", "internal/tracing", "internal/fourier", "internal/halo", "internal/instance", "internal/handle", "internal/kernels/reduction", "internal/edge", "internal/outside", "gator", "arrays", "exec", "internal/backend", "internal/backend/cuda"}, cgo: true, unsafe: true},
	"internal/instance": {imports: []string{"gator", "exec", "internal/handle", "internal/backend", "internal/backend/host", "internal/guard", "internal/backend/cuda", "internal/outside", "internal/settings", "internal/spelling"}},
	"internal/handle":   {cgo: true},
	"internal/edge":     {tests: []string{"internal/outside"}, cgo: true, unsafe: true},
	"internal/outside":  {},
	"internal/fourier":  {},
	"internal/halo":     {foreign: []string{"github.com/stretchr/testify/require"}},

	"gator/fronttest": {imports: []string{"gator"}, foreign: []string{"github.com/stretchr/testify/require"}},
	"gator":           {imports: []string{"internal/backend", "internal/outside"}, tests: []string{"internal/backend/paper"}, unsafeIn: "table.go"},
	"arrays":          {},
	"exec":            {imports: []string{"internal/backend", "arrays", "internal/outside"}},

	"internal/backend":             {},
	"internal/backend/host":        {imports: []string{"internal/backend", "internal/edge", "internal/outside", "internal/team"}, cgo: true, unsafe: true},
	"internal/guard":               {imports: []string{"internal/backend", "internal/edge", "internal/team"}, tests: []string{"internal/backend/host"}, cgo: true, unsafe: true},
	"internal/backend/codeobject":  {foreign: []string{"github.com/stretchr/testify/require"}},
	"internal/backend/options":     {foreign: []string{"github.com/stretchr/testify/require"}},
	"internal/backend/opencl":      {imports: []string{"internal/backend/options", "internal/edge", "internal/outside"}, foreign: []string{"github.com/stretchr/testify/require"}, cgo: true},
	"internal/backend/opencl/door": {imports: []string{"internal/backend/opencl"}, cgo: true, unsafe: true},
	"internal/backend/cuda":        {imports: []string{"internal/backend", "internal/backend/codeobject", "internal/backend/opencl/door", "internal/backend/options", "internal/edge", "internal/outside"}, foreign: []string{"gorgonia.org/cu"}, cgo: true, unsafe: true},
	"internal/backend/paper":       {imports: []string{"internal/backend"}},
	"internal/backend/fake":        {imports: []string{"internal/backend"}, unsafe: true},
	"internal/backend/backendtest": {imports: []string{"internal/backend"}, foreign: []string{"github.com/stretchr/testify/require"}},

	"internal/team":                  {imports: []string{"internal/edge"}, cgo: true, unsafe: true},
	"internal/kernels/base":          {cgo: true},
	"internal/kernels/reduction":     {imports: []string{"internal/kernels/base"}, cgo: true},
	"internal/kernels/scan":          {imports: []string{"internal/kernels/base"}, cgo: true},
	"internal/kernels/sort":          {imports: []string{"internal/kernels/base"}, cgo: true},
	"internal/kernels/fft":           {imports: []string{"internal/kernels/base"}, cgo: true},
	"internal/kernels/solve":         {imports: []string{"internal/kernels/base"}, cgo: true},
	"internal/kernels/componentwise": {imports: []string{"internal/kernels/base"}, cgo: true},
	"internal/kernels/copy":          {imports: []string{"internal/kernels/base"}, cgo: true},
	"internal/kernels/random":        {imports: []string{"internal/kernels/base"}, cgo: true},
	// For the tests of the rooms next to it.
	"internal/kernels/doors":   {imports: append(kernels("base", "componentwise", "copy", "fft", "random", "reduction", "scan", "sort"), "internal/fourier"), cgo: true, unsafe: true},
	"internal/tracing":         {imports: []string{"internal/edge"}, cgo: true},
	"internal/stacks":          {imports: []string{"internal/edge", "internal/team", "internal/tracing"}, cgo: true},
	"internal/observe":         {imports: []string{"internal/edge", "internal/team", "internal/tracing"}, cgo: true},
	"gator/front":              {imports: []string{"internal/guard", "internal/edge", "internal/memcheck", "internal/observe", "internal/stacks", "internal/team"}, cgo: true},
	"internal/memcheck":        {imports: []string{"internal/backend/cuda", "internal/guard", "internal/edge", "internal/observe", "internal/stacks", "internal/team", "internal/tracing"}, cgo: true},
	"exec/timer":               {imports: []string{"internal/edge", "internal/memcheck", "internal/observe"}, tests: []string{"exec"}, cgo: true},
	"exec/racecheck":           {},
	"exec/liveout":             {imports: []string{"gator/front", "internal/edge", "internal/handle", "internal/kernels/reduction"}, cgo: true},
	"exec/launch":              {imports: []string{"exec/liveout", "exec/race", "exec/timer", "gator/front", "internal/backend/cuda", "internal/edge", "internal/handle", "internal/memcheck", "internal/observe", "internal/team"}, tests: []string{"exec"}, cgo: true, unsafe: true},
	"exec/stream":              {imports: []string{"exec/launch", "gator/front", "internal/backend/cuda", "internal/edge", "internal/handle", "internal/memcheck", "internal/observe", "internal/team"}, cgo: true},
	"exec/device":              {imports: []string{"exec/launch", "exec/stream", "gator/front", "internal/backend/cuda", "internal/edge", "internal/handle", "internal/kernels/copy", "internal/kernels/fft", "internal/kernels/random", "internal/kernels/reduction", "internal/kernels/sort", "internal/memcheck", "internal/observe", "internal/team"}, cgo: true},
	"exec/graph":               {imports: []string{"exec/device", "exec/launch", "exec/stream", "internal/backend/cuda", "internal/edge", "internal/handle", "internal/memcheck", "internal/observe", "internal/team"}, cgo: true},
	"exec/replay":              {imports: []string{"exec", "internal/outside"}, foreign: []string{"github.com/stretchr/testify/require"}},
	"exec/present":             {foreign: []string{"github.com/stretchr/testify/require"}},
	"exec/stage":               {imports: []string{"exec/device", "exec/launch", "exec/stream", "gator/front", "internal/backend/cuda", "internal/edge", "internal/kernels/copy", "internal/kernels/reduction", "internal/team"}, cgo: true},
	"exec/algorithm":           {imports: []string{"exec/device", "exec/launch", "exec/liveout", "exec/stream", "exec/timer", "gator/front", "internal/backend/cuda", "internal/guard", "internal/handle", "internal/edge", "internal/kernels/base", "internal/kernels/componentwise", "internal/kernels/copy", "internal/kernels/fft", "internal/kernels/random", "internal/kernels/reduction", "internal/kernels/scan", "internal/kernels/solve", "internal/kernels/sort", "internal/memcheck", "internal/observe", "internal/team"}, cgo: true},
	"exec/halo":                {imports: []string{"arrays/owner", "exec/algorithm", "exec/device", "exec/launch", "internal/backend/cuda", "internal/edge", "internal/handle", "internal/team"}, cgo: true},
	"exec/mesh":                {imports: []string{"exec/algorithm", "exec/device", "exec/launch", "gator/front", "internal/edge", "internal/kernels/base", "internal/kernels/reduction", "internal/kernels/sort"}, cgo: true},
	"arrays/owner":             {imports: []string{"exec/algorithm", "exec/device", "exec/launch", "exec/stream", "gator/front", "internal/backend/cuda", "internal/edge", "internal/handle", "internal/kernels/reduction", "internal/memcheck", "internal/observe", "internal/team"}, cgo: true},
	"capi/fortran":             {imports: []string{"arrays/owner", "exec/algorithm", "exec/device", "exec/halo", "exec/launch", "exec/liveout", "exec/mesh", "exec/race", "exec/stage", "gator/front", "internal/edge", "internal/kernels/base", "internal/kernels/reduction", "internal/observe", "internal/team"}, cgo: true},
	"internal/fortran/token":   {},
	"internal/fortran/source":  {imports: []string{"internal/fortran/token"}},
	"internal/fortran/scope":   {imports: []string{"internal/fortran/rounded", "internal/fortran/source", "internal/fortran/token", "internal/fortran/tree"}, tests: []string{"internal/fortran/parse"}},
	"internal/fortran/flags":   {imports: []string{"internal/fortran/source"}},
	"internal/fortran/rewrite": {imports: []string{"internal/fortran/source", "internal/fortran/token", "internal/fortran/tree"}},
	"internal/fortran/oracle":  {imports: []string{"internal/fortran/parse", "internal/fortran/scope", "internal/fortran/source", "internal/fortran/tree"}},
	"internal/gen/members":     {foreign: []string{"github.com/stretchr/testify/require"}},
	"internal/gen/texts":       {foreign: []string{"github.com/stretchr/testify/require"}},
	"internal/gen":             {},
	"internal/arch":            {},
	"exec/race":                {imports: []string{"internal/edge", "internal/memcheck", "internal/observe", "internal/team", "internal/tracing"}, cgo: true},
	"internal/fortran/rounded": {},

	"cmd/portablef":                     {imports: slices.Concat(portablef("directives", "job", "output", "program", "verdicts"), []string{"internal/command", "internal/fortran/files", "internal/fortran/flags", "internal/report"}), foreign: []string{"github.com/urfave/cli/v2"}},
	"cmd/portablef/internal/directives": {imports: slices.Concat(portablef("program"), []string{"internal/fortran/source", "internal/fortran/token", "internal/fortran/tree", "internal/nest"}), tests: []string{"internal/fortran/scope"}},
	"cmd/portablef/internal/job":        {imports: []string{"internal/fortran/flags", "internal/outside"}},
	"cmd/portablef/internal/output":     {},
	"cmd/portablef/internal/program":    {imports: slices.Concat(portablef("verdicts"), []string{"internal/columns", "internal/cut", "internal/emit", "internal/emit/cost", "internal/emit/cuda", "internal/emit/host", "internal/emit/libmath", "internal/fortran/flags", "internal/fortran/parse", "internal/fortran/rewrite", "internal/fortran/scope", "internal/fortran/source", "internal/fortran/token", "internal/fortran/tree", "internal/nest", "internal/nest/data", "internal/outside"})},
	"cmd/portablef/internal/verdicts":   {imports: []string{"internal/report"}},

	// Rooms that the commands share.
	"internal/command":           {foreign: []string{"github.com/urfave/cli/v2"}},
	"internal/report":            {},
	"internal/report/sarifcheck": {foreign: []string{"github.com/stretchr/testify/require"}},
	"internal/script":            {foreign: []string{"github.com/stretchr/testify/require"}},
	"internal/fortran/files":     {},

	// A room of the command is imported by the command and by its other rooms alone: Go's rule for internal.
	"cmd/yaklcheck":                         {imports: slices.Concat(yaklcheck("advise", "compare", "doctor", "findings", "findings/child", "lint", "show", "statics", "trace"), []string{"internal/command", "internal/fortran/files", "internal/outside", "internal/report", "internal/settings"}), foreign: []string{"github.com/urfave/cli/v2"}},
	"cmd/yaklcheck/internal/advise":         {imports: slices.Concat(yaklcheck("show", "trace"), []string{"gator", "internal/backend", "internal/backend/paper", "internal/report"}), unsafeIn: "source.go"},
	"cmd/yaklcheck/internal/compare":        {imports: slices.Concat(yaklcheck("trace"), []string{"internal/outside"})},
	"cmd/yaklcheck/internal/doctor":         {imports: []string{"cmd/yaklcheck/internal/symbols", "internal/outside", "internal/report", "internal/settings", "internal/spelling"}},
	"cmd/yaklcheck/internal/findings":       {imports: slices.Concat(yaklcheck("symbols", "trace"), []string{"internal/outside", "internal/report"})},
	"cmd/yaklcheck/internal/findings/child": {imports: []string{"cmd/yaklcheck/internal/symbols", "internal/outside", "internal/settings"}},
	// Fortran has one front end and one analysis of loops; lint asks the latter about loops that claim to be independent.
	"cmd/yaklcheck/internal/lint":    {imports: []string{"internal/fortran/parse", "internal/fortran/scope", "internal/fortran/source", "internal/fortran/token", "internal/fortran/tree", "internal/nest", "internal/nest/directive"}},
	"cmd/yaklcheck/internal/record":  {imports: yaklcheck("symbols", "trace")},
	"cmd/yaklcheck/internal/show":    {imports: slices.Concat(yaklcheck("findings", "trace"), []string{"internal/outside", "internal/report"})},
	"cmd/yaklcheck/internal/statics": {imports: yaklcheck("symbols")},
	"cmd/yaklcheck/internal/symbols": {imports: slices.Concat(yaklcheck("trace"), []string{"internal/outside"}), foreign: []string{"github.com/ianlancetaylor/demangle"}},
	"cmd/yaklcheck/internal/trace":   {imports: []string{"internal/outside"}},

	"internal/nest":         {imports: []string{"internal/fortran/scope", "internal/fortran/source", "internal/fortran/token", "internal/fortran/tree", "internal/nest/affine", "internal/nest/around", "internal/nest/directive", "internal/nest/fission", "internal/nest/parts", "internal/spelling"}, tests: []string{"internal/fortran/parse", "internal/fortran/source", "internal/nest/brute", "internal/nest/truth"}},
	"internal/nest/affine":  {},
	"internal/nest/fission": {tests: []string{"internal/fortran/parse", "internal/fortran/scope", "internal/fortran/source", "internal/fortran/tree", "internal/nest"}},
	"internal/nest/around":  {imports: []string{"internal/fortran/scope", "internal/fortran/source", "internal/fortran/token", "internal/fortran/tree", "internal/nest/directive", "internal/nest/parts"}},
	"internal/nest/parts":   {imports: []string{"internal/fortran/token", "internal/fortran/tree"}},
	"internal/cut":          {imports: []string{"internal/fortran/rewrite", "internal/fortran/scope", "internal/fortran/source", "internal/fortran/token", "internal/fortran/tree", "internal/nest", "internal/nest/directive", "internal/nest/parts"}, tests: []string{"internal/fortran/parse"}},
	"internal/columns":      {imports: []string{"internal/fortran/rewrite", "internal/fortran/scope", "internal/fortran/source", "internal/fortran/token", "internal/fortran/tree", "internal/nest/directive", "internal/nest/parts"}},
	// Output of the source tool.
	"internal/emit":           {imports: []string{"internal/fortran/scope", "internal/fortran/token", "internal/fortran/tree", "internal/nest", "internal/nest/parts"}},
	"internal/emit/cost":      {imports: []string{"internal/emit", "internal/fortran/scope", "internal/fortran/tree"}, tests: []string{"internal/fortran/parse", "internal/fortran/source"}},
	"internal/emit/device":    {imports: []string{"internal/emit", "internal/fortran/scope", "internal/fortran/token", "internal/fortran/tree", "internal/nest"}},
	"internal/emit/cuda":      {imports: []string{"internal/emit", "internal/emit/device", "internal/emit/libmath", "internal/fortran/scope"}, tests: []string{"internal/fortran/parse", "internal/fortran/source", "internal/fortran/tree", "internal/nest"}},
	"internal/emit/host":      {imports: []string{"internal/emit", "internal/emit/cost", "internal/emit/device", "internal/emit/libmath", "internal/emit/within", "internal/fortran/scope", "internal/fortran/source", "internal/fortran/token", "internal/fortran/tree", "internal/nest", "internal/nest/data", "internal/nest/directive"}, tests: []string{"internal/fortran/flags", "internal/fortran/parse", "internal/nest/truth"}},
	"internal/emit/libmath":   {imports: []string{"internal/emit", "internal/fortran/scope", "internal/fortran/token", "internal/fortran/tree"}},
	"internal/emit/within":    {imports: []string{"internal/emit", "internal/emit/cost", "internal/fortran/scope", "internal/fortran/tree", "internal/nest"}, tests: []string{"internal/fortran/parse", "internal/fortran/source"}},
	"internal/nest/data":      {imports: []string{"internal/fortran/scope", "internal/fortran/source", "internal/fortran/token", "internal/fortran/tree", "internal/nest", "internal/nest/directive", "internal/nest/parts"}, tests: []string{"internal/fortran/parse"}},
	"internal/nest/directive": {imports: []string{"internal/fortran/source", "internal/fortran/token", "internal/spelling"}},
	// Material for tests of loops: random nests with their truth, and truth comments of Fortran sources.
	"internal/nest/brute": {},
	"internal/nest/truth": {},
	// The front end of source tools: pure Go, without cgo.
	"internal/fortran/tree":  {imports: []string{"internal/fortran/source", "internal/fortran/token"}},
	"internal/fortran/parse": {imports: []string{"internal/fortran/source", "internal/fortran/token", "internal/fortran/tree"}},

	"internal/settings": {},
	"internal/spelling": {},

	// Examples are what users copy: they import nothing of ours but the frame of their pictures.
	"bench":                       {},
	"bench/loops/census":          {},
	"examples/draw":               {},
	"examples/dam_break/draw":     {imports: []string{"examples/draw"}},
	"examples/river/draw":         {imports: []string{"examples/draw"}},
	"examples/shallow_water/draw": {imports: []string{"examples/draw"}},
	"ffi_tests/documents":         {},
	"ffi_tests/loops":             {},
	"ffi_tests/loops/programs":    {},
	"ffi_tests/scorecard":         {},
	"scripts/testone":             {imports: []string{"internal/spelling"}},
}

// yaklcheck are the paths of rooms of that command.
func yaklcheck(rooms ...string) (paths []string) {
	for _, room := range rooms {
		paths = append(paths, "cmd/yaklcheck/internal/"+room)
	}
	return paths
}

// portablef are the paths of rooms of that command.
func portablef(rooms ...string) (paths []string) {
	for _, room := range rooms {
		paths = append(paths, "cmd/portablef/internal/"+room)
	}
	return paths
}

// kernels are the paths of rooms of array kernels.
func kernels(rooms ...string) (paths []string) {
	for _, room := range rooms {
		paths = append(paths, "internal/kernels/"+room)
	}
	return paths
}

// testRooms are for tests: any test may import them, no program does.
var testRooms = []string{"internal/report/sarifcheck", "internal/script", "gator/fronttest", "internal/backend/fake", "internal/backend/backendtest", "internal/kernels/doors", "internal/fortran/oracle", "internal/nest/brute", "internal/nest/truth"}

// testForeign is what tests may import of other modules.
var testForeign = []string{"github.com/stretchr/testify/require", "github.com/stretchr/testify/assert"}

type listed struct {
	ImportPath, Dir                    string
	GoFiles, CgoFiles, IgnoredGoFiles  []string
	Imports, TestImports, XTestImports []string
}

func list(t *testing.T) (packages []listed) {
	command := exec.Command("go", "list", "-json=ImportPath,Dir,GoFiles,CgoFiles,IgnoredGoFiles,Imports,TestImports,XTestImports", "./...")
	command.Dir = filepath.Join("..", "..")
	var complaints strings.Builder
	command.Stderr = &complaints
	text, err := command.Output()
	require.NoError(t, err, complaints.String())
	for decoder := json.NewDecoder(strings.NewReader(string(text))); ; {
		var p listed
		if err := decoder.Decode(&p); errors.Is(err, io.EOF) {
			return packages
		} else {
			require.NoError(t, err)
		}
		packages = append(packages, p)
	}
}

// kind sorts an import: ours, another module's, or the standard library's.
func kind(path string) (ours string, foreign bool) {
	if ours, ok := strings.CutPrefix(path, module); ok {
		return ours, false
	}
	first, _, _ := strings.Cut(path, "/")
	return "", strings.Contains(first, ".")
}

func TestImportDirection(t *testing.T) {
	for _, p := range list(t) {
		name := strings.TrimPrefix(p.ImportPath, module)
		t.Run(name, func(t *testing.T) {
			may, known := rooms[name]
			if !known {
				t.Fatalf("%s is not in the table of internal/arch: add it, with what it may import", name)
			}
			for _, path := range p.Imports {
				ours, foreign := kind(path)
				switch {
				case ours != "" && !slices.Contains(may.imports, ours):
					t.Errorf("%s imports %s: an arrow that the plan does not have", name, ours)
				case foreign && !slices.Contains(may.foreign, path):
					t.Errorf("%s imports %s of another module", name, path)
				}
			}
			for _, path := range slices.Concat(p.TestImports, p.XTestImports) {
				ours, foreign := kind(path)
				switch {
				case ours != "" && ours != name && !slices.Contains(may.imports, ours) && !slices.Contains(testRooms, ours) && !slices.Contains(may.tests, ours):
					t.Errorf("a test of %s imports %s", name, ours)
				case foreign && !slices.Contains(testForeign, path) && !slices.Contains(may.foreign, path):
					t.Errorf("a test of %s imports %s of another module", name, path)
				}
			}
			// Ignored files are those of other systems and build tags: they keep to the plan too.
			for _, file := range slices.Concat(p.GoFiles, p.CgoFiles, p.IgnoredGoFiles) {
				if strings.HasSuffix(file, "_test.go") {
					continue
				}
				parsed, err := parser.ParseFile(token.NewFileSet(), filepath.Join(p.Dir, file), nil, parser.ImportsOnly)
				require.NoError(t, err)
				for _, spec := range parsed.Imports {
					switch strings.Trim(spec.Path.Value, `"`) {
					case "C":
						require.True(t, may.cgo, "%s/%s uses cgo", name, file)
					case "unsafe":
						require.True(t, may.unsafe || file == may.unsafeIn, "%s/%s uses unsafe", name, file)
					}
				}
			}
		})
	}
}

// TestDoors: what tests alone call is compiled for tests alone. (ffi_tests/packages/builds looks for it in the archive.)
func TestDoors(t *testing.T) {
	found := 0
	for _, p := range list(t) {
		for _, file := range slices.Concat(p.GoFiles, p.CgoFiles, p.IgnoredGoFiles) {
			if !strings.Contains(file, "doors") {
				continue
			}
			found++
			text, err := os.ReadFile(filepath.Join(p.Dir, file))
			require.NoError(t, err)
			first, _, _ := strings.Cut(string(text), "\n")
			require.Equal(t, "//go:build portable_test_hooks", first, "%s/%s would be in every program", p.ImportPath, file)
		}
	}
	require.NotZero(t, found, "no file of doors was looked at")
}

// TestTable looks at the table itself: arrows lead to rooms that exist in it, never to rooms for tests, and
// never in a circle.
func TestTable(t *testing.T) {
	var follow func(name string, path []string)
	follow = func(name string, path []string) {
		require.NotContains(t, path, name, "the plan has a circle")
		for _, next := range rooms[name].imports {
			require.Contains(t, rooms, next, "%s may import a room that is not in the table", name)
			require.NotContains(t, testRooms, next)
			follow(next, append(slices.Clone(path), name))
		}
	}
	for name := range rooms {
		follow(name, nil)
	}
	require.Empty(t, rooms["internal/backend"].imports, "the contract is a leaf")
}

// TestNoCallOfCgoEndsTheProgram finds C.malloc, C.CString and C.CBytes, which end the program if there is no memory. Test doors may use them.
func TestNoCallOfCgoEndsTheProgram(t *testing.T) {
	looked := 0
	for _, p := range list(t) {
		for _, file := range slices.Concat(p.CgoFiles, p.IgnoredGoFiles) {
			if strings.Contains(filepath.Join(p.ImportPath, file), "doors") || strings.HasSuffix(file, "_test.go") {
				continue
			}
			parsed, err := parser.ParseFile(token.NewFileSet(), filepath.Join(p.Dir, file), nil, 0)
			require.NoError(t, err)
			looked++
			ast.Inspect(parsed, func(n ast.Node) bool {
				call, ok := n.(*ast.SelectorExpr)
				if !ok {
					return true
				}
				if of, ok := call.X.(*ast.Ident); ok && of.Name == "C" && slices.Contains([]string{"malloc", "CString", "CBytes"}, call.Sel.Name) {
					t.Errorf("%s/%s calls C.%s; pass Go memory for the call, or ask portable__memory, which may say no", p.ImportPath, file, call.Sel.Name)
				}
				return true
			})
		}
	}
	require.Greater(t, looked, 20)
}
