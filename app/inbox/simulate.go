package inbox

import (
	"context"
	"encoding/base64"
	"fmt"
	"time"

	"svc/app/account"
	"svc/app/api"
	"svc/app/inbox/channel"
	"svc/app/inbox/conversation"
	"svc/store"
)

// ErrSimulatorOnly refuses to make customers write where they are real (contract 18).
var ErrSimulatorOnly = &api.Error{
	Kind: api.NotFound, Code: "simulator_only", Message: "Customers can be made to write only where the messenger is a simulator inside this program.",
}

const (
	maxSimulated = 8 << 20 // bytes of a request
	// arrival is how long a message may take to come back over the network's own wire.
	arrival     = 10 * time.Second
	arrivalLook = 20 * time.Millisecond
)

type simulateIn struct{ Body simulateBody }

type simulateBody struct {
	AccountID string `json:"account_id" required:"true" maxLength:"64"`
	Customer  struct {
		ID       *string `json:"platform_user_id" maxLength:"40" doc:"Somebody who wrote before; who is not known is made up with it."`
		Name     string  `json:"name" required:"true" minLength:"1" maxLength:"64" example:"Nodira"`
		Username *string `json:"username" maxLength:"32" doc:"Who has it writes."`
		Language *string `json:"language" enum:"uz,ru,en"`
	} `json:"customer" required:"true"`
	Text  *string           `json:"text" maxLength:"4096" example:"Narxi qancha?"`
	Files []simulatedFileIn `json:"files,omitempty" maxItems:"10"`
	At    *time.Time        `json:"at" doc:"When it was written; now when left out."`
}

type simulatedFileIn struct {
	Kind    channel.FileKind `json:"kind" required:"true" enum:"PHOTO,VIDEO,VOICE,AUDIO,DOCUMENT,STICKER,ANIMATION,VIDEO_NOTE"`
	Name    string           `json:"name" required:"true" minLength:"1" maxLength:"200"`
	Content string           `json:"content_base64" required:"true" minLength:"1" maxLength:"7000000"`
}

// Simulated is a message that a made-up customer wrote.
type Simulated struct {
	ConversationID string  `json:"conversation_id"`
	MessageID      string  `json:"message_id"`
	ExecutionID    *string `json:"execution_id" doc:"null: the AI answers later, if it does."`
}

// simulate makes a customer write, and waits until the message has arrived as any other.
func (s *Service) simulate(c *api.Call, in simulateIn) (out Simulated, err error) {
	b := &in.Body
	var network channel.Simulator
	err = s.db.View(c, func(tx *store.Tx) error {
		network, err = s.simulator(tx, c.Org, b.AccountID)
		return err
	})
	if err != nil {
		return out, err
	}
	files, err := b.files()
	if err != nil {
		return out, err
	}
	from := channel.Simulated{ID: orEmpty(b.Customer.ID), Username: orEmpty(b.Customer.Username), Name: b.Customer.Name, Language: orEmpty(b.Customer.Language)}
	owner, id, err := network.Simulate(c, s.db, c.Org, b.AccountID, from, orEmpty(b.Text), files, orEmpty(b.At))
	if err != nil {
		return out, err
	}
	m, err := s.arrived(c, c.Org, owner, id)
	return Simulated{ConversationID: m.Conversation, MessageID: m.ID}, err
}

// simulator finds the network of an account, when its customers can be made to write.
func (s *Service) simulator(tx *store.Tx, org, accountID string) (channel.Simulator, error) {
	for name, n := range s.o.Networks {
		if name == channel.OnMessenger {
			continue
		}
		a, err := n.Account(tx, org, accountID)
		if store.IsNotFound(err) {
			continue
		}
		network, ok := n.(channel.Simulator)
		switch {
		case err != nil:
			return nil, err
		case !ok || !network.Simulates():
			return nil, ErrSimulatorOnly
		case a.Unavailable != "":
			return nil, api.ErrState.WithMessage("The account is not connected.")
		}
		return network, nil
	}
	network, ok := s.o.Networks.Of(channel.OnMessenger).(channel.Simulator)
	if !ok || !network.Simulates() {
		return nil, ErrSimulatorOnly
	}
	a, err := account.Get(tx, org, accountID)
	switch {
	case store.IsNotFound(err):
		return nil, api.Wrong("account_id", "names no account of the organization")
	case err != nil:
		return nil, err
	case !a.InboundEnabled:
		return nil, api.ErrState.WithMessage("The account does not receive messages; switch inbound_enabled on.")
	}
	return network, nil
}

// files are what is written with the text; one of both is needed.
func (b *simulateBody) files() (out []channel.SimulatedFile, err error) {
	for i, f := range b.Files {
		content, err := base64.StdEncoding.DecodeString(f.Content)
		if err != nil {
			return nil, api.Wrong(fmt.Sprintf("files[%d].content_base64", i), "is no base64")
		}
		out = append(out, channel.SimulatedFile{Kind: f.Kind, Name: f.Name, Content: content})
	}
	if orEmpty(b.Text) == "" && len(out) == 0 {
		return nil, api.Wrong("text", "or files is needed")
	}
	return out, nil
}

// arrived waits for a message of the network.
func (s *Service) arrived(ctx context.Context, org, owner, id string) (m conversation.Message, err error) {
	ctx, cancel := context.WithTimeout(ctx, arrival)
	defer cancel()
	tick := time.NewTicker(arrivalLook)
	defer tick.Stop()
	for {
		err = s.db.View(ctx, func(tx *store.Tx) error {
			m, err = conversation.OfPart(tx, org, owner, id)
			return err
		})
		if !store.IsNotFound(err) {
			return m, err
		}
		select {
		case <-ctx.Done():
			return m, channel.ErrUnreachable
		case <-tick.C:
		}
	}
}
