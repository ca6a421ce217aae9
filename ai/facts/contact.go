package facts

import (
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"

	"svc/ai/phrase"
	"svc/geo/text/script"
)

var (
	emailForm = regexp.MustCompile(`[\w.+-]+@[\w-]+(?:\.[\w-]+)+`)
	urlForm   = regexp.MustCompile(`(?i)(?:https?://[^\s<>"«»]+|(?:www\.)?[a-z0-9][a-z0-9-]*(?:\.[a-z0-9-]+)*\.(?:com|uz|ru|net|org|info|shop|store|me|io|co|kz|app|online|example|test|site|dev|biz|tv|ly|link|pro)(?:/[^\s<>"«»]*)?)`)
	handle    = regexp.MustCompile(`(?:^|[\s(,:])(@[A-Za-z][\w.]{3,31})`)
	phoneForm = regexp.MustCompile(`\+?\d[\d \x{00a0}().-]{5,20}\d`)
)

// contacts finds e-mail addresses, addresses of sites and telephone numbers.
func (d *document) contacts() {
	if strings.IndexByte(d.Source, '@') >= 0 {
		for _, at := range emailForm.FindAllStringIndex(d.Source, maxFacts) {
			d.contact(Email, at[0], at[1], strings.ToLower(d.Source[at[0]:at[1]]))
		}
		for _, at := range handle.FindAllStringSubmatchIndex(d.Source, maxFacts) {
			d.contact(URL, at[2], at[3], strings.ToLower(d.Source[at[2]:at[3]]))
		}
	}
	if mayHaveURL(d.Source) {
		for _, at := range urlForm.FindAllStringIndex(d.Source, maxFacts) {
			end := at[0] + len(strings.TrimRight(d.Source[at[0]:at[1]], ".,;:!?)»\""))
			if before, _ := utf8.DecodeLastRuneInString(d.Source[:at[0]]); before == '@' || unicode.IsLetter(before) || isLetter(d.Source[end:]) {
				continue
			}
			d.contact(URL, at[0], end, address(d.Source[at[0]:end]))
		}
	}
	if !mayHavePhone(d.Source) {
		return
	}
	for _, at := range phoneForm.FindAllStringIndex(d.Source, maxFacts) {
		text := d.Source[at[0]:at[1]]
		if digits := onlyDigits(text); d.isPhone(text, digits, at[0], at[1]) {
			d.contact(Phone, at[0], at[1], e164(digits))
		}
	}
}

// mayHaveURL tells whether a text has what every URL has: a scheme, or a dot in front of a
// letter. Its form is looked for in no other text, since that takes long.
func mayHaveURL(s string) bool {
	if strings.Contains(s, "://") {
		return true
	}
	for i := 1; i < len(s); i++ {
		if c := s[i]; s[i-1] == '.' && ('a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || c >= utf8.RuneSelf) {
			return true
		}
	}
	return false
}

// leastDigits is how many digits the shortest telephone number has.
const leastDigits = 7

// mayHavePhone tells whether a text has the digits of a telephone number.
func mayHavePhone(s string) bool {
	n := 0
	for i := range len(s) {
		if '0' <= s[i] && s[i] <= '9' {
			n++
		}
	}
	return n >= leastDigits
}

func (d *document) contact(kind Kind, start, end int, name string) {
	i := 0
	for i < len(d.Words) && d.Words[i].End <= start {
		i++
	}
	j := i
	for j < len(d.Words) && d.Words[j].Start < end {
		j++
	}
	if i == j || d.taken[i] {
		return
	}
	d.addAt(Fact{Kind: kind, Name: name, Start: start, End: end}, i, j)
}

// isPhone tells a telephone number from an amount: a plus, the code of the country, an
// operator with nine digits, or seven digits behind a word of telephone.
func (d *document) isPhone(text, digits string, start, _ int) bool {
	switch {
	case strings.HasPrefix(text, "+"):
		return len(digits) >= 7 && len(digits) <= 15
	case strings.HasPrefix(digits, "998") && len(digits) == 12:
		return true
	case len(digits) == 9 && operators[digits[:2]]:
		return !thousands.MatchString(text)
	case len(digits) == 7 || len(digits) == 9:
		before := strings.ToLower(d.Source[max(0, start-24):start])
		for _, w := range []string{"tel", "тел", "phone", "raqam", "рақам", "nomer", "номер", "call", "qo'ng'iroq", "звон"} {
			if strings.Contains(before, w) {
				return !thousands.MatchString(text)
			}
		}
	}
	return false
}

var thousands = regexp.MustCompile(`^\d{1,3}(?:[ \x{00a0}.]\d{3})+$`)

// operators are the first two digits of telephone numbers of Uzbekistan.
var operators = func() map[string]bool {
	m := map[string]bool{}
	for p := range strings.FieldsSeq("20 33 50 55 61 62 63 64 65 66 67 68 69 70 71 72 73 74 75 76 77 78 79 88 90 91 92 93 94 95 97 98 99") {
		m[p] = true
	}
	return m
}()

func onlyDigits(s string) string {
	var b strings.Builder
	for _, r := range s {
		if v, ok := script.Digit(r); ok {
			b.WriteByte('0' + v)
		}
	}
	return b.String()
}

// e164 is a telephone number with the code of its country; nine digits are of Uzbekistan.
func e164(digits string) string {
	switch len(digits) {
	case 9:
		return "+998" + digits
	case 7:
		return "+99871" + digits
	}
	return "+" + digits
}

// address is a URL without its scheme and www, in lower case up to its path.
func address(s string) string {
	low := strings.ToLower(s)
	for _, p := range []string{"https://", "http://", "www."} {
		low = strings.TrimPrefix(low, p)
	}
	s = s[len(s)-len(low):]
	host, path, _ := strings.Cut(s, "/")
	if path = strings.TrimRight(path, "/"); path != "" {
		return strings.ToLower(host) + "/" + path
	}
	return strings.ToLower(host)
}

func isLetter(s string) bool {
	r, _ := utf8.DecodeRuneInString(s)
	return unicode.IsLetter(r)
}

func valid(s string) string { return strings.ToValidUTF8(s, " ") }

func keyOf(s string) string { return phrase.Key(s) }
