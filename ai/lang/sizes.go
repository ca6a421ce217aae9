package lang

import (
	"regexp"
	"strings"
)

var sizeForm = regexp.MustCompile(`(?:^|[\s,(/–-])((?:[2-5]?X{1,3}|[2-5]X)?[SML])(?:[\s,.)/!?–-]|$|dan|lar|ga|li)`)

// Size is a size of clothes in letters; Value orders them: S 0, M 1, L 2, XL 3.
type Size struct {
	Start, End int
	Value      float64
}

// Sizes finds the sizes in letters.
func Sizes(text string) (list []Size) {
	for at := 0; at < len(text) && len(list) < most && strings.ContainsAny(text[at:], "SML"); {
		m := sizeForm.FindStringSubmatchIndex(text[at:])
		if m == nil {
			break
		}
		list = append(list, Size{at + m[2], at + m[3], sizeIndex(text[at+m[2] : at+m[3]])})
		at += m[3]
	}
	return list
}

// sizeIndex orders sizes in letters: S 0, M 1, L 2, XL 3; XS -1.
func sizeIndex(s string) float64 {
	x := float64(strings.Count(s, "X"))
	if s[0] >= '2' && s[0] <= '9' {
		x = float64(s[0] - '0')
	}
	switch s[len(s)-1] {
	case 'S':
		return 0 - x
	case 'M':
		return 1
	}
	return 2 + x
}
