// Package parse makes trees of the statements of a source file: units, declarations, statements, expressions.
//
// It takes the lines and tokens of package source and knows no meaning of names (scope). Every statement has
// its place in the tree; one that is not understood is Unread there, with the reason. Missing and stray END
// statements are Problems. Nesting has limits, so that no input exhausts the stack.
// Threads: one goroutine a file; files are independent.
package parse
