package automation

import (
	"flag"
	"testing"
	"time"

	"svc/app/api/apitest"
)

var update = flag.Bool("update", false, "rewrite the golden files")

// TestStates is the life of a private reply (contract 60.54).
func TestStates(t *testing.T) {
	apitest.Table(t, "testdata/reply.golden", *update, life, Statuses(), Statuses())
}

// TestFits: keywords are whole words, without case, width and the kind of apostrophe.
func TestFits(t *testing.T) {
	for _, c := range []struct {
		match Match
		words []string
		text  string
		want  bool
	}{
		{MatchAny, []string{"narxi"}, "NARXI?", true},
		{MatchAny, []string{"narxi"}, "ｎａｒｘｉ qancha", true},
		{MatchAny, []string{"narx"}, "narxini ayting", false},
		{MatchAny, []string{"so'm"}, "necha soʻm", true},
		{MatchAny, []string{"so‘m"}, "necha so`m", true},
		{MatchAny, []string{"qancha turadi"}, "bu qancha  turadi?", true},
		{MatchAny, []string{"qancha turadi"}, "turadi qancha", false},
		{MatchAny, []string{"цена", "narx"}, "Какая цена", true},
		{MatchAll, []string{"narx", "gul"}, "gul narx", true},
		{MatchAll, []string{"narx", "gul"}, "narx", false},
		{MatchExact, []string{"+"}, "+", false}, // no word at all
		{MatchExact, []string{"narx"}, "Narx!", true},
		{MatchExact, []string{"narx"}, "narx bormi", false},
		{MatchAny, nil, "narx", false},
		{MatchAll, nil, "narx", false},
	} {
		r := Rule{Match: c.match, Words: c.words}
		if got := r.fits(c.text); got != c.want {
			t.Errorf("%s %q in %q: %v", c.match, c.words, c.text, got)
		}
	}
}

// TestObjection: the first reason counts, and the bounds of time are those of the rule.
func TestObjection(t *testing.T) {
	now := time.Date(2026, 11, 20, 7, 0, 0, 0, time.UTC)
	usual := Rule{Enabled: true, AllPosts: true, Trigger: Keywords, Match: MatchAny, Words: []string{"narx"}}
	for why, change := range map[string]func(*Rule){
		"":          func(*Rule) {},
		isOff:       func(r *Rule) { r.Enabled = false; r.From = now.Add(time.Hour) },
		notYet:      func(r *Rule) { r.From = now.Add(time.Second) },
		over:        func(r *Rule) { r.To = now },
		otherPost:   func(r *Rule) { r.AllPosts, r.Posts = false, []string{"2"} },
		noKeyword:   func(r *Rule) { r.Words = []string{"gul"} },
		asksService: func(r *Rule) { r.Trigger = Interest },
	} {
		r := usual
		change(&r)
		got, asks := r.objection("1", "narx", now)
		if got != why || asks != (why == asksService) {
			t.Errorf("%q %v, want %q", got, asks, why)
		}
	}
}
