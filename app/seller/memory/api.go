package memory

import (
	"time"

	"svc/app/api"
	"svc/app/api/perm"
	"svc/app/audit"
	"svc/store"
)

// Endpoints are the operations of this package.
func (s *Service) Endpoints() []api.Endpoint {
	return []api.Endpoint{
		api.E("GET /ai/memory", "ai_memory.list", perm.AIRead, "List what is known of customers, what was heard last first.", s.list),
		api.E("DELETE /ai/memory/{id}", "ai_memory.delete", perm.AIManage, "Forget a fact.", s.remove),
	}
}

// Shown is a fact as the API answers it (contract 13.3).
type Shown struct {
	ID             string     `json:"id"`
	ConversationID string     `json:"conversation_id"`
	Conversation   *api.Named `json:"conversation"`
	RecipientID    *string    `json:"recipient_id"`
	Recipient      *api.Named `json:"recipient"`
	Key            Key        `json:"key" enum:"NAME,PHONE,ADDRESS,PREFERENCE,ORDER,NEED,BUDGET,OTHER"`
	Value          string     `json:"value"`
	Confidence     float64    `json:"confidence"`
	MessageID      string     `json:"source_message_id"`
	ExpiresAt      *time.Time `json:"expires_at"`
	CreatedAt      time.Time  `json:"created_at"`
	UpdatedAt      time.Time  `json:"updated_at" doc:"When it was heard last."`
}

func (f *kept) shown(tx *store.Tx, org string) (Shown, error) {
	v, err := value.Open(tx.DB(), org, f)
	return Shown{
		ID: f.ID, ConversationID: f.Conversation, Conversation: api.Ref(org, f.Conversation), RecipientID: api.Optional(f.Recipient),
		Recipient: api.Ref(org, f.Recipient), Key: f.Key, Value: string(v), Confidence: f.Confidence, MessageID: f.Message,
		ExpiresAt: api.Optional(f.ExpiresAt), CreatedAt: f.CreatedAt, UpdatedAt: f.UpdatedAt,
	}, err
}

type listIn struct {
	api.PageIn
	ConversationID string `query:"conversation_id" maxLength:"64"`
	RecipientID    string `query:"recipient_id" maxLength:"64"`
	Key            Key    `query:"key" enum:"NAME,PHONE,ADDRESS,PREFERENCE,ORDER,NEED,BUDGET,OTHER"`
}

func (s *Service) list(c *api.Call, in listIn) (out api.Page[Shown], err error) {
	q := store.Query[kept]{Sort: byUpdated, Reverse: true, Offset: in.Offset, Limit: in.Limit, After: in.Behind()}
	q.Where = []store.Cond[kept]{byExpiry.Where(store.Between(nil, store.Time(c.Now))).Not()}
	for _, f := range []struct {
		facet *store.Facet[kept]
		value string
	}{{conversationFacet, in.ConversationID}, {recipientFacet, in.RecipientID}, {keyFacet, string(in.Key)}} {
		if f.value != "" {
			q.Where = append(q.Where, f.facet.Any(f.value))
		}
	}
	return api.ListOf(c, s.db, facts, q, in.PageIn, func(tx *store.Tx, x *kept) (Shown, error) { return x.shown(tx, c.Org) })
}

type idIn struct {
	ID string `path:"id" maxLength:"64"`
}

func (s *Service) remove(c *api.Call, in idIn) (out api.NoContent, err error) {
	return out, s.db.Update(c, func(tx *store.Tx) error {
		f, err := facts.Get(tx, c.Org, in.ID)
		if err != nil {
			return err
		}
		if err := facts.Delete(tx, c.Org, f.ID); err != nil {
			return err
		}
		return audit.Write(tx, c, "memory.deleted", audit.On("memory_fact", f.ID, ""), audit.Changed("key", f.Key, nil))
	})
}
