// Package source makes statements of Fortran source files: free and fixed form, continuation lines,
// the preprocessor, INCLUDE, conditional compilation (!$), directive lines.
//
// It knows no syntax. A statement is a list of tokens with the label in front of it; text that the
// preprocessor leaves out makes no statement. Any bytes make statements or problems, in linear time.
// Threads: one goroutine reads a file; several may read files of one Set.
package source

import "libportable/internal/fortran/token"

// Kind is the kind of a line.
type Kind uint8

// The kinds of lines.
const (
	Statement Kind = iota
	Directive      // a comment with a sentinel: !$omp, !$acc, !$portable, !dir$ ...
	Branch         // only with Options.AllBranches: #if, #else, #endif and their kin; no tokens
)

// Line is a statement or a directive, with its continuation lines.
type Line struct {
	Kind     Kind
	Sentinel string // of a directive: "omp", "acc", "portable", "dir", in lower case; of a branch: "if", "ifdef", "else" ...
	Label    int32  // statement label, 0: none
	Tokens   []token.Token
	Span     token.Span // from the label, the sentinel's ! or the first token to the last token; comments between continuation lines are inside
	Lines    [2]int32   // first and last line in the file, continuation lines included
	Alone    bool       // no other statement is on any of its lines, and no macro or INCLUDE makes a part of it
	Nested   bool       // it comes from an INCLUDE or #include file (Span.From.File is that file)
	Marked   bool       // a comment on its lines holds Options.Mark
	If       bool       // conditional compilation: its first line begins with !$
}

// File is one source file as it was read.
type File struct {
	Name  string // as given, for messages
	Text  []byte // every byte as it is in the file
	Fixed bool   // fixed form
	Last  int    // in fixed form: the last column of statements
	Index int32  // its number in the Set
	Parts []Part // of a rewritten text (ReadMoved); nil: the text is the user's
}

// Problem is text that cannot be read, with the place.
type Problem struct {
	At   token.Pos
	Text string
}

// Contents is what a file and the files that it includes hold.
type Contents struct {
	File     *File
	Lines    []*Line // in the order in which a compiler reads them
	Problems []Problem
	Includes []string // names of the files that it read by INCLUDE and #include, each once, in order
}
