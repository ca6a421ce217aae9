package script

import "unicode/utf8"

// Key returns the form of a token in which hurried writings of one word are equal,
// for lists of words in several languages. It is narrower than Skeleton, because the
// vowels stay: x, kh and h are h; q and k are k; w is v; zh is j; shch, sch and sh are
// sh; ts at the start or before i is s (цена, sena; aksiya, акция); ye is e, and so is yo behind a consonant (пришёл, пришел); y between
// consonants is i (вы, vy, vi); iy at the end is i; letters doubled or more are one.
// Digits stay as they are. It takes
// tokens: the key of a key may be another.
func Key(token string) string {
	var stack [64]byte
	out := stack[:0]
	for i := 0; i < len(token); {
		c := token[i]
		if c >= utf8.RuneSelf {
			_, n := utf8.DecodeRuneInString(token[i:])
			out = append(out, token[i:i+n]...)
			i += n
			continue
		}
		w, n := keyOf(token[i:], out)
		i += n
		for j := range len(w) {
			if c := w[j]; IsDigit(c) || len(out) == 0 || out[len(out)-1] != c {
				out = append(out, c)
			}
		}
	}
	if n := len(out); n > 3 && out[n-1] == 'y' && out[n-2] == 'i' {
		out = out[:n-1]
	}
	return string(out)
}

// keyOf is what the beginning of rest becomes behind out, and the bytes it takes.
func keyOf(rest string, out []byte) (string, int) {
	next := byte(0)
	if len(rest) > 1 {
		next = rest[1]
	}
	switch c := rest[0]; c {
	case 'x':
		return "h", 1
	case 'q':
		return "k", 1
	case 'w':
		return "v", 1
	case 'k':
		if next == 'h' {
			return "h", 2
		}
	case 'z':
		if next == 'h' {
			return "j", 2
		}
	case 't':
		if next == 's' && (len(out) == 0 || len(rest) > 2 && rest[2] == 'i') && (len(rest) < 3 || rest[2] != 'h') {
			return "s", 2
		}
	case 's':
		if len(rest) > 3 && rest[1:4] == "hch" {
			return "sh", 4
		}
		if len(rest) > 2 && rest[1:3] == "ch" {
			return "sh", 3
		}
	case 'y':
		return keyOfY(rest, next, out)
	}
	return rest[:1], 1
}

// keyOfY reads the letter of several sounds: й, ы, and the first half of е, ё, ю, я.
func keyOfY(rest string, next byte, out []byte) (string, int) {
	behind := len(out) > 0 && !isVowel(out[len(out)-1]) && !IsDigit(out[len(out)-1]) && out[len(out)-1] != 'y'
	switch {
	case next == 'e':
		return "e", 2
	case behind && next == 'o':
		return "e", 2
	case behind && next != 'a' && next != 'u' && next != 'i':
		return "i", 1
	}
	return rest[:1], 1
}

// Keys are the keys of the tokens of a text that have at least so many bytes.
func Keys(text string, least int) map[string]bool {
	out := map[string]bool{}
	for _, t := range Tokens(text) {
		if k := Key(t); len(k) >= least {
			out[k] = true
		}
	}
	return out
}
