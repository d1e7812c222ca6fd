// Package directive reads directive lines: !$portable, and the forms of OpenMP and OpenACC that stand at loops.
//
// It knows clauses, not what is true of the loop (nest checks that). A wrong word is a problem with the
// nearest right one; a clause that is not taken yet says so. It accepts any tokens.
// Threads: free for all.
package directive
