package usage

import "unicode/utf8"

// Suggestion returns `; did you mean "x"?` for the candidate nearest to word,
// or nothing when none is near enough to help.
func Suggestion(word string, candidates []string, prefix string) string {
	best, bestDistance := "", 1+max(2, utf8.RuneCountInString(word)/3)
	for _, c := range candidates {
		if d := Distance(word, c); d < bestDistance {
			best, bestDistance = c, d
		}
	}
	if best == "" {
		return ""
	}
	return `; did you mean "` + prefix + best + `"?`
}

// Distance is the number of insertions, deletions, replacements and swaps of
// neighbours between a and b (optimal string alignment). Long words are cut:
// no name here is longer than a line.
func Distance(a, b string) int {
	x, y := clip([]rune(a)), clip([]rune(b))
	before, previous, row := make([]int, len(y)+1), make([]int, len(y)+1), make([]int, len(y)+1)
	for j := range previous {
		previous[j] = j
	}
	for i := 1; i <= len(x); i++ {
		row[0] = i
		for j := 1; j <= len(y); j++ {
			cost := 1
			if x[i-1] == y[j-1] {
				cost = 0
			}
			row[j] = min(previous[j]+1, row[j-1]+1, previous[j-1]+cost)
			if i > 1 && j > 1 && x[i-1] == y[j-2] && x[i-2] == y[j-1] {
				row[j] = min(row[j], before[j-2]+1)
			}
		}
		before, previous, row = previous, row, before
	}
	return previous[len(y)]
}

func clip(r []rune) []rune {
	return r[:min(len(r), 80)]
}
