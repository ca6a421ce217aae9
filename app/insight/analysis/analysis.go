// Package analysis says of each conversation what it was about: by the cases of its business,
// with marks and flags, by the outside decision service where it answers, else by a model.
//
// It promises that what boards add up changes with the conversation in one transaction, and
// that a recount finds the same; that a person's choice of a case is never replaced by a
// machine; that nothing of a personal chat is read or kept; that what is read is masked; and
// that summaries and explanations are sealed (contract 15.3 and 15.4). It refuses to act on
// what it finds.
package analysis

import (
	"cmp"
	"slices"
	"time"

	"svc/app/business"
	"svc/app/inbox/conversation"
	"svc/app/insight/dimension"
	"svc/app/insight/sums"
	"svc/app/org"
	"svc/store"
)

// Phase says whether a conversation went on when it was analysed.
type Phase string

// The phases.
const (
	Live  Phase = "LIVE"
	Final Phase = "FINAL"
)

// Mode says what analyses.
type Mode string

// The modes. Off is shown and never kept.
const (
	ByJEV   Mode = "JEV"
	ByModel Mode = "LLM"
	Off     Mode = "OFF"
)

// By says who chose a case.
type By string

// Who chooses.
const (
	Machine By = "MODEL"
	Person  By = "HUMAN"
)

// Choice is the case of a conversation in a dimension.
type Choice struct {
	// Case is the id of the case, "" where it is unclear.
	Case        string  `json:"case,omitempty"`
	Probability float64 `json:"probability,omitempty"`
	By          By      `json:"by"`
	User        string  `json:"user,omitempty"` // who corrected it
	Note        string  `json:"note,omitempty"`
}

// Explanation says why a conversation has its case in a dimension.
type Explanation struct {
	Dimension dimension.Dimension `json:"dimension"`
	Text      string              `json:"text"`
	Messages  []string            `json:"message_ids"`
	Demo      bool                `json:"demo" doc:"The demo model wrote it."`
}

// words are what is sealed of an analysis.
type words struct {
	Summary      string        `json:"summary,omitempty"`
	SummaryDemo  bool          `json:"summary_demo,omitempty"` // the demo model wrote it
	Explanations []Explanation `json:"explanations,omitempty"`
}

// Row is what is kept of a conversation whose customer wrote: where it counts, and its last
// analysis, if there is one.
type Row struct {
	ID string `json:"id"` // of the conversation
	sums.Place
	LastIn time.Time `json:"last_in"` // when the customer wrote last

	Phase   Phase                          `json:"phase,omitempty"`
	Mode    Mode                           `json:"mode,omitempty"`
	Choices map[dimension.Dimension]Choice `json:"choices,omitempty"`
	Scores  map[dimension.Score]int        `json:"scores,omitempty"`
	Flags   map[dimension.Flag]float64     `json:"flags,omitempty"`
	// Demo: the demo model found what the decision service did not.
	Demo bool `json:"demo,omitempty"`
	// Messages were read, the last one at UpTo.
	Messages   int       `json:"messages,omitempty"`
	UpTo       time.Time `json:"up_to,omitzero"`
	AnalysedAt time.Time `json:"analysed_at,omitzero"`
	ErrorCode  string    `json:"error_code,omitempty"` // of the last try, "" when it succeeded
	// WordsAt is when the summary was written, where that was before AnalysedAt: a decision
	// service writes none.
	WordsAt time.Time    `json:"words_at,omitzero"`
	Words   store.Sealed `json:"words,omitzero"`
}

var (
	table  = store.NewTable("insight_analysis", "cnv", func(r *Row) string { return r.ID })
	sealed = table.Sealed("words", func(r *Row) *store.Sealed { return &r.Words })

	// ofPlace are the conversations that count at a place.
	ofPlace  = table.Index("place", func(r *Row) store.Key { return placeKey(r.Place) })
	byLastIn = table.Index("last_in", func(r *Row) store.Key { return store.Time(r.LastIn) })
	// caseFacet are the conversations of each case; the unclear ones by dimension.
	caseFacet = table.Facet("case", func(r *Row) (out []string) {
		for d, c := range r.Choices {
			out = append(out, cmp.Or(c.Case, sums.CaseKey(d, dimension.Unclear)))
		}
		return out
	})
	dayFacet      = table.Facet("day", func(r *Row) []string { return []string{r.Day} })
	channelFacet  = table.Facet("channel", func(r *Row) []string { return []string{r.Channel} })
	businessFacet = table.Facet("business", func(r *Row) []string { return []string{r.Business} })
	// byAge are those with words by when they were written, for retention.
	byAge = table.Multi("age", func(r *Row) []store.Key {
		if r.Words.IsZero() {
			return nil
		}
		return []store.Key{store.Time(cmp.Or(r.WordsAt, r.AnalysedAt))}
	})
)

func placeKey(p sums.Place) store.Key {
	return store.Tuple(store.Text(p.Day), store.Text(p.Business), store.Text(p.Channel))
}

// Tables are what a store that holds analyses is opened with.
func Tables() []store.AnyTable { return []store.AnyTable{table} }

func (r *Row) analysed() bool { return !r.AnalysedAt.IsZero() }

// keepWords seals the words of an analysis that comes behind another; fresh: its summary is new.
func (r *Row) keepWords(tx *store.Tx, org string, before *Row, w words, fresh bool) error {
	if r.WordsAt = (time.Time{}); !fresh && (w.Summary != "" || len(w.Explanations) > 0) {
		r.WordsAt = cmp.Or(before.WordsAt, before.AnalysedAt)
	}
	return sealed.SetJSON(tx, org, r, w)
}

// caseIDs are the cases of the conversation.
func (r *Row) caseIDs() (out []string) {
	for _, c := range r.Choices {
		if c.Case != "" {
			out = append(out, c.Case)
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// counts are what a conversation adds to the sums of its place.
func (r *Row) counts() (out sums.Counts) {
	out.Seen = 1
	if !r.analysed() {
		return out
	}
	out.Analysed = 1
	out.Cases, out.Scores, out.Flags = map[string]int{}, map[dimension.Score]sums.Mark{}, map[dimension.Flag]int{}
	for d, c := range r.Choices {
		out.Cases[sums.CaseKey(d, cmp.Or(c.Case, dimension.Unclear))] = 1
	}
	for s, mark := range r.Scores {
		out.Scores[s] = sums.Mark{Sum: mark, N: 1}
	}
	for f, p := range r.Flags {
		if p >= dimension.LeastTrue {
			out.Flags[f] = 1
		}
	}
	return out
}

// save stores a row in the place of another (nil: there was none) and moves what it adds up.
func save(tx *store.Tx, org string, before, r *Row) error {
	if before != nil && before.Place == r.Place {
		delta, was := r.counts(), before.counts()
		delta.Add(&was, -1)
		if err := sums.Conversations.Change(tx, org, r.Place, &delta); err != nil {
			return err
		}
		return table.Put(tx, org, r)
	}
	if before != nil {
		if err := subtract(tx, org, before); err != nil {
			return err
		}
	}
	now := r.counts()
	if err := sums.Conversations.Change(tx, org, r.Place, &now); err != nil {
		return err
	}
	return table.Put(tx, org, r)
}

func subtract(tx *store.Tx, org string, r *Row) error {
	delta, was := sums.Counts{}, r.counts()
	delta.Add(&was, -1)
	return sums.Conversations.Change(tx, org, r.Place, &delta)
}

// Forget removes what is kept of a conversation, and what it adds up.
func Forget(tx *store.Tx, org, id string) error {
	r, err := table.Get(tx, org, id)
	if err != nil {
		return store.IgnoreNotFound(err)
	}
	if err := subtract(tx, org, &r); err != nil {
		return err
	}
	return table.Delete(tx, org, id)
}

// forgetWords removes the summary and the explanations of a conversation.
func forgetWords(tx *store.Tx, org string, r *Row) error {
	if r.Words.IsZero() {
		return nil
	}
	if err := sealed.Set(tx, org, r, nil); err != nil {
		return err
	}
	return table.Put(tx, org, r)
}

// note makes sure that a conversation counts where it belongs: at the day of the customer's
// last message, its business and channel. One of no business is not kept.
func note(tx *store.Tx, orgID string, k *conversation.Conversation) (r Row, ok bool, err error) {
	r, err = table.Get(tx, orgID, k.ID)
	fresh := store.IsNotFound(err)
	if store.IgnoreNotFound(err) != nil {
		return r, false, err
	}
	ids, err := business.IDsOf(tx, orgID, []string{k.AccountID})
	if err != nil {
		return r, false, err
	}
	id := ids[k.AccountID]
	if id == "" || k.Personal || k.LastInAt.IsZero() {
		return r, false, nil
	}
	day, err := DayOf(tx, orgID, k.LastInAt)
	if err != nil {
		return r, false, err
	}
	at := sums.Place{Day: day, Business: id, Channel: string(k.Channel)}
	if !fresh && r.Place == at && r.LastIn.Equal(k.LastInAt) {
		return r, true, nil
	}
	before := r
	r.ID, r.Place, r.LastIn = k.ID, at, k.LastInAt
	if fresh {
		return r, true, save(tx, orgID, nil, &r)
	}
	if r.Business != before.Business { // cases of another business are none of this one
		r.Choices = nil
	}
	return r, true, save(tx, orgID, &before, &r)
}

// DayOf is the day of an organization in which a time falls.
func DayOf(tx *store.Tx, orgID string, at time.Time) (string, error) {
	o, err := org.Get(tx, orgID)
	if err != nil {
		return "", err
	}
	zone, err := time.LoadLocation(o.Timezone)
	if err != nil {
		return "", err
	}
	return at.In(zone).Format(time.DateOnly), nil
}

// CountOf is how many conversations have a case.
func CountOf(tx *store.Tx, org, id string) (int, error) { return caseFacet.Count(tx, org, id) }

// open reads what is sealed of a row.
func (r *Row) open(db *store.DB, org string) (w words, err error) {
	err = sealed.OpenJSON(db, org, r, &w)
	return w, err
}
