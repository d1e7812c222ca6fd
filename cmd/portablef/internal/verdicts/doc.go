// Package verdicts holds the report of a run of portablef, and writes it: text (text.go, survey.go,
// explain.go), JSON (json.go), SARIF 2.1.0 (sarif.go). from.go makes its plain values of nest.Nest.
//
// The names of JSON are a public format (docs/start/loops.md): within one version fields are added,
// never renamed, and keep their meaning. Package program finds the nests; this room decides
// nothing. Threads: one goroutine.
package verdicts
