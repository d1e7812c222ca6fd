// Package replay plans the replay of graphs: the steps of a recording in their order, and the steps
// without which each one is skipped (plan.go); the refusals of calls of graphs (refusal.go). Not
// here: recording and running, which are C (exec/graph). Callers are capi's exports. Threads: all
// functions are pure.
package replay
