package text

import "slices"

// Trigrams appends the set of three-character runs of s to dst, sorted and
// without repeats, and returns it. A trigram is packed into one number, 21 bits
// a character. There is no padding: a text of fewer than three characters has
// none. s is normalised text. (Section 11, "Trigram stage".)
func Trigrams(dst []uint64, s string) []uint64 {
	const mask = 1<<63 - 1
	from := len(dst)
	var window uint64
	n := 0
	for _, r := range s {
		window = (window<<21 | uint64(r)) & mask
		if n++; n >= 3 {
			dst = append(dst, window)
		}
		if n == MaxInput {
			break
		}
	}
	grams := dst[from:]
	slices.Sort(grams)
	return dst[:from+len(slices.Compact(grams))]
}

// DiceSets is the Dice similarity of two sets made by Trigrams, in [0, 1]: twice
// the shared trigrams over all of them. Two empty sets have nothing in common.
func DiceSets(a, b []uint64) float64 {
	if len(a) == 0 || len(b) == 0 {
		return 0
	}
	shared := 0
	for i, j := 0, 0; i < len(a) && j < len(b); {
		switch {
		case a[i] == b[j]:
			shared++
			i++
			j++
		case a[i] < b[j]:
			i++
		default:
			j++
		}
	}
	return 2 * float64(shared) / float64(len(a)+len(b))
}

// Dice is the Dice similarity of the trigrams of two normalised texts, in
// [0, 1]. Equal texts are 1 even when they are too short for a trigram.
func Dice(a, b string) float64 {
	if a == b && a != "" {
		return 1
	}
	var sa, sb [64]uint64
	return DiceSets(Trigrams(sa[:0], a), Trigrams(sb[:0], b))
}
