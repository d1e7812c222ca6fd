// Command texts writes the files that Go embeds in the archive without comments and indentation: device code and its headers are a
// third smaller in each program. Usage: texts FOLDER FILE..., with the Go files whose //go:embed lines name the texts. It writes them
// into the folder, and overlay.json for `go build -overlay`. Lines keep their numbers. Only cmake/build_archive.cmake runs it.
package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

func main() {
	if len(os.Args) < 3 {
		fmt.Fprintln(os.Stderr, "usage: texts FOLDER FILE...")
		os.Exit(2)
	}
	if err := run(os.Args[1], os.Args[2:]); err != nil {
		fmt.Fprintln(os.Stderr, "texts:", err)
		os.Exit(1)
	}
}

func run(folder string, files []string) error {
	replace := map[string]string{}
	if err := os.RemoveAll(folder); err != nil {
		return err
	}
	if err := os.MkdirAll(folder, 0o755); err != nil {
		return err
	}
	for _, file := range files {
		names, err := embedded(file)
		if err != nil {
			return err
		}
		for _, name := range names {
			text, err := os.ReadFile(name)
			if err != nil {
				return err
			}
			to := filepath.Join(folder, fmt.Sprintf("%03d_%s", len(replace), filepath.Base(name)))
			if err := os.WriteFile(to, []byte(shorten(string(text))), 0o644); err != nil {
				return err
			}
			replace[name] = to
		}
	}
	overlay, err := json.MarshalIndent(map[string]any{"Replace": replace}, "", "  ")
	if err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(folder, "overlay.json"), overlay, 0o644)
}

// embedded lists the files that the patterns of a Go file name, with absolute paths.
func embedded(file string) (names []string, err error) {
	text, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	folder, err := filepath.Abs(filepath.Dir(file))
	if err != nil {
		return nil, err
	}
	for line := range strings.Lines(string(text)) {
		patterns, found := strings.CutPrefix(line, "//go:embed ")
		for _, pattern := range strings.Fields(patterns) {
			if !found {
				break
			}
			some, err := filepath.Glob(filepath.Join(folder, pattern))
			if err != nil {
				return nil, err
			}
			names = append(names, some...)
		}
	}
	if len(names) == 0 {
		return nil, fmt.Errorf("%s embeds no file", file)
	}
	return names, nil
}

// shorten removes comments, and blanks at both ends of lines, from a text of C. Ends of lines inside of a comment come after its line, which may be a
// directive. A blank stays where a comment was.
func shorten(text string) string {
	var b strings.Builder
	var line []byte // that is being read
	ends := 0       // of lines, inside of its comments
	for i := 0; i < len(text); {
		rest := text[i:]
		n := 1
		switch {
		case strings.HasPrefix(rest, "/*"):
			n = 2 + strings.Index(rest[2:], "*/") + 2
			ends += strings.Count(rest[:n], "\n")
			line = append(line, ' ')
		case strings.HasPrefix(rest, "//"):
			if n = strings.IndexByte(rest, '\n'); n < 0 {
				n = len(rest)
			}
		case rest[0] == '"' || rest[0] == '\'':
			for n < len(rest) && rest[n] != rest[0] && rest[n] != '\n' {
				if rest[n] == '\\' {
					n++
				}
				n++
			}
			n = min(n+1, len(rest))
			line = append(line, rest[:n]...)
		case rest[0] == '\n':
			b.WriteString(strings.Trim(string(line), " \t") + "\n" + strings.Repeat("\n", ends))
			line, ends = line[:0], 0
		default:
			line = append(line, rest[0])
		}
		i += n
	}
	b.WriteString(strings.Trim(string(line), " \t"))
	return b.String()
}
