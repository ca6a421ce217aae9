package feedback

import (
	"strings"

	"svc/app/api"
	"svc/app/audit"
	"svc/app/quality/dataset"
	"svc/app/quality/grade"
	"svc/store"
)

// addTo makes an item of a dataset of what feedback is about.
func (f *Feedback) addTo(tx *store.Tx, c *api.Call, id string, tags []string) error {
	if f.Item != "" {
		return api.ErrState.WithMessage("This feedback is an item of a dataset already.")
	}
	d, err := dataset.Get(tx, c.Org, id)
	if store.IsNotFound(err) {
		return api.Wrong("add_to_dataset_id", "names no dataset of the organization")
	}
	if err != nil {
		return err
	}
	input, reply, ok, err := f.Snapshot(tx, c.Org)
	if err != nil {
		return err
	}
	if !ok {
		return api.ErrState.WithMessage("Nothing of this conversation is kept any more, so no item can be made of it.")
	}
	w, err := f.Open(tx.DB(), c.Org)
	if err != nil {
		return err
	}
	if w.Original == "" {
		w.Original = reply
	}
	item, err := dataset.Add(tx, c.Org, &d, dataset.Item{
		Source: dataset.FromFeedback, Conversation: f.Conversation, Feedback: f.ID, CreatedBy: c.Caller.ID, Tags: tags,
	}, dataset.Content{Input: input, Expected: f.expected(&w)})
	if err != nil {
		return err
	}
	f.Dataset, f.Item = d.ID, item.ID
	return audit.Write(tx, c, "eval_dataset.item_added", audit.On("eval_dataset", d.ID, d.Name), audit.Changed("item", nil, item.ID))
}

// expected is what an answer must have that does not repeat what was wrong.
func (f *Feedback) expected(w *Words) (e grade.Expected) {
	good, _ := f.Verdict()
	switch {
	case w.Wrong != "":
		e.ReplyAvoids = []string{w.Wrong}
	case w.Corrected != "":
		if wrong := changed(w.Original, w.Corrected); wrong != "" {
			e.ReplyAvoids = []string{wrong}
		}
	case !good && w.Original != "" && f.has("WRONG_FACT"):
		e.ReplyAvoids = []string{cut(w.Original)}
	}
	if f.has(ShouldHandOff) {
		e.FinalAction = "HANDOFF"
	}
	return e
}

func (f *Feedback) has(l Label) bool {
	for _, x := range f.Labels {
		if x == l {
			return true
		}
	}
	return false
}

// changed is the part of a text that another does not have: what stands between their equal
// beginnings and ends, in words.
func changed(before, after string) string {
	a, b := strings.Fields(before), strings.Fields(after)
	for len(a) > 0 && len(b) > 0 && a[0] == b[0] {
		a, b = a[1:], b[1:]
	}
	for len(a) > 0 && len(b) > 0 && a[len(a)-1] == b[len(b)-1] {
		a, b = a[:len(a)-1], b[:len(b)-1]
	}
	return cut(strings.Join(a, " "))
}

// maxSpan is that of a text that an item expects, in characters.
const maxSpan = 1_000

func cut(s string) string {
	if r := []rune(s); len(r) > maxSpan {
		return string(r[:maxSpan])
	}
	return s
}
