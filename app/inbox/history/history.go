// Package history brings the history of an account into the inbox: the messages of its
// private chats with people, once, when somebody asks.
//
// It promises that a run goes on after a restart where it was; that waits of the network are
// obeyed and are no failure; that a message which is there already stays as it is; and that
// what is imported starts nothing: no turn, no notification, no unread count, no stop
// (contract 22). It refuses chats with bots, groups, the platform's own chats and personal
// chats, which are counted.
package history

import (
	"time"

	"svc/app/api"
	"svc/app/inbox/channel"
	"svc/app/signal"
	"svc/store"
)

// Status is where a run is (contract 60.23).
type Status string

// The statuses.
const (
	Queued    Status = "QUEUED"
	Running   Status = "RUNNING"
	Done      Status = "DONE"
	Failed    Status = "FAILED"
	Cancelled Status = "CANCELLED"
)

// runs are what may happen to a run.
var table = api.Table[Status, Status]{
	{From: []Status{Queued}, On: Running, To: Running},
	{From: []Status{Running}, On: Done, To: Done},
	{From: []Status{Queued, Running}, On: Failed, To: Failed},
	{From: []Status{Queued, Running}, On: Cancelled, To: Cancelled},
}

// Skipped counts chats that are not imported.
type Skipped struct {
	Bots     int `json:"bots"`
	Personal int `json:"personal"`
	Groups   int `json:"groups"`
	Service  int `json:"service"`
}

// Run is one import of an account's history.
type Run struct {
	ID               string     `json:"id"`
	AccountID        string     `json:"account_id"`
	Status           Status     `json:"status" enum:"QUEUED,RUNNING,DONE,FAILED,CANCELLED"`
	Since            *time.Time `json:"since" doc:"null: everything."`
	PerChatLimit     int        `json:"per_chat_limit"`
	ChatsTotal       *int       `json:"chats_total" doc:"null until all chats are listed."`
	ChatsImported    int        `json:"chats_imported"`
	MessagesImported int        `json:"messages_imported"`
	Skipped          Skipped    `json:"skipped"`
	ErrorCode        *string    `json:"error_code"`
	StartedAt        time.Time  `json:"started_at"`
	FinishedAt       *time.Time `json:"finished_at"`
}

// run is a Run as it is kept.
type run struct {
	Run
	Channel channel.Name `json:"channel"`
	Chats   int          `json:"chats,omitempty"` // listed so far
	Listed  bool         `json:"listed,omitempty"`
	Next    store.Sealed `json:"next,omitzero"` // where the list of chats goes on
}

// chat is a chat whose messages are to be imported. It is gone when they are, or the run is over.
type chat struct {
	ID     string       `json:"id"`
	Run    string       `json:"run"`
	N      int          `json:"n"`
	Before string       `json:"before,omitempty"` // where its messages go on
	Got    int          `json:"got,omitempty"`
	Chat   store.Sealed `json:"chat"`
}

var (
	runs      = store.NewTable("history_run", "hst", func(r *run) string { return r.ID })
	nextPage  = runs.Sealed("next", func(r *run) *store.Sealed { return &r.Next })
	ofAccount = runs.Index("account", func(r *run) store.Key {
		return store.Tuple(store.Text(r.AccountID), store.Time(r.StartedAt))
	})
	underWay = runs.Multi("under_way", func(r *run) []store.Key {
		if r.Status != Queued && r.Status != Running {
			return nil
		}
		return []store.Key{store.Text(r.AccountID)}
	})

	chats      = store.NewTable("history_chat", "", func(c *chat) string { return c.ID })
	sealedChat = chats.Sealed("chat", func(c *chat) *store.Sealed { return &c.Chat })
	ofRun      = chats.Index("run", func(c *chat) store.Key { return store.Tuple(store.Text(c.Run), store.Int(int64(c.N))) })
)

// Tables are what a store that holds imports is opened with.
func Tables() []store.AnyTable { return []store.AnyTable{runs, chats} }

// Options of New.
type Options struct {
	Networks channel.Networks
	Intake   channel.Intake
	// Bus hears of [Imported]; nil: nobody listens.
	Bus *signal.Bus
	// Pause lies between two questions to a network after the first few; 0 is a second.
	Pause time.Duration
}

// Imported is published when the history of an account was imported.
type Imported struct{ Org, Account, Run string }

// Service imports histories.
type Service struct {
	db *store.DB
	o  Options
}

// New makes the service. It starts nothing; see Work.
func New(db *store.DB, o Options) *Service {
	if o.Pause == 0 {
		o.Pause = time.Second
	}
	return &Service{db: db, o: o}
}
