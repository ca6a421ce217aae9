package check

import (
	"strings"

	"svc/ai/phrase"
)

// readHuman reads a text with humanWords. The Russian abbreviation ИИ has the key of
// the English I, so it is told apart by its letters.
func readHuman(text string) phrase.Text {
	t := phrase.Read(text, humanWords)
	for i := range t.Words {
		switch w := &t.Words[i]; {
		case w.Key != "i":
		case w.End-w.Start == len("ИИ"):
			w.Classes = hMachine
		case w.End-w.Start == len("и"):
			w.Classes = hTo // "and", not "I"
		}
	}
	return t
}

// maxText is how many bytes of a text are judged; texts of the product are shorter.
const maxText = 64 << 10

// claimsHuman finds the words by which a text says in the first person that a person
// writes it.
func claimsHuman(t *phrase.Text) (from, to int, ok bool) {
	for i := range t.Words {
		for _, rule := range firstPerson {
			if j, ok := rule(t, i); ok {
				return min(i, j), max(i, j), true
			}
		}
	}
	return 0, 0, false
}

// firstPerson are the ways to claim it. Each looks at the word at i as the one that
// begins or decides the claim and answers its other end.
var firstPerson = []func(t *phrase.Text, i int) (int, bool){
	deniesMachine, uzbekPersonEnding, subjectAndNoun, speaksWithPerson, worksAs, tradeAct, ownLife, ownBody, ownAct, ownAge, nothingElse,
}

func is(t *phrase.Text, i int, classes phrase.Mask) bool {
	return i >= 0 && i < len(t.Words) && t.Words[i].Classes&classes != 0
}

// deniesMachine: "bot emasman", "не бот", "not a robot".
func deniesMachine(t *phrase.Text, i int) (int, bool) {
	if !is(t, i, hMachine) || helperWord(t.Words[i].Key) {
		return 0, false
	}
	from, to := t.Clause(i)
	for j := i + 1; j < min(i+3, to); j++ { // bot emasman, sun'iy intellekt emasman
		if is(t, j, hNotMe) || t.Words[j].Key == "emas" && t.Words[i].Key != "program" {
			return j, true
		}
	}
	if i+1 < to && t.Words[i+1].Key == "li" { // не бот ли я: somebody's question
		return 0, false
	}
	for j := i - 1; j >= max(from, i-5); j-- { // не (просто) бот, not talking to a bot
		if is(t, j, hNot) && t.Words[j].Key != "emas" {
			return j, true
		}
		if !is(t, j, hArticle|hFiller|hSpeaks|hTo|hMachine|hReal|hAm) {
			break
		}
	}
	return 0, false
}

// helperWord tells the names of machines that are also trades: saying that one is no
// assistant claims nothing.
func helperWord(key string) bool {
	for _, stem := range []string{"yordamchi", "asistent", "pomoshni", "asistant", "virtual", "rakamli", "sifrov", "digital", "model"} {
		if strings.HasPrefix(key, stem) {
			return true
		}
	}
	return false
}

// uzbekPersonEnding: odamman, sotuvchisiman.
func uzbekPersonEnding(t *phrase.Text, i int) (int, bool) {
	switch k := t.Words[i].Key; {
	case !is(t, i, hPerson|hGender|hTrade), !strings.HasSuffix(k, "man"), k == "human", k == "man", k == "salesman", strings.HasSuffix(k, "voman"):
		return 0, false
	}
	return i, !machineNear(t, i)
}

// machineNear tells whether the clause of the word at i calls the subject a machine
// without denying it: "I'm the shop's AI consultant".
func machineNear(t *phrase.Text, i int) bool {
	from, to := t.Clause(i)
	return t.Any(from, to, hMachine) && !t.Any(from, to, hNot|hNotMe)
}

// subjectAndNoun: "я (живой) человек", "I'm a real person", "men oddiy odam".
func subjectAndNoun(t *phrase.Text, i int) (int, bool) {
	if !is(t, i, hI) || t.Words[i].Key == "man" {
		return 0, false
	}
	english := t.Words[i].Key == "i" || t.Words[i].Key == "im"
	if english && t.Words[i].Key == "i" && (i+1 >= len(t.Words) || t.Words[i+1].Key != "am") {
		return 0, false
	}
	from, to := t.Clause(i)
	if next := to; next < len(t.Words) && t.Words[next].Sentence == t.Words[i].Sentence && named(t, i, to, english) {
		_, to = t.Clause(next) // I'm Anna, your manager; я Анна, менеджер
	}
	for j := i + 1; j < min(to, i+8); j++ {
		if is(t, j, hNot|hNotMe) || is(t, j, hTo) && !is(t, j, hFiller|hArticle) {
			return 0, false
		}
		if is(t, j, hPerson|hGender|hTrade) {
			if j+1 < to && (t.Words[j+1].Key == "emas" || is(t, j+1, hNotMe)) {
				return 0, false
			}
			if english && !t.Any(i, j, hArticle|hReal|hLiving) && !is(t, j, hPerson) {
				return 0, false
			}
			if !bareNoun(t.Words[j].Key) || machineNear(t, j) {
				return 0, false
			}
			return j, !t.Any(from, i, hNot)
		}
		if !modifier(&t.Words[j], english) {
			return 0, false
		}
	}
	return 0, false
}

// named tells whether the clause from i is the subject and a name only.
func named(t *phrase.Text, i, to int, english bool) bool {
	n := 0
	for j := i + 1; j < to; j++ {
		if is(t, j, hAm) && english {
			continue
		}
		if !t.Words[j].Capital {
			return false
		}
		n++
	}
	return n > 0 && n <= 3 || to == i+1
}

// modifier tells whether a word may stand between a subject and its noun.
func modifier(w *phrase.Word, english bool) bool {
	if w.Classes&(hFiller|hReal|hLiving|hArticle|hMachine|hAm|hMy|hSelf|hOrg) != 0 || w.Capital {
		return true
	}
	if english {
		return !strings.HasSuffix(w.Key, "ing") && w.Classes&(hTo|hHands|hHas) == 0 && w.Key != "sure" && w.Key != "afraid" && w.Key != "sory"
	}
	for _, end := range []string{"iy", "oy", "aya", "yaya", "i", "ning", "ogo", "ey"} {
		if strings.HasSuffix(w.Key, end) && len(w.Key) > len(end)+2 {
			return true
		}
	}
	return false
}

// bareNoun tells whether the noun can be a predicate: no Uzbek case or plural behind it.
func bareNoun(key string) bool {
	for _, end := range []string{"ni", "ning", "ga", "da", "dan", "lar", "lari", "larni", "larga", "lik", "gacha"} {
		if strings.HasSuffix(key, end) && key != "yaponda" {
			return false
		}
	}
	return true
}

// speaksWithPerson: "с вами общается живой человек", "на связи менеджер Анна",
// "you're talking to a human".
func speaksWithPerson(t *phrase.Text, i int) (int, bool) {
	if !is(t, i, hSpeaks) || t.Words[i].Key == "javob" {
		return 0, false
	}
	from, to := t.Clause(i)
	if t.Any(from, i, hNot) || t.Asks[t.Words[i].Sentence] && !t.Any(from, to, hReal|hLiving) {
		return 0, false
	}
	for j := i + 1; j < min(to, i+6); j++ {
		if is(t, j, hNot|hHands) || is(t, j, hMachine) {
			return 0, false
		}
		if is(t, j, hPerson|hGender|hTrade) && !machineNear(t, j) {
			return j, true
		}
	}
	for j := i - 1; j >= max(from, i-4); j-- { // haqiqiy odam bilan gaplashyapsiz
		if is(t, j, hMachine|hHands) {
			return 0, false
		}
		if is(t, j, hPerson) && !strings.HasPrefix(t.Words[j].Key, "lyud") {
			return j, true
		}
	}
	return 0, false
}

// worksAs: "работаю здесь менеджером", "I work as a consultant", "sotuvchi bo'lib ishlayman".
func worksAs(t *phrase.Text, i int) (int, bool) {
	if !is(t, i, hWork) {
		return 0, false
	}
	from, to := t.Clause(i)
	if machineNear(t, i) || t.Any(from, to, hNot) {
		return 0, false
	}
	switch k := t.Words[i].Key; {
	case k == "rabotayu" || strings.HasPrefix(k, "prorabotal") || k == "trujus":
		for j := i + 1; j < min(to, i+5); j++ {
			if is(t, j, hTrade) && (strings.HasSuffix(t.Words[j].Key, "om") || strings.HasSuffix(t.Words[j].Key, "em") || strings.HasSuffix(t.Words[j].Key, "ey")) || is(t, j, hYears) {
				return j, true
			}
		}
	case k == "ishlayman" || k == "ishlaganman" || k == "shugulanaman":
		for j := i - 1; j >= max(from, i-4); j-- {
			if is(t, j, hTrade|hYears) {
				return j, true
			}
		}
	case k == "vorked" || k == "vorking" || k == "vork":
		if t.Any(max(from, i-3), i, hI) && (t.Find(i+1, min(to, i+6), hTrade|hYears) >= 0) {
			return t.Find(i+1, min(to, i+6), hTrade|hYears), true
		}
	case k == "tajribam":
		return i, true
	case k == "staj" || k == "opit" || k == "ehperience":
		if j := t.Find(max(from, i-3), i, hMy|hI); j >= 0 {
			return j, true
		}
	}
	return 0, false
}

// tradeAct: я пеку торты, men o'rgataman, I teach piano: a program has no trade.
func tradeAct(t *phrase.Text, i int) (int, bool) {
	if !is(t, i, hTradeAct) {
		return 0, false
	}
	from, to := t.Clause(i)
	if t.Any(from, to, hNot|hNotMe|hMachine) || t.Asks[t.Words[i].Sentence] || deskAct(t, from, i) {
		return 0, false
	}
	switch j := t.Find(max(from, i-3), i, hI); {
	case j >= 0 && t.Words[i].Key != "uchu":
		return j, t.Words[j].Key == "men" || t.Words[j].Key == "ya" || i == j+1
	case from > 0 && t.Words[from-1].Sentence == t.Words[i].Sentence && i == from: // я Лена, пеку торты
		before, _ := t.Clause(from - 1)
		return before, is(t, before, hI) && named(t, before, from, t.Words[before].Key == "im")
	}
	return 0, false
}

// ownLife: "my husband", "bolalarim bor", "я замужем", "I was born in".
func ownLife(t *phrase.Text, i int) (int, bool) {
	from, to := t.Clause(i)
	switch {
	case is(t, i, hFamilyMy):
		return i, !t.Any(from, to, hNot|hNotMe) || t.Any(from, to, hBodyAct)
	case is(t, i, hFamily):
		if is(t, i-1, hMy) {
			return i - 1, true
		}
		if is(t, i-2, hMy) { // my two kids
			return i - 2, true
		}
		// у меня двое детей, I have two kids
		for j := i - 1; j >= max(from, i-4); j-- {
			if t.Words[j].Key == "menya" && is(t, j-1, hTo) || t.Words[j].Key == "have" && is(t, j-1, hI) {
				return j, !t.Any(from, to, hNot)
			}
		}
	case is(t, i, hPersonal):
		if strings.HasSuffix(t.Words[i].Key, "man") || strings.HasSuffix(t.Words[i].Key, "dim") {
			return i, true
		}
		if j := t.Find(from, to, hI); j >= 0 && !t.Any(from, to, hNot) {
			return j, true
		}
	}
	return 0, false
}

// ownBody: "своими глазами", "my hands", "o'zim kutib olaman", "я сама ношу".
func ownBody(t *phrase.Text, i int) (int, bool) {
	from, to := t.Clause(i)
	if is(t, i, hBody) {
		if is(t, i-1, hMy) || is(t, i-1, hSelf) || i > from && (t.Words[i-1].Key == "svoimi" || t.Words[i-1].Key == "ovn") {
			return i - 1, true
		}
		return 0, false
	}
	if !is(t, i, hSelf) || strings.HasPrefix(t.Words[i].Key, "ozimiz") {
		return 0, false
	}
	if t.Any(from, to, hNot) || deskAct(t, from, to) {
		return 0, false
	}
	if j := t.Find(i+1, min(to, i+5), hBodyAct); j >= 0 {
		if t.Words[i].Key != "ozim" && t.Words[i].Key != "shahsan" && !t.Any(from, to, hI) {
			return 0, false
		}
		return j, true
	}
	if t.Words[i].Key == "miself" || t.Words[i].Key == "personali" || t.Words[i].Key == "personaly" {
		if t.Any(from, to, hI) {
			if j := t.Find(from, i, hBodyAct); j >= 0 {
				return j, true
			}
		}
	}
	return 0, false
}

// ownAge: "мне 25 лет", "I'm 25 years old", "25 yoshdaman".
func ownAge(t *phrase.Text, i int) (int, bool) {
	from, to := t.Clause(i)
	switch k := t.Words[i].Key; {
	case k == "yoshdaman" || k == "yasharman" || k == "yoshimda":
		return i, true
	case k == "yoshim":
		return i, digitsNear(t, from, to)
	case is(t, i, hYears) && numberBefore(t, i):
		for j := i - 2; j >= max(from, i-4); j-- {
			if t.Words[j].Key == "mne" {
				return j, true
			}
			if t.Words[j].Key == "im" || t.Words[j].Key == "am" {
				return j, i+1 < to && t.Words[i+1].Key == "old"
			}
		}
	}
	return 0, false
}

func digitsNear(t *phrase.Text, from, to int) bool {
	for j := from; j < to; j++ {
		if c := t.Words[j].Key[0]; '0' <= c && c <= '9' {
			return true
		}
	}
	return false
}

func numberBefore(t *phrase.Text, i int) bool {
	if i == 0 {
		return false
	}
	c := t.Words[i-1].Key[0]
	return '0' <= c && c <= '9'
}
