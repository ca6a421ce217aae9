package lang

import (
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"

	"svc/geo/text/script"
)

// ContactKind is a way to reach somebody.
type ContactKind uint8

// The kinds of contacts.
const (
	Site ContactKind = iota // an address of a site, or a name in a messenger
	Mail
	Telephone
)

// Contact is one contact of a text.
type Contact struct {
	Kind       ContactKind
	Start, End int    // bytes of the text
	Name       string // in the form in which two writings of one are equal
}

// most is how many contacts of a kind are looked for.
const most = 400

var (
	emailForm = regexp.MustCompile(`[\w.+-]+@[\w-]+(?:\.[\w-]+)+`)
	urlForm   = regexp.MustCompile(`(?i)(?:https?://[^\s<>"«»]+|(?:www\.)?[a-z0-9][a-z0-9-]*(?:\.[a-z0-9-]+)*\.(?:com|uz|ru|net|org|info|shop|store|me|io|co|kz|app|online|example|test|site|dev|biz|tv|ly|link|pro)(?:/[^\s<>"«»]*)?)`)
	handle    = regexp.MustCompile(`(?:^|[\s(,:])(@[A-Za-z][\w.]{3,31})`)
	phoneForm = regexp.MustCompile(`\+?\d[\d \x{00a0}().-]{5,20}\d`)
)

// Contacts finds e-mail addresses, addresses of sites and telephone numbers.
func Contacts(text string) (list []Contact) {
	if strings.IndexByte(text, '@') >= 0 {
		for _, at := range emailForm.FindAllStringIndex(text, most) {
			list = append(list, Contact{Mail, at[0], at[1], strings.ToLower(text[at[0]:at[1]])})
		}
		for _, at := range handle.FindAllStringSubmatchIndex(text, most) {
			list = append(list, Contact{Site, at[2], at[3], strings.ToLower(text[at[2]:at[3]])})
		}
	}
	if mayHaveURL(text) {
		for _, at := range urlForm.FindAllStringIndex(text, most) {
			end := at[0] + len(strings.TrimRight(text[at[0]:at[1]], ".,;:!?)»\""))
			if before, _ := utf8.DecodeLastRuneInString(text[:at[0]]); before == '@' || unicode.IsLetter(before) || beginsWithLetter(text[end:]) {
				continue
			}
			list = append(list, Contact{Site, at[0], end, address(text[at[0]:end])})
		}
	}
	if !mayHavePhone(text) {
		return list
	}
	for _, at := range phoneForm.FindAllStringIndex(text, most) {
		if digits := onlyDigits(text[at[0]:at[1]]); isPhone(text, digits, at[0], at[1]) {
			list = append(list, Contact{Telephone, at[0], at[1], e164(digits)})
		}
	}
	return list
}

func beginsWithLetter(s string) bool {
	r, _ := utf8.DecodeRuneInString(s)
	return unicode.IsLetter(r)
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

// isPhone tells a telephone number from an amount: a plus, the code of the country, an
// operator with nine digits, or seven digits behind a word of telephone.
func isPhone(all, digits string, start, end int) bool {
	text := all[start:end]
	switch {
	case strings.HasPrefix(text, "+"):
		return len(digits) >= 7 && len(digits) <= 15
	case strings.HasPrefix(digits, "998") && len(digits) == 12:
		return true
	case len(digits) == 9 && operators[digits[:2]]:
		return !thousands.MatchString(text)
	case len(digits) == 7 || len(digits) == 9:
		before := strings.ToLower(all[max(0, start-24):start])
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
