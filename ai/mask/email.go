package mask

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// emails finds addresses: what may stand before an at sign, and a host with a dot behind.
func (f *finder) emails() {
	for at := 0; at < len(f.text); {
		i := strings.IndexAny(f.text[at:], "@＠")
		if i < 0 {
			return
		}
		i += at
		_, n := utf8.DecodeRuneInString(f.text[i:])
		start := localPart(f.text, at, i)
		end := host(f.text, i+n)
		if strings.HasPrefix(f.text[i+n:], " ") { // ali.v @ mail.uz, ali.v@ mail.uz
			name := len(strings.TrimSuffix(f.text[:i], " "))
			if s, e := localPart(f.text, min(at, name), name), host(f.text, i+n+1); e > i+n+1 && name-s >= 3 {
				start, end = s, e
			}
		}
		if start < i && end > i+n {
			f.mails = append(f.mails, Private{Email, start, end})
			at = end
			continue
		}
		at = i + n
	}
}

// localPart is where the name before the at sign at i begins, not before from.
func localPart(s string, from, i int) int {
	start := i
	for start > from {
		r, n := utf8.DecodeLastRuneInString(s[:start])
		if !unicode.IsLetter(r) && !unicode.IsDigit(r) && !strings.ContainsRune("._%+-'", r) || r == utf8.RuneError {
			break
		}
		start -= n
	}
	for start < i && strings.ContainsRune(".'-", rune(s[start])) {
		start++
	}
	return start
}

// host is where a host name that begins at i ends: letters, digits and hyphens with a dot
// between, the last part of letters; i when there is none.
func host(s string, i int) int {
	end, part, dots := i, 0, 0
	at := i
	letters := true
	for at < len(s) {
		r, n := utf8.DecodeRuneInString(s[at:])
		switch {
		case unicode.IsLetter(r), unicode.IsDigit(r), r == '-':
			part++
			letters = letters && unicode.IsLetter(r)
			at += n
			if dots > 0 && letters && part >= 2 {
				end = at
			}
			continue
		case r == '.' && part > 0:
			dots++
			part, letters = 0, true
			at += n
			continue
		}
		break
	}
	return end
}
