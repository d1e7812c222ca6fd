// Package spelling finds the name that was meant by a misspelt one: the distance between names, and
// the nearest of a list. Not here: the lists (internal/settings). Threads: any.
package spelling

import "slices"

// farthest is the distance beyond which a name is taken for another one.
const farthest = 3

// Nearest is the name of the list that differs least, by at most three letters, and by less than half of the word; "": there is none.
// If several differ alike, the first by the alphabet wins.
func Nearest(word string, list []string) (best string) {
	least := min(farthest, (len(word)-1)/2) + 1
	for _, n := range slices.Sorted(slices.Values(list)) {
		if d := distance(word, n); d < least {
			best, least = n, d
		}
	}
	return best
}

// distance is the number of letters to insert, remove or change.
func distance(a, b string) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		diagonal := row[0]
		row[0] = i + 1
		for j := range len(b) {
			change := diagonal
			if a[i] != b[j] {
				change++
			}
			diagonal = row[j+1]
			row[j+1] = min(change, row[j]+1, row[j+1]+1)
		}
	}
	return row[len(b)]
}
