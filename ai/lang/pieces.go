package lang

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"svc/geo/text/script"
)

// piece is a run of digits or of letters.
type piece struct {
	start, end int
	digits     string // ASCII digits; empty for a word
	word       string // as script.Tokens writes it; empty for digits
	glued      bool   // nothing stands between it and the piece before
}

// pieces cuts a text into runs of digits and of letters. Apostrophes within a word and
// marks belong to it.
func pieces(s string) (out []piece) {
	if s != "" {
		out = make([]piece, 0, min(len(s)/pieceBytes+2, mostExpected))
	}
	for i := 0; i < len(s); {
		r, n := utf8.DecodeRuneInString(s[i:])
		switch {
		case unicode.Is(unicode.Nd, r):
			j, digits := digitRun(s, i)
			out = append(out, piece{start: i, end: j, digits: digits})
			i = j
		case unicode.IsLetter(r) && !script.IsApostrophe(r): // ʾ is both, and begins no word
			j := wordEnd(s, i)
			if word := strings.Join(script.Tokens(s[i:j]), ""); word != "" {
				out = append(out, piece{start: i, end: j, word: word})
			}
			i = j
		default:
			i += n
			continue
		}
		if k := len(out) - 1; k > 0 && out[k].start == out[k-1].end {
			out[k].glued = true
		}
	}
	return out
}

// Room that is made for pieces at once: one for so many bytes of a text, and at most so many.
const (
	pieceBytes   = 7
	mostExpected = 1024
)

func digitRun(s string, i int) (end int, digits string) {
	var b strings.Builder
	for i < len(s) {
		r, n := utf8.DecodeRuneInString(s[i:])
		d, ok := script.Digit(r)
		if !ok {
			break
		}
		b.WriteByte('0' + d)
		i += n
	}
	return i, b.String()
}

// wordEnd is the end of the word that begins at i.
func wordEnd(s string, i int) int {
	end := i
	for i < len(s) {
		r, n := utf8.DecodeRuneInString(s[i:])
		switch {
		case unicode.IsLetter(r) && !script.IsApostrophe(r), unicode.Is(unicode.M, r), script.IsApostrophe(r) && isTurned(s[:i]):
			end = i + n
		case script.IsApostrophe(r):
			next, _ := utf8.DecodeRuneInString(s[i+n:])
			if !unicode.IsLetter(next) {
				return end
			}
		default:
			return end
		}
		i += n
	}
	return end
}

// isTurned tells that an apostrophe behind s makes another letter of the one before.
func isTurned(s string) bool {
	switch s[len(s)-1] {
	case 'o', 'O', 'g', 'G':
		return true
	}
	return false
}
