// Command other is a user's own Go archive: a second Go runtime in a program that links libportable.a.
package main

import "C"

// other_sum allocates on its own Go heap, so that its garbage collector has work to do.
//
//export other_sum
func other_sum(n C.int) C.int {
	values := make([]int, n)
	for i := range values {
		values[i] = i
	}
	sum := 0
	for _, v := range values {
		sum += v
	}
	return C.int(sum)
}

func main() {}
