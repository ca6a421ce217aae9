package rank

import (
	"strconv"
	"strings"
	"unicode/utf8"

	"svc/geo/text/script"
)

// token is one word of a text that is searched or looked for.
type token struct {
	key      string // as script.Key writes it
	stems    []string
	stop     bool // says nothing about the subject
	concepts []concept
}

// concept is a line of the glossary that a word belongs to.
type concept struct {
	id     int32
	weight float32
}

// stopWords are small words, by their keys.
var stopWords = func() map[string]bool {
	m := map[string]bool{}
	for _, w := range script.Tokens(`va ham bilan uchun bu shu u men siz biz sen ular edi ekan esa yoki lekin ammo agar kerak mumkin mumkinmi
		bor bormi bo'ladi bo'ladimi bo'lsa bo'lgan qanday qanaqa nima nimaga qaysi kim iltimos salom assalomu alaykum
		ayting aytasizmi yo'qmi yo'q sizda sizlarda menga bizga o'zi qilib qilish qilasiz qilasizlar qilsa qilsam qilsak qilinadi
		men meni sizlar bering beraman berasiz berasizlar degan deb hali yana faqat juda ozgina ta hammasi hamma keyin oldin
		и в во на с со у к о об от до из за по для не ни ли же бы а но или что как это этот эта эти мне меня мы вы вас вам нам я он она они
		можно нужно надо есть если будет быть был была бывает какой какая какие каком чем чего кто при про без ещё уже только очень там тут
		здравствуйте привет пожалуйста подскажите скажите хочу хотел хотела у вас у меня свой ваш ваша ваши наш мой моя
		a an the of to in on at for and or is are do does did can could will would i you we they it my your our me be been with from by
		if this that there have has had not no any some please hello hi how what which who when am as so`) {
		m[script.Key(w)] = true
	}
	return m
}()

// analyze takes at most limit words of the text apart. chunk says that signs count too.
func analyze(text string, limit int, chunk bool) []token {
	words := script.Words(text)
	words = words[:min(len(words), limit)]
	out := make([]token, 0, len(words))
	for i, w := range words {
		r, _ := utf8.DecodeRuneInString(text[w.Start:])
		t := token{key: script.Key(w.Text), stems: stems(w.Text, r < 0x250)}
		t.stop = stopWords[t.key] || len(t.key) == 1 && !script.IsDigit(t.key[0])
		out = append(out, t)
		if i > 0 && chunk && isClock(text, words[i-1], w) {
			glossary.mark(&out[i], "hours", weightSign)
		}
	}
	glossary.read(out, chunk)
	return out
}

// isClock tells 9:00 and 18.30.
func isClock(text string, a, b script.Word) bool {
	return len(a.Text) <= 2 && len(b.Text) == 2 && b.Start == a.End+1 && text[a.End] == ':' &&
		strings.Trim(a.Text+b.Text, "0123456789") == ""
}

// Terms are what a text is about, for whoever compares texts: the first stem of each word but
// the small ones, and the concepts of the glossary ("#12"), which are the same in every
// language. At most limit words are read.
func Terms(text string, limit int) (out []string) {
	for _, t := range analyze(text, limit, false) {
		if t.stop {
			continue
		}
		if len(t.stems) > 0 {
			out = append(out, t.stems[len(t.stems)-1])
		} else {
			out = append(out, t.key)
		}
		for _, c := range t.concepts {
			out = append(out, "#"+strconv.Itoa(int(c.id)))
		}
	}
	return out
}
