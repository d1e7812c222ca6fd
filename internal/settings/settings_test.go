package settings

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// rows are those of the first table of docs/build/environment.md: | `NAME` | meaning | default | ...
var rows = regexp.MustCompile("(?m)^\\| `((?:PORTABLE|GATOR)_[A-Z0-9_]+)` \\|[^|]*\\| ([^|]*) \\|")

// TestDocument compares the list with docs/build/environment.md: names, their order, and defaults.
func TestDocument(t *testing.T) {
	var text []byte
	for _, pattern := range []string{"../../docs/build/environment.md", "../../docs/*/environment.md"} {
		found, err := filepath.Glob(pattern)
		require.NoError(t, err)
		for _, path := range found {
			text, err = os.ReadFile(path)
			require.NoError(t, err)
		}
	}
	_, table, _ := strings.Cut(string(text), "\n| `"+Disable)
	table, _, _ = strings.Cut("| `"+Disable+table, "\n\n")
	var names []string
	for _, row := range rows.FindAllStringSubmatch(table, -1) {
		names = append(names, row[1])
		v, found := Find(row[1])
		require.True(t, found, "%s is in docs/build/environment.md, and not in the list", row[1])
		require.NotEmpty(t, v.Default)
		require.Contains(t, row[2], v.Default, row[1])
	}
	require.Equal(t, Names(), names)
}

// getenv is how C reads a variable; named is how internal/edge/environment.c lists those that name a file.
var getenv, named = regexp.MustCompile(`getenv\("((?:PORTABLE|GATOR)_[A-Z0-9_]+)"\)`), regexp.MustCompile(`\{"((?:PORTABLE|GATOR)_[A-Z0-9_]+)", [A-Z_]+\}`)

// TestNamesInC looks for variables that C reads and the list does not have.
func TestNamesInC(t *testing.T) {
	read := 0
	for _, folder := range []string{"arrays", "capi", "exec", "gator", "internal"} {
		require.NoError(t, filepath.WalkDir(filepath.Join("..", "..", folder), func(path string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() || filepath.Ext(path) != ".c" && filepath.Ext(path) != ".h" {
				return err
			}
			text, err := os.ReadFile(path)
			for _, name := range append(getenv.FindAllStringSubmatch(string(text), -1), named.FindAllStringSubmatch(string(text), -1)...) {
				read++
				require.Contains(t, Names(), name[1], path)
			}
			return err
		}))
	}
	require.Greater(t, read, 10)
}

func TestParseSize(t *testing.T) {
	for _, c := range []struct {
		text  string
		bytes uint64
		good  bool
	}{
		{"4000", 4000 * mib, true},
		{"4000MB", 4000 * mib, true},
		{"4000 mb", 4000 * mib, true},
		{"4GB", 4096 * mib, true},
		{"4g", 4096 * mib, true},
		{"4GiB", 4096 * mib, true},
		{"0.5GB", 512 * mib, true},
		{"1024kb", mib, true},
		{"123b", 123, true},
		{"2T", 2 << 40, true},
		{" 7 ", 7 * mib, true},
		{"0", 0, true},
		{"", 0, false},
		{"MB", 0, false},
		{"-17", 0, false},
		{"4GX", 0, false},
		{"4GBGB", 0, false},
		{"1e3", 0, false},
		{"1.2.3", 0, false},
		{"0x10", 0, false},
		{"99999999999999999999", 0, false},
		{"64MB extra", 0, false},
	} {
		bytes, why := ParseSize(c.text, mib)
		require.Equal(t, c.good, why == "", "%q: %s", c.text, why)
		if c.good {
			require.Equal(t, c.bytes, bytes, "%q", c.text)
		}
	}
}

func TestWrong(t *testing.T) {
	for _, c := range []struct{ name, value, why string }{
		{Strict, " Yes ", ""}, {Strict, "maybe", "yes or no is wanted"}, {Strict, "", ""},
		{Initial, "4GB", ""}, {Initial, "0", sizeWanted}, {Initial, "much", sizeWanted}, {Initial, "99999999999TB", "it is more than any machine has"},
		{AllocateFrom, "5000", ""}, {AllocateFrom, "4095", "it is less than 4096"},
		{Block, "4KB", ""}, {Block, "100", "a power of two from 64 to 1 GiB is wanted"}, {Block, "2GB", "a power of two from 64 to 1 GiB is wanted"},
		{Threads, "4095", ""}, {Threads, "0", "a number from 1 to 4095 is wanted"}, {Threads, "-1", "a number from 1 to 4095 is wanted"},
		{Schedule, "Dynamic", ""}, {Schedule, "guided", "there are static, dynamic"}, {Schedule, "yes", "there are static, dynamic"},
		{Check, "launch, arrays", ""}, {Check, "yes", ""}, {Check, "arrys", "there are launch, arrays, memory, hash, races, all"},
		{Device, "anything", ""},
	} {
		v, found := Find(c.name)
		require.True(t, found)
		require.Equal(t, c.why, v.Wrong(c.value), "%s=%s", c.name, c.value)
	}
	_, found := Find("PORTABLE_OTHER")
	require.False(t, found)
}
