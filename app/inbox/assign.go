package inbox

import (
	"svc/app/api"
	"svc/app/inbox/conversation"
	"svc/app/recipient"
	"svc/app/signal"
	"svc/store"
)

type assignIn struct {
	IDIn
	Body struct {
		UserID *string `json:"user_id" required:"true" maxLength:"64" doc:"A member who may answer; null for nobody."`
	}
}

// assign gives a conversation to somebody without a handoff (contract 22).
func (s *Service) assign(c *api.Call, in assignIn) (Conversation, error) {
	user := orEmpty(in.Body.UserID)
	return s.change(c, in.ID, func(tx *store.Tx, k *conversation.Conversation) error {
		if err := mayAnswer(tx, c.Org, "user_id", user, k); err != nil {
			return err
		}
		return conversation.Assign(tx, c, k, user)
	})
}

// done says that nobody needs to answer: read, waiting for nobody, its handoff resolved. The
// next message of the customer opens it again (contract 22).
func (s *Service) done(c *api.Call, in IDIn) (Conversation, error) {
	return s.change(c, in.ID, func(tx *store.Tx, k *conversation.Conversation) error {
		if err := s.resolveOpen(tx, c, k, ""); err != nil {
			return err
		}
		if err := conversation.Done(tx, c, k); err != nil {
			return err
		}
		return signal.Publish(s.o.Bus, tx, c, conversation.WasDone{Org: c.Org, Conversation: k.ID})
	})
}

// unlinkedAtOnce bounds the conversations of one recipient that a deletion touches.
const unlinkedAtOnce = 200

// subscribe subscribes to what happens to recipients.
func subscribe(b *signal.Bus) {
	signal.On(b, func(tx *store.Tx, c *api.Call, x recipient.Deleted) error {
		ids, err := conversation.Unlink(tx, c.Org, x.ID, unlinkedAtOnce)
		if err != nil || len(ids) == 0 {
			return err
		}
		return signal.Publish(b, tx, c, conversation.Unlinked{Org: c.Org, Conversations: ids})
	})
}
