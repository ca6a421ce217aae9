package rank

import (
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
)

func ids(hits []Hit) (out []string) {
	for _, h := range hits {
		out = append(out, h.ID)
	}
	return out
}

func put(t *testing.T, x *Index, source string, chunks ...Chunk) {
	t.Helper()
	if !x.Put(source, chunks) {
		t.Fatal("full")
	}
}

func TestSearch(t *testing.T) {
	x := NewIndex()
	put(t, x, "a", Chunk{ID: "delivery", Title: "Yetkazib berish", Text: "Toshkent bo‘ylab 30 000 so‘m."},
		Chunk{ID: "hours", Title: "Ish vaqti", Text: "9:00 dan 18:00 gacha."},
		Chunk{ID: "sofa", Text: "Divanlar charm va matodan."})
	put(t, x, "b", Chunk{ID: "other", Title: "Yetkazib berish", Text: "Samarqandga."})
	for _, tt := range []struct{ query, want string }{
		{"етказиб бериш", "delivery"}, {"Yetkazib berish", "delivery"}, {"yetkazip beriw", "delivery"}, {"доставка", "delivery"},
		{"do you deliver", "delivery"}, {"dastafka", "delivery"}, {"divon", "sofa"}, {"во сколько открываетесь", "hours"}, {"charmdan", "sofa"},
	} {
		hits := x.Search(Query{Text: tt.query, Sources: []string{"a"}})
		if len(hits) == 0 || hits[0].ID != tt.want {
			t.Errorf("%q found %v, want %s first", tt.query, ids(hits), tt.want)
		}
		for _, h := range hits {
			if h.Source != "a" || h.Coverage < 0 || h.Coverage > 1 {
				t.Errorf("%q: %+v", tt.query, h)
			}
		}
	}
	for _, q := range []string{"", "   ", "?!", "va bilan", "zzzzqqq"} {
		if hits := x.Search(Query{Text: q}); len(hits) > 0 {
			t.Errorf("%q found %v", q, ids(hits))
		}
	}
	if hits := x.Search(Query{Text: "yetkazib berish", Sources: []string{"none"}}); len(hits) > 0 {
		t.Error("a source that is not there was searched")
	}
	good := x.Search(Query{Text: "yetkazib berish"})[0].Coverage
	bad := x.Search(Query{Text: "divan kosmonavtika astronomiya"})
	if good < 0.5 || len(bad) > 0 && bad[0].Coverage > 0.5 {
		t.Errorf("coverage %.2f of a question that is answered, %v of one that is not", good, bad)
	}
}

// TestPutReplaces: new versions replace old ones also when places are used again.
func TestPutReplaces(t *testing.T) {
	x := NewIndex()
	for version := range 60 {
		for source := range 5 {
			var chunks []Chunk
			for i := range 20 + version%3 {
				chunks = append(chunks, Chunk{ID: fmt.Sprintf("%d-%d-%d", source, version, i), Text: fmt.Sprintf("atirgul raqam%d nusxa%d", i, version)})
			}
			put(t, x, fmt.Sprint(source), chunks...)
		}
	}
	if n := x.Len(); n != 5*(20+59%3) {
		t.Errorf("%d chunks", n)
	}
	if len(x.docs) > 2*x.Len()+1100 {
		t.Errorf("%d places for %d chunks", len(x.docs), x.Len())
	}
	for source := range 5 {
		for _, h := range x.Search(Query{Text: "atirgul raqam7", Sources: []string{fmt.Sprint(source)}, Limit: 100}) {
			if !strings.HasPrefix(h.ID, fmt.Sprintf("%d-59-", source)) {
				t.Errorf("source %d has %s", source, h.ID)
			}
		}
	}
	put(t, x, "3")
	if hits := x.Search(Query{Text: "atirgul", Sources: []string{"3"}}); len(hits) > 0 {
		t.Errorf("a source that was taken out has %v", ids(hits))
	}
}

// TestSearchWhilePutting: never empty, never of two versions.
func TestSearchWhilePutting(t *testing.T) {
	x := NewIndex()
	version := func(n int) (chunks []Chunk) {
		for i := range 5 {
			chunks = append(chunks, Chunk{ID: fmt.Sprintf("%d-%d", n, i), Text: "atirgul " + []string{"qizil", "oppoq", "pushti", "yashil", "sariq"}[i]})
		}
		return chunks
	}
	put(t, x, "s", version(0)...)
	var done sync.WaitGroup
	done.Go(func() {
		for n := range 300 {
			x.Put("s", version(n))
		}
	})
	for range 300 {
		hits := x.Search(Query{Text: "atirgul", Limit: 10})
		if len(hits) != 5 {
			t.Fatalf("found %v", ids(hits))
		}
		first, _, _ := strings.Cut(hits[0].ID, "-")
		for _, h := range hits {
			if v, _, _ := strings.Cut(h.ID, "-"); v != first {
				t.Fatalf("two versions: %v", ids(hits))
			}
		}
	}
	done.Wait()
}

func TestTwinsOnce(t *testing.T) {
	x := NewIndex()
	text := "Toshkent bo'ylab yetkazib berish bepul, kuryer bir soatda keladi va oldindan qo'ng'iroq qiladi"
	put(t, x, "s", Chunk{ID: "1", Text: text}, Chunk{ID: "2", Text: text}, Chunk{ID: "3", Text: "Viloyatga yetkazib berish pochta orqali"},
		Chunk{ID: "4", Text: text + " 15 000"}, Chunk{ID: "5", Text: text + " 25 000"})
	if got := ids(x.Search(Query{Text: "yetkazib berish"})); len(got) != 4 || slices.Contains(got, "1") == slices.Contains(got, "2") {
		t.Errorf("found %v", got)
	}
}

// list is a second list.
type list []Ref

func (l list) Nearest([]string, int) []Ref { return l }

func TestFuse(t *testing.T) {
	x := NewIndex()
	put(t, x, "s", Chunk{ID: "both", Lang: "ru", Text: "Доставка по городу бесплатно"}, Chunk{ID: "words", Text: "доставка доставка"},
		Chunk{ID: "meaning", Text: "Привозим пиццу"}, Chunk{ID: "silent", Text: "Мойка окон"})
	put(t, x, "t", Chunk{ID: "foreign", Text: "доставка"})
	got := x.Fuse(Query{Text: "доставка", Lang: "ru", Sources: []string{"s"}}, list{{"s", "both"}, {"s", "both"}, {"s", "silent"}, {"t", "foreign"}, {"s", "gone"}})
	if len(got) != 4 || got[0].ID != "both" || !got[0].Keywords || !got[0].Semantic {
		t.Fatalf("%+v", got)
	}
	for _, f := range got {
		if f.ID == "silent" && (f.Keywords || !f.Semantic || f.Coverage != 0) || f.Source != "s" {
			t.Errorf("%+v", f)
		}
	}
	if alone := x.Fuse(Query{Text: "доставка", Sources: []string{"s"}, Limit: 1}, nil); len(alone) != 1 || alone[0].Semantic {
		t.Errorf("%+v", alone)
	}
}

// TestGlossary: every line of the table can be reached, and no word is a mistake of form.
func TestGlossary(t *testing.T) {
	if n := len(glossary.names); n < 200 {
		t.Errorf("%d concepts", n)
	}
	reached := map[int32]bool{}
	for _, list := range glossary.words {
		for _, id := range list {
			reached[id] = true
		}
	}
	for name, id := range glossary.ids {
		if !reached[id] {
			t.Errorf("%s has no word of its own", name)
		}
	}
}

func TestReadLabelledRefuses(t *testing.T) {
	for _, bad := range []string{
		``, `{}`, `[]`, `{"chunks":[{"id":"a"}],"queries":[{"query":"x","relevant":["b"]}]}`,
		`{"chunks":[{"id":"a"},{"id":"a"}],"queries":[{"query":"x","relevant":["a"]}]}`, `{"chunks":[{"id":"a"}],"queries":[{"query":"x"}]}`,
	} {
		if _, err := ReadLabelled([]byte(bad)); err == nil {
			t.Errorf("%s was taken", bad)
		}
	}
}

// FuzzSearch: no text breaks reading or asking, and what was put is found by its own words.
func FuzzSearch(f *testing.F) {
	f.Add("Yetkazib berish 9:00", "етказиб")
	f.Add("\xff\xfe9:", ":::")
	f.Add("ﷺ½ Ⅷ", "12-3/4")
	f.Fuzz(func(t *testing.T, text, query string) {
		if len(text) > 1<<14 || len(query) > 1<<14 {
			return
		}
		if len(query) > 500 {
			query = cut(query, 500)
		}
		x := NewIndex()
		x.Put("s", []Chunk{{ID: "1", Title: query, Text: text}, {ID: "2", Text: "boshqa narsa"}})
		hits := x.Search(Query{Text: query})
		words := content(analyze(query, 4*maxTokens, false))
		if len(words) > 0 && !words[0].stop && !slices.Contains(ids(hits), "1") {
			t.Fatalf("not found by its own title: %v", ids(hits))
		}
		for _, h := range hits {
			if h.ID == "" || !(h.Score > 0) || !(h.Coverage >= 0 && h.Coverage <= 1) {
				t.Fatalf("%+v", h)
			}
		}
	})
}
