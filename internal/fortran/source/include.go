package source

import (
	"bytes"
	"path/filepath"
	"slices"

	"libportable/internal/fortran/token"
)

// Limits of included files: files that include each other many times end too.
const (
	maxDepth    = 64      // files that include each other, as compilers have a limit too
	maxIncluded = 1 << 25 // bytes
)

// file reads all lines of a file. A statement may go on from the file around it, and behind it. plain: the preprocessor does
// not run, although it runs for the file around it.
func (r *reader) file(f *File, plain bool) {
	in := &feed{r: r, file: f, line: 1, nested: len(r.stack) > 0, plain: plain, next: -1}
	if bytes.HasPrefix(f.Text, []byte("\xef\xbb\xbf")) {
		in.pos = 3
	}
	r.stack = append(r.stack, in)
	depth := 0
	if r.pre != nil {
		depth = len(r.pre.branches)
	}
	for in.pos < len(f.Text) {
		in.read()
	}
	if r.pre != nil {
		r.pre.close(depth)
	}
	if len(r.stack) == 1 {
		in.endFixed()
	}
	r.stack = r.stack[:len(r.stack)-1]
}

// include reads the file that INCLUDE (statement) or #include names. here: the folder of the including file is searched too.
func (r *reader) include(at token.Pos, name string, here, statement bool) {
	f := r.find(at, name, here)
	if f == nil {
		where := "the folders of -I"
		if here {
			where = "the folder of the source and " + where
		}
		r.problem(at, "the included file '%s' is not in %s; give its folder with -I", name, where)
		return
	}
	for _, in := range r.stack {
		if in.file == f && statement {
			r.problem(at, "the file '%s' includes itself; remove the line", name)
			return
		}
	}
	if r.included += len(f.Text) + 64; len(r.stack) >= maxDepth || r.included > maxIncluded {
		r.problem(at, "the included file '%s' is left out: at most %d files include each other, and included files have at most %d MB; do files include "+
			"each other without end?", name, maxDepth, maxIncluded>>20)
		return
	}
	if !slices.Contains(r.out.Includes, f.Name) {
		r.out.Includes = append(r.out.Includes, f.Name)
	}
	r.file(f, r.stack[len(r.stack)-1].plain || statement && !r.o.AllIncluded)
}

// find is the file of a name as compilers search it: folder of the including file, folder of the source, folders of -I.
func (r *reader) find(at token.Pos, name string, here bool) *File {
	var folders []string
	if here {
		folders = []string{filepath.Dir(r.set.File(at.File).Name), filepath.Dir(r.out.File.Name)}
	}
	if folders = append(folders, r.o.Include...); filepath.IsAbs(name) {
		folders = []string{""}
	}
	for _, folder := range folders {
		if f := r.set.load(filepath.Join(folder, name), r.out.File.Fixed); f != nil {
			return f
		}
	}
	return nil
}
