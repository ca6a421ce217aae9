package check

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"svc/ai/facts"
	"svc/ai/ground"
	"svc/ai/lang"
	"svc/ai/phrase"
)

// Classes of words of the other validators.
const (
	kRequest        phrase.Mask = 1 << iota // send, write, tell
	kSecret                                 // CVV, PIN, password: secrets by themselves
	kCard                                   // card
	kNumber                                 // number, code, data
	kSMS                                    // SMS
	kNever                                  // never, do not
	kTaken                                  // not free
	kWho                                    // question words
	kPhone                                  // phone, address, contact
	kPraise                                 // the best, great
	kInstructions                           // instructions, prompt
	kMyInstructions                         // the same with "my" in the word
	kMine                                   // my
	kAre                                    // are, says: what is told follows
)

var checkWords = phrase.NewLexicon(
	phrase.Class{Bit: kRequest, Words: `yuboring yuborsangiz yubor jo'nating yozing yozib yozsangiz ayting aytsangiz aytib kiriting kiritsangiz bering berib tashlang qoldiring kerak пришлите пришли отправьте
		скиньте напишите сообщите введите укажите назовите продиктуйте дайте вышлите оставьте нужен нужны send type tell enter give write share provide need text message confirm`},
	phrase.Class{Bit: kSecret, Words: `cvv cvc cvv2 pin пин pinkod пинкод parol+ пароль пароля паролем password passwords passport pasport+ паспорт* eri эцп signature imzo kalit otp`},
	phrase.Class{Bit: kCard, Words: `karta+ kartangiz* карт+ картой card cards plastik+ пластик*`},
	phrase.Class{Bit: kNumber, Words: `raqam* nomer* номер* number numbers digits raqamlari kod+ kodini код кода коды code codes цифр* muddati срок expiry ma'lumot* данные details rekvizit* реквизит* seriya* seriyasi`},
	phrase.Class{Bit: kSMS, Words: `sms смс sms-kod tasdiqlash подтвержд* verification orqa orqasidagi обороте back`},
	phrase.Class{Bit: kNever, Words: `never hech никогда никому не not dont doesnt emas so'ramaymiz aytmang bermang yubormang yozmang kerakmas нельзя`},
	phrase.Class{Bit: kTaken, Words: `band bandmiz olingan yo'q занят* нет уже busy taken unavailable booked no isn't cannot`},
	phrase.Class{Bit: kWho, Words: `qaysi qanday qancha qachonga qachongacha necha nechta nechanchi qachon qayerga qayerda qayer qaerga kim kimga nima nimaga qanaqa как какой какая какое какие какую каком сколько когда куда где кто кому
		что зачем чем what which how when where who whose why`},
	phrase.Class{Bit: kPhone, Words: `telefon* nomeringiz* raqamingiz* manzil* телефон* номер адрес* phone address contact контакт* ismingiz+ number email почту`},
	phrase.Class{Bit: kInstructions, Words: `instructions prompt инструкции инструкция промпт ko'rsatmalar+ yo'riqnoma+ ko'rsatma+`},
	phrase.Class{Bit: kMyInstructions, Words: `ko'rsatmalarim+ ko'rsatmam+ yo'riqnomam+ promptim+`},
	phrase.Class{Bit: kMine, Words: `my мои моя мой mening`},
	phrase.Class{Bit: kAre, Words: `are is say says read reads такие такая такой гласят гласит говорят говорит звучат звучит quyidagicha shunday bunday quyidagilar bular`},
	phrase.Class{Bit: kPraise, Words: `zo'r ajoyib a'lo eng yaxshi отличн* прекрасн* лучш* супер great best perfect excellent amazing tavsiya рекоменд* recommend`},
)

func (j *judge) has(i int, m phrase.Mask) bool {
	return i >= 0 && i < len(j.text.Words) && j.text.Words[i].Classes&m != 0
}

// asksForSecrets: a request verb in a clause with a secret, neither negated.
func asksForSecrets(j *judge) (string, string) {
	t := &j.text
	for i := range t.Words {
		secret := j.has(i, kSecret)
		if !secret && !j.has(i, kCard|kSMS) {
			continue
		}
		from, to := t.Sentence(i)
		if !secret {
			near := t.Find(max(from, i-3), min(to, i+5), kNumber)
			if near < 0 || t.Words[i].Classes&kCard == 0 && !codeWord(t.Words[near].Key) {
				continue
			}
		}
		req := t.Find(from, to, kRequest)
		if req < 0 || j.refuses(from, to) || j.listed(i, from, to) {
			continue
		}
		return "the reply asks for a secret of the customer", t.Span(min(i, req), max(i, req))
	}
	return "", ""
}

// listed tells a document that a source names among those to bring, where the reply asks to send
// nothing: pasport nusxasi kerak bo'ladi.
func (j *judge) listed(i, from, to int) bool {
	k := j.text.Words[i].Key
	if !strings.HasPrefix(k, "pas") {
		return false
	}
	for n := from; n < to; n++ {
		if j.has(n, kRequest) && !strings.HasPrefix(j.text.Words[n].Key, "kerak") && !strings.HasPrefix(j.text.Words[n].Key, "nuj") && j.text.Words[n].Key != "ned" {
			return false
		}
	}
	return slices.ContainsFunc(j.Sources.Chunks, func(c ground.Chunk) bool {
		return slices.ContainsFunc(phrase.Read(c.Text, nil).Words, func(w phrase.Word) bool { return phrase.Same(k, w.Key) || phrase.Same(w.Key, k) })
	})
}

func codeWord(key string) bool {
	return strings.HasPrefix(key, "kod") || strings.HasPrefix(key, "code") || strings.HasPrefix(key, "rakam") || strings.HasPrefix(key, "sifr") || strings.HasPrefix(key, "digit") || strings.HasPrefix(key, "nomer")
}

// refuses tells a warning from a request.
func (j *judge) refuses(from, to int) bool {
	for i := from; i < to; i++ {
		k := j.text.Words[i].Key
		if j.has(i, kNever) || strings.HasSuffix(k, "mang") || strings.HasSuffix(k, "mangiz") || strings.HasSuffix(k, "maymiz") {
			return true
		}
	}
	return false
}

// prohibitedPhrase looks for the phrases word by word, inflected, in either script, and for our
// instructions.
func prohibitedPhrase(j *judge) (string, string) {
	if found, span := instructions(j); found {
		return "the reply repeats our instructions", span
	}
	t := &j.text
	for _, p := range j.Settings.ProhibitedPhrases {
		want := phrase.Read(p, nil)
		if len(want.Words) == 0 {
			continue
		}
		for i := 0; i+len(want.Words) <= len(t.Words); i++ {
			ok := true
			for k := range want.Words {
				ok = ok && sameInflected(t.Words[i+k].Key, want.Words[k].Key)
			}
			if ok && (!strings.Contains(p, "%") || strings.Contains(t.Span(i, i+len(want.Words)-1), "%")) {
				return "the reply has a prohibited phrase", t.Span(i, i+len(want.Words)-1)
			}
		}
	}
	return "", ""
}

// sameInflected tells whether both words are one stem with inflections.
func sameInflected(key, want string) bool {
	if strings.HasPrefix(key, want) && phrase.Inflected(key, len(want)) {
		return true
	}
	for n := len(want); n >= 4 && n >= len(want)-3; n-- {
		if phrase.Inflected(want, n) && strings.HasPrefix(key, want[:n]) && phrase.Inflected(key, n) {
			return true
		}
	}
	return false
}

// Actions are the names of actions.
var Actions = []string{
	"GREET", "ASK_QUESTION", "ANSWER", "PRESENT_OFFER", "QUOTE_PRICE", "HANDLE_OBJECTION", "PROPOSE_BOOKING", "SEND_FILE", "ASK_CONTACT", "CLOSE", "FOLLOW_UP", "HANDOFF",
}

// detected are the actions that the text itself does.
func (j *judge) detected() (list []string) {
	money, clock, day := false, false, false
	for _, f := range j.facts {
		money = money || f.Kind == facts.Money
		clock = clock || f.Kind == facts.Clock
		day = day || f.Kind == facts.Date
	}
	if money {
		list = append(list, "QUOTE_PRICE")
	}
	t := &j.text
	var names []string
	for _, o := range j.Sources.Offers {
		for _, w := range phrase.Read(o.Name, nil).Words {
			if len(w.Key) > 3 {
				names = append(names, w.Key)
			}
		}
	}
	contact, praise, named := false, false, false
	for i := range t.Words {
		from, to := t.Sentence(i)
		contact = contact || j.has(i, kPhone) && t.Any(from, to, kRequest) && !j.refuses(from, to)
		praise = praise || j.has(i, kPraise)
		for _, key := range names {
			named = named || sameInflected(t.Words[i].Key, key)
		}
	}
	if contact {
		list = append(list, "ASK_CONTACT")
	}
	if clock && day && strings.Contains(j.Reply, "?") {
		list = append(list, "PROPOSE_BOOKING")
	}
	if named && (money || praise) {
		list = append(list, "PRESENT_OFFER")
	}
	return list
}

// Does is the action that a text takes by its words, prices and times: PROPOSE_BOOKING,
// ASK_CONTACT, QUOTE_PRICE or ANSWER.
func Does(text string) string {
	in := Input{Reply: text}
	j := &judge{Input: &in, text: phrase.Read(text, checkWords)}
	j.facts = facts.Of(text, lang.Identify(text).Lang.Code(), time.Time{}, time.UTC)
	list := j.detected()
	for _, a := range []string{"PROPOSE_BOOKING", "ASK_CONTACT", "QUOTE_PRICE"} {
		if slices.Contains(list, a) {
			return a
		}
	}
	return "ANSWER"
}

func prohibitedAction(j *judge) (string, string) {
	declared := j.Action
	if declared == "" {
		declared = "ANSWER"
	}
	if slices.Contains(j.Stage.Prohibited, declared) {
		return declared + " is prohibited in this stage", ""
	}
	if len(j.Stage.Allowed) > 0 && slices.Contains(Actions, declared) && !slices.Contains(j.Stage.Allowed, declared) {
		return declared + " is not allowed in this stage", ""
	}
	for _, a := range j.detected() {
		if slices.Contains(j.Stage.Prohibited, a) {
			return "the text does " + a + ", which is prohibited in this stage", ""
		}
		if len(j.Stage.Allowed) > 0 && declared != "ANSWER" && a != "PRESENT_OFFER" && !slices.Contains(j.Stage.Allowed, a) {
			return "the text does " + a + ", which is not allowed in this stage", ""
		}
	}
	return "", ""
}

func invalidAction(j *judge) (string, string) {
	switch {
	case j.Action != "" && !slices.Contains(Actions, j.Action):
		return "the action is unknown", ""
	case j.Action == "SEND_FILE" && j.Files == 0:
		return "SEND_FILE without a file", ""
	case j.Action == "PROPOSE_BOOKING" && !j.CalendarConnected:
		return "PROPOSE_BOOKING without a connected calendar", ""
	case j.Stage.Proposed != "" && len(j.Stage.Keys) > 0 && !slices.Contains(j.Stage.Keys, j.Stage.Proposed):
		return "the proposed stage is not of the funnel", ""
	}
	for _, id := range j.OfferIDs {
		if !slices.ContainsFunc(j.Sources.Offers, func(o ground.Offer) bool { return o.ID == id }) {
			return "an offer id is unknown", ""
		}
	}
	for _, id := range j.ChunkIDs {
		if !slices.ContainsFunc(j.Sources.Chunks, func(c ground.Chunk) bool { return c.ID == id }) {
			return "a chunk id is unknown", ""
		}
	}
	return j.appointment()
}

func tooManyQuestions(j *judge) (string, string) {
	limit := maxQuestionsByRule
	if m := j.Settings.MaxQuestions; m > 0 && m < limit {
		limit = m
	}
	if n := j.questions(); n > limit {
		return fmt.Sprintf("%d questions, at most %d", n, limit), ""
	}
	return "", ""
}

// questions counts questions: each sentence with a question mark, or without one but with
// a question word first or the Uzbek question suffix last; clauses with question words of
// their own count each.
func (j *judge) questions() (n int) {
	t := &j.text
	for i := 0; i < len(t.Words); {
		_, to := t.Sentence(i)
		asks := t.Asks[t.Words[i].Sentence]
		clauses, parts := 0, 0
		for c := i; c < to; parts++ {
			_, end := t.Clause(c)
			last := t.Words[end-1].Key
			if t.Any(c, min(end, c+3), kWho) || strings.HasSuffix(last, "mi") && len(last) > 4 || strings.HasSuffix(last, "misiz") {
				clauses++
			}
			c = end
		}
		switch {
		case asks:
			n += max(clauses, 1)
		case clauses > 1 && clauses == parts: // qaysi rang, necha dona, qachonga
			n += clauses
		case j.has(i, kWho) && t.Words[i].Key != "kak" && t.Words[i].Key != "chto" && to-i <= 8 || strings.HasSuffix(t.Words[to-1].Key, "misiz"):
			n++
		}
		i = to
	}
	return n
}

// repetition compares trigrams of letters with our last three texts.
func repetition(j *judge) (string, string) {
	if len(j.Own) == 0 || j.Appointment != nil || askedAgain(j.Sources.Burst) {
		return "", ""
	}
	mine := j.stripped(j.Reply)
	if len(mine) < 4 {
		return "", ""
	}
	own := j.Own[max(0, len(j.Own)-3):]
	a := trigrams(mine)
	for _, o := range own {
		words := j.stripped(o)
		if len(words) < 4 {
			continue
		}
		b := trigrams(words)
		both := 0
		for g := range a {
			if b[g] {
				both++
			}
		}
		if float64(both) >= 0.8*float64(len(a)+len(b)-both) {
			return "the reply repeats an earlier one of ours", ""
		}
	}
	return "", ""
}

// stripped are the words of a text without the disclosure, the signature and a greeting.
func (j *judge) stripped(s string) []string {
	keys := func(s string) (list []string) {
		for _, w := range phrase.Read(s, nil).Words {
			list = append(list, w.Key)
		}
		return list
	}
	words := keys(j.unsigned(s))
	for _, d := range j.Settings.Disclosure {
		if dk := keys(d); len(dk) > 0 {
			for i := 0; i+len(dk) <= len(words); i++ {
				if slices.Equal(words[i:i+len(dk)], dk) {
					words = slices.Delete(words, i, i+len(dk))
					break
				}
			}
		}
	}
	for len(words) > 0 && slices.Contains(greetings, words[0]) {
		words = words[1:]
	}
	return words
}

var greetings = func() (list []string) {
	for w := range strings.FieldsSeq("salom assalomu alaykum здравствуйте привет добрый день вечер утро hello hi hey") {
		list = append(list, phrase.Key(w))
	}
	return list
}()

func askedAgain(burst string) bool {
	for _, w := range phrase.Read(burst, nil).Words {
		for _, stem := range []string{"takror", "kaytar", "kayta", "povtor", "repeat", "again", "eshche", "eshe"} {
			if strings.HasPrefix(w.Key, stem) {
				return true
			}
		}
	}
	return false
}

func trigrams(words []string) map[string]bool {
	runes := []rune(" " + strings.Join(words, " ") + " ")
	set := make(map[string]bool, len(runes))
	for i := 0; i+3 <= len(runes); i++ {
		set[string(runes[i:i+3])] = true
	}
	return set
}
