// Package feedback keeps what people say of what the AI wrote and decided, and lets them make
// items of datasets of it.
//
// It promises that feedback names something of the caller's organization that they may see and
// nothing of a personal chat; that a draft which a person changed before sending it is feedback
// by itself; that its words are sealed and go with the messages of their time; and that
// accepted feedback is one item of a dataset at most (contract 13.30). It refuses to mask:
// package dataset does.
package feedback

import (
	"time"

	"svc/ai/decide"
	"svc/app/api"
	"svc/app/audit"
	"svc/app/seller/decision"
	"svc/store"
)

// Target says what feedback is about.
type Target string

// The targets.
const (
	OnMessage   Target = "MESSAGE"
	OnDraft     Target = "DRAFT"
	OnExecution Target = "EXECUTION"
	OnDecision  Target = "DECISION"
)

// Label says what was good or wrong.
type Label string

// Good is the one label that praises. MissedSale and ShouldHandOff are about a part of a
// decision.
const (
	Good          Label = "GOOD"
	MissedSale    Label = "MISSED_SALE"
	ShouldHandOff Label = "SHOULD_HAND_OFF"
)

// ReviewStatus is where the review of feedback is (contract 60).
type ReviewStatus string

// The statuses.
const (
	None      ReviewStatus = "NONE"
	Requested ReviewStatus = "REQUESTED"
	Accepted  ReviewStatus = "ACCEPTED"
	Rejected  ReviewStatus = "REJECTED"
)

// ReviewStatuses lists them.
func ReviewStatuses() []ReviewStatus { return []ReviewStatus{None, Requested, Accepted, Rejected} }

// ReviewEvent is what a reviewer says.
type ReviewEvent string

// The events.
const (
	WasAccepted ReviewEvent = "accepted"
	WasRejected ReviewEvent = "rejected"
)

// ReviewEvents lists them.
func ReviewEvents() []ReviewEvent { return []ReviewEvent{WasAccepted, WasRejected} }

// reviews is the life of a review. Accepting again is for an item that was not made at first.
var reviews = api.Table[ReviewStatus, ReviewEvent]{
	{From: []ReviewStatus{None, Requested, Accepted}, On: WasAccepted, To: Accepted},
	{From: []ReviewStatus{None, Requested}, On: WasRejected, To: Rejected},
}

// Feedback is what a person said, as it is kept.
type Feedback struct {
	ID       string  `json:"id"`
	Target   Target  `json:"target"`
	TargetID string  `json:"target_id"`
	Labels   []Label `json:"labels,omitempty"`
	Rating   int     `json:"rating,omitempty"` // 0: none
	// Conversation, Execution and Business are those of the target; "" for none.
	Conversation string `json:"conversation,omitempty"`
	Execution    string `json:"execution,omitempty"`
	Business     string `json:"business,omitempty"`
	// PromptVersion wrote it, "" for the default.
	PromptVersion string       `json:"prompt_version,omitempty"`
	Status        ReviewStatus `json:"status"`
	Reviewer      string       `json:"reviewer,omitempty"`
	ReviewedAt    time.Time    `json:"reviewed_at,omitzero"`
	Dataset       string       `json:"dataset,omitempty"` // that it became an item of
	Item          string       `json:"item,omitempty"`
	// Judged is what a judge says of the same answer, for its calibration: by the key of the
	// judge.
	Judged    map[string]bool `json:"judged,omitempty"`
	CreatedBy string          `json:"created_by"` // a person or a key
	CreatedAt time.Time       `json:"created_at"`
	// Purged: its words went with the messages of their time.
	Purged bool         `json:"purged,omitempty"`
	Words  store.Sealed `json:"words,omitzero"`
}

// Words are what is sealed of it.
type Words struct {
	Original  string `json:"original,omitempty"` // what the AI wrote
	Corrected string `json:"corrected,omitempty"`
	Wrong     string `json:"wrong,omitempty"` // the part of Original that a person marked
	Comment   string `json:"comment,omitempty"`
	Note      string `json:"note,omitempty"` // of the reviewer
}

var (
	table     = store.NewTable("feedback", "fbk", func(f *Feedback) string { return f.ID })
	words     = table.Sealed("words", func(f *Feedback) *store.Sealed { return &f.Words })
	targets   = table.Facet("target", func(f *Feedback) []string { return []string{string(f.Target)} })
	statuses  = table.Facet("status", func(f *Feedback) []string { return []string{string(f.Status)} })
	labels    = table.Facet("label", func(f *Feedback) []string { return texts(f.Labels) })
	places    = table.Facet("business", func(f *Feedback) []string { return []string{f.Business} })
	verdicts  = table.Facet("verdict", func(f *Feedback) []string { return f.verdictFacet() })
	of        = table.Multi("conversation", func(f *Feedback) []store.Key { return oneKey(f.Conversation) })
	about     = table.Multi("about", func(f *Feedback) []store.Key { return oneKey(f.TargetID) })
	keptWords = table.Multi("kept", func(f *Feedback) []store.Key {
		if f.Purged {
			return nil
		}
		return []store.Key{store.Time(f.CreatedAt)}
	})
)

func texts(list []Label) (out []string) {
	for _, l := range list {
		out = append(out, string(l))
	}
	return out
}

func oneKey(s string) []store.Key {
	if s == "" {
		return nil
	}
	return []store.Key{store.Text(s)}
}

// Tables are what a store that holds feedback is opened with.
func Tables() []store.AnyTable { return []store.AnyTable{table} }

// Open reads what it says.
func (f *Feedback) Open(db *store.DB, org string) (w Words, err error) {
	err = words.OpenJSON(db, org, f, &w)
	return w, err
}

func (f *Feedback) resource() audit.Resource { return audit.On("feedback", f.ID, "") }

// apply changes the status of a review that its caller saves. Nobody else sets one.
func (f *Feedback) apply(e ReviewEvent) error {
	to, ok := reviews.Next(f.Status, e)
	if !ok {
		return api.ErrState.WithMessage("This feedback is %s already.", f.Status)
	}
	f.Status = to
	return nil
}

// Verdict says whether a person found an answer good; known is false when that is not clear.
func (f *Feedback) Verdict() (good, known bool) {
	praised := len(f.Labels) == 1 && f.Labels[0] == Good
	blamed := len(f.Labels) > 0 && !praised
	switch {
	case blamed || f.Rating == 1 || f.Rating == 2:
		return false, !(blamed && f.Rating >= 4)
	case praised || f.Rating >= 4:
		return true, true
	}
	return false, false
}

// blamedFields are the fields of a decision that one label calls wrong.
var blamedFields = map[Label][]decide.Field{
	MissedSale:    {decide.Interest, decide.LeadQuality, decide.NextAction},
	ShouldHandOff: {decide.Handoff},
}

// countDecision counts an accepted verdict on a decision, once a decision: it is what corrects
// the confidence of models (contract 13.12). A decision that is gone meanwhile is no error.
func (f *Feedback) countDecision(tx *store.Tx, org string) error {
	good, known := f.Verdict()
	if f.Target != OnDecision || f.Status != Accepted || !known {
		return nil
	}
	var fields []decide.Field // all
	if len(f.Labels) == 1 {
		fields = blamedFields[f.Labels[0]]
	}
	return store.IgnoreNotFound(decision.Judge(tx, org, f.TargetID, good, fields))
}

// verdictFacet are those that a judge can be compared with: accepted ones with an answer of an
// execution.
func (f *Feedback) verdictFacet() []string {
	if _, known := f.Verdict(); known && f.Status == Accepted && f.Execution != "" {
		return []string{"known"}
	}
	return nil
}

// Known are the newest accepted feedback with a clear verdict on an answer, at most limit.
func Known(tx *store.Tx, org string, limit int) ([]Feedback, error) {
	p, err := table.Page(tx, org, store.Query[Feedback]{Where: []store.Cond[Feedback]{verdicts.Any("known")}, Reverse: true, Limit: limit})
	return p.Data, err
}

// CountKnown is how many there are.
func CountKnown(tx *store.Tx, org string) (int, error) { return verdicts.Count(tx, org, "known") }

// Judged notes what a judge says of the answer that feedback is about. Feedback that is gone
// meanwhile is no error.
func Judged(tx *store.Tx, org, id, judge string, good bool) error {
	_, err := table.Edit(tx, org, id, func(f *Feedback) error {
		f.Judged = map[string]bool{judge: good}
		return nil
	})
	return store.IgnoreNotFound(err)
}

// Forget removes up to limit feedback about a conversation, and says how many there were.
func Forget(tx *store.Tx, org, conversation string, limit int) (int, error) {
	list, _, err := of.Walk(tx, org, store.Range{Span: store.Is(store.Text(conversation)), Limit: limit})
	for i := range list {
		if err == nil {
			err = table.Delete(tx, org, list[i].ID)
		}
	}
	return len(list), err
}

// Purge removes the words of up to limit feedback from before a time, the oldest first, and
// says how many there were.
func Purge(tx *store.Tx, org string, before time.Time, limit int) (int, error) {
	list, _, err := keptWords.Walk(tx, org, store.Range{Span: store.Between(nil, store.Time(before)), Limit: limit})
	for i := range list {
		if err != nil {
			break
		}
		f := &list[i]
		f.Purged = true
		if err = words.Set(tx, org, f, nil); err == nil {
			err = table.Put(tx, org, f)
		}
	}
	return len(list), err
}
