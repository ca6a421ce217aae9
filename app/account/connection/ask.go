package connection

import (
	"context"
	"encoding/json"
	"errors"
	"strings"
	"time"

	"svc/messenger"
	"svc/store"
	"svc/store/coord"
)

const (
	// questions and answers carry checks between the node that is asked for one and the
	// node that connects the account: number, organization and account; number and reply.
	questions = "account questions"
	answers   = "account answers"
	// lookAgain is after how long who waits for an answer looks whether the other node
	// still has the account.
	lookAgain = 3 * time.Second
	// answerWithin bounds a check for another node.
	answerWithin = 25 * time.Second
	// maxCode bounds the code of an error in a reply, so that it fits into a message.
	maxCode = 100
)

// reply is what a check for another node came to. Fault is 0 when the platform answered.
type reply struct {
	Fault messenger.Fault `json:"f,omitempty"`
	Code  string          `json:"c,omitempty"`
	Wait  time.Duration   `json:"w,omitempty"`
}

func (r reply) error() error {
	if r.Fault == 0 {
		return nil
	}
	return &messenger.Error{Fault: r.Fault, Code: r.Code, Wait: r.Wait}
}

// Check asks the platform whose session an account has, over its one connection, on
// whatever node that is. Of another node the profile is the zero Profile: that node has
// saved it (Accounts.SaveProfile). Errors are those of Conn and of messenger.Conn.Check.
func (p *Pool) Check(ctx context.Context, org, id string) (messenger.Profile, error) {
	conn, _, err := p.Conn(ctx, org, id)
	switch {
	case err == nil:
		return conn.Check(ctx)
	case !errors.Is(err, ErrElsewhere):
		return messenger.Profile{}, err
	}
	return p.ask(ctx, org, id)
}

// ask has another node check an account, or does it here once that has let go of it.
func (p *Pool) ask(ctx context.Context, org, id string) (messenger.Profile, error) {
	number := p.db.NewID("ask")
	heard := make(chan string, 1)
	stop := p.db.Subscribe(answers, func(payload string, _ bool) {
		if n, text, _ := strings.Cut(payload, " "); n == number {
			select {
			case heard <- text:
			default: // it is answered
			}
		}
	})
	defer stop()
	asked := ""
	for {
		var holder string
		err := p.db.Update(store.WithoutTxHook(ctx), func(tx *store.Tx) (err error) {
			if holder, err = coord.Holder(tx, leases+id); err == nil && holder != asked {
				coord.Publish(tx, questions, number+" "+org+" "+id)
			}
			return err
		})
		if err != nil {
			return messenger.Profile{}, err
		}
		asked = holder
		t := time.NewTimer(lookAgain)
		select {
		case text := <-heard:
			t.Stop()
			var r reply
			if err := json.Unmarshal([]byte(text), &r); err != nil {
				return messenger.Profile{}, err
			}
			return messenger.Profile{}, r.error()
		case <-ctx.Done():
			t.Stop()
			return messenger.Profile{}, ctx.Err()
		case <-t.C:
		}
		if conn, _, err := p.Conn(ctx, org, id); !errors.Is(err, ErrElsewhere) {
			if err != nil {
				return messenger.Profile{}, err
			}
			return conn.Check(ctx)
		}
	}
}

// answer checks accounts for other nodes until it is stopped.
func (p *Pool) answer(ctx context.Context) (stop func()) {
	return p.db.Subscribe(questions, func(payload string, _ bool) {
		words := strings.Fields(payload)
		if len(words) != 3 || !p.connects(key{words[1], words[2]}) {
			return
		}
		p.wg.Go(func() {
			ctx, cancel := context.WithTimeout(ctx, answerWithin)
			defer cancel()
			if err := p.answerOne(ctx, words[0], key{words[1], words[2]}); err != nil && ctx.Err() == nil {
				p.log.Error("an account cannot be checked for another node", "account", words[2], "error", err)
			}
		})
	})
}

// connects says whether this node has the account.
func (p *Pool) connects(k key) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	sl := p.slots[k]
	return sl != nil && sl.session != nil && !p.closed
}

func (p *Pool) answerOne(ctx context.Context, number string, k key) error {
	var profile messenger.Profile
	conn, _, err := p.Conn(ctx, k.org, k.id)
	if err == nil {
		profile, err = conn.Check(ctx)
	}
	r := reply{}
	if err != nil {
		e := messenger.As(err)
		if e == nil || e == ErrElsewhere || e == ErrClosing {
			return err // who asked asks the next node that has it
		}
		r = reply{e.Fault, e.Code[:min(len(e.Code), maxCode)], e.Wait}
	}
	text, err := json.Marshal(r)
	if err != nil {
		return err
	}
	return p.db.Update(ctx, func(tx *store.Tx) error {
		if r.Fault == 0 {
			if err := p.o.Accounts.SaveProfile(tx, k.org, k.id, profile); store.IgnoreNotFound(err) != nil {
				return err
			}
		}
		coord.Publish(tx, answers, number+" "+string(text))
		return nil
	})
}
