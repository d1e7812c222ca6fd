package parse

import (
	"bytes"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"libportable/internal/fortran/source"
	"libportable/internal/fortran/tree"
)

// sources are the Fortran files below a folder.
func sources(t *testing.T, root string) (files []string) {
	err := filepath.WalkDir(root, func(name string, entry fs.DirEntry, err error) error {
		if err != nil {
			return nil
		}
		if entry.IsDir() {
			if n := entry.Name(); n == ".git" || strings.HasPrefix(n, "build") {
				return filepath.SkipDir
			}
			return nil
		}
		switch strings.ToLower(filepath.Ext(name)) {
		case ".f90", ".f", ".f95", ".f03", ".f08", ".f77", ".for", ".f18":
			files = append(files, name)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return files
}

// TestOracle reads all Fortran of the project, and of the folders in PORTABLE_FORTRAN_SOURCES.
func TestOracle(t *testing.T) {
	roots := append([]string{filepath.Join("..", "..", "..")}, filepath.SplitList(os.Getenv("PORTABLE_FORTRAN_SOURCES"))...)
	for _, root := range roots {
		statements, bad, withProblems := 0, 0, 0
		files := sources(t, root)
		for _, name := range files {
			text, err := os.ReadFile(name)
			if err != nil || bytes.Contains(text, []byte("dg-error")) { // compilers' tests mark what is wrong on purpose
				continue
			}
			f := File(source.Read(source.NewSet(nil), name, text, source.Options{}))
			if len(f.Problems) > 0 {
				withProblems++
				if testing.Verbose() {
					t.Logf("%s:%d: %s", name, f.Problems[0].At.Line, f.Problems[0].Text)
				}
			}
			if wrong := wrongSpan(f); wrong != "" {
				t.Errorf("%s: %s", name, wrong)
			}
			if len(f.Problems) == 0 && len(unreads(f)) == 0 {
				t.Run(name, func(t *testing.T) { roundTrip(t, f) })
			}
			for _, l := range f.Lines {
				if l.Kind == source.Statement {
					statements++
				}
			}
			for _, u := range unreads(f) {
				bad++
				if testing.Verbose() {
					t.Logf("%s:%d: %s", name, u.line, u.reason)
				}
			}
		}
		if statements == 0 {
			t.Fatalf("%s has no Fortran", root)
		}
		share := 100 * float64(statements-bad) / float64(statements)
		t.Logf("%s: %d files, %d with problems; %d statements, %d not read: %.3f %%", root, len(files), withProblems, statements, bad, share)
		if share < 99.5 {
			t.Errorf("%s: %.3f %% of the statements are read, at least 99.5 %% must be", root, share)
		}
	}
}

type unreadAt struct {
	line   int32
	reason string
}

func unreads(f *tree.File) (list []unreadAt) {
	tree.Walk(f, func(n any) bool {
		switch n := n.(type) {
		case *tree.Unread:
			list = append(list, unreadAt{n.Where.From.Line, n.Reason})
		case *tree.UnreadDeclaration:
			list = append(list, unreadAt{n.Where.From.Line, n.Reason})
		}
		return true
	})
	return list
}
