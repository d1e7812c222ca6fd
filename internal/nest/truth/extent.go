package truth

import (
	"fmt"
	"regexp"
	"strings"
)

// statement is a statement without comments and continuation, in lower case.
type statement struct {
	line, last int // first and last line of the text
	label      string
	text       string
}

var (
	opens  = regexp.MustCompile(`^(?:\w+ *: *)?do\b *(\d+)? *,? *(while\b|concurrent\b|(\w+) *=)?`)
	closes = regexp.MustCompile(`^end *do\b`)
	index  = regexp.MustCompile(`(\w+) *= *[^,=)]+:`)
	number = regexp.MustCompile(`^(\d+) +`)
	spaced = regexp.MustCompile(`^do(\d+)([a-z]\w*)(=.*,.*)$`) // a DO of fixed form without its blanks, which mean nothing there
)

// split makes statements of lines. Preprocessor lines are left out: both branches count.
func split(lines []string, fixed bool) (list []statement) {
	continued := false
	for i, line := range lines {
		if strings.HasPrefix(line, "#") {
			continue
		}
		text := line
		carries := continued
		if fixed {
			if line == "" || strings.ContainsRune("cC*!", rune(line[0])) {
				continue
			}
			carries = len(line) > 5 && line[5] != ' ' && line[5] != '0' && strings.TrimSpace(line[:5]) == ""
			if carries {
				text = line[6:]
			}
		}
		text = strings.TrimSpace(uncomment(text))
		if text == "" {
			continue
		}
		ends := !fixed && strings.HasSuffix(text, "&")
		text = strings.ToLower(strings.TrimSpace(strings.TrimSuffix(strings.TrimPrefix(text, "&"), "&")))
		first := statement{line: i + 1}
		if carries && len(list) > 0 {
			first = list[len(list)-1]
			list, text = list[:len(list)-1], first.text+" "+text
		}
		for at, part := range strings.Split(text, ";") {
			if part = strings.TrimSpace(part); part == "" {
				continue
			}
			s := statement{line: i + 1, last: i + 1, text: part}
			if at == 0 {
				s.line, s.label = first.line, first.label
			}
			if label := number.FindStringSubmatch(part); label != nil {
				s.label, s.text = label[1], part[len(label[0]):]
			}
			if do := spaced.FindStringSubmatch(strings.ReplaceAll(s.text, " ", "")); fixed && do != nil {
				s.text = "do " + do[1] + " " + do[2] + do[3]
			}
			list = append(list, s)
		}
		continued = ends
	}
	return list
}

// uncomment cuts a comment, but not a `!` in a character literal.
func uncomment(line string) string {
	quote := rune(0)
	for i, c := range line {
		switch {
		case quote != 0:
			if c == quote {
				quote = 0
			}
		case c == '\'' || c == '"':
			quote = c
		case c == '!':
			return line[:i]
		}
	}
	return line
}

// measure finds the nest behind the comment: its end, its depth, its statements and its loop variables.
func (n *Nest) measure(statements []statement) error {
	var open []string // the label that closes each DO; empty: END DO
	for _, s := range statements {
		if s.line <= n.Line {
			continue
		}
		do := opens.FindStringSubmatch(s.text)
		if n.Do == 0 && do == nil {
			return fmt.Errorf("the statement behind the comment is no DO: %s", s.text)
		}
		n.Statements++
		if do != nil {
			if n.Do == 0 {
				n.Do = s.line
			}
			open = append(open, do[1])
			n.Depth = max(n.Depth, len(open))
			switch {
			case do[2] == "concurrent":
				head := s.text[strings.Index(s.text, "("):]
				for _, v := range index.FindAllStringSubmatch(head, -1) {
					n.Loops = append(n.Loops, v[1])
				}
			case do[3] != "":
				n.Loops = append(n.Loops, do[3])
			}
			continue
		}
		if closes.MatchString(s.text) {
			open = open[:len(open)-1]
		}
		for s.label != "" && len(open) > 0 && open[len(open)-1] == s.label {
			open = open[:len(open)-1]
		}
		if len(open) == 0 {
			n.End = s.last
			return nil
		}
	}
	return fmt.Errorf("the nest behind the comment does not end")
}
