package rank

import (
	"cmp"
	"slices"
)

// vocabulary numbers stems and finds those that are written nearly alike: by triples of
// letters, then by distance. It only grows.
type vocabulary struct {
	numbers map[string]int
	list    []string
	triples map[[3]byte][]uint32
	front   map[[4]byte][]uint32 // by the first four letters
}

func newVocabulary() *vocabulary {
	return &vocabulary{numbers: map[string]int{}, triples: map[[3]byte][]uint32{}, front: map[[4]byte][]uint32{}}
}

// number is the number of a stem, a new one when it was never seen.
func (v *vocabulary) number(stem string) int {
	n, ok := v.numbers[stem]
	if ok {
		return n
	}
	n = len(v.list)
	v.numbers[stem] = n
	v.list = append(v.list, stem)
	if !spelled(stem) {
		return n
	}
	for _, t := range triplesOf(stem) {
		v.triples[t] = append(v.triples[t], uint32(n))
	}
	if len(stem) >= 4 {
		v.front[[4]byte([]byte(stem[:4]))] = append(v.front[[4]byte([]byte(stem[:4]))], uint32(n))
	}
	return n
}

// spelled tells words from numbers, articles and what is too short to be recognized.
func spelled(stem string) bool {
	if len(stem) < 3 || len(stem) > 24 {
		return false
	}
	for i := range len(stem) {
		if stem[i] < 'a' || stem[i] > 'z' {
			return false
		}
	}
	return true
}

func triplesOf(stem string) [][3]byte {
	framed := "^" + stem + "$"
	out := make([][3]byte, 0, len(stem))
	for i := 0; i+3 <= len(framed); i++ {
		if t := [3]byte([]byte(framed[i : i+3])); !slices.Contains(out, t) {
			out = append(out, t)
		}
	}
	return out
}

// similar is a stem that is written nearly as another.
type similar struct {
	number int
	weight float32
}

// Bounds of the work for one word.
const (
	maxPostingsOfTriples = 200_000
	maxFront             = 48
	maxSimilar           = 8
	maxMeasured          = 256 // stems whose distance is measured
)

// typos are the stems within the distance that a word of its length may have, nearest
// first.
func (v *vocabulary) typos(stem string) []similar {
	if len(stem) < 4 || !spelled(stem) {
		return nil
	}
	shared := map[uint32]int8{}
	work := 0
	for _, t := range triplesOf(stem) {
		list := v.triples[t]
		if work += len(list); work > maxPostingsOfTriples {
			break
		}
		for _, n := range list {
			shared[n]++
		}
	}
	type scored struct {
		n uint32
		c int8
	}
	var candidates []scored
	for n, c := range shared {
		if d := len(v.list[n]) - len(stem); c >= 2 && -2 <= d && d <= 2 {
			candidates = append(candidates, scored{n, c})
		}
	}
	slices.SortFunc(candidates, func(a, b scored) int {
		return cmp.Or(cmp.Compare(b.c, a.c), cmp.Compare(a.n, b.n))
	})
	var out []similar
	for _, c := range candidates[:min(len(candidates), maxMeasured)] {
		other := v.list[c.n]
		allowed := float32(1)
		if min(len(stem), len(other)) >= 7 {
			allowed = 2
		}
		if d := distance(stem, other); d > 0 && d <= allowed {
			out = append(out, similar{int(c.n), 0.8 - 0.2*d})
		}
	}
	slices.SortStableFunc(out, func(a, b similar) int { return cmp.Compare(b.weight, a.weight) })
	return out[:min(len(out), maxSimilar)]
}

// beginnings are the stems that begin with the same four letters, heavier the more they
// share.
func (v *vocabulary) beginnings(stem string) []similar {
	if len(stem) < 4 || !spelled(stem) {
		return nil
	}
	var out []similar
	for _, n := range v.front[[4]byte([]byte(stem[:4]))] {
		other := v.list[n]
		if other == stem {
			continue
		}
		same := 4
		for same < min(len(stem), len(other)) && stem[same] == other[same] {
			same++
		}
		out = append(out, similar{int(n), 0.6 * float32(same) / float32(max(len(stem), len(other)))})
	}
	slices.SortStableFunc(out, func(a, b similar) int { return cmp.Compare(b.weight, a.weight) })
	return out[:min(len(out), maxFront)]
}

// distance counts letters that are missing, too many, wrong or swapped. What is heard alike
// counts half: vowels for vowels, v for f, d for t, z for s, g for k, b for p.
func distance(a, b string) float32 {
	const most = 26
	var rows [3][most]float32
	if len(a) >= most || len(b) >= most {
		return most
	}
	before, previous, row := &rows[0], &rows[1], &rows[2]
	for j := range len(b) + 1 {
		previous[j] = float32(j)
	}
	for i := 1; i <= len(a); i++ {
		row[0] = float32(i)
		for j := 1; j <= len(b); j++ {
			row[j] = min(previous[j]+1, row[j-1]+1, previous[j-1]+unlike(a[i-1], b[j-1]))
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				row[j] = min(row[j], before[j-2]+1)
			}
		}
		before, previous, row = previous, row, before
	}
	return previous[len(b)]
}

func unlike(a, b byte) float32 {
	switch {
	case a == b:
		return 0
	case sound(a) == sound(b):
		return 0.5
	}
	return 1
}

// sound is a letter for all that are heard alike.
func sound(c byte) byte {
	switch c {
	case 'a', 'e', 'i', 'o', 'u', 'y':
		return 'a'
	case 'v':
		return 'f'
	case 'd':
		return 't'
	case 'z':
		return 's'
	case 'g':
		return 'k'
	case 'b':
		return 'p'
	}
	return c
}
