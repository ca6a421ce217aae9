package rank

import (
	"math/rand/v2"
	"strconv"
	"testing"

	"svc/ai"
)

// about makes a vector near a topic: what is nearer to it than others are to each other.
func about(r *rand.Rand, topic int, noise float64) []float32 {
	v := make([]float32, 512)
	for i := range v {
		v[i] = float32(r.NormFloat64() * noise)
	}
	for i := topic * 16; i < topic*16+16; i++ {
		v[i] += 1
	}
	ai.Normalise(v)
	return v
}

// TestNearest finds what is near by meaning, nothing that is near by chance, and only in the
// sources that are asked.
func TestNearest(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	x := NewVectors()
	for topic := range 20 {
		var list []Vector
		for i := range 100 {
			list = append(list, Vector{strconv.Itoa(i), Pack(about(r, topic, 0.2))})
		}
		x.Put("s"+strconv.Itoa(topic), list)
	}
	sources := []string{"s1", "s2", "s3", "s4"}
	floor := x.Floor(sources)
	found := x.For(about(r, 2, 0.2), floor).Nearest(sources, 30)
	if len(found) != 30 {
		t.Fatalf("%d found", len(found))
	}
	for _, f := range found {
		if f.Source != "s2" {
			t.Errorf("found %v", f)
		}
	}
	if found := x.For(about(r, 9, 0.2), floor).Nearest(sources, 30); len(found) != 0 {
		t.Errorf("found %v of another source", found)
	}
	x.Put("s2", nil)
	if found := x.For(about(r, 2, 0.2), floor).Nearest(sources, 30); len(found) != 0 {
		t.Errorf("found %v, which went", found)
	}
	if found := x.For(make([]float32, 256), floor).Nearest(sources, 30); len(found) != 0 {
		t.Errorf("a vector of another length found %v", found)
	}
}

// TestPack keeps the order of nearness.
func TestPack(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for range 200 {
		a, b := about(r, 1, 0.3), about(r, r.IntN(3), 0.3)
		var exact float64
		for i := range a {
			exact += float64(a[i]) * float64(b[i])
		}
		if got := Pack(a).Cosine(Pack(b)); got < exact-0.02 || got > exact+0.02 {
			t.Fatalf("%v, exactly %v", got, exact)
		}
	}
}
