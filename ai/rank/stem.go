package rank

import (
	"slices"
	"strings"
	"unicode/utf8"

	"svc/geo/text/script"
)

// Endings are written as their languages write them and compared as script.Key writes
// them; the longest that leaves enough of the word is taken off.
var (
	uzbekEndings = endings(3, `lar ning ni ga ka qa da dan mi siz miz imiz ingiz ngiz im ing i si cha lik dagi mikan
		mikin niki gacha kacha dek day roq chi sizlar lari mas emas
		ish di dik dim dingiz moqchi moq man aman san asan adi ydi amiz ymiz asiz ysiz asizlar yman yapman yapti yapsiz
		yapsizlar gan kan qan magan maydi may masa sa salar sam sangiz ib adigan ydigan uvchi vchi iladi iladimi ilgan
		ilishi sin aylik olaman olamiz olasiz oladi tiring iring ishim ishni ishga`)
	russianEndings = endings(3, `ами ями ах ях ов ев ей ой ий ый ая яя ое ее ые ие ого его ому ему ым им ом ем ых их ую
		юю у ю а я о е ы и й ам ям ия ию ии ией
		ать ять ить еть ти ет ит ут ют ат ят ешь ишь ете ите ем им ал ял ил ел ала яла ила ела али яли или ели ало
		аем яем ают яют ает яет аете яете уем ует уют уете овать ировать
		ся сь ться тся ется ится ются ятся утся лся лась лись
		ан ана ано аны ен ена ено ены ание ания анию ение ения ению ений аний`)
	englishEndings = endings(3, `s es ing ings ed er ers e y ies ied ly ment ments ion ions`)
)

// ending is one list of endings, the longest first.
type ending struct {
	least int // letters that stay
	list  []string
}

func endings(least int, words string) ending {
	e := ending{least: least}
	for _, w := range strings.Fields(words) {
		// The carrier keeps what depends on the letter in front as it is in a word.
		if k, ok := strings.CutPrefix(script.Key(strings.Join(script.Tokens("рт"+w), "")), "rt"); ok && k != "" {
			e.list = append(e.list, k)
		}
	}
	slices.SortFunc(e.list, func(a, b string) int { return len(b) - len(a) })
	e.list = slices.Compact(e.list)
	return e
}

// strip takes endings off, at most times of them.
func (e ending) strip(word string, times int) string {
	for range times {
		before := word
		for _, end := range e.list {
			if strings.HasSuffix(word, end) && len(word)-len(end) >= e.least && hasVowel(word[:len(word)-len(end)]) {
				word = word[:len(word)-len(end)]
				break
			}
		}
		if word == before {
			break
		}
	}
	return word
}

func hasVowel(s string) bool { return strings.ContainsAny(s, "aeiou") }

// maxWord bounds a word, in bytes of its key: what is longer is none and is cut.
const maxWord = 40

// stems are the forms under which a word is kept and looked for: its stem as a word of
// Uzbek, of Russian, and of English when it is in Latin letters. Usually two are one.
func stems(word string, latin bool) []string {
	key := script.Key(word)
	if len(key) > maxWord {
		n := maxWord
		for n > 0 && !utf8.RuneStart(key[n]) {
			n--
		}
		key = key[:n]
	}
	if strings.ContainsAny(key, "0123456789") {
		return []string{key}
	}
	out := []string{uzbekEndings.strip(key, 3), russianEndings.strip(key, 2)}
	if latin {
		out = append(out, englishEndings.strip(key, 2))
	}
	slices.Sort(out)
	return slices.Compact(out)
}
