package gator

import (
	"strings"
	"sync"
	"sync/atomic"
)

// labelID stands for a label in a record; 0 is no label.
type labelID uint32

// maxLabels bounds the table for programs that make a new label for each allocation; what comes after
// shares one label that says so.
const maxLabels = 1 << 16

// MaxLabel is the bytes of a label that are kept.
const MaxLabel = 255

const (
	overflowID   labelID = 1
	overflowText         = "(more labels than can be kept)"
)

// Labels maps label texts to small numbers, and back. Texts are never forgotten, so a front may keep the
// numbers as long as the table lives. Threads: safe.
type Labels struct {
	mu    sync.RWMutex // guards the fields below; texts only grows
	ids   map[string]labelID
	texts atomic.Pointer[[]string]
}

// NewLabels makes an empty table.
func NewLabels() *Labels {
	l := &Labels{ids: map[string]labelID{"": 0, overflowText: overflowID}}
	l.texts.Store(&[]string{"", overflowText})
	return l
}

// ID gives the number of a text; text may be memory of C, it is copied when it is kept. A known text
// costs no Go memory.
func (l *Labels) ID(text string) uint32 { return uint32(l.id(text)) }

func (l *Labels) id(text string) labelID {
	if text == "" {
		return 0
	}
	if len(text) > MaxLabel {
		text = text[:MaxLabel]
	}
	l.mu.RLock()
	id, ok := l.ids[text]
	l.mu.RUnlock()
	if ok {
		return id
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if id, ok = l.ids[text]; ok {
		return id
	}
	texts := *l.texts.Load()
	if len(texts) >= maxLabels {
		return overflowID
	}
	text = strings.Clone(text)
	id = labelID(len(texts))
	l.ids[text] = id
	texts = append(texts, text)
	l.texts.Store(&texts)
	return id
}

// Text is the text of a number, "" for an invalid one.
func (l *Labels) Text(id uint32) string { return l.text(labelID(id)) }

func (l *Labels) text(id labelID) string {
	if texts := *l.texts.Load(); int(id) < len(texts) {
		return texts[id]
	}
	return ""
}
