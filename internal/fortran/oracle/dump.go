package oracle

import "strings"

// namespace is one scope of a dump.
type namespace struct {
	path       []string // names of procedures around it and its own
	symbols    []symbol
	statements []statement
}

// symbol is a line "symtree" with those that belong to it.
type symbol struct {
	name, spec, attributes, array, value string
}

// statement is a line of the code: its first word and the text behind it.
type statement struct{ word, text string }

// words are the beginnings of lines that have expressions of the source.
var words = []string{"ASSIGN", "ELSE IF", "IF", "DO WHILE", "DO", "CALL", "POINTER ASSIGN", "SELECT CASE", "TRANSFER"}

// read splits a dump into its scopes. Constructs with names of their own (BLOCK, ASSOCIATE) have symbols among the statements.
func read(dump string) (list []*namespace) {
	var now *namespace
	var indents []int
	var path []string
	lines := strings.Split(dump, "\n")
	inCode, depth := false, 0
	for i, line := range lines {
		text := strings.TrimLeft(line, " ")
		indent := len(line) - len(text)
		if name, ok := strings.CutPrefix(text, "procedure name = "); ok && i > 0 && strings.HasPrefix(strings.TrimSpace(lines[i-1]), "Namespace:") {
			for len(indents) > 0 && indents[len(indents)-1] >= indent {
				indents, path = indents[:len(indents)-1], path[:len(path)-1]
			}
			indents, path = append(indents, indent), append(path, strings.TrimSpace(name))
			now = &namespace{path: append([]string{}, path...)}
			list = append(list, now)
			inCode, depth = false, indent
			continue
		}
		if now == nil {
			continue
		}
		if text == "code:" {
			inCode = true
			continue
		}
		if inCode {
			now.statement(text)
			continue
		}
		if indent <= depth+4 {
			now.declaration(text)
		}
	}
	return list
}

func (n *namespace) declaration(text string) {
	if rest, ok := strings.CutPrefix(text, "symtree: '"); ok {
		local, _, _ := strings.Cut(rest, "'")
		if strings.Contains(text, " from namespace ") {
			local = ""
		}
		n.symbols = append(n.symbols, symbol{name: local})
		return
	}
	if len(n.symbols) == 0 {
		return
	}
	y := &n.symbols[len(n.symbols)-1]
	for prefix, to := range map[string]*string{
		"type spec : ": &y.spec, "attributes: ": &y.attributes, "Array spec:": &y.array, "value: ": &y.value,
	} {
		if rest, ok := strings.CutPrefix(text, prefix); ok && *to == "" {
			*to = rest
		}
	}
}

func (n *namespace) statement(text string) {
	for _, word := range words {
		rest, ok := strings.CutPrefix(text, word+" ")
		if !ok || word == "DO" && strings.HasPrefix(rest, "CONCURRENT ") {
			continue
		}
		n.statements = append(n.statements, statement{word, rest})
		return
	}
}
