// Package push shows people on their devices that something in the inbox wants them: a new
// message, a request that a person answers, a mention, a customer who waits.
//
// It promises that what it sends names a conversation and nothing of what was said, that it
// is encrypted for one device of a person who chose the topic and may still see the
// conversation when it is sent, and that a device whose session ended or whose push service
// has forgotten it gets nothing more (contract 22). Personal chats are shown on no device.
// It refuses to know what a topic is about: it is told by signals and notifications.
package push

import (
	"encoding/json"
	"errors"
	"log/slog"
	"slices"
	"strings"
	"time"

	"svc/app/api"
	"svc/app/audit"
	"svc/app/hook"
	"svc/app/inbox/push/webpush"
	"svc/store"
)

// Topic is what somebody wants to be shown.
type Topic string

// The topics.
const (
	Messages Topic = "MESSAGES"
	Handoffs Topic = "HANDOFFS"
	Mentions Topic = "MENTIONS"
	Waiting  Topic = "WAITING"
)

// Topics lists them.
func Topics() []Topic { return []Topic{Messages, Handoffs, Mentions, Waiting} }

// Most bounds the devices of one person.
const Most = 5

// Subscription is a device as it is kept.
type Subscription struct {
	ID   string `json:"id"`
	User string `json:"user"`
	// Session is the one in which it subscribed: it ends with it.
	Session string `json:"session"`
	// Hash finds the device by its endpoint.
	Hash      string       `json:"hash"`
	Device    string       `json:"device,omitempty"` // what its person calls it
	Language  string       `json:"language"`
	Topics    []Topic      `json:"topics"`
	CreatedAt time.Time    `json:"created_at"`
	Keys      store.Sealed `json:"keys"`
}

// deviceKeys are what is sealed of a device: who has them can show things on it.
type deviceKeys struct {
	Endpoint string `json:"endpoint"`
	P256dh   string `json:"p256dh"`
	Auth     string `json:"auth"`
}

// identity is the key pair of the service.
type identity struct {
	ID      string       `json:"id"`
	Public  string       `json:"public"`
	Private store.Sealed `json:"private"`
}

const identityID = "vapid"

var (
	subscriptions = store.NewTable("push_subscription", "psh", func(s *Subscription) string { return s.ID }).Global()
	keys          = subscriptions.Sealed("keys", func(s *Subscription) *store.Sealed { return &s.Keys })
	byHash        = subscriptions.Unique("hash", func(s *Subscription) store.Key { return store.Text(s.Hash) })
	byUser        = subscriptions.Index("user", func(s *Subscription) store.Key { return store.Tuple(store.Text(s.User), store.Time(s.CreatedAt)) })

	identities = store.NewTable("push_identity", "", func(i *identity) string { return i.ID }).Global()
	private    = identities.Sealed("private", func(i *identity) *store.Sealed { return &i.Private })
)

// Tables are what a store that holds subscriptions is opened with.
func Tables() []store.AnyTable { return []store.AnyTable{subscriptions, identities} }

// Options of New.
type Options struct {
	// Sender reaches push services, and no address of the service's own network unless
	// AllowPrivate.
	Sender       hook.Sender
	AllowPrivate bool
	// PublicURL is where push services reach whoever runs the service, when it is https.
	PublicURL string
	Log       *slog.Logger
}

// Service shows things on devices.
type Service struct {
	db *store.DB
	o  Options
}

// New makes the service.
func New(db *store.DB, o Options) *Service {
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	return &Service{db, o}
}

// Configure makes the key pair of the service when there is none yet. It never changes:
// devices subscribed with it.
func Configure(tx *store.Tx) error {
	if has, err := identities.Has(tx, store.Platform, identityID); err != nil || has {
		return err
	}
	made, err := webpush.NewIdentity()
	if err != nil {
		return err
	}
	secret, err := made.Bytes()
	if err != nil {
		return err
	}
	i := identity{ID: identityID}
	if i.Public, err = made.Public(); err != nil {
		return err
	}
	if err := private.Set(tx, store.Platform, &i, secret); err != nil {
		return err
	}
	return identities.Insert(tx, store.Platform, &i)
}

func publicKey(tx *store.Tx) (string, error) {
	i, err := identities.Get(tx, store.Platform, identityID)
	return i.Public, err
}

func (s *Service) identity(tx *store.Tx) (webpush.Identity, error) {
	i, err := identities.Get(tx, store.Platform, identityID)
	if err != nil {
		return webpush.Identity{}, err
	}
	b, err := private.Open(tx.DB(), store.Platform, &i)
	if err != nil {
		return webpush.Identity{}, err
	}
	return webpush.OpenIdentity(b)
}

// of are the devices of a person, the oldest first.
func of(tx *store.Tx, user string) ([]Subscription, error) {
	list, _, err := byUser.Walk(tx, store.Platform, store.Range{Span: store.Is(store.Tuple(store.Text(user))), Limit: Most})
	return list, err
}

// subscribing is a device that asks.
type subscribing struct {
	deviceKeys
	Device, Language string
	Topics           []Topic
}

// subscribe keeps a device of the caller. One that is there already is changed; another
// person's becomes the caller's: it shows what is meant for who uses it now.
func (s *Service) subscribe(tx *store.Tx, c *api.Call, in subscribing) (Subscription, error) {
	hash, err := tx.DB().Hash("push endpoint", in.Endpoint)
	if err != nil {
		return Subscription{}, err
	}
	before, err := byHash.Find(tx, store.Platform, store.Text(hash))
	switch {
	case err == nil && before.User != c.Caller.ID:
		if err := subscriptions.Delete(tx, store.Platform, before.ID); err != nil {
			return before, err
		}
		before = Subscription{}
	case err != nil && !store.IsNotFound(err):
		return before, err
	}
	next := Subscription{
		ID: before.ID, User: c.Caller.ID, Session: c.Caller.Session, Hash: hash, Device: in.Device, Language: in.Language,
		Topics: slices.Compact(slices.Sorted(slices.Values(in.Topics))), CreatedAt: before.CreatedAt,
	}
	fresh := next.ID == ""
	if fresh {
		next.ID, next.CreatedAt = tx.DB().NewID("psh"), tx.DB().Now()
		if err := s.room(tx, c); err != nil {
			return next, err
		}
	}
	secret, err := json.Marshal(in.deviceKeys)
	if err != nil {
		return next, err
	}
	if err := keys.Set(tx, store.Platform, &next, secret); err != nil {
		return next, err
	}
	if err := subscriptions.Put(tx, store.Platform, &next); err != nil || !fresh {
		return next, err
	}
	return next, audit.Write(tx, c, "push_subscription.created", audit.On("push_subscription", next.ID, next.Device))
}

// room refuses a device too many. Devices whose sessions ended make room first.
func (s *Service) room(tx *store.Tx, c *api.Call) error {
	list, err := of(tx, c.Caller.ID)
	if err != nil || len(list) < Most {
		return err
	}
	for i := range list {
		ended, err := endedSession(tx, &list[i])
		if err != nil {
			return err
		}
		if ended {
			return subscriptions.Delete(tx, store.Platform, list[i].ID)
		}
	}
	return api.ErrConflict.WithMessage("Notifications go to %d of your devices, which is the most; remove one first.", Most)
}

func (s *Service) unsubscribe(tx *store.Tx, c *api.Call, id string) error {
	x, err := subscriptions.Get(tx, store.Platform, id)
	if err == nil && x.User != c.Caller.ID {
		err = store.ErrNotFound
	}
	if err != nil {
		return err
	}
	if err := subscriptions.Delete(tx, store.Platform, id); err != nil {
		return err
	}
	return audit.Write(tx, c, "push_subscription.deleted", audit.On("push_subscription", id, x.Device))
}

// subject is where push services reach whoever runs the service.
func (s *Service) subject() string {
	if strings.HasPrefix(s.o.PublicURL, "https://") {
		return s.o.PublicURL
	}
	return "mailto:postmaster@localhost"
}

// shown is what a device is sent: identifiers alone.
type shown struct {
	Topic        Topic  `json:"topic"`
	Organization string `json:"organization_id"`
	Conversation string `json:"conversation_id"`
	Language     string `json:"language"`
	// Padding makes all of them of one length: the topic cannot be told from it.
	Padding string `json:"padding"`
}

// plainLength is what every message is padded to, in bytes.
const plainLength = 320

func (m shown) encode() ([]byte, error) {
	b, err := json.Marshal(m)
	if err != nil {
		return nil, err
	}
	if len(b) > plainLength {
		return nil, errors.New("push: the ids are too long")
	}
	m.Padding = strings.Repeat(".", plainLength-len(b))
	return json.Marshal(m)
}

// topicOf is the Topic header by which a push service replaces a message that waits: one of
// a conversation at a time. Only this service can tell what it stands for.
func topicOf(db *store.DB, subscription, conversation string) (string, error) {
	h, err := db.Hash("push topic", subscription+" "+conversation)
	return h[:min(len(h), 32)], err
}
