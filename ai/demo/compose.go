package demo

import (
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"
)

// frames are what stands around a brief, by language: an opening and an end.
var frames = map[string][][2]string{
	"uz": {
		{"Assalomu alaykum!", "Savollaringiz boʻlsa, shu yerga yozing."},
		{"Salom!", "Batafsil maʼlumot uchun yozing."},
		{"Hurmatli mijoz!", "Javobingizni kutamiz."},
		{"Xayrli kun!", "Sizga yordam berishdan xursandmiz."},
	},
	"ru": {
		{"Здравствуйте!", "Если есть вопросы, напишите нам."},
		{"Добрый день!", "Напишите, и мы расскажем подробнее."},
		{"Уважаемый клиент!", "Ждём вашего ответа."},
		{"Приветствуем!", "Будем рады помочь."},
	},
	"en": {
		{"Hello!", "Write to us if you have questions."},
		{"Good day!", "Write back and we will tell you more."},
		{"Dear customer,", "We look forward to your answer."},
		{"Hi!", "We are happy to help."},
	},
}

// compose writes the text that a task asks for, and its variants behind it. Each has
// every variable of the brief and of the text.
func (q *asked) compose() []string {
	about := q.Text
	if q.Task == "WRITE" || about == "" {
		about = q.Brief
	}
	about = tidy(about)
	if about == "" {
		about = "…"
	}
	of := frames[q.Language]
	if of == nil {
		of = frames["en"]
	}
	framed := func(i int) string {
		return q.keep(q.fit(of[i%len(of)][0] + " " + about + " " + of[i%len(of)][1]))
	}
	switch q.Task {
	case "WRITE":
		return []string{framed(0)}
	case "VARIANTS":
		out := []string{framed(0)}
		for i := range min(max(q.Variants, 1), len(of)) {
			out = append(out, framed(i))
		}
		return out
	case "SHORTEN":
		return []string{q.shorten(about)}
	}
	return []string{q.keep(q.fit(about))}
}

// tidy joins spaces, begins sentences with a capital and ends the last.
func tidy(s string) string {
	out := []rune(strings.Join(strings.Fields(s), " "))
	begins, depth := true, 0
	for i, r := range out {
		switch {
		case r == '{':
			depth++
		case r == '}':
			depth = max(depth-1, 0)
		case begins && depth == 0 && unicode.IsLetter(r):
			out[i], begins = unicode.ToUpper(r), false
		case r == '.' || r == '!' || r == '?':
			begins = true
		case !unicode.IsSpace(r):
			begins = false
		}
	}
	if n := len(out); n > 0 && (unicode.IsLetter(out[n-1]) || unicode.IsDigit(out[n-1])) {
		out = append(out, '.')
	}
	return string(out)
}

// shorten keeps the first half of the sentences, and every variable.
func (q *asked) shorten(s string) string {
	list := sentences(s)
	return q.keep(q.fit(strings.Join(list[:(len(list)+1)/2], " ")))
}

// fit leaves sentences away, the last first, until the text is short enough; what has
// variables stays.
func (q *asked) fit(s string) string {
	if q.MaxLength <= 0 {
		return s
	}
	list := sentences(s)
	for i := len(list) - 1; i > 0 && utf8.RuneCountInString(strings.Join(list, " ")) > q.MaxLength; i-- {
		if len(variables(list[i])) == 0 {
			list = append(list[:i:i], list[i+1:]...)
		}
	}
	return strings.Join(list, " ")
}

// sentences cuts a text behind its ends; never within a variable.
func sentences(s string) (out []string) {
	begin, depth := 0, 0
	for i, r := range s {
		switch r {
		case '{':
			depth++
		case '}':
			depth = max(depth-1, 0)
		case '.', '!', '?':
			next := i + utf8.RuneLen(r)
			if depth == 0 && (next == len(s) || s[next] == ' ') {
				out, begin = append(out, strings.TrimSpace(s[begin:next])), next
			}
		}
	}
	if rest := strings.TrimSpace(s[begin:]); rest != "" {
		out = append(out, rest)
	}
	return out
}

var anyVariable = regexp.MustCompile(`\{\{[^{}]*\}\}`)

// variables are the {{…}} of a text.
func variables(s string) []string { return anyVariable.FindAllString(s, -1) }

// keep adds the variables of the question that a text does not have.
func (q *asked) keep(s string) string {
	for _, v := range variables(tidy(q.Brief) + " " + tidy(q.Text)) {
		if !strings.Contains(s, v) {
			s += " " + v
		}
	}
	return s
}
