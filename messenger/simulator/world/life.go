package world

import (
	"strconv"
	"time"

	"svc/messenger/simulator/world/record"
	"svc/messenger/simulator/world/sample"
	"svc/messenger/simulator/world/scene"
)

// lifeTexts are what people write first, by language.
var lifeTexts = map[string][]string{
	"uz": {"Assalomu alaykum! Narxi qancha?", "Yetkazib berish bormi?", "Manzilingiz qayerda?", "Bugun olib ketsam bo'ladimi?", "Muddatli to'lov bormi?", "Rahmat, o'ylab ko'raman"},
	"ru": {"Здравствуйте! Сколько стоит?", "Есть доставка?", "Где вы находитесь?", "Можно забрать сегодня?", "Есть рассрочка?", "Спасибо, подумаю"},
	"en": {"Hello! How much is it?", "Do you deliver?", "Where are you?", "Can I pick it up today?", "Can I pay in parts?", "Thank you, I will think about it"},
}

// lifeSteps is how many different things people do before they begin again.
const lifeSteps = 16

// Live lets the next one of them act, and the others after it, until the world is closed.
// It is part of the program, not of the state: a script sets it again after a restart.
func (w *World) Live(l scene.Life) { w.lead(l, 0) }

func (w *World) lead(l scene.Life, n int) {
	time.AfterFunc(l.Every, func() {
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
func (w *World) step(l scene.Life, n int) {
	count := l.To - l.From + 1
	p := w.named(l.Prefix + strconv.Itoa(l.From+n%count))
	a, err := w.account(l.Number)
	if p == nil || err != nil || p.Deleted {
		return
	}
	texts := lifeTexts[l.Languages[n%len(l.Languages)]]
	text := texts[n/len(l.Languages)%len(texts)]
	// Everybody does everything in time: a round moves each one on by a step.
	what := (n%count + n/count) % lifeSteps
	if a.lastOf(p.ID, false, 0) == 0 {
		what = 0
	}
	w.lifeStep(a, p, what, n, text)
}

// lifeFiles are the steps in which a file is sent.
var lifeFiles = map[int]string{2: "PHOTO", 3: "VOICE", 7: "DOCUMENT", 9: "VIDEO", 10: "STICKER", 13: "VIDEO_NOTE", 14: "AUDIO"}

func (w *World) lifeStep(a *account, p *record.Person, what, n int, text string) {
	mine, theirs := a.lastOf(p.ID, false, 0), a.lastOf(p.ID, true, 0)
	c := record.Content{Text: text}
	switch kind, file := lifeFiles[what]; {
	case file:
		if c.Files = []record.Attachment{sample.Attachment(kind, n%6, 0)}; kind != "PHOTO" && kind != "DOCUMENT" {
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
		c.Files = []record.Attachment{sample.Attachment("PHOTO", n%6, 0), sample.Attachment("PHOTO", (n+1)%6, 0), sample.Attachment("PHOTO", (n+2)%6, 0)}
	case what == 11:
		c = record.Content{Place: &record.Place{Lat: 41.311, Lon: 69.279, Title: "Chorsu bozori", Address: "Toshkent"}}
	case what == 12:
		c = record.Content{Card: &record.Card{Phone: "998901234567", First: p.First, Last: p.Last}}
	case what == 15:
		_, _, _ = w.remove(a, []int{mine}, nil) // it is there
		return
	}
	_, _ = w.addContent(a, p.ID, false, c) // a file that cannot be kept is not sent
}
