package channel

import (
	"time"

	"svc/app/api"
	"svc/app/api/perm"
	"svc/app/event"
	"svc/messenger/platform"
	"svc/store"
)

// SubscriptionStatus is how a subscription to a topic is (contract 60.52).
type SubscriptionStatus string

// The statuses. Expired follows from the time and is never kept.
const (
	Active  SubscriptionStatus = "ACTIVE"
	Stopped SubscriptionStatus = "STOPPED"
	Expired SubscriptionStatus = "EXPIRED"
)

// subscription is somebody's wish to hear of a topic, as the page network told it. Nothing is
// ever sent to it: the networks ended that, or sell it.
type subscription struct {
	ID      string             `json:"id"`
	Account string             `json:"account"`
	Topic   string             `json:"topic,omitempty"`
	Person  string             `json:"person"`
	Status  SubscriptionStatus `json:"status"`
	Key     string             `json:"key"` // a hash of the token
	Expires time.Time          `json:"expires,omitzero"`
	At      time.Time          `json:"at"` // of the newest word
	Token   store.Sealed       `json:"token,omitzero"`
}

var (
	subscriptions = store.NewTable("channel_subscription", "mds", func(x *subscription) string { return x.ID })
	topicToken    = subscriptions.Sealed("token", func(x *subscription) *store.Sealed { return &x.Token })
	byToken       = subscriptions.Unique("token", func(x *subscription) store.Key { return store.Tuple(store.Text(x.Account), store.Text(x.Key)) })
	ofTopics      = subscriptions.Facet("account", func(x *subscription) []string { return []string{x.Account} })
	perTopic      = subscriptions.Index("topic", func(x *subscription) store.Key { return store.Tuple(store.Text(x.Account), store.Text(x.Topic)) })
)

// ConversationOf finds the conversation with a person of an account, "" for none. The slice of
// the inbox offers it.
type ConversationOf func(tx *store.Tx, org string, a *Account, person string) (string, error)

// optIn notes what somebody wishes to hear of, or no more.
func (s *Service) optIn(tx *store.Tx, f *found, u *platform.Update) error {
	if u.OptIn.Token == "" {
		return nil
	}
	key, err := tx.Hash("marketing token", u.OptIn.Token)
	if err != nil {
		return err
	}
	x, err := byToken.Find(tx, f.org, store.Tuple(store.Text(f.account.ID), store.Text(key)))
	if store.IsNotFound(err) {
		x, err = subscription{ID: tx.DB().NewID("mds"), Account: f.account.ID, Person: u.Person, Key: key}, nil
	}
	if err != nil || u.At.Before(x.At) {
		return err // something newer is known
	}
	before := x.Status
	x.Status, x.At = Active, u.At
	if u.OptIn.Status == "STOP_NOTIFICATIONS" {
		x.Status = Stopped
	}
	if u.OptIn.Topic != "" {
		x.Topic = u.OptIn.Topic
	}
	if !u.OptIn.Expires.IsZero() {
		x.Expires = u.OptIn.Expires
	}
	if err := topicToken.Set(tx, f.org, &x, []byte(u.OptIn.Token)); err != nil {
		return err
	}
	if err := subscriptions.Put(tx, f.org, &x); err != nil || before == x.Status {
		return err
	}
	return event.Emit(tx, f.org, event.ChannelMarketingSubscription, map[string]any{
		"account_id": x.Account, "platform": f.account.Platform, "topic": x.Topic, "status": x.Status,
	})
}

func (s *Service) topicEndpoints() []api.Endpoint {
	return []api.Endpoint{
		api.E("GET /channels/accounts/{id}/marketing-topics", "channels.marketing_topics", perm.AccountsRead, "List topics that people of the page network subscribed to; nothing is sent to them from here.", api.Read(s.db, s.topics)),
		api.E("GET /channels/accounts/{id}/marketing-subscriptions", "channels.marketing_subscriptions", perm.AccountsRead, "List subscriptions to topics.", api.Read(s.db, s.listSubscriptions)),
	}
}

// Topic is a topic with how many hear of it.
type Topic struct {
	Topic       string `json:"topic"`
	Subscribers int    `json:"subscribers"`
}

// mostTopics bounds what is counted for an account.
const mostTopics = 10_000

func (s *Service) topics(c *api.Call, tx *store.Tx, in IDIn) (out api.List[Topic], err error) {
	if _, err := accounts.Get(tx, c.Org, in.ID); err != nil {
		return out, err
	}
	list, _, err := perTopic.Walk(tx, c.Org, store.Range{Span: store.Is(store.Tuple(store.Text(in.ID))), Limit: mostTopics})
	rows := []Topic{}
	for i := range list {
		if x := &list[i]; x.shown(tx.DB().Now()) != Active {
			continue
		}
		if n := len(rows); n == 0 || rows[n-1].Topic != list[i].Topic {
			rows = append(rows, Topic{Topic: list[i].Topic})
		}
		rows[len(rows)-1].Subscribers++
	}
	out = api.NewList(rows)
	return out, err
}

// shown is the status at a time.
func (x *subscription) shown(now time.Time) SubscriptionStatus {
	if x.Status == Active && !x.Expires.IsZero() && !now.Before(x.Expires) {
		return Expired
	}
	return x.Status
}

// ShownSubscription is a subscription in the API.
type ShownSubscription struct {
	ID           string             `json:"id"`
	AccountID    string             `json:"account_id"`
	Account      *api.Named         `json:"account"`
	Topic        *string            `json:"topic"`
	Person       string             `json:"platform_user_id"`
	Conversation *string            `json:"conversation_id"`
	Status       SubscriptionStatus `json:"status" enum:"ACTIVE,STOPPED,EXPIRED"`
	Expires      *time.Time         `json:"expires_at"`
	UpdatedAt    time.Time          `json:"updated_at"`
}

type subscriptionsIn struct {
	IDIn
	api.PageIn
}

func (s *Service) listSubscriptions(c *api.Call, tx *store.Tx, in subscriptionsIn) (out api.Page[ShownSubscription], err error) {
	a, err := accounts.Get(tx, c.Org, in.ID)
	if err != nil {
		return out, err
	}
	q := store.Query[subscription]{Reverse: true, Where: []store.Cond[subscription]{ofTopics.Any(a.ID)}, Offset: in.Offset, Limit: in.Limit, After: in.Behind()}
	page, err := subscriptions.Page(tx, c.Org, q)
	if err != nil {
		return out, err
	}
	out, err = api.ShowPage(page, in.PageIn, func(x *subscription) (ShownSubscription, error) {
		row := ShownSubscription{
			ID: x.ID, AccountID: x.Account, Account: api.Ref(c.Org, x.Account), Topic: api.Optional(x.Topic), Person: x.Person, Status: x.shown(tx.DB().Now()),
			Expires: api.Optional(x.Expires), UpdatedAt: x.At,
		}
		if s.conversation == nil {
			return row, nil
		}
		id, err := s.conversation(tx, c.Org, &a, x.Person)
		row.Conversation = api.Optional(id)
		return row, err
	})
	return out, err
}
