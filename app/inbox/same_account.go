package inbox

import (
	"context"
	"time"

	"svc/app/account"
	"svc/app/inbox/channel"
	"svc/app/inbox/conversation"
	"svc/store"
	"svc/store/queue"
)

// continuing is the job that gives the conversations of an account that was deleted to the account
// by which the same number is connected again (contract 10.1).
type continuing struct {
	Org     string       `json:"org"`
	Account string       `json:"account"`
	Channel channel.Name `json:"channel"`
}

// Kind implements queue.Args.
func (continuing) Kind() string { return "inbox.continue" }

// Queue implements queue.Args.
func (continuing) Queue() queue.Name { return queue.Maintenance }

// continuedAtOnce bounds the conversations of one transaction.
const continuedAtOnce = 200

// connected gives the first conversations of a number that was connected before to its account,
// and asks for the rest.
func connected(tx *store.Tx, networks channel.Networks, x account.Changed) error {
	if x.Event != account.NewlyConnected {
		return nil
	}
	in := continuing{x.Org, x.ID, channel.OnMessenger}
	n, err := continueSome(tx, networks, in)
	if err != nil || n < continuedAtOnce {
		return err
	}
	_, err = queue.Add(tx, in, time.Time{}, queue.For(x.Org, x.ID))
	return err
}

// continueSome does it for up to continuedAtOnce conversations, and says how many there were.
func continueSome(tx *store.Tx, networks channel.Networks, in continuing) (int, error) {
	a, err := networks.Of(in.Channel).Account(tx, in.Org, in.Account)
	if err != nil {
		return 0, store.IgnoreNotFound(err)
	}
	at := channel.At{Org: in.Org, Account: in.Account, Owner: a.Owner, Channel: in.Channel}
	return conversation.GoOn(tx, in.Org, at, continuedAtOnce)
}

// continueAll does the job, in as many transactions as it takes.
func (s *Service) continueAll(ctx context.Context, _ queue.Job, in continuing) error {
	for n := continuedAtOnce; n == continuedAtOnce; {
		err := s.db.Update(ctx, func(tx *store.Tx) (err error) {
			n, err = continueSome(tx, s.o.Networks, in)
			return err
		})
		if err != nil {
			return err
		}
	}
	return nil
}
