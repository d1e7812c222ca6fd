// Package token holds positions in Fortran sources and the tokens of a statement.
//
// It has no lexer (source) and no syntax (parse). A token keeps the bytes of the file that it comes
// from, so that a tool can copy or replace exactly these bytes. Threads: values, free for all.
package token

// Pos is a place in a source file. The zero Pos is no place.
type Pos struct {
	File   int32 // index into the files of the program (source.Set.Files)
	Line   int32 // from 1
	Column int32 // from 1, in bytes
	Offset int32 // in bytes from the beginning of the file
}

// Known reports whether p is a place.
func (p Pos) Known() bool { return p.Line > 0 }

// Span is a range of bytes of one file: from the first byte up to the one behind the last.
type Span struct{ From, To Pos }

// Join is the span from the beginning of a to the end of b.
func Join(a, b Span) Span {
	if !a.From.Known() {
		return b
	}
	if !b.To.Known() {
		return a
	}
	return Span{a.From, b.To}
}

// Kind is the kind of a token.
type Kind uint8

// The kinds of tokens.
const (
	End       Kind = iota // behind the last token of a statement; source.Line.Tokens does not hold it
	Name                  // Text in lower case
	Integer               // digits, with _kind behind them if it is written: 12, 12_8, 12_ik
	Real                  // 1.5, 1e3, 1d0, .5_wp; in lower case
	String                // Text is the value: without quotes, doubled quotes once; Prefix has the kind of kind_'text'
	Hollerith             // 3habc: Text is the value
	BOZ                   // b'01', o"7", z'ff', 'ff'x: in lower case, letter in front, quotes as written
	Operator              // signs and dotted words: + - ** // == .and. .eq. .my_op. .true._4 ( ) [ ] , : :: ; % => = & ...
	Other                 // a byte that Fortran does not have
)

// Token is one token of a statement. There is no token (/ or /): they are two tokens each, because (/) in OPERATOR(/) has
// the same bytes. An expression that begins with ( and / is an array constructor; no operand follows its last / but ).
type Token struct {
	Kind   Kind
	Macro  bool   // a macro makes a part of it: Span is the macro's use, the same for all tokens of that use
	Broken bool   // bytes of the file lie between its parts: continuation marks, comments, blanks of fixed form; Span holds them
	Text   string // see Kind
	Prefix string // of String: the kind before the quote, in lower case, or ""
	Span   Span
}

// Is reports whether t is the operator or sign s.
func (t Token) Is(s string) bool { return t.Kind == Operator && t.Text == s }

// IsName reports whether t is the name s (in lower case).
func (t Token) IsName(s string) bool { return t.Kind == Name && t.Text == s }
