package measure

import (
	"os"
	"strings"
	"testing"
)

// TestTargets holds the rules beside the development corpora: a change that makes them
// worse than their targets fails.
func TestTargets(t *testing.T) {
	for _, file := range []string{"testdata/seller.jsonl", "testdata/own.jsonl", "testdata/chats.jsonl", "testdata/unseen.jsonl", "../rank/testdata/shops.json", "../rank/testdata/development.json", "../rank/testdata/own.json", "../rank/testdata/unseen.json"} {
		r := measured(t, file)
		for _, table := range r.Tables {
			for _, row := range table.Rows[1:] {
				target, n := strings.TrimSpace(row[len(row)-1]), len(row)
				var got, want string
				switch {
				case strings.HasPrefix(target, "precision "):
					got, want = row[n-4], target[len("precision "):]
				case strings.HasPrefix(target, "recall "):
					got, want = row[n-3], target[len("recall "):]
				case strings.HasPrefix(target, "F1 "):
					got, want = row[n-2], target[len("F1 "):]
				case target == "all, none extra":
					got, want = row[n-2], "1.000"
				case target != "":
					got, want = row[n-2], target
				}
				if got < want {
					t.Errorf("%s: %s %s: %s, want %s", file, table.Title, row[0], got, target)
				}
			}
		}
		if t.Failed() {
			for _, m := range r.Mistakes {
				t.Logf("%s:%d %s: %s, want %s: %s", file, m.Line, m.Form, m.Got, m.Want, m.Text)
			}
		}
	}
}

func measured(t testing.TB, file string) *Report {
	f, err := os.Open(file)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = f.Close() }()
	r, err := Run(f)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func TestLinesOfMistakes(t *testing.T) {
	r, err := Run(strings.NewReader("{\"text\":\"привет, как дела\",\"lang\":\"ru\"}\n\n{\"text\":\"как дела у вас, card 4111 1111 1111 1111\",\"lang\":\"en\"}\n"))
	if err != nil {
		t.Fatal(err)
	}
	if len(r.Mistakes) != 1 || r.Mistakes[0].Line != 3 || strings.Contains(r.Mistakes[0].Text, "4111") {
		t.Errorf("mistakes are %+v", r.Mistakes)
	}
}

func TestForeignFiles(t *testing.T) {
	for in, want := range map[string]string{"": "no items", "{\"a\":1}": "known form", "{\"text\":\"a\",\"lang\":\"ru\"}\nrubbish": "near line", "{\"text\":5,\"lang\":\"ru\"}": "line 1"} {
		if _, err := Run(strings.NewReader(in)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %q", in, err, want)
		}
	}
}

// BenchmarkCorpora prints the tables beside their targets.
func BenchmarkCorpora(b *testing.B) {
	for _, file := range []string{"testdata/seller.jsonl", "testdata/own.jsonl"} {
		for _, t := range measured(b, file).Tables {
			b.Log(file, t.Title)
			for _, row := range t.Rows {
				b.Log(strings.Join(row, "\t"))
			}
		}
	}
	for b.Loop() {
		measured(b, "testdata/seller.jsonl")
	}
}

// TestRetrievalRefusesLabelsOfNothing: a label that names no chunk would count as missed.
func TestRetrievalRefusesLabelsOfNothing(t *testing.T) {
	_, err := Run(strings.NewReader(`{"chunks":[{"id":"a","text":"x"}],"queries":[{"query":"x","kind":"exact","relevant":["b"]}]}`))
	if err == nil || !strings.Contains(err.Error(), `the chunk "b"`) {
		t.Error(err)
	}
}
