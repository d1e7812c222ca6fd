package arch

import (
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// most is how many files a folder holds: so many names a reader sees at once.
const most = 35

// folders calls f with each folder of the tree, and the names of its files. Outputs of builds (build, build-*) and of the demo (out) are not
// of the tree, nor are files of tools.
func folders(t *testing.T, f func(folder string, files []string)) {
	root := filepath.Join("..", "..")
	require.NoError(t, filepath.WalkDir(root, func(name string, entry fs.DirEntry, err error) error {
		if err != nil || !entry.IsDir() {
			return err
		}
		folder, err := filepath.Rel(root, name)
		if err != nil {
			return err
		}
		if strings.HasPrefix(folder, "build") || folder == "out" || folder != "." && strings.HasPrefix(entry.Name(), ".") || entry.Name() == "testdata" {
			return filepath.SkipDir
		}
		entries, err := os.ReadDir(name)
		var files []string
		for _, e := range entries {
			if !e.IsDir() && !strings.HasPrefix(e.Name(), ".") {
				files = append(files, e.Name())
			}
		}
		f(folder, files)
		return err
	}))
}

func TestFoldersAreSmall(t *testing.T) {
	looked := 0
	folders(t, func(folder string, files []string) {
		looked++
		if len(files) > most {
			t.Errorf("%s has %d files; the most are %d", folder, len(files), most)
		}
	})
	require.Greater(t, looked, 100)
}

// opened are folders whose files a reader finds by the README of the folder above, or which are not opened to be read.
var opened = []string{
	".ci", "bench", "capi/include", "examples/river", "examples/shallow_water", "ffi_tests", "fortran/golden", "internal/gen", "packaging/spack", "scripts",
	"cmd/yaklcheck/internal/record",
}

// TestFoldersAreOpened: each room says in the comment of its package what is in it. Other folders have a README, their own or one above.
func TestFoldersAreOpened(t *testing.T) {
	rooms := 0
	folders(t, func(folder string, files []string) {
		isRoom, text := false, ""
		for _, file := range files {
			if filepath.Ext(file) != ".go" || strings.HasSuffix(file, "_test.go") {
				continue
			}
			isRoom = true
			parsed, err := parser.ParseFile(token.NewFileSet(), filepath.Join("..", "..", folder, file), nil, parser.PackageClauseOnly|parser.ParseComments)
			require.NoError(t, err)
			if parsed.Doc != nil {
				text += parsed.Doc.Text()
			}
		}
		below := slices.ContainsFunc(opened, func(of string) bool { return folder == of || strings.HasPrefix(folder, of+"/") })
		switch {
		case isRoom:
			rooms++
			if len(text) < 100 {
				t.Errorf("%s: the comment of the package does not say what is in the room", folder)
			}
		case len(files) > 0 && !below && !slices.Contains(files, "README.md"):
			t.Errorf("%s has neither a package nor a README.md", folder)
		}
	})
	require.Greater(t, rooms, 40)
}

// TestRoomsWithCSayWhy: the comment of a room with C has the one reason for it.
func TestRoomsWithCSayWhy(t *testing.T) {
	folders(t, func(folder string, files []string) {
		if level(folder) < 0 || !slices.ContainsFunc(files, func(name string) bool { return filepath.Ext(name) == ".c" }) {
			return
		}
		found := false
		for _, file := range files {
			if filepath.Ext(file) != ".go" {
				continue
			}
			parsed, err := parser.ParseFile(token.NewFileSet(), filepath.Join("..", "..", folder, file), nil, parser.PackageClauseOnly|parser.ParseComments)
			require.NoError(t, err)
			if parsed.Doc == nil {
				continue
			}
			text := strings.Join(strings.Fields(parsed.Doc.Text()), " ")
			found = found || strings.Contains(text, "in C because") || strings.Contains(text, "In C because") || strings.Contains(text, "in C, because")
		}
		if !found {
			t.Errorf("%s: the comment of the package does not say why there is C", folder)
		}
	})
}
