package channel

import (
	"context"
	"strconv"
	"time"

	"svc/app/account"
	"svc/messenger"
	"svc/store"
)

// Simulated is a customer who is made up.
type Simulated struct {
	ID       string // of the network, "" for somebody new, or who has the username
	Username string
	Name     string
	Language string
}

// SimulatedFile is a file that a made-up customer sends.
type SimulatedFile struct {
	Kind    FileKind
	Name    string
	Content []byte
}

// Simulator is a Channel that may be a simulator, whose customers can be made to write.
type Simulator interface {
	// Simulates says whether it is one.
	Simulates() bool
	// Simulate lets a customer write to an account. What they write arrives as everything
	// does; owner and id name it. ErrUnreachable when the account does not take it.
	Simulate(ctx context.Context, db *store.DB, org, account string, from Simulated, text string, files []SimulatedFile, at time.Time) (owner, id string, err error)
}

var _ Simulator = (*Messenger)(nil)

// Simulates implements Simulator.
func (m *Messenger) Simulates() bool { return m.People != nil }

// Simulate implements Simulator.
func (m *Messenger) Simulate(
	ctx context.Context, db *store.DB, org, accountID string, from Simulated, text string, files []SimulatedFile, at time.Time,
) (owner, id string, err error) {
	var a account.Account
	err = db.View(ctx, func(tx *store.Tx) error {
		a, err = account.Get(tx, org, accountID)
		return err
	})
	if err != nil {
		return "", "", err
	}
	if !a.Receives() {
		return "", "", ErrUnreachable
	}
	who := messenger.SimulatedPerson{ID: messengerID(Person{ID: from.ID}), Username: from.Username, Name: from.Name, Language: from.Language}
	what := messenger.SimulatedMessage{Text: text, At: at}
	for _, f := range files {
		what.Files = append(what.Files, messenger.SimulatedFile{Kind: string(f.Kind), Name: f.Name, Content: f.Content})
	}
	_, ids, err := m.People.Write(ctx, a.MessengerID, who, what)
	if err != nil || len(ids) == 0 {
		return "", "", ErrUnreachable.WithCause(err)
	}
	return OwnerOf(&a), strconv.Itoa(ids[0]), nil
}
