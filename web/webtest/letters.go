package webtest

import (
	"encoding/json"
	"slices"
	"strings"

	"svc/app/mail"
)

// shownLetter is a mail as a story tells it.
type shownLetter struct {
	To       string `json:"to"`
	Language string `json:"language"`
	Subject  string `json:"subject"`
	Text     string `json:"text"`
}

// shownLetters are what arrived since the story last asked, by address: two are on their
// way at a time.
func shownLetters(got []mail.Letter) []shownLetter {
	out := []shownLetter{}
	for _, m := range got {
		out = append(out, shownLetter{m.To, m.Language, m.Subject, m.Text})
	}
	slices.SortFunc(out, func(a, b shownLetter) int { return strings.Compare(a.To+a.Subject, b.To+b.Subject) })
	return out
}

// mailed compares the mails that arrived since the story last asked, once no job is
// due any more.
func (r *runner) mailed(st *step) error {
	if err := r.server.service.settle(); err != nil {
		return err
	}
	data, err := json.Marshal(shownLetters(r.server.letters.Take()))
	if err == nil {
		r.compareJSON(st, data)
	}
	return err
}
