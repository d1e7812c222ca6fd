// Package arrays is the arithmetic of array descriptors: which elements lie where. In this room: shapes and how they are
// laid out, views of them, where one element is, how one array is copied to another, and the texts of what is wrong. Not in this
// room: memory, who owns it, what is in it, labels, languages.
//
// Invariants: a Shape that a function of this package gave is sound: its rank is 0 to MaxRank, extents are 0 or more, upper bounds
// fit into int64, Fastest is a permutation, and every element lies within the memory that it was made for. A Shape is
// a plain value; positions are counted in elements from the one whose indices are all lowest. Nothing is allocated
// but the text of an error. Texts count dimensions from 1.
//
// Threads: all functions are pure.
package arrays
