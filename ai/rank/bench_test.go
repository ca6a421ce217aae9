package rank

import (
	"fmt"
	"math/rand/v2"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"
)

// fill makes an index of n chunks of about 170 words in sources of 500: the words of the
// corpora, their beginnings with endings, and numbers, often ones oftener.
func fill(tb testing.TB, n int) *Index {
	tb.Helper()
	var words []string
	for _, l := range []Labelled{corpus(tb, "development.json"), corpus(tb, "own.json")} {
		for _, c := range l.Chunks {
			words = append(words, strings.Fields(c.Title+" "+c.Text)...)
		}
	}
	random := rand.New(rand.NewPCG(1, 2))
	for range 20_000 {
		a, b := []rune(words[random.IntN(len(words))]), []rune(words[random.IntN(len(words))])
		words = append(words, string(a[:(len(a)+1)/2])+string(b[len(b)/2:]))
	}
	x := NewIndex()
	for from := 0; from < n; from += 500 {
		var chunks []Chunk
		for i := from; i < min(from+500, n); i++ {
			var b strings.Builder
			for range 170 {
				f := random.Float64()
				b.WriteString(words[int(f*f*float64(len(words)))])
				b.WriteByte(' ')
			}
			fmt.Fprint(&b, i)
			chunks = append(chunks, Chunk{ID: fmt.Sprint(i), Title: words[random.IntN(len(words))], Text: b.String()})
		}
		if !x.Put(fmt.Sprint("source", from), chunks) {
			tb.Fatal("full")
		}
	}
	return x
}

// BenchmarkSearch asks the questions of the corpora of 50,000 chunks. Target: p99 below
// 30 ms, less than 80 MB.
func BenchmarkSearch(b *testing.B) {
	var before, after runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&before)
	x := fill(b, 50_000)
	runtime.GC()
	runtime.ReadMemStats(&after)
	questions := slices.Concat(corpus(b, "development.json").Queries, corpus(b, "own.json").Queries)
	var took []time.Duration
	i := 0
	for b.Loop() {
		start := time.Now()
		x.Search(Query{Text: questions[i%len(questions)].Query, Limit: 30})
		took = append(took, time.Since(start))
		i++
	}
	slices.Sort(took)
	b.ReportMetric(float64(took[len(took)*99/100].Microseconds())/1000, "p99-ms/30")
	b.ReportMetric(float64(took[len(took)/2].Microseconds())/1000, "p50-ms")
	b.ReportMetric(float64(after.HeapAlloc-before.HeapAlloc)/(1<<20), "MB/80")
	runtime.KeepAlive(x)
}

// BenchmarkRecall prints the recall among the first five, by kind, of both corpora.
func BenchmarkRecall(b *testing.B) {
	for _, file := range []string{"development.json", "own.json", "unseen.json"} {
		b.Run(strings.TrimSuffix(file, ".json"), func(b *testing.B) {
			l := corpus(b, file)
			var table []Recall
			for b.Loop() {
				var err error
				if table, err = l.Measure(); err != nil {
					b.Fatal(err)
				}
			}
			for _, r := range table {
				b.ReportMetric(r.Share(), fmt.Sprintf("%s/%.2f", r.Kind, Goal(r.Kind)))
			}
		})
	}
}
