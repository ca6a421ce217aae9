package cluster_test

import (
	"math/rand/v2"
	"runtime"
	"slices"
	"testing"

	"svc/ai/cluster"
	"svc/ai/rank"
)

// subjects are sentences of five subjects in three languages.
var subjects = [][]string{
	{"Yetkazib berish kechikdi, kuryer kelmadi", "Доставка опоздала, курьер не приехал", "Delivery was late, the courier did not come", "Kuryer ikki soat kechikdi, yetkazib berish sekin"},
	{"Narxi juda qimmat ekan, arzonroq bormi", "Слишком дорого, цена высокая, есть дешевле?", "The price is too expensive, anything cheaper?", "Qimmat narx, chegirma bormi"},
	{"Tovar singan keldi, sifati yomon", "Товар пришёл сломанный, качество плохое", "The goods arrived broken, poor quality", "Sifatsiz tovar, singan, qaytaraman"},
	{"To'lov karta orqali o'tmadi", "Оплата картой не прошла", "Payment by card failed", "Karta bilan to'lov qilolmadim"},
	{"Kafolat necha oy", "Гарантия на сколько месяцев", "How many months is the warranty", "Kafolat muddati qancha, kafolat bering"},
}

func texts(n int) (out [][]string, of []int) {
	r := rand.New(rand.NewPCG(1, 2))
	for i := range n {
		s := i % len(subjects)
		line := subjects[s][r.IntN(len(subjects[s]))] + " " + subjects[s][r.IntN(len(subjects[s]))]
		out, of = append(out, rank.Terms(line, 100)), append(of, s)
	}
	return out, of
}

func TestGroupsFindSubjects(t *testing.T) {
	list, of := texts(200)
	groups, score := cluster.Groups(cluster.TFIDF(list))
	if len(groups) < 4 || len(groups) > 15 || score < 0.2 {
		t.Fatalf("%d groups with a silhouette of %.2f", len(groups), score)
	}
	wrong, all := 0, 0
	for _, g := range groups {
		counts := map[int]int{}
		for _, m := range g.Members {
			counts[of[m]]++
			all++
		}
		best := 0
		for _, n := range counts {
			best = max(best, n)
		}
		wrong += len(g.Members) - best
	}
	if all != 200 || wrong > 20 {
		t.Errorf("%d of %d lie in the group of another subject", wrong, all)
	}
	again, _ := cluster.Groups(cluster.TFIDF(list))
	if !slices.EqualFunc(groups, again, func(a, b cluster.Group) bool { return slices.Equal(a.Members, b.Members) }) {
		t.Error("the same texts had other groups")
	}
}

func TestGroupsOfFewAndNone(t *testing.T) {
	if g, _ := cluster.Groups(nil); g != nil {
		t.Errorf("groups of nothing: %v", g)
	}
	if g, _ := cluster.Groups(make([]cluster.Vector, 9)); g != nil {
		t.Errorf("groups of empty texts: %v", g)
	}
	few := cluster.TFIDF([][]string{{"a", "b"}, {"a", "b"}, {"b"}, nil})
	if g, _ := cluster.Groups(few); len(g) != 1 || len(g[0].Members) != 3 {
		t.Errorf("groups of three texts: %v", g)
	}
	same := make([][]float32, 40)
	for i := range same {
		same[i] = []float32{1, 2, 3}
	}
	n := 0
	groups, _ := cluster.Groups(cluster.Dense(same))
	for _, g := range groups {
		n += len(g.Members)
	}
	if n != 40 {
		t.Errorf("equal vectors: %d of 40 are in a group", n)
	}
}

// BenchmarkGroups groups 500 conversations. Targets: 5 s and 200 MB.
func BenchmarkGroups(b *testing.B) {
	list, _ := texts(500)
	var before, after runtime.MemStats
	for b.Loop() {
		runtime.ReadMemStats(&before)
		cluster.Groups(cluster.TFIDF(list))
		runtime.ReadMemStats(&after)
	}
	b.ReportMetric(float64(after.TotalAlloc-before.TotalAlloc)/1e6, "MB(target<200)")
	b.ReportMetric(b.Elapsed().Seconds()/float64(b.N), "s(target<5)")
}
