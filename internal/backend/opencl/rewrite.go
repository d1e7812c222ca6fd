package opencl

import (
	"fmt"
	"strings"
)

// The marks that the prelude leaves in a preprocessed text.
const (
	markEntry  = "portable__global"
	markShared = "portable__shared"
)

// dynamic is the parameter that each entry gets: the block's dynamic shared memory.
const dynamic = "portable__dynamic"

// token is a name, a string, or a single sign.
type token struct {
	text     string
	from, to int
}

func isWord(c byte) bool {
	return c == '_' || '0' <= c && c <= '9' || 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z'
}

// tokens splits a preprocessed text. Lines that begin with # are none.
func tokens(text string) (list []token) {
	fresh := true
	for i := 0; i < len(text); {
		c, from := text[i], i
		switch {
		case c == '\n':
			fresh = true
			i++
			continue
		case c == ' ' || c == '\t' || c == '\r':
			i++
			continue
		case c == '#' && fresh:
			for i < len(text) && text[i] != '\n' {
				i++
			}
			continue
		case c == '"' || c == '\'':
			for i++; i < len(text) && text[i] != c && text[i] != '\n'; i++ {
				if text[i] == '\\' {
					i++
				}
			}
			i = min(i+1, len(text))
		case isWord(c):
			for i < len(text) && (isWord(text[i]) || text[i] == '\'' && '0' <= c && c <= '9') {
				i++
			}
		default:
			i++
		}
		fresh = false
		list = append(list, token{text[from:i], from, i})
	}
	return list
}

// closing is the token that closes the bracket at t[i]; len(t): none does.
func closing(t []token, i int) int {
	depth := 0
	for ; i < len(t); i++ {
		switch t[i].text {
		case "(", "{", "[":
			depth++
		case ")", "}", "]":
			if depth--; depth == 0 {
				return i
			}
		}
	}
	return i
}

// rewrite turns the marks of a preprocessed text into clang's words: an entry becomes a function with one more parameter, followed by an
// entry of OpenCL that reads its parameters from memory. No line is added, so messages name the user's. It returns the names of entries.
func rewrite(text string) (result string, entries []string) {
	var b strings.Builder
	t, done := tokens(text), 0
	put := func(from, to int, instead string) {
		b.WriteString(text[done:from] + instead)
		done = to
	}
	seen := map[string]bool{}
	type end struct {
		at   int
		name string
	}
	var ends []end // of bodies of entries
	for i := 0; i < len(t); i++ {
		switch t[i].text {
		case markEntry:
			put(t[i].from, t[i].to, "__attribute__((device, always_inline, internal_linkage))")
			name, open := head(t, i+1)
			if open == len(t) {
				continue
			}
			entry := t[name].text
			put(t[name].from, t[name].to, "portable__body_"+entry)
			close := closing(t, open)
			if close == len(t) {
				continue
			}
			parameter := ", char *" + dynamic
			if close == open+1 || close == open+2 && t[open+1].text == "void" {
				parameter = "char *" + dynamic
				put(t[open].to, t[close].from, "")
			}
			put(t[close].from, t[close].from, parameter)
			if close+1 < len(t) && t[close+1].text == "{" && !seen[entry] {
				seen[entry] = true
				entries = append(entries, entry)
				ends = append(ends, end{closing(t, close+1), entry})
			}
			i = close
		case markShared:
			switch {
			case i > 0 && t[i-1].text == "extern":
				semicolon := i
				for semicolon < len(t) && t[semicolon].text != ";" {
					semicolon++
				}
				if declared, ok := external(text, t[i+1:min(semicolon, len(t))]); ok {
					put(t[i-1].from, t[semicolon].from, declared)
					i = semicolon
					continue
				}
				put(t[i].from, t[i].to, "__attribute__((shared))")
			case i > 0 && t[i-1].text == "static":
				put(t[i].from, t[i].to, "__attribute__((shared))")
			default:
				put(t[i].from, t[i].to, "static __attribute__((shared))")
			}
		case "}":
			if n := len(ends) - 1; n >= 0 && ends[n].at == i {
				put(t[i].to, t[i].to, entryText(ends[n].name))
				ends = ends[:n]
			}
		}
	}
	b.WriteString(text[done:] + "\n#pragma clang attribute pop\n") // the prelude has pushed it
	return b.String(), entries
}

// head finds the name of the function after a mark, and the parenthesis of its parameters; len(t): there is none.
func head(t []token, i int) (name, open int) {
	for ; i+1 < len(t) && t[i].text != "{" && t[i].text != ";"; i++ {
		if t[i+1].text != "(" || !isWord(t[i].text[0]) {
			continue
		}
		if t[i].text == "__attribute__" || t[i].text == "alignas" {
			i = closing(t, i+1)
			continue
		}
		return i, i + 1
	}
	return len(t), len(t)
}

// external is the declaration in place of `extern __shared__ TYPE NAME[];`, of which t is what follows the mark.
func external(text string, t []token) (string, bool) {
	for len(t) > 1 && (t[0].text == "__attribute__" || t[0].text == "alignas") {
		t = t[min(closing(t, 1)+1, len(t)):]
	}
	n := len(t)
	if n < 4 || t[n-1].text != "]" || t[n-2].text != "[" {
		return "", false
	}
	of := text[t[0].from:t[n-4].to]
	return fmt.Sprintf("%s *const %s = (%s *)%s", of, t[n-3].text, of, dynamic), true
}

// entryText is the entry of OpenCL for a function, on one line.
func entryText(name string) string {
	body := "portable__body_" + name
	called := "portable__called<decltype(&" + body + "), &" + body + ">"
	return fmt.Sprintf(` extern "C" __attribute__((device, used)) const unsigned long %s%s = %s::bytes;`+
		` extern "C" __attribute__((global)) void %s(__attribute__((address_space(1))) const char *portable__p, __attribute__((address_space(3))) char *portable__s)`+
		` { %s::call((const char *)portable__p, (char *)portable__s); }`, bytesOf, name, called, name, called)
}
