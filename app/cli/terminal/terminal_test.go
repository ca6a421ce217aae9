package terminal

import (
	"bytes"
	"strings"
	"testing"
	"time"
)

func TestLineProgress(t *testing.T) {
	var b bytes.Buffer
	now := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	p := NewProgress(&b, func() time.Time { return now })
	p.Add(5) // before any stage: nobody cares
	p.Stage("nodes", 200)
	p.Add(50)
	now = now.Add(10 * time.Second)
	p.Add(50)
	p.Add(50)
	p.Stage("words", 0)
	now = now.Add(1500 * time.Millisecond)
	p.Add(50)
	p.Done()
	p.Done()
	want := "nodes: 50%\nnodes: done in 10s\nwords: done in 1.5s\n"
	if b.String() != want {
		t.Errorf("got %q, want %q", b.String(), want)
	}
}

func TestBarProgressSurvivesOddTotals(t *testing.T) {
	var b bytes.Buffer
	p := &barProgress{w: &b}
	p.Add(1)
	for _, total := range []int64{-1, 0, 10} {
		p.Stage("x", total)
		p.Add(100)
	}
	p.Done()
	if b.Len() == 0 {
		t.Error("nothing was drawn")
	}
}

func TestColumns(t *testing.T) {
	for s, want := range map[string]int{"abc": 3, "Қўшни": 5, "地図": 4, "e\u0301": 1, "ʻ": 1, "…": 1} {
		if got := Columns(s); got != want {
			t.Errorf("Columns(%q) = %d, want %d", s, got, want)
		}
	}
	if got := fitCell(strings.Repeat("e\u0301", 200) + strings.Repeat("\u0301", 5000)); Columns(got) > maxCell || len(got) > 1000 {
		t.Errorf("a long cell keeps %d columns, %d bytes", Columns(got), len(got))
	}
}
