package lang

import (
	"math"
	"slices"
	"strings"
	"unicode"

	"svc/geo/text/script"
)

// Lang is a language that is told from others.
type Lang uint8

// The languages. Unknown: too little is written, or none of these.
const (
	Unknown Lang = iota
	Uzbek
	Russian
	English
)

// Code is the ISO 639 code, empty for Unknown.
func (l Lang) Code() string { return [...]string{"", "uz", "ru", "en"}[l] }

// Guess is what language a text is in.
type Guess struct {
	Lang   Lang
	Script script.Script
	// Scores are the shares of the languages, by Lang; they add up to 1, or are 0 when
	// nothing is known.
	Scores [4]float64
	// Mixed says that two languages, or both scripts of Uzbek, are in the text; Lang is
	// then the one that has the endings of verbs, or more words.
	Mixed bool
	Words int // words that were looked at
	// Sure says that a word, a letter or an ending speaks for a language, and not its likeness
	// to words of it alone.
	Sure bool
}

// Score is the share of the language that was chosen, 0 when none was.
func (g Guess) Score() float64 { return g.Scores[g.Lang] }

// Label is the name of language and script as corpora write it: uz-Latn, uz-Cyrl, ru, en,
// mixed; empty when nothing is known.
func (g Guess) Label() string {
	switch {
	case g.Mixed:
		return "mixed"
	case g.Lang == Uzbek && g.Script == script.Cyrillic:
		return "uz-Cyrl"
	case g.Lang == Uzbek:
		return "uz-Latn"
	}
	return g.Lang.Code()
}

// judged is one word with what speaks for each language.
type judged struct {
	script script.Script
	weight [4]float64
	strong Lang // a word, letter or ending that only this language has
	verb   bool // with an ending of verbs
	known  bool // a word of several languages
	plain  Lang // a word that no other language borrows
}

// maxWords bounds the words that are judged: more do not change the answer.
const maxWords = 400

// Identify tells language and script. A word counts by letters that only one language has,
// by the small words of each, by endings, and, where these say nothing, by its triples of
// letters. Uzbek and Russian are read in either script.
func Identify(text string) Guess {
	text = bounded(text)
	var g Guess
	list := make([]judged, 0, 32)
	letters := script.Letters{}
	for _, w := range script.Words(text) {
		if len(list) == maxWords {
			break
		}
		written := text[w.Start:w.End]
		if strings.ContainsAny(w.Text, "0123456789") || isAddress(text, w) {
			continue
		}
		j := judge(w.Text, written)
		if j.script == script.None || len(w.Text) == 1 && j.strong == Unknown {
			continue
		}
		n := script.Count(written)
		letters.Latin, letters.Cyrillic, letters.Other = letters.Latin+n.Latin, letters.Cyrillic+n.Cyrillic, letters.Other+n.Other
		list = append(list, j)
	}
	g.Words = len(list)
	g.Script = letters.Main()
	if g.Script == script.None && len(list) > 0 {
		g.Script = list[len(list)-1].script
	}
	g.Sure = slices.ContainsFunc(list, func(j judged) bool { return j.strong != Unknown || j.known })
	g.score(list)
	g.mix(list)
	return g
}

// isAddress tells parts of web addresses and e-mail addresses: what stands between spaces
// with an at sign or a scheme.
func isAddress(text string, w script.Word) bool {
	const far = 60
	from := strings.LastIndexAny(text[max(0, w.Start-far):w.Start], " \n\t") + 1 + max(0, w.Start-far)
	to := len(text)
	if n := strings.IndexAny(text[w.End:min(len(text), w.End+far)], " \n\t"); n >= 0 {
		to = w.End + n
	}
	part := text[min(from, w.Start):to]
	return strings.ContainsAny(part, "@＠") || strings.Contains(part, "://") || strings.HasPrefix(part, "www.") || strings.HasPrefix(part, "t.me/")
}

// score adds up what the words say.
func (g *Guess) score(list []judged) {
	var sum [4]float64
	for _, j := range list {
		total := j.weight[Uzbek] + j.weight[Russian] + j.weight[English]
		if total <= 0 {
			continue
		}
		strength := math.Min(total, 4)
		for l := Uzbek; l <= English; l++ {
			sum[l] += strength * j.weight[l] / total
		}
	}
	total := sum[Uzbek] + sum[Russian] + sum[English]
	if total == 0 {
		return
	}
	if onlyLoans(list) {
		// Words of several languages alone: Uzbek in Latin letters, Russian in Cyrillic ones.
		g.Lang = Russian
		if g.Script == script.Latin {
			g.Lang = Uzbek
		}
		g.Scores[g.Lang], g.Scores[Uzbek+Russian-g.Lang] = loanShare, 1-loanShare
		return
	}
	for l := Uzbek; l <= English; l++ {
		g.Scores[l] = sum[l] / total
		if g.Lang == Unknown || g.Scores[l] > g.Scores[g.Lang] {
			g.Lang = l
		}
	}
}

// loanShare is the share of the language that words of several languages are taken for.
const loanShare = 0.75

// onlyLoans tells that every word is one of several languages.
func onlyLoans(list []judged) bool {
	for _, j := range list {
		if !j.known || j.strong != Unknown {
			return false
		}
	}
	return true
}

// mix says whether two languages are in the text, or both scripts of one.
func (g *Guess) mix(list []judged) {
	var strong, verbs, plain [4]int
	cyrillic, latinSure, latinWeak := 0, 0, 0
	for _, j := range list {
		strong[j.strong]++
		plain[j.plain]++
		if j.verb {
			verbs[j.strong]++
		}
		switch j.script {
		case script.Cyrillic:
			cyrillic++
		case script.Latin:
			if j.strong != Unknown || j.known {
				latinSure++
			} else if j.weight[Uzbek] >= 1 {
				latinWeak++
			}
		}
	}
	// A Latin word in a Cyrillic text may be a brand; a Cyrillic word in a Latin text is no
	// accident.
	if cyrillic > 0 && (latinSure > 0 || latinWeak > 1) {
		g.Mixed = true
	}
	if n := min(plain[Uzbek], plain[English]); n >= 1 && 5*n >= len(list) {
		g.Mixed = true // hello, narxi qancha; can you send rasmini
	}
	for a := Uzbek; a <= English; a++ {
		for b := a + 1; b <= English; b++ {
			less := min(strong[a], strong[b])
			if less >= 2 && float64(less) >= 0.25*float64(len(list)) || less >= 1 && g.Scores[a] >= 0.3 && g.Scores[b] >= 0.3 && verbs[a]+verbs[b] > 0 {
				g.Mixed = true
			}
		}
	}
	if g.Mixed {
		best := g.Lang
		for l := Uzbek; l <= English; l++ {
			if verbs[l] > verbs[best] {
				best = l
			}
		}
		g.Lang = best
	}
}

// judge weighs one word: its token and how it was written.
func judge(token, written string) judged {
	n := script.Count(written)
	j := judged{script: n.Main()}
	if j.script == script.None && n.Latin+n.Cyrillic > 0 {
		j.script = script.Cyrillic
	}
	if j.script != script.Latin && j.script != script.Cyrillic {
		return j
	}
	cyrillic := j.script == script.Cyrillic
	j.letters(written, cyrillic)
	if !cyrillic {
		j.plain = unborrowed[token]
	}
	// A Russian word that Uzbek uses, in Latin letters, is as much a word of Uzbek.
	loan := !cyrillic && smallWords[token] != Uzbek && shared[token]
	if l, ok := smallWords[token]; ok && !loan && (cyrillic || len(token) > 1 || l == English) && !(cyrillic && l == English) {
		j.add(l, 4)
	} else if l, ok := common[token]; ok && !(cyrillic && l == English) {
		j.add(l, 2.5)
	} else if j.known = shared[token]; !j.known {
		if inflectedLoan(token, cyrillic) {
			j.add(Uzbek, 2.5)
		}
		j.endings(token, cyrillic)
	}
	uz, ru, en := triples(token)
	if !cyrillic {
		ru -= 1.5 // Russian in Latin letters is rare
	} else {
		en = math.Inf(-1)
	}
	best := math.Max(uz, math.Max(ru, en))
	j.weight[Uzbek] += math.Exp(uz - best)
	j.weight[Russian] += math.Exp(ru - best)
	j.weight[English] += math.Exp(en - best)
	if j.strong == Unknown {
		for l := Uzbek; l <= English; l++ {
			j.weight[l] *= 0.6
		}
	}
	return j
}

// inflectedLoan tells a word of Russian with an ending of Uzbek: операторга, zakazim. Russian
// itself has -ми behind a vowel (картами).
func inflectedLoan(token string, cyrillic bool) bool {
	for _, end := range [...]string{"ga", "ni", "da", "dan", "ning", "lar", "lari", "im", "imni", "imga", "ingiz", "miz", "si", "mi"} {
		stem, ok := strings.CutSuffix(token, end)
		if ok && shared[stem] && (end != "mi" || !cyrillic) {
			return true
		}
	}
	return false
}

// add counts evidence; from 2 on it is strong.
func (j *judged) add(l Lang, w float64) {
	j.weight[l] += w
	if w >= 2 && (j.strong == Unknown || j.weight[l] > j.weight[j.strong]) {
		j.strong = l
	}
}

// letters counts the letters that only one language has.
func (j *judged) letters(written string, cyrillic bool) {
	prev := rune(0)
	for _, r := range strings.ToLower(written) {
		switch {
		case r == 'ў', r == 'қ', r == 'ғ', r == 'ҳ':
			j.add(Uzbek, 3)
		case r == 'ы', r == 'щ':
			j.add(Russian, 2.5)
		case prev == 'ъ' && unicode.IsLetter(r) && !strings.ContainsRune("еёюя", r):
			j.add(Uzbek, 4) // сунъий, баъзи: in Russian only these four follow
		case r == 'ь' && cyrillic:
			j.weight[Russian]++
		case script.IsApostrophe(r) && (prev == 'o' || prev == 'g'):
			j.add(Uzbek, 3)
		case r == 'w' && !cyrillic:
			j.add(English, 2)
		case r == 'h' && prev == 't' && !cyrillic:
			j.add(English, 2)
		case prev == 'q' && r != 'u' && !cyrillic:
			j.add(Uzbek, 2)
		case r == 'x' && !cyrillic:
			j.weight[Uzbek]++
		}
		prev = r
	}
}

// ending is an ending and what it speaks for.
type ending struct {
	end    string
	lang   Lang
	weight float64
	verb   bool
}

// endings counts the longest ending that the token has.
func (j *judged) endings(token string, cyrillic bool) {
	for n := min(len(token)-2, longestEnding); n >= 2; n-- {
		e, ok := endingsBy[token[len(token)-n:]]
		if !ok {
			continue
		}
		done := false
		for _, x := range e {
			if x.lang != Uzbek && j.weight[Uzbek] >= 3 || cyrillic && x.lang == English || !cyrillic && x.lang == Russian && x.weight < 2.5 {
				continue
			}
			j.add(x.lang, x.weight)
			j.verb = j.verb || x.verb
			done = true
		}
		if done {
			return
		}
	}
}
