// Package decision keeps what was decided about each turn: the fields with their values, how
// sure each is, and who decided.
//
// It promises that no words of a customer are kept here, and that decisions go when the
// executions of their time do. It refuses to decide (packages ai/decide and
// app/seller/answer).
package decision

import (
	"time"

	"svc/ai/decide"
	"svc/ai/mask"
	"svc/app/api"
	"svc/app/api/perm"
	"svc/app/inbox/conversation"
	"svc/app/org"
	"svc/store"
)

// Masked counts what was masked before anything was sent.
type Masked struct {
	Card  int `json:"card"`
	Phone int `json:"phone"`
	Email int `json:"email"`
}

// Count adds what was masked of a text.
func (m *Masked) Count(x *mask.Masked) {
	m.Card, m.Phone, m.Email = m.Card+x.Count(mask.Card), m.Phone+x.Count(mask.Phone), m.Email+x.Count(mask.Email)
}

// Decision is one as it is kept and shown (contract 13.12).
type Decision struct {
	ID             string          `json:"id"`
	ConversationID string          `json:"conversation_id"`
	MessageID      string          `json:"message_id" doc:"The last message that was judged."`
	ExecutionID    string          `json:"execution_id"`
	Source         decide.Source   `json:"source" enum:"RULES,JEV,LLM,NONE" doc:"Who decided most of it: JEV, else the language model, else rules alone."`
	Fields         decide.Decision `json:"fields"`
	Masked         Masked          `json:"masked_counts"`
	LatencyMS      int64           `json:"latency_ms"`
	ModelVersion   *string         `json:"model_version" doc:"Of the outside service; null when it was not asked."`
	CreatedAt      time.Time       `json:"created_at"`
}

// kept is a decision as it is stored.
type kept struct {
	Decision
	Judged bool `json:"judged,omitempty"` // it is counted in the reviews
}

var (
	decisions = store.NewTable("decision", "dec", func(d *kept) string { return d.ID })
	byAge     = decisions.Index("age", func(d *kept) store.Key { return store.Time(d.CreatedAt) })
)

// Migration gives ids of versions in which they began with "dcn_" the prefix of the contract.
// Packages execution and calendar do the same to what they hold of them.
var Migration = store.Migration{Name: "2026-11 decisions: ids begin with dec_", Step: decisions.Rewrite(store.Replace(`"id":"dcn_`, `"id":"dec_`))}

// Tables are what a store that holds decisions is opened with.
func Tables() []store.AnyTable { return []store.AnyTable{decisions, reviews} }

// Keep stores a decision and answers its id.
func Keep(tx *store.Tx, org string, d Decision) (string, error) {
	d.ID, d.CreatedAt = tx.DB().NewID("dec"), tx.DB().Now()
	return d.ID, decisions.Insert(tx, org, &kept{Decision: d})
}

// Get reads a decision: store.ErrNotFound when the organization has none of that id.
func Get(tx *store.Tx, org, id string) (Decision, error) {
	d, err := decisions.Get(tx, org, id)
	return d.Decision, err
}

// Service answers with decisions.
type Service struct{ db *store.DB }

// New makes the service.
func New(db *store.DB) *Service { return &Service{db} }

// Endpoints are the operations of this package.
func (s *Service) Endpoints() []api.Endpoint {
	return []api.Endpoint{
		api.E("GET /ai/jev/decisions/{id}", "jev.decision", perm.AIRead, "Read what was decided about a turn, and by whom.", s.get),
	}
}

type getIn struct {
	ID string `path:"id" maxLength:"64"`
}

func (s *Service) get(c *api.Call, in getIn) (out Decision, err error) {
	err = s.db.View(c, func(tx *store.Tx) error {
		if out, err = Get(tx, c.Org, in.ID); err != nil {
			return err
		}
		_, err = conversation.GetVisible(tx, c, out.ConversationID)
		return err
	})
	return out, err
}

// Purge removes decisions that are older than the organization keeps executions.
func Purge(tx *store.Tx, orgID string, limit int) (int, error) {
	o, err := org.Get(tx, orgID)
	if err != nil {
		return 0, store.IgnoreNotFound(err)
	}
	before := tx.DB().Now().AddDate(0, 0, -o.Retention.ExecutionsDays)
	list, _, err := byAge.Walk(tx, orgID, store.Range{Span: store.During(time.Time{}, before), Limit: limit})
	for i := range list {
		if err == nil {
			err = decisions.Delete(tx, orgID, list[i].ID)
		}
	}
	return len(list), err
}
