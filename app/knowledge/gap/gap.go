// Package gap keeps the questions of customers to which a business's knowledge and offers
// gave no answer, so that people see what to add.
//
// It promises that the same words are one question with a count, that personal data of
// customers is masked before anything is kept, and that what was kept is sealed and goes
// after 90 days in which nobody asked again (contract 13.25). It refuses to judge what was
// answered: package turn says.
package gap

import (
	"context"
	"errors"
	"maps"
	"slices"
	"strings"
	"time"

	"svc/ai/mask"
	"svc/app/api"
	"svc/app/api/perm"
	"svc/app/audit"
	"svc/app/business"
	"svc/app/signal"
	"svc/geo/text/script"
	"svc/store"
	"svc/store/queue"
)

// gap is a question that nothing answered, as it is kept.
type gap struct {
	ID           string       `json:"id"`
	Business     string       `json:"business"`
	Key          string       `json:"key"` // names its words, in any order and script
	Language     string       `json:"language,omitempty"`
	Count        int          `json:"count"`
	Conversation string       `json:"conversation"` // in which it was asked last
	CreatedAt    time.Time    `json:"created_at"`
	LastAt       time.Time    `json:"last_at"`
	Question     store.Sealed `json:"question,omitzero"`
}

const (
	// kept is how long a question is kept that nobody asks again.
	kept = 90 * 24 * time.Hour
	// maxQuestion is how much of a question is kept, in characters, and maxWords how many
	// words tell questions apart.
	maxQuestion = 500
	maxWords    = 30
)

var (
	gaps     = store.NewTable("kn_gap", "gap", func(g *gap) string { return g.ID })
	question = gaps.Sealed("question", func(g *gap) *store.Sealed { return &g.Question })
	byKey    = gaps.Unique("key", func(g *gap) store.Key { return store.Tuple(store.Text(g.Business), store.Text(g.Key)) })
	byLast   = gaps.Index("last", func(g *gap) store.Key { return store.Time(g.LastAt) })
	byCount  = gaps.Index("count", func(g *gap) store.Key { return store.Int(int64(g.Count)) })
	ofOne    = gaps.Facet("business", func(g *gap) []string { return []string{g.Business} })
)

// Tables are what a store that holds gaps is opened with.
func Tables() []store.AnyTable { return []store.AnyTable{gaps} }

// Asked is a question that nothing answered.
type Asked struct {
	Business, Conversation string
	Language               string // tag
	Question               string
}

// Note keeps a question, or counts it once more.
func Note(tx *store.Tx, org string, a Asked) error {
	said := words(a.Question)
	if len(said) == 0 {
		return nil
	}
	key, err := tx.Hash("knowledge gap", org+"\n"+strings.Join(said, " "))
	if err != nil {
		return err
	}
	now := tx.DB().Now()
	g, err := byKey.Find(tx, org, store.Tuple(store.Text(a.Business), store.Text(key)))
	if store.IsNotFound(err) {
		g = gap{ID: tx.DB().NewID("gap"), Business: a.Business, Key: key, CreatedAt: now}
	} else if err != nil {
		return err
	}
	g.Count, g.LastAt, g.Conversation, g.Language = g.Count+1, now, a.Conversation, a.Language
	masked := []rune(mask.Text(a.Question).Text)
	if err := question.Set(tx, org, &g, []byte(string(masked[:min(len(masked), maxQuestion)]))); err != nil {
		return err
	}
	return gaps.Put(tx, org, &g)
}

// words are those of a question in the form in which writings are equal, each once.
func words(text string) []string {
	out := slices.Sorted(maps.Keys(script.Keys(text, 1)))
	return out[:min(len(out), maxWords)]
}

// Purge removes questions that nobody asked again, at most limit.
func Purge(tx *store.Tx, org string, limit int) (int, error) {
	list, _, err := byLast.Walk(tx, org, store.Range{Span: store.Between(nil, store.Time(tx.DB().Now().Add(-kept))), Limit: limit})
	for i := range list {
		if err == nil {
			err = gaps.Delete(tx, org, list[i].ID)
		}
	}
	return len(list), err
}

// Service does the operations.
type Service struct{ db *store.DB }

// New makes the service.
func New(db *store.DB) *Service { return &Service{db} }

// Endpoints are the operations of this package.
func (s *Service) Endpoints() []api.Endpoint {
	return []api.Endpoint{
		api.E("GET /ai/knowledge/gaps", "knowledge.list_gaps", perm.AIRead, "List what customers asked and nothing answered, what was asked last first.", s.list),
		api.E("DELETE /ai/knowledge/gaps/{id}", "knowledge.delete_gap", perm.AIManage, "Take a question off the list: it is answered now, or nobody has to.", s.remove),
	}
}

// Shown is a question as the API answers it.
type Shown struct {
	ID             string     `json:"id"`
	BusinessID     string     `json:"business_id"`
	Business       *api.Named `json:"business"`
	Question       string     `json:"question" doc:"Personal data of the customer is masked."`
	Language       *string    `json:"language" example:"uz-Latn"`
	Count          int        `json:"count" doc:"How often it was asked in these words."`
	ConversationID string     `json:"conversation_id" doc:"In which it was asked last."`
	CreatedAt      time.Time  `json:"created_at"`
	LastAskedAt    time.Time  `json:"last_asked_at"`
}

func (g *gap) shown(tx *store.Tx, org string) (Shown, error) {
	text, err := question.Open(tx.DB(), org, g)
	return Shown{
		g.ID, g.Business, api.Ref(org, g.Business), string(text), api.Optional(g.Language), g.Count, g.Conversation, g.CreatedAt, g.LastAt,
	}, err
}

type listIn struct {
	api.PageIn
	BusinessID string `query:"business_id" maxLength:"64"`
	Sort       string `query:"sort" enum:"-last_asked_at,-count" default:"-last_asked_at"`
}

func (s *Service) list(c *api.Call, in listIn) (out api.Page[Shown], err error) {
	q := store.Query[gap]{Sort: byLast, Reverse: true, Offset: in.Offset, Limit: in.Limit, After: in.Behind()}
	if in.Sort == "-count" {
		q.Sort = byCount
	}
	if in.BusinessID != "" {
		q.Where = append(q.Where, ofOne.Any(in.BusinessID))
	}
	return api.ListOf(c, s.db, gaps, q, in.PageIn, func(tx *store.Tx, x *gap) (Shown, error) { return x.shown(tx, c.Org) })
}

type idIn struct {
	ID string `path:"id" maxLength:"64"`
}

func (s *Service) remove(c *api.Call, in idIn) (out api.NoContent, err error) {
	return out, s.db.Update(c, func(tx *store.Tx) error {
		g, err := gaps.Get(tx, c.Org, in.ID)
		if err != nil {
			return err
		}
		if err := gaps.Delete(tx, c.Org, g.ID); err != nil {
			return err
		}
		return audit.Write(tx, c, "knowledge_gap.deleted", audit.On("knowledge_gap", g.ID, ""), audit.Changed("count", g.Count, nil))
	})
}

// clearing is the job that removes the questions of a business that was deleted.
type clearing struct {
	Org      string `json:"org"`
	Business string `json:"business"`
}

// Kind implements queue.Args.
func (clearing) Kind() string { return "knowledge.clear_gaps" }

// Queue implements queue.Args.
func (clearing) Queue() queue.Name { return queue.Maintenance }

// Work registers the job.
func (s *Service) Work(w *queue.Workers) { queue.Register(w, s.clear) }

func (s *Service) clear(ctx context.Context, _ queue.Job, a clearing) error {
	for more := true; more; {
		err := s.db.Update(ctx, func(tx *store.Tx) error {
			p, err := gaps.Page(tx, a.Org, store.Query[gap]{Where: []store.Cond[gap]{ofOne.Any(a.Business)}, Limit: cleared})
			more = p.Next != nil
			for i := range p.Data {
				err = errors.Join(err, gaps.Delete(tx, a.Org, p.Data[i].ID))
			}
			return err
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// cleared is how many questions one transaction removes.
const cleared = 100

// Subscribe lets questions go with their business.
func Subscribe(b *signal.Bus) {
	signal.On(b, func(tx *store.Tx, _ *api.Call, d business.Deleted) error {
		_, err := queue.Add(tx, clearing{d.Org, d.Business}, time.Time{}, queue.Once(d.Business), queue.For(d.Org, d.Business))
		return err
	})
}
