package lang

import (
	"slices"
	"strings"
	"unicode"

	"svc/geo/text/script"
)

// introductions are the words with which people say their name, the name behind them; in
// front is what may stand before.
var introductions = [][]string{
	keysOf("mening", "ismim"), keysOf("ismim"), keysOf("меня", "зовут"), keysOf("мое", "имя"), keysOf("моё", "имя"), keysOf("my", "name", "is"),
	keysOf("my", "name's"),
}

// noNames are words behind an introduction that are no name: questions and denials.
var noNames = keysOf("nima", "kim", "qanday", "qanaqa", "emas", "bor", "yoq", "kerak", "haqida", "bilan", "что", "кто", "как", "не", "нет", "not", "what", "who",
	"va", "и", "and", "esa", "deb", "yozilgan")

func keysOf(words ...string) []string {
	out := make([]string, len(words))
	for i, w := range words {
		out[i] = script.Key(strings.Join(script.Tokens(w), ""))
	}
	return out
}

// OwnName is the name that somebody gives as their own: "mening ismim Anvar", "меня зовут
// Анна Петрова", "my name is John". A second word belongs to it when it has a capital.
func OwnName(text string) (string, bool) {
	text = text[:min(len(text), MaxText)]
	words := script.Words(text)
	keys := make([]string, len(words))
	for i, w := range words {
		keys[i] = script.Key(w.Text)
	}
	for i := range words {
		for _, intro := range introductions {
			end := i + len(intro)
			if end >= len(words) || !slices.Equal(keys[i:end], intro) || !joined(text, words[i:end+1]) || slices.Contains(noNames, keys[end]) || !isName(text, words[end]) {
				continue
			}
			last := end
			if end+1 < len(words) && joined(text, words[end:end+2]) && capital(text, words[end+1]) && isName(text, words[end+1]) {
				last++
			}
			return text[words[end].Start:words[last].End], true
		}
	}
	return "", false
}

// joined says whether nothing but spaces, and a colon or a dash, stands between words.
func joined(text string, words []script.Word) bool {
	for i := 1; i < len(words); i++ {
		if strings.Trim(text[min(words[i-1].End, words[i].Start):words[i].Start], " :-–—\u00a0") != "" {
			return false
		}
	}
	return true
}

func capital(text string, w script.Word) bool {
	for _, r := range text[w.Start:w.End] {
		return unicode.IsUpper(r)
	}
	return false
}

// isName says whether a word has letters only, two to thirty of them.
func isName(text string, w script.Word) bool {
	n := 0
	for _, r := range text[w.Start:w.End] {
		if !unicode.IsLetter(r) && !script.IsApostrophe(r) && r != '-' {
			return false
		}
		n++
	}
	return n >= 2 && n <= 30
}

// addressWords are the words that say that an address follows, or that are part of one.
var (
	addressLead = keysOf("manzil", "manzilim", "manzilimiz", "adresi", "adresim", "адрес", "address", "адресим", "manzili")
	streetWords = keysOf("kocha", "kochasi", "kochasida", "mavze", "mavzesi", "mahalla", "mahallasi", "tuman", "tumani", "dahasi", "massivi", "улица", "ул", "проспект",
		"махалля", "квартал", "район", "массив", "street", "avenue", "district")
	houseWords = keysOf("uy", "uyi", "xonadon", "kvartira", "дом", "д", "кв", "квартира", "подъезд", "house", "apartment", "flat")
)

// maxAddress bounds an address, in bytes.
const maxAddress = 200

// OwnAddress is the address that somebody gives: what follows a word such as "manzilim:", or
// the sentence that has a word of streets and a word or number of houses. Questions are
// none.
func OwnAddress(text string) (string, bool) {
	text = text[:min(len(text), MaxText)]
	for _, sentence := range sentencesOf(text) {
		if strings.Contains(sentence, "?") {
			continue
		}
		words := script.Words(sentence)
		street, house, number, lead := false, false, false, -1
		for _, w := range words {
			key := script.Key(w.Text)
			street, house = street || slices.Contains(streetWords, key), house || slices.Contains(houseWords, key)
			number = number || strings.ContainsAny(w.Text, "0123456789")
			if lead < 0 && slices.Contains(addressLead, key) {
				lead = w.End
			}
		}
		if !number || !street && (!house || lead < 0) {
			continue
		}
		out := sentence[max(lead, 0):]
		out = strings.Trim(out, " \t,.;:-–—!")
		if out != "" && len(out) <= maxAddress {
			return out, true
		}
	}
	return "", false
}

// sentencesOf cuts a text at line ends, and at marks of sentences that a space follows and
// no single letter or abbreviation stands before ("ул. Навои").
func sentencesOf(text string) (out []string) {
	from := 0
	for i := 0; i < len(text); i++ {
		switch text[i] {
		case '\n', ';':
		case '!', '?':
			i++ // it belongs to its sentence
		case '.':
			word := text[strings.LastIndexAny(text[:i], " \n,.")+1 : i]
			if i+1 < len(text) && text[i+1] != ' ' || len([]rune(word)) <= 3 && strings.Trim(word, "0123456789") != "" {
				continue
			}
		default:
			continue
		}
		out = append(out, text[from:min(i, len(text))])
		from = min(i, len(text))
	}
	return append(out, text[from:])
}
