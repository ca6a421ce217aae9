package route

import (
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// spoken is what a sentence can be made of; empty strings are not known.
type spoken struct {
	kind, modifier string
	street         string // the name of the street that begins here
	toward         string // what the sign points to
	number         string // of the exit, on the sign
	exit           int    // of the roundabout
}

var uzbekByManoeuvre = func() map[manoeuvre]uzbekText {
	rows := make(map[manoeuvre]uzbekText, len(uzbekTexts))
	for _, r := range uzbekTexts {
		rows[manoeuvre{r.kind, r.modifier}] = r
	}
	return rows
}()

// sentence says a manoeuvre in Uzbek.
func (s spoken) sentence() string {
	row, ok := uzbekByManoeuvre[manoeuvre{s.kind, s.modifier}]
	if !ok {
		row = uzbekByManoeuvre[manoeuvre{}]
	}
	if row.toward != "" || s.kind == "fork" {
		return capital(s.signed(row))
	}
	switch {
	case row.named == "" || s.street == "":
		return capital(row.plain)
	case endsInStreetWord(s.street):
		return capital(strings.ReplaceAll(row.named, "{S}", s.street))
	}
	return capital(row.plain) + uzbekDash + s.street
}

// signed says a manoeuvre of which signs or counts are known: ramps, exits,
// forks, roundabouts.
func (s spoken) signed(row uzbekText) string {
	text := row.plain
	switch {
	case strings.Contains(row.toward, "{T}"):
		if s.toward == "" {
			return text
		}
		return strings.ReplaceAll(row.toward, "{T}", s.toward)
	case strings.Contains(row.toward, "{n}"):
		if s.exit <= 0 {
			return text
		}
		text = strings.ReplaceAll(row.toward, "{n}", strconv.Itoa(s.exit))
		switch {
		case s.street == "":
			return text
		case endsInStreetWord(s.street):
			return text + strings.ReplaceAll(uzbekTail, "{S}", s.street)
		}
		return text + uzbekDash + s.street
	case strings.Contains(row.toward, "{N}") && s.number != "":
		text = strings.ReplaceAll(row.toward, "{N}", s.number)
	}
	if s.toward != "" {
		text += strings.ReplaceAll(uzbekTail, "{S}", s.toward)
	}
	return text
}

// capital makes the first letter a capital: a sentence may begin with a name
// that its mappers wrote small.
func capital(s string) string {
	r, n := utf8.DecodeRuneInString(s)
	if r == utf8.RuneError {
		return s
	}
	return string(unicode.ToUpper(r)) + s[n:]
}

// apostrophes are the ways people write the turned comma of oʻ and gʻ.
var apostrophes = strings.NewReplacer("'", "ʻ", "’", "ʻ", "‘", "ʻ", "`", "ʻ", "ʼ", "ʻ", "´", "ʻ")

var streetWords = func() map[string]bool {
	words := map[string]bool{}
	for _, w := range uzbekStreetWords {
		words[w] = true
	}
	return words
}()

// endsInStreetWord reports whether a name takes a postposition without being
// declined: its last word means a street.
func endsInStreetWord(name string) bool {
	fields := strings.Fields(name)
	if len(fields) == 0 {
		return false
	}
	return streetWords[apostrophes.Replace(strings.ToLower(fields[len(fields)-1]))]
}
