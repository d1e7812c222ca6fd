package cuda

import (
	"embed"
	"hash"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"libportable/internal/outside"
)

//go:embed prelude/*.h
var prelude embed.FS

// headers are the files that sources find by name without a path: the archive's prelude, substitutes of standard
// headers, and the public headers. They are read when the first source is compiled: most programs that link the library
// compile none.
var headers struct {
	sync.Once
	public       fs.FS
	names, texts []string
}

// SetHeaders sets the public headers that device code includes. Call it before the first compilation.
func SetHeaders(public fs.FS) { headers.public = public }

func headerTexts() (names, texts []string) {
	headers.Do(func() {
		all := map[string]string{}
		for _, files := range []fs.FS{prelude, builtins, headers.public} {
			if files == nil {
				continue
			}
			found, _ := fs.Glob(files, "*/*.h")
			for _, name := range found {
				text, _ := fs.ReadFile(files, name)
				all[path.Base(name)] = string(text)
			}
		}
		for name := range all {
			headers.names = append(headers.names, name)
		}
		slices.Sort(headers.names)
		for _, name := range headers.names {
			headers.texts = append(headers.texts, all[name])
		}
	})
	return headers.names, headers.texts
}

// hashHeaders adds the included files of a source. False: one was not found, so the image depends on unknown files.
func hashHeaders(h hash.Hash, text []byte, file string, options []string) bool {
	names, texts := headerTexts()
	for i, name := range names {
		io.WriteString(h, name+"\x00"+texts[i]+"\x00")
	}
	folders := []string{}
	for i, option := range options {
		for _, name := range []string{"-I", "--include-path=", "-include-path=", "-I="} {
			if folder, ok := strings.CutPrefix(option, name); ok && folder != "" {
				folders = append(folders, folder)
			}
		}
		if (option == "-I" || option == "--include-path") && i+1 < len(options) {
			folders = append(folders, options[i+1])
		}
		if strings.HasPrefix(option, "-include") || strings.HasPrefix(option, "--pre-include") {
			return false
		}
	}
	seen := map[string]bool{}
	var visit func(text, folder string) bool
	visit = func(text, folder string) bool {
		for _, name := range includes(text) {
			if name == "" {
				return false // included by a macro
			}
			if slices.Contains(names, name) {
				continue
			}
			file, found := find(name, append([]string{folder}, folders...))
			if !found {
				return false
			}
			if seen[file] {
				continue
			}
			seen[file] = true
			more, err := outside.ReadFile(file, outside.TextMost)
			if err != nil {
				return false
			}
			io.WriteString(h, file+"\x00")
			h.Write(more)
			if !visit(string(more), filepath.Dir(file)) {
				return false
			}
		}
		return true
	}
	return visit(string(text), filepath.Dir(file))
}

func find(name string, folders []string) (string, bool) {
	for _, folder := range folders {
		file := name
		if !filepath.IsAbs(name) {
			file = filepath.Join(folder, name)
		}
		if info, err := os.Stat(file); err == nil && info.Mode().IsRegular() {
			return file, true
		}
	}
	return "", false
}

// includes lists the names in the #include lines of a text, "" for a line without a name. Lines in comments count, too:
// a missing file there only costs the use of the cache.
func includes(text string) (names []string) {
	for line := range strings.Lines(text) {
		rest, ok := strings.CutPrefix(strings.TrimSpace(line), "#")
		if !ok {
			continue
		}
		if rest, ok = strings.CutPrefix(strings.TrimSpace(rest), "include"); !ok {
			continue
		}
		rest = strings.TrimSpace(rest)
		name := ""
		if len(rest) > 1 && (rest[0] == '<' || rest[0] == '"') {
			if end := strings.IndexAny(rest[1:], ">\""); end > 0 {
				name = rest[1 : 1+end]
			}
		}
		names = append(names, name)
	}
	return names
}
