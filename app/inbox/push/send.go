package push

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"time"

	"svc/app/api"
	"svc/app/api/perm"
	"svc/app/hook"
	"svc/app/inbox/conversation"
	"svc/app/inbox/intake"
	"svc/app/inbox/push/webpush"
	"svc/app/notify"
	"svc/app/org"
	"svc/app/session"
	"svc/app/user"
	"svc/store"
	"svc/store/queue"
)

// spread is the job that finds the devices on which something is shown.
type spread struct {
	Org          string `json:"org"`
	Topic        Topic  `json:"topic"`
	Conversation string `json:"conversation"`
	User         string `json:"user,omitempty"` // whom alone; "" for all who may see it
}

// Kind implements queue.Args.
func (spread) Kind() string { return "inbox.push" }

// Queue implements queue.Args.
func (spread) Queue() queue.Name { return queue.Webhooks }

// deliver is the job that shows something on one device.
type deliver struct {
	Subscription string `json:"subscription"`
	Org          string `json:"org"`
	Topic        Topic  `json:"topic"`
	Conversation string `json:"conversation"`
}

// Kind implements queue.Args.
func (deliver) Kind() string { return "inbox.push_device" }

// Queue implements queue.Args.
func (deliver) Queue() queue.Name { return queue.Webhooks }

const (
	tries   = 5
	within  = 15 * time.Second
	keepFor = "3600" // seconds for which a push service keeps it for a device that is off
)

// Work registers the workers.
func (s *Service) Work(w *queue.Workers) {
	queue.Register(w, s.spread)
	queue.Register(w, s.deliver, queue.WithTimeout(within))
	queue.Register(w, s.ofNotice)
}

// arrived shows a message of a customer.
func arrived(tx *store.Tx, _ *api.Call, a intake.Arrived) error {
	if a.Message.Direction != conversation.In || a.Conversation.Personal {
		return nil
	}
	return ask(tx, spread{Org: a.Org, Topic: Messages, Conversation: a.Conversation.ID, User: a.Conversation.AssignedTo})
}

// ask asks for something to be shown, unless nobody has a device. What is asked of a
// conversation before the last was spread is shown once.
func ask(tx *store.Tx, what spread) error {
	if n, err := subscriptions.Count(tx, store.Platform); err != nil || n == 0 {
		return err
	}
	once := string(what.Topic) + " " + what.Conversation + " " + what.User
	_, err := queue.Add(tx, what, time.Time{}, queue.Once(once), queue.For(what.Org, what.Conversation), queue.Attempts(tries))
	return err
}

// topicsOf are the topics of notifications.
var topicsOf = map[notify.Kind]Topic{
	"HANDOFF_CREATED": Handoffs, "HANDOFF_ASSIGNED": Handoffs, "MENTIONED": Mentions, conversation.WaitingNotice: Waiting,
}

// ofNotice shows a notification on the devices of who sees it.
func (s *Service) ofNotice(ctx context.Context, j queue.Job, in notify.ForPush) error {
	return s.db.Update(ctx, func(tx *store.Tx) error {
		n, err := notify.Get(tx, in.Org, in.ID)
		if err == nil && !n.Over && n.Resource != nil && topicsOf[n.Kind] != "" {
			err = ask(tx, spread{Org: in.Org, Topic: topicsOf[n.Kind], Conversation: n.Resource.ID, User: n.User})
		}
		if store.IgnoreNotFound(err) != nil {
			return err
		}
		return queue.Finish(tx, j)
	})
}

// spread asks for one delivery to each device that is to show it.
func (s *Service) spread(ctx context.Context, j queue.Job, in spread) error {
	return s.db.Update(ctx, func(tx *store.Tx) error {
		people, err := org.People(tx, in.Org)
		if err != nil {
			return err
		}
		for i := range people {
			p := &people[i]
			if in.User != "" && p.User.ID != in.User || !mayBeShown(p) {
				continue
			}
			list, err := of(tx, p.User.ID)
			if err != nil {
				return err
			}
			for k := range list {
				if !slices.Contains(list[k].Topics, in.Topic) {
					continue
				}
				d := deliver{Subscription: list[k].ID, Org: in.Org, Topic: in.Topic, Conversation: in.Conversation}
				if _, err := queue.Add(tx, d, time.Time{}, queue.For(in.Org, in.Conversation), queue.Attempts(tries)); err != nil {
					return err
				}
			}
		}
		return queue.Finish(tx, j)
	})
}

func mayBeShown(p *org.Person) bool {
	return p.User.Status == user.Active && p.Role.Permissions().Has(perm.AIOperate)
}

// errGone says that a device is to be shown nothing more, or not this.
var errGone = errors.New("nothing to show")

func endedSession(tx *store.Tx, x *Subscription) (bool, error) {
	alive, err := session.Alive(tx, x.Session)
	return !alive, err
}

// deliver sends one message to a push service. It reads again whether the device may be
// shown it: time may have passed.
func (s *Service) deliver(ctx context.Context, _ queue.Job, in deliver) error {
	if s.o.Sender == nil {
		return nil
	}
	var r hook.Request
	err := s.db.View(ctx, func(tx *store.Tx) (err error) {
		r, err = s.request(tx, in)
		return err
	})
	if errors.Is(err, errGone) || store.IsNotFound(err) {
		return s.forgetEnded(ctx, in.Subscription)
	}
	if err != nil {
		return err
	}
	a := s.o.Sender.Send(ctx, r)
	switch {
	case a.Failure == "":
		return nil
	case a.Status == 404 || a.Status == 410: // the device unsubscribed
		return s.db.Update(ctx, func(tx *store.Tx) error {
			return store.IgnoreNotFound(subscriptions.Delete(tx, store.Platform, in.Subscription))
		})
	case a.Status == 429 || a.Status >= 500 || a.Status == 0 && a.Failure != hook.BlockedAddress:
		err := fmt.Errorf("the push service answers %d %s", a.Status, a.Failure)
		if a.RetryAfter > 0 {
			return queue.RetryIn(min(a.RetryAfter, time.Hour), err)
		}
		return err
	}
	return queue.Drop(fmt.Errorf("the push service answers %d %s", a.Status, a.Failure))
}

// request makes the request for a device, or errGone.
func (s *Service) request(tx *store.Tx, in deliver) (r hook.Request, err error) {
	x, err := subscriptions.Get(tx, store.Platform, in.Subscription)
	if err != nil {
		return r, err
	}
	if ended, err := endedSession(tx, &x); err != nil || ended {
		return r, errors.Join(err, errGone)
	}
	m, err := org.MemberOf(tx, in.Org, x.User)
	if err != nil {
		return r, err
	}
	k, err := conversation.Get(tx, in.Org, in.Conversation)
	if err != nil {
		return r, err
	}
	if k.Personal || !m.Role.Permissions().Has(perm.AIOperate) {
		return r, errGone
	}
	plain, err := shown{Topic: in.Topic, Organization: in.Org, Conversation: in.Conversation, Language: x.Language}.encode()
	if err != nil {
		return r, err
	}
	secret, err := keys.Open(tx.DB(), store.Platform, &x)
	if err != nil {
		return r, err
	}
	var device deviceKeys
	if err := json.Unmarshal(secret, &device); err != nil {
		return r, err
	}
	return s.encrypted(tx, &device, plain, x.ID, in)
}

func (s *Service) encrypted(tx *store.Tx, device *deviceKeys, plain []byte, subscription string, in deliver) (r hook.Request, err error) {
	to, err := webpush.ReadDevice(device.P256dh, device.Auth)
	if err != nil {
		return r, err
	}
	body, err := webpush.Encrypt(to, plain)
	if err != nil {
		return r, err
	}
	self, err := s.identity(tx)
	if err != nil {
		return r, err
	}
	token, err := self.Authorization(device.Endpoint, s.subject(), tx.DB().Now())
	if err != nil {
		return r, err
	}
	topic, err := topicOf(tx.DB(), subscription, in.Conversation)
	if err != nil {
		return r, err
	}
	urgency := "normal"
	if in.Topic != Messages {
		urgency = "high"
	}
	return hook.Request{URL: device.Endpoint, Body: body, Header: [][2]string{
		{"Content-Type", "application/octet-stream"}, {"Content-Encoding", "aes128gcm"}, {"TTL", keepFor}, {"Urgency", urgency}, {"Topic", topic},
		{"Authorization", token},
	}}, nil
}

// forgetEnded removes a device whose session ended.
func (s *Service) forgetEnded(ctx context.Context, id string) error {
	return s.db.Update(ctx, func(tx *store.Tx) error {
		x, err := subscriptions.Get(tx, store.Platform, id)
		if err != nil {
			return store.IgnoreNotFound(err)
		}
		if ended, err := endedSession(tx, &x); err != nil || !ended {
			return err
		}
		return subscriptions.Delete(tx, store.Platform, id)
	})
}
