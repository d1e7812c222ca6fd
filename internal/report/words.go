package report

import "fmt"

// Plural is a number with its noun.
func Plural[N int | int64 | uint64](n N, noun string) string { return Count(n, noun, noun+"s") }

// Count is a number with the words for one and for many: "1 block is", "2 blocks are".
func Count[N int | int64 | uint64](n N, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprintf("%d %s", n, many)
}
