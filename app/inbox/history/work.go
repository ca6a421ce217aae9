package history

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"svc/app/api"
	"svc/app/event"
	"svc/app/inbox/channel"
	"svc/app/inbox/conversation"
	"svc/app/signal"
	"svc/messenger"
	"svc/store"
	"svc/store/queue"
)

const (
	// tries is how often an import may fail in a row before it is FAILED.
	tries = 20
	// turn is how long one turn of an import lasts; then others have theirs.
	turn = 4 * time.Minute
	// burst is how many questions go without a pause.
	burst = 5
	// atATime is how many messages are asked for together.
	atATime = 100
)

// importing is the job of a run.
type importing struct {
	Org     string `json:"org"`
	Account string `json:"account"`
	Run     string `json:"run"`
}

func (importing) Kind() string      { return "inbox.history" }
func (importing) Queue() queue.Name { return queue.Imports }

// Work registers the job.
func (s *Service) Work(w *queue.Workers) {
	queue.Register(w, s.work, queue.WithTimeout(2*turn), queue.Needed(), queue.Elsewhere(func(tx *store.Tx, a importing) (bool, error) {
		if strings.HasPrefix(a.Account, "cha_") { // any node asks its network
			return false, nil
		}
		return s.o.Networks.Of(channel.OnMessenger).Elsewhere(tx, a.Account)
	}))
}

// work imports until the run has its end, its turn is over, or the network asks to wait.
// Each step is stored before the next begins.
func (s *Service) work(ctx context.Context, j queue.Job, a importing) error {
	begin := time.Now()
	for n := 0; time.Since(begin) < turn; n++ {
		if n >= burst && !wait(ctx, s.o.Pause) {
			return ctx.Err()
		}
		over, err := s.step(ctx, a)
		var later *channel.Later
		switch {
		case errors.As(err, &later):
			return queue.Snooze(later.After)
		case err != nil && ctx.Err() == nil && j.Attempts >= j.MaxAttempts:
			return errors.Join(s.fail(ctx, a, codeOf(err)), s.clear(ctx, a))
		case err != nil:
			return err
		case over:
			return s.clear(ctx, a)
		}
	}
	return queue.Snooze(time.Millisecond)
}

func wait(ctx context.Context, d time.Duration) bool {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
		return true
	case <-ctx.Done():
		return false
	}
}

// codeOf is the code of what an import failed with.
func codeOf(err error) string {
	if e := messenger.As(err); e != nil {
		return e.Code
	}
	return "INTERNAL"
}

func (s *Service) fail(ctx context.Context, a importing, code string) error {
	return s.db.Update(ctx, func(tx *store.Tx) error {
		r, err := runs.Get(tx, a.Org, a.Run)
		if err != nil {
			return store.IgnoreNotFound(err)
		}
		if err = finish(tx, a.Org, &r, Failed, code); errors.Is(err, api.ErrState) {
			return nil
		}
		return err
	})
}

// clearedAtOnce bounds the chats that one transaction removes.
const clearedAtOnce = 500

// clear removes the chats that a run which is over did not come to: one that was cancelled or
// failed.
func (s *Service) clear(ctx context.Context, a importing) error {
	for n := clearedAtOnce; n == clearedAtOnce; {
		err := s.db.Update(ctx, func(tx *store.Tx) error {
			list, _, err := ofRun.Walk(tx, a.Org, store.Range{Span: store.Is(store.Tuple(store.Text(a.Run))), Limit: clearedAtOnce})
			n = len(list)
			for i := range list {
				if err == nil {
					err = chats.Delete(tx, a.Org, list[i].ID)
				}
			}
			return err
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// finish ends a run.
func finish(tx *store.Tx, org string, r *run, to Status, code string) error {
	next, ok := table.Next(r.Status, to)
	if !ok {
		return api.ErrState
	}
	now := tx.DB().Now()
	r.Status, r.FinishedAt, r.ErrorCode = next, &now, api.Optional(code)
	if err := nextPage.Set(tx, org, r, nil); err != nil {
		return err
	}
	if err := runs.Put(tx, org, r); err != nil {
		return err
	}
	words := map[Status]string{Done: "The history was imported: %d chats, %d messages.", Failed: "The import of the history failed: %d chats, %d messages are there.", Cancelled: "The import of the history was cancelled: %d chats, %d messages are there."}[to]
	if err := note(tx, org, r, fmt.Sprintf(words, r.ChatsImported, r.MessagesImported), code); err != nil || to != Done && r.Channel == channel.OnMessenger {
		return err
	}
	data := map[string]any{"account_id": r.AccountID, "channel": r.Channel, "chats_imported": r.ChatsImported, "messages_imported": r.MessagesImported}
	if r.Channel != channel.OnMessenger {
		data["status"] = r.Status
	}
	return event.Emit(tx, org, event.ChannelHistoryImported, data)
}

// step asks the network one question and stores the answer. over: the run has its end.
func (s *Service) step(ctx context.Context, a importing) (over bool, err error) {
	var r run
	var next string
	var c chat
	var where channel.Chat
	err = s.db.View(ctx, func(tx *store.Tx) error {
		if r, err = runs.Get(tx, a.Org, a.Run); err != nil {
			return err
		}
		page, err := nextPage.Open(tx.DB(), a.Org, &r)
		if err != nil || !r.Listed {
			next = string(page)
			return err
		}
		if c, err = ofRun.First(tx, a.Org, store.Is(store.Tuple(store.Text(r.ID)))); err != nil {
			return store.IgnoreNotFound(err)
		}
		data, err := sealedChat.Open(tx.DB(), a.Org, &c)
		if err != nil {
			return err
		}
		return json.Unmarshal(data, &where)
	})
	if err != nil || r.Status != Queued && r.Status != Running {
		return true, store.IgnoreNotFound(err)
	}
	net, ok := s.o.Networks.Of(r.Channel).(channel.Historian)
	switch {
	case !ok:
		return true, s.fail(ctx, a, "NOT_SUPPORTED")
	case !r.Listed:
		page, err := net.Chats(ctx, a.Org, a.Account, next)
		if err != nil {
			return false, err
		}
		return false, s.update(ctx, a, func(tx *store.Tx, r *run) error { return s.listed(tx, a.Org, r, &page) })
	case c.ID == "":
		return true, s.update(ctx, a, func(tx *store.Tx, r *run) error {
			if err := finish(tx, a.Org, r, Done, ""); err != nil {
				return err
			}
			return signal.Publish(s.o.Bus, tx, api.System(ctx, a.Org, tx.DB().Now()), Imported{Org: a.Org, Account: r.AccountID, Run: r.ID})
		})
	}
	page, err := net.Messages(ctx, a.Org, a.Account, where, c.Before, min(atATime, r.PerChatLimit-c.Got))
	if e := messenger.As(err); e != nil && e.Fault == messenger.PeerUnreachable {
		page, err = channel.MessagePage{}, nil // the chat went meanwhile
	}
	if err != nil {
		return false, err
	}
	return false, s.update(ctx, a, func(tx *store.Tx, r *run) error { return s.imported(tx, a.Org, r, c.ID, &page) })
}

// update changes a run that is still under way.
func (s *Service) update(ctx context.Context, a importing, f func(*store.Tx, *run) error) error {
	return s.db.Update(ctx, func(tx *store.Tx) error {
		r, err := runs.Get(tx, a.Org, a.Run)
		if err != nil {
			return store.IgnoreNotFound(err)
		}
		if r.Status == Queued {
			r.Status = Running
		}
		if r.Status != Running {
			return nil // it was cancelled meanwhile
		}
		return f(tx, &r)
	})
}

// listed stores a page of chats.
func (s *Service) listed(tx *store.Tx, org string, r *run, page *channel.ChatPage) error {
	at, err := s.at(tx, org, r)
	if err != nil {
		return err
	}
	r.Skipped.Bots, r.Skipped.Groups, r.Skipped.Service = r.Skipped.Bots+page.Bots, r.Skipped.Groups+page.Groups, r.Skipped.Service+page.Service
	for i := range page.Chats {
		x := &page.Chats[i]
		if r.Since != nil && x.At.Before(*r.Since) {
			continue
		}
		known, err := conversation.Of(tx, org, r.Channel, at.Owner, x.Person.ID)
		if store.IgnoreNotFound(err) != nil {
			return err
		}
		if x.Person.Contact || known.Personal {
			r.Skipped.Personal++
			continue
		}
		data, err := json.Marshal(x)
		if err != nil {
			return err
		}
		c := chat{ID: fmt.Sprintf("%s:%s", r.ID, x.Person.ID), Run: r.ID, N: r.Chats}
		if there, err := chats.Has(tx, org, c.ID); err != nil || there {
			if err != nil {
				return err
			}
			continue // it moved in the list meanwhile
		}
		if err := errors.Join(sealedChat.Set(tx, org, &c, data), chats.Insert(tx, org, &c)); err != nil {
			return err
		}
		r.Chats++
	}
	if page.Next == "" {
		total := r.Chats
		r.Listed, r.ChatsTotal = true, &total
	}
	if err := nextPage.Set(tx, org, r, []byte(page.Next)); err != nil {
		return err
	}
	return runs.Put(tx, org, r)
}

func (s *Service) at(tx *store.Tx, org string, r *run) (channel.At, error) {
	a, err := s.o.Networks.Of(r.Channel).Account(tx, org, r.AccountID)
	return channel.At{Org: org, Account: r.AccountID, Owner: a.Owner, Channel: r.Channel}, err
}

// imported stores a page of messages, the oldest first, as they were written.
func (s *Service) imported(tx *store.Tx, org string, r *run, id string, page *channel.MessagePage) error {
	c, err := chats.Get(tx, org, id)
	if err != nil {
		return store.IgnoreNotFound(err)
	}
	at, err := s.at(tx, org, r)
	if err != nil {
		return err
	}
	enough := page.Next == ""
	for _, in := range slices.Backward(page.Messages) {
		c.Got++
		if r.Since != nil && in.At.Before(*r.Since) {
			enough = true
			continue
		}
		_, err := conversation.OfPart(tx, org, at.Owner, in.ID)
		if err == nil {
			continue // an existing message wins
		}
		if !store.IsNotFound(err) {
			return err
		}
		if _, err := s.o.Intake.Received(tx, at, in); err != nil {
			return err
		}
		r.MessagesImported++
	}
	c.Before = page.Next
	if enough || c.Got >= r.PerChatLimit {
		r.ChatsImported++
		err = chats.Delete(tx, org, c.ID)
	} else {
		err = chats.Put(tx, org, &c)
	}
	return errors.Join(err, runs.Put(tx, org, r))
}
