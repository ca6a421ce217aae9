package shadow

import (
	"context"
	"errors"
	"strings"
	"time"

	"svc/ai/mask"
	"svc/app/api"
	"svc/app/business"
	"svc/app/engine/agent"
	"svc/app/engine/execution"
	"svc/app/inbox/conversation"
	"svc/store"
	"svc/store/queue"
)

// Service compares what the seller would have sent with what people send.
type Service struct {
	db   *store.DB
	runs *execution.Service // nil: there are no models
}

// New makes the service. It starts nothing; see Work.
func New(db *store.DB, runs *execution.Service) *Service { return &Service{db, runs} }

const (
	// nearest is the cosine from which two texts mean the same.
	nearest = 0.8
	// maxText is how much of a text a model reads, in bytes: two texts a case are all that one
	// costs.
	maxText = 2 << 10
)

// compare asks a model that makes vectors whether two texts mean the same.
type compare struct {
	Org          string `json:"org"`
	Conversation string `json:"conversation"`
}

// Kind implements queue.Args.
func (compare) Kind() string { return "seller.shadow_compare" }

// Queue implements queue.Args.
func (compare) Queue() queue.Name { return queue.AI }

// Work registers the job.
func (s *Service) Work(w *queue.Workers) {
	queue.Register(w, s.compare, queue.WithTimeout(time.Minute))
}

// both are the texts of a case that is compared.
type both struct {
	would, sent string
	offers      []business.Offer
}

// Answered compares the case of a conversation with what a person sent, or let be sent: by rules
// and words, and where a provider makes vectors and the rules leave it open by these, soon.
func (s *Service) Answered(tx *store.Tx, org string, k *conversation.Conversation, m *conversation.Message) error {
	byPerson := m.Author == conversation.Human || m.Author == conversation.OwnerPhone || m.DraftID != ""
	if !byPerson || m.Purged {
		return nil
	}
	c, err := cases.Get(tx, org, k.ID)
	if err != nil || m.At.Before(c.At) || !c.Sent.IsZero() {
		return store.IgnoreNotFound(err)
	}
	sent, err := m.Open(tx.DB(), org)
	if err != nil {
		return err
	}
	if err := sentWords.Set(tx, org, &c, []byte(sent.Text)); err != nil {
		return err
	}
	x, err := c.open(tx, org)
	if err != nil {
		return err
	}
	may, least := mayAgree(x.would, x.sent, c.Language, x.offers)
	if !may || x.sent == "" || x.would == x.sent || !s.makesVectors(tx, org) {
		return c.settle(tx, org, may && common(x.would, x.sent) >= least)
	}
	if err := cases.Put(tx, org, &c); err != nil {
		return err
	}
	return ask(tx, org, k.ID)
}

// ask asks for the comparison of a conversation's case. One that is at work may have read the
// case before.
func ask(tx *store.Tx, org, conversation string) error {
	_, err := queue.Add(tx, compare{org, conversation}, time.Time{}, queue.Coalesced(conversation), queue.For(org, conversation), queue.Attempts(tries))
	return err
}

// tries is how often a model is asked; then words decide.
const tries = 2

// makesVectors says whether a provider of an organization makes vectors. One that cannot be
// read makes none.
func (s *Service) makesVectors(tx *store.Tx, org string) bool {
	if s.runs == nil {
		return false
	}
	_, ok, err := s.runs.Embeds(tx, org)
	return ok && err == nil
}

// open reads the texts of a case.
func (c *Case) open(tx *store.Tx, org string) (x both, err error) {
	would, err := words.Open(tx.DB(), org, c)
	if err != nil {
		return x, err
	}
	sent, err := sentWords.Open(tx.DB(), org, c)
	if err != nil {
		return x, err
	}
	offers, err := business.Offers(tx, org, c.Business)
	return both{c.unsigned(string(would)), c.unsigned(string(sent)), offers}, err
}

// unsigned is a text without the signature of the seller below it.
func (c *Case) unsigned(text string) string {
	text = strings.TrimSpace(text)
	if c.Signature == "" {
		return text
	}
	return strings.TrimSpace(strings.TrimSuffix(text, c.Signature))
}

// settleByWords ends a case whose texts are both known.
func settleByWords(tx *store.Tx, org string, c *Case) error {
	x, err := c.open(tx, org)
	if err != nil {
		return err
	}
	return c.settle(tx, org, Agree(x.would, x.sent, c.Language, x.offers))
}

// compare is the job. Where no model answers, words decide.
func (s *Service) compare(ctx context.Context, j queue.Job, a compare) error {
	var c Case
	var x both
	err := s.db.View(ctx, func(tx *store.Tx) (err error) {
		if c, err = cases.Get(tx, a.Org, a.Conversation); err != nil || c.Sent.IsZero() {
			return err
		}
		x, err = c.open(tx, a.Org)
		return err
	})
	if err != nil || c.Sent.IsZero() {
		return store.IgnoreNotFound(err)
	}
	near, failed := s.near(ctx, a.Org, x.would, x.sent)
	var refused *api.Error
	switch {
	case failed != nil && ctx.Err() != nil:
		return ctx.Err()
	case failed != nil && !errors.As(failed, &refused) && !errors.Is(failed, execution.ErrNoEmbedder) && j.Attempts < j.MaxAttempts:
		return failed
	case failed != nil:
		near = Agree(x.would, x.sent, c.Language, x.offers)
	}
	return s.db.Update(context.WithoutCancel(ctx), func(tx *store.Tx) error {
		now, err := cases.Get(tx, a.Org, a.Conversation)
		if store.IgnoreNotFound(err) != nil {
			return err
		}
		if err == nil && !now.Sent.IsZero() && now.At.Equal(c.At) {
			if err := now.settle(tx, a.Org, near); err != nil {
				return err
			}
		}
		return queue.Finish(tx, j)
	})
}

// near says whether a model finds that two texts mean the same. Personal data stays here.
func (s *Service) near(ctx context.Context, org, a, b string) (bool, error) {
	got, err := s.runs.Embed(ctx, execution.EmbedJob{Org: org, Agent: agent.Seller, Texts: execution.Texts{Texts: []string{masked(a), masked(b)}}})
	if err != nil {
		return false, err
	}
	sum := 0.0
	for i, v := range got.Values[0] {
		sum += float64(v) * float64(got.Values[1][i])
	}
	return sum >= nearest, nil
}

func masked(text string) string {
	text = mask.Text(text).Text
	return strings.ToValidUTF8(text[:min(len(text), maxText)], "")
}
