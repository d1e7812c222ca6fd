package source

// A letter, a digit and so on, as Fortran has them; $ is a letter inside of names, as compilers take it.

func isBlank(c byte) bool  { return c == ' ' || c >= '\t' && c <= '\r' && c != '\n' }
func isLetter(c byte) bool { return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c == '_' }
func isDigit(c byte) bool  { return c >= '0' && c <= '9' }
func inName(c byte) bool   { return isLetter(c) || isDigit(c) || c == '$' }
func inMacro(c byte) bool  { return isLetter(c) || isDigit(c) }

// skip is the index of the first byte from i on that has not the property, or end.
func skip(s []byte, i, end int, has func(byte) bool) int {
	for i < end && has(s[i]) {
		i++
	}
	return i
}

func lower(c byte) byte {
	if c >= 'A' && c <= 'Z' {
		return c + 'a' - 'A'
	}
	return c
}

// startsFold reports whether s has a prefix, in any case. prefix is in lower case.
func startsFold(s []byte, prefix string) bool {
	if len(s) < len(prefix) {
		return false
	}
	for i := range len(prefix) {
		if lower(s[i]) != prefix[i] {
			return false
		}
	}
	return true
}
