package main

import (
	"fmt"
	"math/rand/v2"
	"runtime"
	"runtime/debug"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"golang.org/x/sys/unix"

	"svc/geo/around"
	"svc/geo/geom"
	"svc/geo/index"
	"svc/geo/search"
)

// workload is a fixed sample of what people ask, made from the map's own names.
type workload struct {
	names    []string // two words and more, as they are
	typing   []string // the same with one letter wrong
	houses   []string // street and number
	prefixes []string // one and two letters
	begun    []string // two to five letters
	points   []geom.Point
}

func newWorkload(x *index.Index, n int) workload {
	r := rand.New(rand.NewPCG(1, 2))
	var w workload
	for len(w.names) < n {
		id := uint32(r.IntN(len(x.Rows)))
		d := x.Detail(id)
		name := strings.Clone(x.Text(d.Name))
		if len(w.houses) < n && d.House != 0 && d.Street != 0 {
			w.houses = append(w.houses, x.Text(d.Street)+" "+x.Text(d.House))
		}
		if len(strings.Fields(name)) < 2 {
			continue
		}
		w.names = append(w.names, name)
		w.typing = append(w.typing, misspell(r, name))
		runes := []rune(name)
		w.prefixes = append(w.prefixes, string(runes[:1+r.IntN(2)]))
		w.begun = append(w.begun, string(runes[:min(2+len(w.begun)%4, len(runes))]))
	}
	for range n {
		row := &x.Rows[r.IntN(len(x.Rows))]
		w.points = append(w.points, geom.Point{X: row.Lon + int32(r.IntN(20000)) - 10000, Y: row.Lat + int32(r.IntN(20000)) - 10000})
	}
	return w
}

// misspell changes one letter of a name.
func misspell(r *rand.Rand, name string) string {
	runes := []rune(name)
	at := r.IntN(utf8.RuneCountInString(name))
	if runes[at] == ' ' {
		at = 0
	}
	runes[at] = 'a' + r.Int32N(26)
	return string(runes)
}

// times are the durations of single calls.
type times []time.Duration

// measure times n calls by the processor time of their thread, which other programs of
// a busy machine do not stretch.
func measure(n int, call func(i int)) times {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	return timedBy(processorTime, n, call)
}

// measureWall times n calls that may use several threads.
func measureWall(n int, call func(i int)) times {
	begin := time.Now()
	return timedBy(func() time.Duration { return time.Since(begin) }, n, call)
}

func timedBy(clock func() time.Duration, n int, call func(i int)) times {
	for i := range min(n, 200) { // the first calls touch pages for the first time
		call(i)
	}
	out := make(times, n)
	for i := range n {
		begin := clock()
		call(i)
		out[i] = clock() - begin
	}
	slices.Sort(out)
	return out
}

// processorTime is what the calling thread has used of a processor.
func processorTime() time.Duration {
	var t unix.Timespec
	if unix.ClockGettime(unix.CLOCK_THREAD_CPUTIME_ID, &t) != nil {
		return 0
	}
	return time.Duration(t.Nano())
}

func (t times) at(share float64) string {
	return fmt.Sprintf("%.3f ms", float64(t[int(float64(len(t)-1)*share)])/1e6)
}

func (t times) sum() (sum time.Duration) {
	for _, d := range t {
		sum += d
	}
	return sum
}

// openMeasured opens a map and answers one query: what a start costs.
func openMeasured(path string) (*index.Index, *search.Engine, time.Duration, error) {
	begin := time.Now()
	x, err := index.Open(path)
	if err != nil {
		return nil, nil, 0, err
	}
	e := search.New(x)
	e.Search(search.Query{Text: "a", Lang: "uz", Limit: 10})
	return x, e, time.Since(begin), nil
}

func measureQueries(path string) error {
	before := residentBytes()
	x, e, start, err := openMeasured(path)
	if err != nil {
		return err
	}
	const n = 5000
	w := newWorkload(x, n)
	runtime.GOMAXPROCS(1) // one core busy
	entries := float64(len(x.Rows))
	fmt.Printf("%d entries, %.0f MB, %.0f bytes of file an entry\n", len(x.Rows), float64(x.Size())/1e6, float64(x.Size())/entries)
	search1 := func(q string, limit int, ref *geom.Point) {
		e.Search(search.Query{Text: q, Lang: "uz", Limit: limit, Ref: ref})
	}
	show := func(what string, t times, target, stretch string) {
		figure(what+", p50 / p99", t.at(.5)+" / "+t.at(.99), target, stretch)
	}
	show("search, two words and more", measure(n, func(i int) { search1(w.names[i], 10, nil) }), "0.5 / 5", "0.2 / 2")
	show("search, the same near a place", measure(n, func(i int) { search1(w.names[i], 10, &w.points[i]) }), "0.5 / 5", "0.2 / 2")
	show("search, one letter wrong", measure(n, func(i int) { search1(w.typing[i], 10, nil) }), "-", "-")
	if len(w.houses) > 0 {
		show("search, street and number", measure(n, func(i int) { search1(w.houses[i%len(w.houses)], 10, nil) }), "-", "-")
	}
	show("autocomplete, one or two letters", measure(n, func(i int) { search1(w.prefixes[i], 10, nil) }), "- / 5", "- / 3")
	show("autocomplete, the same near a place", measure(n, func(i int) { search1(w.prefixes[i], 10, &w.points[i]) }), "- / 5", "- / 3")
	begun := measure(n, func(i int) { search1(w.begun[i], 10, nil) })
	figure("beginnings of two to five letters, a core-second", fmt.Sprintf("%.0f", n/begun.sum().Seconds()), "2000", "-")
	show("reverse", measure(n, func(i int) { around.Reverse(x, w.points[i].Lat(), w.points[i].Lon(), "uz") }), "- / 0.2", "-")
	pois := around.OfKinds(x, search.KindSet(0).With(index.POI))
	show("nearby, 500 m", measure(n, func(i int) {
		around.Find(x, around.Nearby{At: w.points[i], Radius: 500, Categories: pois, Limit: 20, Lang: "uz", Except: around.NoEntry})
	}), "- / 2", "- / 0.5")
	figure("start: open and answer once, cold", start.Round(10*time.Microsecond), "1 s", "100 ms")
	if err := x.Verify(); err != nil { // every page is touched: the most that can be resident
		return err
	}
	w = workload{}
	debug.FreeOSMemory()
	figure("resident bytes an entry, every page touched", fmt.Sprintf("%.0f", (residentBytes()-before)/entries), "300", "180")
	fmt.Println()
	return nil
}
