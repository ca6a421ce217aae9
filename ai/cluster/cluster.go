// Package cluster groups texts by what they are about, without a model.
//
// It promises that the same texts in the same order have the same groups, that every group
// names its members with those nearest to its middle first, and that the number of groups is
// the one under which members lie closest to their own group and farthest from the others
// (silhouette). It refuses to name groups: an agent does.
package cluster

import (
	"cmp"
	"math"
	"math/rand/v2"
	"slices"
)

// Vector is a text in the space of its terms, of length 1; empty for a text that says nothing.
type Vector []Coordinate

// Coordinate is one coordinate that is not 0; those of a vector ascend by At.
type Coordinate struct {
	At     int32
	Weight float32
}

// TFIDF makes vectors of texts that are given as their terms: terms that many texts have weigh
// little. A term of one text alone is left out, and of the others the most common maxTerms stay.
func TFIDF(texts [][]string) []Vector {
	in := map[string]int{} // texts that have a term
	for _, terms := range texts {
		seen := map[string]bool{}
		for _, t := range terms {
			if !seen[t] {
				seen[t] = true
				in[t]++
			}
		}
	}
	var words []string
	for t, n := range in {
		if n > 1 {
			words = append(words, t)
		}
	}
	slices.SortFunc(words, func(a, b string) int { return cmp.Or(in[b]-in[a], cmp.Compare(a, b)) })
	words = words[:min(len(words), maxTerms)]
	at := map[string]int32{}
	for i, t := range words {
		at[t] = int32(i)
	}
	out := make([]Vector, len(texts))
	for i, terms := range texts {
		times := map[int32]float64{}
		for _, t := range terms {
			if n, ok := at[t]; ok {
				times[n]++
			}
		}
		for n, count := range times {
			rarity := math.Log(float64(1+len(texts))/float64(1+in[words[n]])) + 1
			out[i] = append(out[i], Coordinate{n, float32((1 + math.Log(count)) * rarity)})
		}
		slices.SortFunc(out[i], func(a, b Coordinate) int { return cmp.Compare(a.At, b.At) })
		out[i].normalise()
	}
	return out
}

// Dense makes vectors of embeddings.
func Dense(values [][]float32) []Vector {
	out := make([]Vector, len(values))
	for i, list := range values {
		for n, w := range list {
			if w != 0 {
				out[i] = append(out[i], Coordinate{int32(n), w})
			}
		}
		out[i].normalise()
	}
	return out
}

const maxTerms = 4096

func (v Vector) normalise() {
	sum := 0.0
	for _, c := range v {
		sum += float64(c.Weight) * float64(c.Weight)
	}
	if sum == 0 {
		return
	}
	length := float32(math.Sqrt(sum))
	for i := range v {
		v[i].Weight /= length
	}
}

// Cosine is how alike two vectors are: 1 for the same direction, 0 for nothing in common.
func Cosine(a, b Vector) (sum float32) {
	for i, j := 0, 0; i < len(a) && j < len(b); {
		switch {
		case a[i].At < b[j].At:
			i++
		case a[i].At > b[j].At:
			j++
		default:
			sum += a[i].Weight * b[j].Weight
			i, j = i+1, j+1
		}
	}
	return sum
}

// Bounds of the search for the number of groups.
const (
	fewest = 4
	most   = 15
	seeds  = 5
	rounds = 25
)

// Group is a group of texts.
type Group struct {
	// Members are their places in the list that was grouped, the nearest to the middle first.
	Members []int
	// Tightness is how alike they are to the middle on average, 0 to 1.
	Tightness float32
}

// Groups groups vectors by spherical k-means: k from 4 to 15, each begun from 5 seeds, the best
// by silhouette. Of fewer than 8 vectors that say something there is one group. Groups are
// ordered by size. Empty vectors belong to none.
func Groups(vectors []Vector) (out []Group, silhouette float64) {
	var used []int
	width := 0
	for i, v := range vectors {
		if len(v) > 0 {
			used = append(used, i)
			width = max(width, int(v[len(v)-1].At)+1)
		}
	}
	if len(used) == 0 {
		return nil, 0
	}
	c := clustering{width: width}
	for _, i := range used {
		c.vectors = append(c.vectors, vectors[i])
	}
	best := attempt{of: make([]int, len(used)), k: 1}
	silhouette = -1
	if len(used) >= 2*fewest {
		c.compare()
		for k := fewest; k <= min(most, len(used)/2); k++ {
			tight := attempt{fit: -1}
			for seed := range uint64(seeds) {
				if a := c.try(k, rand.New(rand.NewPCG(uint64(k), seed))); a.fit > tight.fit {
					tight = a
				}
			}
			if s := c.silhouette(&tight); s > silhouette {
				best, silhouette = tight, s
			}
		}
	}
	return c.groups(&best, used), silhouette
}

// clustering is the vectors that are grouped.
type clustering struct {
	vectors []Vector
	width   int
	alike   []float32 // of each pair, in rows
}

// attempt is one way to group them.
type attempt struct {
	k   int
	of  []int   // the group of each
	fit float64 // the sum of how alike each is to its middle
}

func (c *clustering) compare() {
	n := len(c.vectors)
	c.alike = make([]float32, n*n)
	for i := range n {
		c.alike[i*n+i] = 1
		for j := range i {
			s := Cosine(c.vectors[i], c.vectors[j])
			c.alike[i*n+j], c.alike[j*n+i] = s, s
		}
	}
}

// try groups once from a seed.
func (c *clustering) try(k int, r *rand.Rand) attempt {
	n := len(c.vectors)
	a := attempt{k: k, of: make([]int, n)}
	middles := make([][]float32, k)
	for i, at := range c.begin(k, r) {
		middles[i] = make([]float32, c.width)
		for _, x := range c.vectors[at] {
			middles[i][x.At] = x.Weight
		}
	}
	for round := range rounds {
		moved := false
		a.fit = 0
		for i, v := range c.vectors {
			near, best := float32(-1), 0
			for g, m := range middles {
				if s := dot(v, m); s > near {
					near, best = s, g
				}
			}
			if round == 0 || a.of[i] != best {
				a.of[i], moved = best, true
			}
			a.fit += float64(near)
		}
		if !moved {
			break
		}
		c.middles(&a, middles)
	}
	return a
}

func dot(v Vector, m []float32) (sum float32) {
	for _, x := range v {
		sum += x.Weight * m[x.At]
	}
	return sum
}

// middles are moved to where their members are; one without members stays.
func (c *clustering) middles(a *attempt, out [][]float32) {
	members := make([]int, a.k)
	for _, g := range a.of {
		members[g]++
	}
	for g, m := range out {
		if members[g] > 0 {
			clear(m)
		}
	}
	for i, v := range c.vectors {
		for _, x := range v {
			out[a.of[i]][x.At] += x.Weight
		}
	}
	for _, m := range out {
		sum := 0.0
		for _, w := range m {
			sum += float64(w) * float64(w)
		}
		if length := float32(math.Sqrt(sum)); length > 0 {
			for i := range m {
				m[i] /= length
			}
		}
	}
}

// begin chooses where groups begin: each next one is the likelier the farther it lies from
// those before it.
func (c *clustering) begin(k int, r *rand.Rand) []int {
	n := len(c.vectors)
	out := []int{r.IntN(n)}
	far := make([]float64, n)
	for i := range far {
		far[i] = math.Inf(1)
	}
	for len(out) < k {
		last, sum := out[len(out)-1], 0.0
		for i := range n {
			d := float64(max(0, 1-c.alike[i*n+last]))
			far[i] = min(far[i], d*d)
			sum += far[i]
		}
		next := r.IntN(n)
		if sum > 0 {
			at := r.Float64() * sum
			for i := range n {
				if at -= far[i]; at <= 0 {
					next = i
					break
				}
			}
		}
		out = append(out, next)
	}
	return out
}

// silhouette is how much closer members lie to their own group than to the next one, from -1
// to 1.
func (c *clustering) silhouette(a *attempt) float64 {
	n := len(c.vectors)
	members := make([]float64, a.k)
	for _, g := range a.of {
		members[g]++
	}
	sum := 0.0
	to := make([]float64, a.k)
	for i := range n {
		clear(to)
		for j := range n {
			if i != j {
				to[a.of[j]] += 1 - float64(c.alike[i*n+j])
			}
		}
		own := a.of[i]
		if members[own] < 2 {
			continue // alone: 0
		}
		inside, outside := to[own]/(members[own]-1), math.Inf(1)
		for g := range a.k {
			if g != own && members[g] > 0 {
				outside = min(outside, to[g]/members[g])
			}
		}
		if high := max(inside, outside); high > 0 && !math.IsInf(outside, 1) {
			sum += (outside - inside) / high
		}
	}
	return sum / float64(n)
}

func (c *clustering) groups(a *attempt, used []int) (out []Group) {
	middles := make([][]float32, a.k)
	for g := range middles {
		middles[g] = make([]float32, c.width)
	}
	c.middles(a, middles)
	for g := range a.k {
		var members []int
		var sum float32
		near := map[int]float32{}
		for i, of := range a.of {
			if of == g {
				members = append(members, i)
				near[i] = dot(c.vectors[i], middles[g])
				sum += near[i]
			}
		}
		if len(members) == 0 {
			continue
		}
		slices.SortStableFunc(members, func(x, y int) int { return cmp.Compare(near[y], near[x]) })
		group := Group{Tightness: sum / float32(len(members))}
		for _, i := range members {
			group.Members = append(group.Members, used[i])
		}
		out = append(out, group)
	}
	slices.SortStableFunc(out, func(x, y Group) int { return len(y.Members) - len(x.Members) })
	return out
}

// Bags makes vectors of texts that are given as their terms, every term alike: for names, of
// which there are few.
func Bags(texts [][]string) []Vector {
	at := map[string]int32{}
	out := make([]Vector, len(texts))
	for i, terms := range texts {
		times := map[int32]float32{}
		for _, t := range terms {
			if _, ok := at[t]; !ok {
				at[t] = int32(len(at))
			}
			times[at[t]]++
		}
		for n, count := range times {
			out[i] = append(out[i], Coordinate{n, count})
		}
		slices.SortFunc(out[i], func(a, b Coordinate) int { return cmp.Compare(a.At, b.At) })
		out[i].normalise()
	}
	return out
}
