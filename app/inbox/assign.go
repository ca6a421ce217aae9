package inbox

import (
	"svc/app/api"
	"svc/app/inbox/conversation"
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
