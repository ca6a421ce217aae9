package houserules

import (
	"go/ast"
	"os"
	"slices"
	"strings"
	"testing"
)

// raceLine is one line of tools/race.txt.
type raceLine struct {
	race    bool   // or plain
	pattern string // such as ./store/...
	reason  string // of plain
}

// covers says whether the line is about the package in that folder.
func (l raceLine) covers(dir string) bool {
	below, all := strings.CutSuffix(l.pattern, "/...")
	own := "./" + dir
	return own == below || all && strings.HasPrefix(own, below+"/")
}

func raceLines(t *testing.T) (out []raceLine) {
	t.Helper()
	text, err := os.ReadFile("tools/race.txt")
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(text)) {
		kind, rest, _ := strings.Cut(strings.TrimSpace(line), " ")
		if kind == "" || strings.HasPrefix(kind, "#") {
			continue
		}
		pattern, reason, _ := strings.Cut(rest, " ")
		if kind != "race" && kind != "plain" || pattern == "" || (kind == "plain") != (reason != "") {
			t.Fatalf("tools/race.txt: %q is neither «race PACKAGE» nor «plain PACKAGE REASON»", line)
		}
		out = append(out, raceLine{kind == "race", pattern, reason})
	}
	return out
}

// shares says whether a file has goroutines or guards memory against them.
func shares(s Source) (found bool) {
	for _, p := range []string{"sync", "sync/atomic", "golang.org/x/sync/errgroup"} {
		found = found || slices.Contains(s.Imports(), p)
	}
	ast.Inspect(s.File, func(n ast.Node) bool {
		_, starts := n.(*ast.GoStmt)
		found = found || starts
		return !found
	})
	return found
}

// Race holds that a package whose goroutines share memory is run with the race detector, or tools/race.txt says why not.
func Race(t *testing.T, sources []Source, product func(dir string) bool) {
	t.Helper()
	lines := raceLines(t)
	used := make([]bool, len(lines))
	for _, s := range sources {
		dir := s.Dir()
		at := slices.IndexFunc(lines, func(l raceLine) bool { return l.covers(dir) })
		if at >= 0 {
			used[at] = true
			continue
		}
		if !product(dir) || s.IsTest() || !shares(s) {
			continue
		}
		t.Errorf("%s has goroutines or locks, and tools/race.txt does not name its package", s.Path)
	}
	for i, l := range lines {
		if !used[i] {
			t.Errorf("tools/race.txt: there is no package %s", l.pattern)
		}
	}
	for _, must := range []string{"web", "web/apiv1", "store", "store/kv", "store/queue", "app/send", "app/hook", "app/account", "app/event", "app/session", "messenger/telegram", "geo/live"} {
		if !slices.ContainsFunc(lines, func(l raceLine) bool { return l.race && l.covers(must) }) {
			t.Errorf("tools/race.txt: %s is not run with the race detector", must)
		}
	}
	if slices.ContainsFunc(lines, func(l raceLine) bool { return l.race && l.covers("web/e2e") }) {
		t.Error("tools/race.txt: the race detector sees nothing in web/e2e, whose browser talks to a process")
	}
}
