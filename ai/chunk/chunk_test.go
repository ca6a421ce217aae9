package chunk

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"unicode/utf8"
)

func TestSplitAtHeadings(t *testing.T) {
	got, err := Split("Do'kon", "Kirish so'zi.\n\n# Yetkazish\nToshkentga bepul.\n\n## Viloyatlar\nПочтой за три дня.\n# To'lov\nNaqd va karta.")
	if err != nil {
		t.Fatal(err)
	}
	want := []Chunk{
		{Title: "Do'kon", Text: "Kirish so'zi."},
		{Title: "Do'kon › Yetkazish", Text: "Toshkentga bepul."},
		{Title: "Do'kon › Yetkazish › Viloyatlar", Text: "Почтой за три дня."},
		{Title: "Do'kon › To'lov", Text: "Naqd va karta."},
	}
	if len(got) != len(want) {
		t.Fatalf("%d chunks: %v", len(got), got)
	}
	for i, w := range want {
		if g := got[i]; g.Title != w.Title || g.Text != w.Text || g.N != i || len(g.Hash) != 64 {
			t.Errorf("chunk %d: %+v, want %+v", i, g, w)
		}
	}
	if got[2].Lang != "ru" {
		t.Errorf("language %q of a Russian chunk", got[2].Lang)
	}
}

// TestSizes: paragraphs are collected, long ones cut at sentences with one repeated.
func TestSizes(t *testing.T) {
	var b strings.Builder
	for i := range 60 {
		fmt.Fprintf(&b, "Bu %d-gap, unda xizmatlarimiz haqida yana bir narsa aytiladi. ", i)
	}
	for name, text := range map[string]string{
		"one paragraph":   b.String(),
		"many paragraphs": strings.ReplaceAll(b.String(), ". ", ".\n\n"),
		"lines":           strings.ReplaceAll(b.String(), ". ", ".\n"),
		"no sentence":     strings.ReplaceAll(b.String(), ".", ""),
		"no space":        strings.Repeat("ў", 5000),
	} {
		got, err := Split("x", text)
		if err != nil {
			t.Fatal(err)
		}
		for i, c := range got {
			n := utf8.RuneCountInString(c.Text)
			if n > MaxSize || n < MinSize && i < len(got)-1 {
				t.Errorf("%s: chunk %d has %d characters", name, i, n)
			}
		}
		if name != "one paragraph" {
			continue
		}
		for i := 1; i < len(got); i++ {
			first, _, _ := strings.Cut(got[i].Text, ". ")
			if !strings.HasSuffix(got[i-1].Text, first+".") {
				t.Errorf("chunk %d does not begin with the last sentence of the one before: %q", i, first)
			}
		}
	}
}

func TestRefused(t *testing.T) {
	if _, err := Split("x", " \n\u200b\n"); !errors.Is(err, ErrEmpty) {
		t.Error(err)
	}
	if _, err := Split("x", strings.Repeat("a", MaxText+1)); !errors.Is(err, ErrTooLong) {
		t.Error(err)
	}
	if _, err := Split("x", strings.Repeat("# a\nb\n", MaxChunks+1)); !errors.Is(err, ErrTooMany) {
		t.Error(err)
	}
}

func TestFAQ(t *testing.T) {
	got, err := FAQ("Savollar", []Entry{{"Narxi\nqancha?", " 5 000 so'm\u202e "}, {"", "x"}, {"Uzun?", strings.Repeat("so'z ", 3000)}})
	if err != nil {
		t.Fatal(err)
	}
	if got[0].Title != "Savollar › Narxi qancha?" || got[0].Text != "5 000 so'm" {
		t.Errorf("%+v", got[0])
	}
	for _, c := range got[1:] {
		if c.Title != "Savollar › Uzun?" || utf8.RuneCountInString(c.Text) > maxWhole {
			t.Errorf("%q with %d bytes", c.Title, len(c.Text))
		}
	}
}

func TestTable(t *testing.T) {
	var rows [][]string
	for i := range 100 {
		rows = append(rows, []string{fmt.Sprintf("Mahsulot %d", i), "", "10 000"})
	}
	got, err := Table("Narxlar", []string{"Nomi", "Rangi", "Narxi"}, append(rows, []string{"", ""}))
	if err != nil {
		t.Fatal(err)
	}
	n := 0
	for _, c := range got {
		for l := range strings.Lines(c.Text) {
			if want := fmt.Sprintf("Nomi: Mahsulot %d; Narxi: 10 000", n); strings.TrimSpace(l) != want {
				t.Fatalf("%q, want %q", l, want)
			}
			n++
		}
		if utf8.RuneCountInString(c.Text) > MaxSize {
			t.Errorf("%d bytes", len(c.Text))
		}
	}
	if n != 100 {
		t.Errorf("%d rows", n)
	}
}

// FuzzSplit: every word is in some chunk, sizes hold, and text is valid.
func FuzzSplit(f *testing.F) {
	f.Add("# a\nb. c\n\nd")
	f.Add("## ҚЎҒ\r\n1.5 x?! y…\n#")
	f.Add(strings.Repeat("длинное слово. ", 300))
	f.Fuzz(func(t *testing.T, text string) {
		if len(text) > 1<<16 {
			return
		}
		got, err := Split("t", text)
		if err != nil {
			return
		}
		all := map[string]bool{}
		for _, c := range got {
			if n := utf8.RuneCountInString(c.Text); n > MaxSize || n == 0 || !utf8.ValidString(c.Text) {
				t.Fatalf("a chunk of %d characters", n)
			}
			for _, w := range strings.Fields(c.Text) {
				all[w] = true
			}
		}
		for l := range strings.Lines(clean(text)) {
			if level, _ := heading(l); level > 0 {
				continue
			}
			for _, w := range strings.Fields(l) {
				if utf8.RuneCountInString(w) < MaxSize/5 && !all[w] {
					t.Fatalf("the word %q is lost", w)
				}
			}
		}
	})
}

func BenchmarkSplit(b *testing.B) {
	text := strings.Repeat("# Bo'lim\n"+strings.Repeat("Yetkazib berish bepul. Доставка в день заказа. ", 100)+"\n\n", 100)
	b.SetBytes(int64(len(text)))
	for b.Loop() {
		if _, err := Split("x", text); err != nil {
			b.Fatal(err)
		}
	}
}
