// Package geotest is the small language in which tests of the map engine are
// written: a text file draws a map and asks it questions, and the answers
// stand below the questions.
//
// It promises that a file reads as documentation of the rules it proves, that
// every map goes the whole way (an extract is written, built into a map file
// and opened), and that the answers are the same on every machine. It refuses
// any word that it does not know, so that a misspelt test never passes.
//
// A file holds one or several maps. Points are metres east and north of an
// origin in Tashkent; a value with spaces is quoted.
//
//	map A title                   begin a new map
//	n1 0,0 place=city name=X      a node
//	w1 0,0 100,0 n7 key=value     a way; equal points are one node, n7 is a node drawn before
//	w2 box 0,0 100,50 key=value   a closed way: south-west and north-east corner
//	r1 box 0,0 100,50 key=value   a multipolygon of one such ring
//	r2 outer:w1 label:n1 k=v      a relation of members with roles
//	repeat 40 10,0 n100 0,0 k=v$i forty objects, each 10 m further east; $i counts from 0
//	extract                       what follows stands in another extract
//	option langs=uz,ru bounds=0,0,500,500
//
// Questions, each followed by its indented answer, which -update rewrites:
//
//	search "words" [near=x,y] [lang=ru] [limit=5] [bias=0.5] [kinds=poi,street]
//	               [category=food.cafe] [bbox=x,y,x,y] [show=label,matched,…]
//	reverse x,y [lang=]
//	lookup "name" x,y [radius=120] [lang=]
//	nearby x,y [radius=500] [kinds=poi] [category=] [limit=20] [lang=]
//	place n1 [lang=]              found by source object, as /api/place/mapsrc finds it
//	geometry n1 [lang=]
//	districts
//	report                        what the build told
//	build                         ok, or the error of the build
package geotest

import (
	"bytes"
	"flag"
	"fmt"
	"os"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "rewrite the answers in the .geo files")

// Run runs one file: each map is a subtest.
func Run(t *testing.T, path string) {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	blocks := parse(string(data))
	out := &bytes.Buffer{}
	for _, b := range blocks {
		b.answer(t, path)
		b.write(out)
	}
	if *update && !bytes.Equal(out.Bytes(), data) {
		if err := os.WriteFile(path, out.Bytes(), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

// block is one map with its questions.
type block struct {
	title string
	lines []line
}

// line is one line of a file, and the answer below it when it is a question.
type line struct {
	number   int
	text     string
	question bool
	want     []string
	got      []string
}

var questions = map[string]bool{
	"search": true, "reverse": true, "lookup": true, "nearby": true, "place": true,
	"geometry": true, "districts": true, "report": true, "build": true,
}

func parse(text string) []*block {
	b := &block{title: "map"}
	blocks := []*block{b}
	for i, s := range strings.Split(strings.TrimSuffix(text, "\n"), "\n") {
		word, rest, _ := strings.Cut(s, " ")
		n := len(b.lines)
		switch {
		case strings.HasPrefix(s, "  ") && n > 0 && b.lines[n-1].question:
			b.lines[n-1].want = append(b.lines[n-1].want, strings.TrimPrefix(s, "  "))
			continue
		case word == "map":
			b = &block{title: rest}
			blocks = append(blocks, b)
		}
		b.lines = append(b.lines, line{number: i + 1, text: s, question: questions[word]})
	}
	return blocks
}

func (b *block) write(out *bytes.Buffer) {
	for _, l := range b.lines {
		fmt.Fprintln(out, l.text)
		for _, g := range l.got {
			fmt.Fprintln(out, "  "+g)
		}
	}
}

// answer builds the map and asks the questions.
func (b *block) answer(t *testing.T, path string) {
	w := newWorld()
	asked := false
	for i := range b.lines {
		l := &b.lines[i]
		if l.question {
			asked = true
			continue
		}
		if err := w.draw(l.text); err != nil {
			t.Fatalf("%s:%d: %v", path, l.number, err)
		}
	}
	if !asked {
		if len(w.objects()) > 0 {
			t.Fatalf("%s: map %q is asked nothing", path, b.title)
		}
		return
	}
	t.Run(b.title, func(t *testing.T) {
		m := w.build(t)
		for i := range b.lines {
			l := &b.lines[i]
			if !l.question {
				continue
			}
			got, err := m.ask(l.text)
			if err != nil {
				t.Fatalf("%s:%d: %v", path, l.number, err)
			}
			l.got = got
			if !*update && strings.Join(got, "\n") != strings.Join(l.want, "\n") {
				t.Errorf("%s:%d: %s\ngot:\n  %s\nwant:\n  %s", path, l.number, l.text,
					strings.Join(got, "\n  "), strings.Join(l.want, "\n  "))
			}
		}
	})
}

// fields splits at spaces outside quotes and takes the quotes away.
func fields(s string) ([]string, error) {
	var out []string
	var b strings.Builder
	quoted, any := false, false
	for _, r := range s {
		switch {
		case r == '"':
			quoted, any = !quoted, true
		case r == ' ' && !quoted:
			if any {
				out = append(out, b.String())
			}
			b.Reset()
			any = false
		default:
			b.WriteRune(r)
			any = true
		}
	}
	if quoted {
		return nil, fmt.Errorf("a quote is not closed in %s", s)
	}
	if any {
		out = append(out, b.String())
	}
	return out, nil
}
