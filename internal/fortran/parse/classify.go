package parse

import (
	"strings"

	"libportable/internal/fortran/source"
	"libportable/internal/fortran/token"
	"libportable/internal/fortran/tree"
)

// statement is a statement with the keyword that tells what it is.
type statement struct {
	cursor
	line      *source.Line
	label     int32
	construct string // its name
	nameAt    token.Span
	before    []*tree.Directive
	keyword   string // "=", "=>", a word of keywords, or ""
	where     token.Span
}

// keywords are the words that begin statements; where two words may stand without a blank between them, the first one is the keyword.
var keywords = map[string]string{
	"enddo": "end", "endif": "end", "endselect": "end", "endwhere": "end", "endforall": "end", "endassociate": "end", "endblock": "end",
	"endblockdata": "end", "endprogram": "end", "endmodule": "end", "endsubmodule": "end", "endsubroutine": "end", "endfunction": "end",
	"endprocedure": "end", "endinterface": "end", "endtype": "end", "endenum": "end", "endfile": "end", "endcritical": "end", "endteam": "end",
	"elseif": "else", "elsewhere": "else", "selectcase": "select", "selecttype": "select", "selectrank": "select", "blockdata": "block",
	"doubleprecision": "double", "doublecomplex": "double", "dowhile": "do", "doconcurrent": "do", "moduleprocedure": "module",
	"goto": "go", "errorstop": "error", "casedefault": "case", "abstractinterface": "abstract",
	"typeis": "type", "classis": "class", "classdefault": "class", "rankdefault": "rank", "implicitnone": "implicit", "changeteam": "change",
	"modulesubroutine": "module", "modulefunction": "module",
	"syncall": "sync", "syncimages": "sync", "syncmemory": "sync", "syncteam": "sync", "failimage": "fail", "formteam": "form",
	"eventpost": "event", "eventwait": "event",
}

func init() {
	for _, w := range strings.Fields(`
		program module submodule subroutine function block end contains interface abstract procedure
		recursive non_recursive pure impure elemental attributes
		integer real double complex logical character byte type class
		use import implicit parameter dimension codimension allocatable pointer target save external intrinsic intent optional value
		volatile asynchronous contiguous protected bind public private sequence common equivalence data namelist generic final enum enumerator
		device constant managed pinned shared automatic static
		format entry include
		if else do select case rank where forall associate critical change
		call go assign continue cycle exit return stop error pause
		read write print open close inquire rewind backspace flush wait allocate deallocate nullify
		sync event lock unlock fail form notify`) {
		keywords[w] = w
	}
}

// classify finds out what a statement is. Fortran has no reserved words: if(i)=3 is an assignment.
func classify(l *source.Line) *statement {
	s := &statement{line: l, label: l.Label}
	s.tokens = l.Tokens
	if len(s.tokens) == 0 {
		return s
	}
	s.where = token.Span{From: s.tokens[0].Span.From, To: s.tokens[len(s.tokens)-1].Span.To}
	if s.now().Kind == token.Name && s.ahead(1).Is(":") {
		s.construct, s.nameAt = s.tokens[0].Text, s.tokens[0].Span
		s.tokens = s.tokens[2:]
	}
	s.kind()
	return s
}

// kind sets the keyword of the statement at the cursor.
func (s *statement) kind() {
	s.keyword = ""
	first := s.now()
	if first.Kind != token.Name {
		return
	}
	i := s.at + 1
	for i < len(s.tokens) {
		if t := s.tokens[i]; opens(t) {
			i = skip(s.tokens, i)
		} else if t.Is("%") && i+1 < len(s.tokens) && s.tokens[i+1].Kind == token.Name {
			i += 2
		} else {
			break
		}
	}
	if i < len(s.tokens) && (s.tokens[i].Is("=") || s.tokens[i].Is("=>")) {
		s.keyword = s.tokens[i].Text
		return
	}
	s.keyword = keywords[first.Text]
}

// declares are the keywords of the specification part.
var declares = map[string]bool{}

func init() {
	for _, w := range strings.Fields(`interface abstract procedure integer real double complex logical character byte type class use import implicit
		parameter dimension codimension allocatable pointer target save external intrinsic intent optional value volatile asynchronous contiguous
		protected bind public private sequence common equivalence data namelist generic enum format entry include
		device constant managed pinned shared automatic static attributes`) {
		declares[w] = true
	}
}

// head is the head of an executable statement.
func (s *statement) head() tree.Head {
	return tree.Head{Where: s.where, Line: s.line, Label: s.label, Name: s.construct, Before: s.before}
}

// declarationHead is the head of a declaration.
func (s *statement) declarationHead() tree.DeclarationHead {
	return tree.DeclarationHead{Where: s.where, Line: s.line, Label: s.label, Before: s.before}
}

// done reports whether the statement was understood to its last token; the rest of it is a reason that it was not.
func (s *statement) done() bool {
	if s.failed == "" && !s.end() {
		s.unexpected("the end of the statement")
	}
	return s.failed == ""
}

// unread is the statement as one that is not understood.
func (s *statement) unread() *tree.Unread {
	if s.failed == "" {
		s.failed = "it begins with no keyword and is no assignment"
	}
	return &tree.Unread{Head: s.head(), Reason: s.failed, Text: s.line.Tokens}
}
