package world

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"
)

// life is people who write to an account by themselves, one after the other, in turn in
// several languages, and do everything that people do in a chat.
type life struct {
	number    string
	prefix    string // of the usernames
	from, to  int
	languages []string
	every     time.Duration
}

// lifeTexts are what people write first, by language.
var lifeTexts = map[string][]string{
	"uz": {"Assalomu alaykum! Narxi qancha?", "Yetkazib berish bormi?", "Manzilingiz qayerda?", "Bugun olib ketsam bo'ladimi?", "Muddatli to'lov bormi?", "Rahmat, o'ylab ko'raman"},
	"ru": {"Здравствуйте! Сколько стоит?", "Есть доставка?", "Где вы находитесь?", "Можно забрать сегодня?", "Есть рассрочка?", "Спасибо, подумаю"},
	"en": {"Hello! How much is it?", "Do you deliver?", "Where are you?", "Can I pick it up today?", "Can I pay in parts?", "Thank you, I will think about it"},
}

// lifeSteps is how many different things people do before they begin again.
const lifeSteps = 16

// lifeLine reads: life of NUMBER from PREFIX 1..200 in uz,ru,en every 2s.
func (w *World) lifeLine(v *words) (err error) {
	l := life{}
	if !v.take("of") {
		return fmt.Errorf("the word of is missing before the account")
	}
	if l.number, err = v.next("the account"); err == nil {
		l.number, err = normal(l.number)
	}
	if err != nil {
		return err
	}
	if !v.take("from") {
		return fmt.Errorf("the word from is missing before the people")
	}
	if l.prefix, err = v.next("the beginning of the usernames"); err != nil {
		return err
	}
	l.prefix = strings.TrimPrefix(l.prefix, "@")
	if l.from, l.to, err = v.span(); err != nil {
		return err
	}
	l.languages = []string{"uz", "ru", "en"}
	if v.take("in") {
		said, err := v.next("the languages")
		if err != nil {
			return err
		}
		l.languages = strings.Split(said, ",")
		if slices.ContainsFunc(l.languages, func(s string) bool { return lifeTexts[s] == nil }) {
			return fmt.Errorf("the languages are uz, ru and en, written like uz,ru, not %q", said)
		}
	}
	if !v.take("every") {
		return fmt.Errorf("the word every is missing before the time between two messages")
	}
	if l.every, err = v.duration(); err != nil {
		return err
	}
	if l.every < time.Millisecond {
		return fmt.Errorf("at least 1ms lies between two messages")
	}
	w.lead(l, 0)
	return nil
}

// lead lets the next one of them act, and the others after it, until the world is closed.
// It is part of the program, not of the state: a script sets it again after a restart.
func (w *World) lead(l life, n int) {
	time.AfterFunc(l.every, func() {
		closed := false
		_ = w.do(func() error { // a failure of the journal shows at the next request
			if closed = w.closed; !closed {
				w.step(l, n)
			}
			return nil
		})
		if !closed {
			w.lead(l, n+1)
		}
	})
}

// step is the n-th thing that happens; nothing does before the account has signed in.
func (w *World) step(l life, n int) {
	count := l.to - l.from + 1
	p := w.named(l.prefix + strconv.Itoa(l.from+n%count))
	a, err := w.account(l.number)
	if p == nil || err != nil || p.Deleted {
		return
	}
	texts := lifeTexts[l.languages[n%len(l.languages)]]
	text := texts[n/len(l.languages)%len(texts)]
	// Everybody does everything in time: a round moves each one on by a step.
	what := (n%count + n/count) % lifeSteps
	if a.lastOf(p.ID, false, 0) == 0 {
		what = 0
	}
	w.lifeStep(a, p, what, n, text)
}

// lifeFiles are the steps in which a file is sent.
var lifeFiles = map[int]string{2: "PHOTO", 3: "VOICE", 7: "DOCUMENT", 9: "VIDEO", 10: "STICKER", 13: "VIDEO_NOTE", 14: "AUDIO"}

func (w *World) lifeStep(a *account, p *Person, what, n int, text string) {
	mine, theirs := a.lastOf(p.ID, false, 0), a.lastOf(p.ID, true, 0)
	c := Content{Text: text}
	switch kind, file := lifeFiles[what]; {
	case file:
		if c.Files = []Attachment{Sample(kind, n%6, 0)}; kind != "PHOTO" && kind != "DOCUMENT" {
			c.Text = ""
		}
	case what == 1:
		c.ReplyTo = theirs
	case what == 4:
		w.seen(a, p.ID, theirs)
		return
	case what == 5 && theirs != 0:
		w.mark(a, a.find(theirs), false, "👍")
		return
	case what == 6 && a.find(mine).Text != "":
		w.edit(a, a.find(mine), text)
		return
	case what == 8:
		c.Files = []Attachment{Sample("PHOTO", n%6, 0), Sample("PHOTO", (n+1)%6, 0), Sample("PHOTO", (n+2)%6, 0)}
	case what == 11:
		c = Content{Place: &Place{Lat: 41.311, Lon: 69.279, Title: "Chorsu bozori", Address: "Toshkent"}}
	case what == 12:
		c = Content{Card: &Card{Phone: "998901234567", First: p.First, Last: p.Last}}
	case what == 15:
		_, _, _ = w.remove(a, []int{mine}, nil) // it is there
		return
	}
	_, _ = w.tell(a, p.ID, false, c) // a file that cannot be kept is not sent
}
