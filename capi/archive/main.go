// Package main is the program that -buildmode=c-archive builds into libportable.a. It imports capi
// and has no C: with C in it, each build would compile the C of all rooms again.
package main

import _ "libportable/capi"

func main() {}
