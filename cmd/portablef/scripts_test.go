package main

// This file runs the scripts in testdata (package script).

import (
	"testing"

	"libportable/internal/script"
)

func TestMain(m *testing.M) { script.Main(m, map[string]func(){"portablef": main}) }

func TestScripts(t *testing.T) { script.Run(t, nil) }
