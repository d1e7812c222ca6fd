// Package report writes what the reports of our commands share: JSON (json.go), logs in SARIF 2.1.0
// (sarif.go), numbers with nouns (words.go), colours and progress on terminals (terminal.go).
//
// It knows no finding of any command: the command maps its own to rules and results.
// Threads: one goroutine a report; a Progress may be called by several.
package report
