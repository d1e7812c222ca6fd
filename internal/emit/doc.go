// Package emit holds what all output languages share: the typed kernel of a nest and the interface of emitters.
//
// A kernel says which data a nest needs, in which form, and which of its values leave it. It has no text of an
// output language (host writes Fortran) and decides no dependences (nest does). A fact that the description does not
// cover is a reason of refusal, with a place and a remedy, before anything is written.
// Threads: one goroutine; kernels do not change after New.
package emit
