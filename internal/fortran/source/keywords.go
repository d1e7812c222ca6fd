package source

import (
	"sort"
	"strings"
)

// keywords are the words that begin statements of fixed form, by their first letter, the longer ones first. Two words that
// may stand without a blank between them are one.
var keywords = map[byte][]string{}

func init() {
	for _, w := range strings.Fields(`
		program module submodule subroutine function blockdata block contains interface abstractinterface procedure moduleprocedure
		end endprogram endmodule endsubmodule endsubroutine endfunction endprocedure endblockdata endblock endinterface endtype endenum
		enddo endif endselect endwhere endforall endassociate endcritical endteam endfile endstructure endunion endmap
		type typeis classis classdefault use import implicit implicitnone parameter dimension codimension allocatable pointer target save
		external intrinsic intent optional value volatile asynchronous contiguous protected bind public private sequence common
		equivalence data namelist generic final enum enumerator format entry include static automatic virtual structure record union map
		if else elseif elsewhere do selectcase selecttype selectrank case casedefault rank rankdefault where forall associate critical
		changeteam call goto assign continue cycle exit return stop errorstop pause
		read write print accept open close inquire rewind backspace flush wait encode decode allocate deallocate nullify
		syncall syncimages syncmemory syncteam eventpost eventwait lock unlock failimage formteam`) {
		keywords[w[0]] = append(keywords[w[0]], w)
	}
	for _, words := range keywords {
		sort.Slice(words, func(i, j int) bool { return len(words[i]) > len(words[j]) })
	}
}

// keyword is the longest keyword at the beginning of a statement, or "".
func keyword(s []byte) string {
	if len(s) == 0 {
		return ""
	}
	for _, w := range keywords[s[0]] {
		if startsFold(s, w) {
			return w
		}
	}
	return ""
}
