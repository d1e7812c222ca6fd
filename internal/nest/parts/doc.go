// Package parts goes over trees: the parts of expressions, the expressions and blocks of statements, and the text of an expression.
//
// It knows no meaning of names. Each function takes nil and trees with faults. Not in this package: accesses, effects (nest).
// Threads: free for all; it changes nothing.
package parts
