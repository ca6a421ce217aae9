package geotest

import (
	"os"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"svc/geo/around"
	"svc/geo/geom"
	"svc/geo/index"
	"svc/geo/result"
	"svc/geo/search"
)

// smallMap is the file of a map that has something of everything.
func smallMap(t testing.TB) []byte {
	w := newWorld()
	for _, l := range []string{
		`r1 box -5000,-5000 5000,5000 boundary=administrative admin_level=4 name="Toshkent viloyati"`,
		`r2 box -900,-900 900,900 boundary=administrative admin_level=8 place=city name=Toshkent name:ru=Ташкент population=2500000`,
		`w1 -200,0 0,0 200,30 highway=residential name="Amir Temur koʻchasi" name:ru="улица Амира Темура"`,
		`w2 0,-200 0,0 0,300 highway=primary name="Navoiy koʻchasi"`,
		`w3 box 300,300 400,400 leisure=park name="Alisher Navoiy bogʻi" wikidata=Q1`,
		`w4 -900,-600 900,-500 waterway=river name=Chirchiq`,
		`repeat 20 10,0 n100 -100,20 addr:street="Amir Temur koʻchasi" addr:housenumber=$i`,
		`repeat 30 25,7 n200 -300,100 amenity=cafe name="Bahor $i" opening_hours="Mo-Fr 09:00-18:00" phone=+998`,
		`n300 50,50 amenity=pharmacy`,
		`n301 90,50 natural=peak name=Chimyon ele=3309`,
	} {
		if err := w.draw(l); err != nil {
			t.Fatal(err)
		}
	}
	path := w.write(t)
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// Bounds on one damaged file.
const (
	fuzzTime   = 5 * time.Second // on a busy machine
	fuzzMemory = 256 << 20
)

// FuzzOpen damages a map file and asks it everything. A panic is the caller's
// to recover from; a hang, a huge allocation or a fault that ends the process
// is not.
func FuzzOpen(f *testing.F) {
	good := smallMap(f)
	f.Add(uint32(0), byte(0), uint32(0), byte(0), uint32(0), byte(0), "amir temur 12")
	for i := 1; i < 40; i++ { // a seed for every part of the file
		at := uint32(len(good) * i / 40)
		f.Add(at, byte(0xff), at+1, byte(0x80), at+9, byte(0x7f), "bahor")
	}
	f.Add(uint32(len(good)/2), byte(1), uint32(len(good)/3), byte(255), uint32(len(good)/4), byte(16), "kafe")
	f.Fuzz(func(t *testing.T, at1 uint32, x1 byte, at2 uint32, x2 byte, at3 uint32, x3 byte, q string) {
		b := append([]byte(nil), good...)
		b[int(at1)%len(b)] ^= x1
		b[int(at2)%len(b)] ^= x2
		b[int(at3)%len(b)] ^= x3
		path := filepath.Join(t.TempDir(), "a.svcmap")
		if err := os.WriteFile(path, b, 0o600); err != nil {
			t.Fatal(err)
		}
		x, err := index.Open(path)
		if err != nil {
			return
		}
		defer func() { _ = x.Close() }()
		began := time.Now()
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		for _, ask := range everything(x, q) {
			recovered(ask)
		}
		runtime.ReadMemStats(&after)
		if d := time.Since(began); d > fuzzTime {
			t.Errorf("answers took %v", d)
		}
		if n := after.TotalAlloc - before.TotalAlloc; n > fuzzMemory {
			t.Errorf("answers took %d MB", n>>20)
		}
	})
}

// FuzzReading asks a sound map whatever people, keyboards and programs may write: it is
// answered soon, within the limit, the same each time, and as Explain tells it.
func FuzzReading(f *testing.F) {
	for _, q := range []string{
		"amir temur 12", "12 amir temur", "pharmacy near amir temur", "dorixona toshkent", "аптека на амира темура", "кафе рядом с",
		"near", "in", "& &", "amir temur & navoiy", "угол навои и амира темура", "41.3111, 69.2797", "41°18'39\"N 69°14'24\"E", "69.24 41.31",
		"8HJ3+PQ Toshkent", "100000", "116 корп 1", "39A/B", "218-77", "1-", "/", ",,,", "\u200f", "ʻʼ’‘`'", "a", strings.Repeat("toshkent ", 4),
		strings.Repeat("улица ", 3), "tor koʻchasi", strings.Repeat("a b ", 400), "\xff\xfe", "кафе, toshkent; navoiy\n5",
	} {
		f.Add(q, byte(0))
		f.Add(q, byte(7))
	}
	path := filepath.Join(f.TempDir(), "a.svcmap")
	if err := os.WriteFile(path, smallMap(f), 0o600); err != nil {
		f.Fatal(err)
	}
	x, err := index.Open(path)
	if err != nil {
		f.Fatal(err)
	}
	f.Cleanup(func() { _ = x.Close() })
	engine, here := search.New(x), at(10, 10)
	f.Fuzz(func(t *testing.T, words string, how byte) {
		q := search.Query{Text: words, Lang: []string{"uz", "ru", "en"}[how%3], Limit: 1 + int(how>>4)}
		if how&4 != 0 {
			q.Ref = &here
		}
		began := time.Now()
		first, again, told := engine.Search(q), engine.Search(q), engine.Explain(q)
		if d := time.Since(began); d > fuzzTime {
			t.Errorf("%q took %v", words, d)
		}
		if len(first.Results) > q.Limit || len(told.Answers) != len(first.Results) {
			t.Errorf("%q: %d results of %d, %d are explained", words, len(first.Results), q.Limit, len(told.Answers))
		}
		if diff := cmp.Diff(first, again); diff != "" {
			t.Errorf("%q is answered in two ways:\n%s", words, diff)
		}
		for i := range told.Answers {
			if n := told.Answers[i].Reading; n < 0 || n > len(told.Readings) {
				t.Errorf("%q: answer %d comes from reading %d of %d", words, i+1, n, len(told.Readings))
			}
		}
	})
}

func recovered(ask func()) {
	defer debug.SetPanicOnFault(debug.SetPanicOnFault(true))
	defer func() { _ = recover() }() // a damaged file may panic: the server recovers too
	ask()
}

// everything is one question of each sort.
func everything(x *index.Index, q string) []func() {
	engine := search.New(x)
	p := at(10, 10)
	var asks []func()
	for _, text := range []string{q, "amir temur 12", "bahor", "baxor", "kukeldash", "kafe", "navoiy kafe"} {
		asks = append(asks,
			func() { engine.Search(search.Query{Text: text, Lang: "uz", Limit: 50}) },
			func() { engine.Search(search.Query{Text: text, Lang: "ru", Limit: 10, Ref: &p}) })
	}
	asks = append(asks,
		func() { engine.Search(search.Query{Lang: "uz", Limit: 50, Category: "group:food", Ref: &p}) },
		func() { around.Reverse(x, p.Lat(), p.Lon(), "ru") },
		func() { around.Lookup(x, p, q, 1000, "uz") },
		func() { around.Lookup(x, p, "", 1e7, "uz") },
		func() { around.Districts(x) },
		func() {
			around.Find(x, around.Nearby{At: p, Radius: 20000, Limit: 20, Lang: "uz", Except: around.NoEntry, Categories: around.OfKinds(x, ^search.KindSet(0))})
		},
		func() { x.BySource(index.NewSource('n', 100)) },
		func() { x.Containing(geom.Point{}, func(*index.AreaRow) {}) },
	)
	for id := range min(len(x.Rows), 100) {
		asks = append(asks, func() { result.NewPlace(x, uint32(id), "en", true, now) }, func() { result.NewFeature(x, uint32(id), "uz") })
	}
	return asks
}
