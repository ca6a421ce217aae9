package webtest

import (
	"context"
	"encoding/json"
	"slices"
	"strings"
	"sync"

	"svc/app/mail"
)

// letters is the mail server of a story: it takes everything.
type letters struct {
	mu  sync.Mutex
	got []mail.Letter
}

// Send implements mail.Sender.
func (l *letters) Send(_ context.Context, m mail.Letter) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.got = append(l.got, m)
	return nil
}

// shownLetter is a mail as a story tells it.
type shownLetter struct {
	To       string `json:"to"`
	Language string `json:"language"`
	Subject  string `json:"subject"`
	Text     string `json:"text"`
}

// take is what arrived since the story last asked, by address: two are on their way at a
// time.
func (l *letters) take() []shownLetter {
	l.mu.Lock()
	defer l.mu.Unlock()
	out := []shownLetter{}
	for _, m := range l.got {
		out = append(out, shownLetter{m.To, m.Language, m.Subject, m.Text})
	}
	l.got = nil
	slices.SortFunc(out, func(a, b shownLetter) int { return strings.Compare(a.To+a.Subject, b.To+b.Subject) })
	return out
}

// mailed compares the mails that arrived since the story last asked, once no job is
// due any more.
func (r *runner) mailed(st *step) error {
	if err := r.server.house.settle(); err != nil {
		return err
	}
	data, err := json.Marshal(r.server.letters.take())
	if err == nil {
		r.compareJSON(st, data)
	}
	return err
}
