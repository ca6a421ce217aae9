package automation

import (
	"errors"
	"log/slog"
	"time"

	"svc/app/api"
	"svc/app/channel"
	"svc/app/event"
	inbox "svc/app/inbox/channel"
	"svc/app/inbox/conversation"
	"svc/app/jev"
	"svc/app/recipient"
	"svc/app/recipient/field"
	"svc/app/seller"
	"svc/app/signal"
	"svc/store"
)

// Status is where a private reply is (contract 60.54).
type Status string

// The statuses.
const (
	Pending Status = "PENDING"
	Sent    Status = "SENT"
	Failed  Status = "FAILED"
	Skipped Status = "SKIPPED"
)

// Statuses lists them.
func Statuses() []Status { return []Status{Pending, Sent, Failed, Skipped} }

// life is that of a private reply.
var life = api.Table[Status, Status]{
	{From: []Status{Pending}, On: Sent, To: Sent},
	{From: []Status{Pending}, On: Failed, To: Failed},
	{From: []Status{Pending}, On: Skipped, To: Skipped},
}

// Reply is the private reply to one comment.
type Reply struct {
	ID      string    `json:"id"`
	Account string    `json:"account"`
	Comment string    `json:"comment"`
	Post    string    `json:"post,omitempty"`
	Person  string    `json:"person"`
	Rule    string    `json:"rule,omitempty"`
	Trigger Trigger   `json:"trigger,omitempty"`
	Mode    ReplyMode `json:"mode,omitempty"`
	Once    bool      `json:"once,omitempty"`
	Status  Status    `json:"status"`
	Code    string    `json:"code,omitempty"`
	Message string    `json:"message,omitempty"`
	// Asked: the request was made and nobody knows what became of it.
	Asked    bool      `json:"asked,omitempty"`
	AskedAt  time.Time `json:"asked_at,omitzero"`
	Attempts int       `json:"attempts,omitempty"`
	// Drafted: the seller wrote a text that a person must approve; Approved: somebody did.
	Drafted   bool         `json:"drafted,omitempty"`
	Approved  bool         `json:"approved,omitempty"`
	PublicID  string       `json:"public_id,omitempty"`
	At        time.Time    `json:"at"` // of the comment
	CreatedAt time.Time    `json:"created_at"`
	SentAt    time.Time    `json:"sent_at,omitzero"`
	Words     store.Sealed `json:"words,omitzero"`
}

// words are what is sealed of a private reply.
type words struct {
	Comment string `json:"comment,omitempty"`
	Name    string `json:"name,omitempty"`
	Text    string `json:"text,omitempty"` // what goes out
}

var (
	replies = store.NewTable("private_reply", "prr", func(r *Reply) string { return r.ID })
	sealed  = replies.Sealed("words", func(r *Reply) *store.Sealed { return &r.Words })
	// byComment lets one reply exist for each comment, byPerson one of a rule for each person.
	byComment = replies.Unique("comment", func(r *Reply) store.Key { return store.Tuple(store.Text(r.Account), store.Text(r.Comment)) })
	byPerson  = replies.Unique("person", func(r *Reply) store.Key {
		if !r.Once || r.Rule == "" || r.Status != Pending && r.Status != Sent {
			return nil
		}
		return store.Tuple(store.Text(r.Rule), store.Text(r.Person))
	})
	repliesOf = replies.Facet("account", func(r *Reply) []string { return []string{r.Account} })
	statusOf  = replies.Facet("status", func(r *Reply) []string { return []string{string(r.Status)} })
	figures   = replies.Tally("rule", func(r *Reply) []string {
		if r.Rule == "" {
			return nil
		}
		return []string{figure(r.Rule, r.Status)}
	})
	sentAt = replies.Multi("sent", func(r *Reply) []store.Key {
		if r.Status != Sent {
			return nil
		}
		return []store.Key{store.Tuple(store.Text(r.Account), store.Time(r.SentAt))}
	})
)

func figure(rule string, s Status) string { return rule + " " + string(s) }

// Bounds of private replies.
const (
	within   = 7*24*time.Hour - 10*time.Minute // of the comment
	hourly   = 700                             // of an account; the network takes 750
	mostText = 1000                            // bytes
)

// Codes of replies that were not sent.
const (
	codeAuth     = "ACCOUNT_AUTH_REQUIRED"
	codeExpired  = "EXPIRED"
	codeStopped  = "OPTED_OUT"
	codeDeleted  = "COMMENT_DELETED"
	codeNoRule   = "AUTOMATION_OFF"
	codeNoAnswer = "NOT_WANTED"
)

// Service answers comments.
type Service struct {
	db       *store.DB
	channels *channel.Service
	jev      *jev.Service
	bus      *signal.Bus
	log      *slog.Logger
	answer   seller.AnswerComment
}

// heard takes a comment.
func (s *Service) heard(tx *store.Tx, _ *api.Call, x channel.Commented) error {
	now, c := tx.DB().Now(), &x.Comment
	if c.Verb == "remove" {
		return s.removed(tx, x.Org, x.Account.ID, c.ID)
	}
	if c.Verb != "add" || c.Live || c.From == "" || now.Sub(c.At) >= within || !x.Account.MayMessage() {
		return nil
	}
	if _, err := byComment.ID(tx, x.Org, store.Tuple(store.Text(x.Account.ID), store.Text(c.ID))); !store.IsNotFound(err) {
		return err
	}
	if stopped, err := stoppedPerson(tx, x.Org, &x.Account, c.From); err != nil || stopped {
		return err
	}
	rule, asks, err := s.choose(tx, x.Org, x.Account.ID, c.Post, c.Text)
	if err != nil || rule == nil && !asks {
		return err
	}
	r := Reply{
		ID: tx.DB().NewID("prr"), Account: x.Account.ID, Comment: c.ID, Post: c.Post, Person: c.From, Status: Pending, At: c.At, CreatedAt: now,
	}
	if !asks {
		if there, err := r.claim(tx, x.Org, rule); err != nil || there {
			return err
		}
	}
	if err := sealed.SetJSON(tx, x.Org, &r, words{Comment: c.Text, Name: c.FromName}); err != nil {
		return err
	}
	if err := replies.Insert(tx, x.Org, &r); err != nil {
		return err
	}
	return ask(tx, x.Org, &r)
}

// ReplyTo is the private reply to a comment of a network, "" for none.
func ReplyTo(tx *store.Tx, org, account, comment string) (string, error) {
	id, err := byComment.ID(tx, org, store.Tuple(store.Text(account), store.Text(comment)))
	return id, store.IgnoreNotFound(err)
}

// claim makes a reply one of a rule; there is true when the person had one of it already.
func (r *Reply) claim(tx *store.Tx, org string, rule *Rule) (there bool, err error) {
	if rule.Once {
		_, err := byPerson.ID(tx, org, store.Tuple(store.Text(rule.ID), store.Text(r.Person)))
		if !store.IsNotFound(err) {
			return err == nil, err
		}
	}
	r.Rule, r.Trigger, r.Mode, r.Once = rule.ID, rule.Trigger, rule.Mode, rule.Once
	return false, nil
}

// choose is the oldest rule that acts on a comment. asks: before it stands one that only the
// decision service can judge.
func (s *Service) choose(tx *store.Tx, org, account, post, text string) (rule *Rule, asks bool, err error) {
	list, _, err := ofAccount.Walk(tx, org, store.Range{Span: store.Is(store.Tuple(store.Text(account))), Limit: mostRules})
	for i := range list {
		why, jev := list[i].objection(post, text, tx.DB().Now())
		if jev {
			return nil, true, err
		}
		if why == "" {
			return &list[i], false, err
		}
	}
	return nil, false, err
}

// stoppedPerson says whether somebody asked to stop, or blocks the account, or is a recipient, by the
// word of a person of the team, who opted out or is suppressed.
func stoppedPerson(tx *store.Tx, org string, a *channel.Account, person string) (bool, error) {
	k, err := conversation.Of(tx, org, inbox.Name(a.Platform), a.ExternalID, person)
	if err != nil {
		return false, store.IgnoreNotFound(err)
	}
	if k.AIState == conversation.Stopped || k.Blocked || k.RecipientID == "" {
		return k.AIState == conversation.Stopped || k.Blocked, nil
	}
	r, err := recipient.Get(tx, org, k.RecipientID)
	return err == nil && (r.Consent == field.OptedOut || r.Suppressed), store.IgnoreNotFound(err)
}

// removed ends the reply to a comment that is gone.
func (s *Service) removed(tx *store.Tx, org, account, comment string) error {
	r, err := byComment.Find(tx, org, store.Tuple(store.Text(account), store.Text(comment)))
	if err != nil || r.Status != Pending {
		return store.IgnoreNotFound(err)
	}
	return s.end(tx, org, &r, Skipped, codeDeleted)
}

// end gives a private reply its outcome, the one place that does.
func (s *Service) end(tx *store.Tx, org string, r *Reply, to Status, code string) error {
	next, ok := life.Next(r.Status, to)
	if !ok {
		return api.ErrState
	}
	r.Status, r.Code, r.Asked = next, code, false
	err := errors.Join(sealed.Set(tx, org, r, nil), replies.Put(tx, org, r))
	if err != nil || to != Sent && r.Rule == "" { // no rule was chosen: nothing happened
		return err
	}
	a, err := channel.Get(tx, org, r.Account)
	if store.IgnoreNotFound(err) != nil {
		return err
	}
	data := map[string]any{
		"private_reply_id": r.ID, "account_id": r.Account, "platform": a.Platform, "comment_id": r.Comment, "trigger": r.Trigger, "reply_mode": r.Mode,
		"automation_id": r.Rule, "message_id": api.Optional(r.Message), "error_code": api.Optional(code),
	}
	if r.Post != "" {
		data["post_external_id"] = r.Post
	}
	if to == Failed {
		data["reply_mode"] = ""
	}
	types := map[Status]event.Type{Sent: event.ChannelPrivateReplySent, Failed: event.ChannelPrivateReplyFailed, Skipped: event.ChannelPrivateReplySkipped}
	return event.Emit(tx, org, types[to], data)
}
