// Package experiment compares versions of the seller's prompt on conversations of customers.
//
// It promises that a conversation keeps its variant for ever, whichever process answers and
// whatever is added later; that what is counted changes in the transaction of what happened;
// that it says when the figures are too few to tell variants apart; and that a business has
// one experiment at a time (contract 13.34). It refuses to answer customers: package
// app/seller/turn asks it which version does.
package experiment

import (
	"cmp"
	"crypto/sha256"
	"encoding/binary"
	"math"
	"slices"
	"time"

	"svc/app/api"
	"svc/app/audit"
	"svc/app/engine/agent"
	"svc/app/seller/figure"
	"svc/store"
)

// Status is where an experiment is (contract 60).
type Status string

// The statuses.
const (
	Draft     Status = "DRAFT"
	Running   Status = "RUNNING"
	Completed Status = "COMPLETED"
	Cancelled Status = "CANCELLED"
)

// Statuses lists them.
func Statuses() []Status { return []Status{Draft, Running, Completed, Cancelled} }

// Transition is what happens to an experiment.
type Transition string

// The transitions.
const (
	Compares Transition = "it has a second variant"
	Won      Transition = "a person chooses the winner"
	Stopped  Transition = "a person cancels it"
)

// Transitions lists them.
func Transitions() []Transition { return []Transition{Compares, Won, Stopped} }

// life is that of an experiment.
var life = api.Table[Status, Transition]{
	{From: []Status{Draft}, On: Compares, To: Running},
	{From: []Status{Running}, On: Won, To: Completed},
	{From: []Status{Draft, Running}, On: Stopped, To: Cancelled},
}

// Metric is what an experiment counts, by conversation.
type Metric string

// The metrics. Of the last two less is better.
const (
	ReplyRate    Metric = "REPLY_RATE"
	StageAdvance Metric = "STAGE_ADVANCE"
	ApprovalRate Metric = "APPROVAL_RATE"
	HandoffRate  Metric = "HANDOFF_RATE"
	BlockRate    Metric = "BLOCK_RATE"
)

// lessIsBetter says of which metrics the lowest value wins.
func (m Metric) lessIsBetter() bool { return m == HandoffRate || m == BlockRate }

// Experiment is one as it is kept.
type Experiment struct {
	ID         string      `json:"id"`
	Name       string      `json:"name"`
	Agent      agent.Agent `json:"agent"`
	Business   string      `json:"business"`
	Metric     Metric      `json:"metric"`
	Status     Status      `json:"status"`
	Variants   []Variant   `json:"variants,omitempty"`
	Winner     string      `json:"winner,omitempty"`
	CreatedBy  string      `json:"created_by"`
	CreatedAt  time.Time   `json:"created_at"`
	StartedAt  time.Time   `json:"started_at,omitzero"`
	FinishedAt time.Time   `json:"finished_at,omitzero"`
}

// Variant is one version that an experiment tries.
type Variant struct {
	ID     string `json:"id"`
	Name   string `json:"name"`
	Prompt string `json:"prompt,omitempty"` // "": the one that is active
	Weight int    `json:"weight"`
}

// exposure is what became of one conversation.
type exposure struct {
	ID           string    `json:"id"` // experiment and conversation
	Experiment   string    `json:"experiment"`
	Conversation string    `json:"conversation"`
	Variant      string    `json:"variant"`
	Stage        string    `json:"stage,omitempty"`  // of the conversation before
	Counts       bool      `json:"counts,omitempty"` // the metric can be told of it
	Hit          bool      `json:"hit,omitempty"`    // and it did what the metric counts
	At           time.Time `json:"at"`
}

var (
	table    = store.NewTable("experiment", "xpm", func(e *Experiment) string { return e.ID })
	statuses = table.Facet("status", func(e *Experiment) []string { return []string{string(e.Status)} })
	places   = table.Facet("business", func(e *Experiment) []string { return []string{e.Business} })
	versions = table.Facet("version", func(e *Experiment) (out []string) {
		for _, v := range e.Variants {
			out = append(out, v.Prompt)
		}
		return out
	})
	running = table.Unique("running", func(e *Experiment) store.Key {
		if e.Status != Running {
			return nil
		}
		return store.Text(e.Business)
	})

	exposures = store.NewTable("experiment_exposure", "", func(x *exposure) string { return x.ID })
	// kept counts the conversations of each variant: all, those that count, and the hits.
	kept = exposures.Facet("variant", func(x *exposure) []string {
		out := []string{x.Variant}
		if x.Counts {
			out = append(out, x.Variant+" counts")
		}
		if x.Counts && x.Hit {
			out = append(out, x.Variant+" hit")
		}
		return out
	})
	within = exposures.Facet("experiment", func(x *exposure) []string { return []string{x.Experiment} })
	of     = exposures.Multi("conversation", func(x *exposure) []store.Key { return []store.Key{store.Text(x.Conversation)} })
)

// Tables are what a store that holds experiments is opened with.
func Tables() []store.AnyTable { return []store.AnyTable{table, exposures} }

func (e *Experiment) resource() audit.Resource { return audit.On("experiment", e.ID, e.Name) }

// apply changes the status of an experiment that its caller saves. Nobody else sets one.
func (e *Experiment) apply(on Transition, now time.Time) error {
	to, ok := life.Next(e.Status, on)
	if !ok {
		return api.ErrState.WithMessage("An experiment that is %s does not allow this.", e.Status)
	}
	if e.Status = to; to == Running {
		e.StartedAt = now
	} else {
		e.FinishedAt = now
	}
	return nil
}

// variant is the variant of an id; nil for none.
func (e *Experiment) variant(id string) *Variant {
	if i := slices.IndexFunc(e.Variants, func(v Variant) bool { return v.ID == id }); i >= 0 {
		return &e.Variants[i]
	}
	return nil
}

// assign is the variant of a conversation that has none yet: the same for the same variants,
// spread by their weights.
func (e *Experiment) assign(conversation string) *Variant {
	sum := uint64(0)
	for i := range e.Variants {
		sum += uint64(e.Variants[i].Weight)
	}
	if sum == 0 {
		return nil
	}
	hash := sha256.Sum256([]byte(e.ID + conversation))
	at := binary.BigEndian.Uint64(hash[:8]) % sum
	for i := range e.Variants {
		w := uint64(e.Variants[i].Weight)
		if at < w {
			return &e.Variants[i]
		}
		at -= w
	}
	return nil
}

func exposureID(experiment, conversation string) string { return experiment + "/" + conversation }

// Choose names the version of the prompt that answers in a conversation of a business, "" for
// the one that is active. It is stored with the first answer.
func Choose(tx *store.Tx, org, business, conversation string) (string, error) {
	e, err := running.Find(tx, org, store.Text(business))
	if err != nil {
		return "", store.IgnoreNotFound(err)
	}
	v, err := e.of(tx, org, conversation)
	if v == nil {
		return "", err
	}
	return v.Prompt, err
}

// of is the variant that a conversation has, or would get.
func (e *Experiment) of(tx *store.Tx, org, conversation string) (*Variant, error) {
	x, err := exposures.Get(tx, org, exposureID(e.ID, conversation))
	if err == nil {
		return e.variant(x.Variant), nil
	}
	return e.assign(conversation), store.IgnoreNotFound(err)
}

// Result is what a variant did.
type Result struct {
	VariantID     string    `json:"variant_id"`
	Conversations int       `json:"conversations" doc:"In which it answered."`
	Counted       int       `json:"counted" doc:"Of those, the ones of which the metric can be told: for REPLY_RATE those that got a reply, for APPROVAL_RATE those with a draft on which a person decided."`
	Value         *float64  `json:"value" doc:"Share of the counted ones; null without any."`
	Interval      []float64 `json:"interval_95" doc:"Where the share lies with 95 percent certainty (Wilson); null without any."`
}

// enough is how many counted conversations each variant needs before anything is said.
const enough = 100

func (e *Experiment) results(tx *store.Tx, org string) (out []Result, err error) {
	out = []Result{}
	for i := range e.Variants {
		v := &e.Variants[i]
		r := Result{VariantID: v.ID}
		if r.Conversations, err = kept.Count(tx, org, v.ID); err != nil {
			return nil, err
		}
		if r.Counted, err = kept.Count(tx, org, v.ID+" counts"); err != nil {
			return nil, err
		}
		hits, err := kept.Count(tx, org, v.ID+" hit")
		if err != nil {
			return nil, err
		}
		if r.Counted > 0 {
			value := float64(hits) / float64(r.Counted)
			value = rounded(value)
			r.Value = &value
			for _, x := range figure.Wilson(hits, r.Counted) {
				r.Interval = append(r.Interval, rounded(x))
			}
		}
		out = append(out, r)
	}
	return out, nil
}

// rounded is a share to four digits.
func rounded(x float64) float64 { return math.Round(x*1e4) / 1e4 }

// leader is the best variant; why says why that is too early to say, "" when it is not.
func (e *Experiment) leader(list []Result) (id, why string) {
	if len(list) < 2 {
		return "", "ONE_VARIANT"
	}
	for _, r := range list {
		if r.Counted < enough {
			return "", "TOO_FEW_CONVERSATIONS"
		}
	}
	sorted := slices.Clone(list)
	slices.SortStableFunc(sorted, func(a, b Result) int {
		if e.Metric.lessIsBetter() {
			a, b = b, a
		}
		return cmp.Compare(*b.Value, *a.Value)
	})
	best := sorted[0].Interval
	for _, r := range sorted[1:] {
		if best[0] <= r.Interval[1] && r.Interval[0] <= best[1] {
			return "", "INTERVALS_OVERLAP"
		}
	}
	return sorted[0].VariantID, ""
}
