// Package testmessage sends test messages: one message from one account to one person,
// so that people see whether an account can send.
//
// It promises that whoever opted out or is suppressed gets none, that an organization
// and an account send a limited number an hour (contract 47 and 7.1), and that the text is
// forgotten once the message has its outcome. Package send sends them as it sends
// everything.
package testmessage

import (
	"time"

	"svc/app/account"
	"svc/app/api"
	"svc/app/api/perm"
	"svc/app/audit"
	"svc/app/content/markup"
	"svc/app/module"
	"svc/app/org"
	"svc/app/recipient"
	"svc/app/recipient/field"
	"svc/app/recipient/suppression"
	"svc/app/send"
	"svc/messenger"
	"svc/store"
)

// Slice registers test messages with package send.
func Slice() module.Slice {
	return module.Slice{Name: "testmessage", Tables: Tables, New: func(e *module.Env) module.Module {
		s := New(e.DB, module.Get[*send.Service](e))
		return module.Module{Endpoints: s.Endpoints(), Cleanup: []module.Cleanup{{EachOrg: Purge}}}
	}}
}

// Service queues test messages, and is their [send.Source].
type Service struct{ db *store.DB }

// New makes the service and registers it with the one that sends. Call it before that one
// runs.
func New(db *store.DB, sends *send.Service) *Service {
	s := &Service{db: db}
	sends.Register(send.Test, s)
	return s
}

// Endpoints are the operations of the slice.
func (s *Service) Endpoints() []api.Endpoint {
	return []api.Endpoint{
		api.E("POST /accounts/{id}/test-message", "accounts.test_message", perm.CampaignsExecute,
			"Send a test message from an account.", s.testMessage,
			api.Status(202), api.Errors(ErrTestLimit, ErrRecipientSuppressed, ErrAccountUnavailable, org.ErrPolicyNotAccepted)),
	}
}

// Tables are what a store with test messages is opened with, beside those of package send.
func Tables() []store.AnyTable { return []store.AnyTable{tests} }

// The limits (contract 47).
const (
	testsPerOrg     = 20 // an hour
	testsPerAccount = 10 // an hour
)

// testMessage is what a test message says, until it ended, and what its limits are
// counted by.
type testMessage struct {
	ID       string       `json:"id"` // of the job
	Account  string       `json:"account"`
	Username string       `json:"username,omitempty"` // whom it goes to, when that is no recipient
	Text     store.Sealed `json:"text,omitzero"`
	At       time.Time    `json:"at"`
}

var (
	tests    = store.NewTable("send_test", "job", func(m *testMessage) string { return m.ID })
	testText = tests.Sealed("text", func(m *testMessage) *store.Sealed { return &m.Text })
	testsAt  = tests.Multi("at", func(m *testMessage) []store.Key { return []store.Key{store.Time(m.At)} })
	testsOf  = tests.Multi("account", func(m *testMessage) []store.Key {
		return []store.Key{store.Tuple(store.Text(m.Account), store.Time(m.At))}
	})
)

// usualTest is what a test message says that was given no text.
const usualTest = "This is a test message. It reached you, so this account can send."

type testIn struct {
	ID   string `path:"id" maxLength:"64"`
	Body struct {
		RecipientID *string `json:"recipient_id" maxLength:"64" doc:"A recipient; or give a username."`
		Username    *string `json:"username" maxLength:"64" doc:"Anybody's public username." example:"ali_valiyev"`
		Text        *string `json:"text" doc:"Sent as it is, up to 4096 UTF-16 units; a sentence of the service's own when left out."`
	}
}

// TestQueued is a test message on its way.
type TestQueued struct {
	JobID  string         `json:"job_id"`
	Status send.JobStatus `json:"status" enum:"QUEUED,RUNNING,RETRY,DONE,FAILED,SKIPPED,CANCELLED"`
}

// testMessage queues a test message (contract 47 and 7.1).
// Whoever opted out or is suppressed gets none; a basis for contact is not
// asked, so that one can write to oneself.
func (s *Service) testMessage(c *api.Call, in testIn) (out TestQueued, err error) {
	text, err := in.text()
	if err != nil {
		return out, err
	}
	err = s.db.Update(c, func(tx *store.Tx) error {
		j, err := s.queueTest(tx, c, in, text)
		if err == nil {
			out = TestQueued{JobID: j.ID, Status: send.JobQueued}
		}
		return err
	})
	return out, err
}

func (in *testIn) text() (string, error) {
	if in.Body.Text == nil || *in.Body.Text == "" {
		return usualTest, nil
	}
	if n := markup.Length(*in.Body.Text); n > markup.MaxLength {
		return "", api.Wrong("text", "has %d UTF-16 units; a message has %d at most", n, markup.MaxLength)
	}
	return *in.Body.Text, nil
}

func (s *Service) queueTest(tx *store.Tx, c *api.Call, in testIn, text string) (*send.Job, error) {
	a, err := account.Get(tx, c.Org, in.ID)
	if err != nil {
		return nil, err
	}
	if ok, err := org.PolicyAccepted(tx, c.Org); err != nil || !ok {
		return nil, firstOf(err, org.ErrPolicyNotAccepted)
	}
	if !a.Sends() {
		return nil, ErrAccountUnavailable
	}
	j := &send.Job{ID: tx.DB().NewID("job"), Kind: send.Test, AccountID: a.ID}
	m := testMessage{ID: j.ID, Account: a.ID, At: tx.DB().Now()}
	if err := in.whom(tx, c, j, &m); err != nil {
		return nil, err
	}
	if err := withinTestLimits(tx, c.Org, a.ID, m.At); err != nil {
		return nil, err
	}
	if err := testText.Set(tx, c.Org, &m, []byte(text)); err != nil {
		return nil, err
	}
	if err := tests.Insert(tx, c.Org, &m); err != nil {
		return nil, err
	}
	if err := send.Queue(tx, c.Org, []*send.Job{j}); err != nil {
		return nil, err
	}
	return j, audit.Write(tx, c, "account.test_message", audit.On("account", a.ID, ""), audit.Changed("job_id", nil, j.ID))
}

func firstOf(err error, or *api.Error) error {
	if err != nil {
		return err
	}
	return or
}

// whom reads who gets a test message: a recipient, or the owner of a username, who
// may be one.
func (in *testIn) whom(tx *store.Tx, c *api.Call, j *send.Job, m *testMessage) error {
	id, name := in.Body.RecipientID, in.Body.Username
	var r recipient.Recipient
	var err error
	switch {
	case (id == nil || *id == "") == (name == nil || *name == ""):
		return api.Wrong("recipient_id", "give a recipient_id or a username, and not both")
	case id != nil && *id != "":
		if r, err = recipient.Get(tx, c.Org, *id); store.IsNotFound(err) {
			return api.Wrong("recipient_id", "there is no recipient %.64s", *id)
		}
	default:
		if m.Username, err = field.ParseUsername(*name); err != nil {
			return api.Wrong("username", "%v", err)
		}
		r, err = recipient.ByUsername(tx, c.Org, m.Username)
		err = store.IgnoreNotFound(err)
	}
	if err != nil {
		return err
	}
	who := field.Who{MessengerID: r.MessengerID, Username: r.Username}
	if r.ID == "" {
		who.Username = m.Username
	}
	named, err := suppression.Names(tx, c.Org, who)
	if err != nil {
		return err
	}
	if named || r.Suppressed || r.Consent == field.OptedOut {
		return ErrRecipientSuppressed
	}
	j.RecipientID = r.ID
	return nil
}

// withinTestLimits counts the test messages of the last hour.
func withinTestLimits(tx *store.Tx, orgID, accountID string, now time.Time) error {
	since := store.Time(now.Add(-time.Hour + time.Microsecond))
	oldest := func(x *store.Index[testMessage], span store.Span, most int) error {
		list, _, err := x.Walk(tx, orgID, store.Range{Span: span, Limit: most})
		if err != nil || len(list) < most {
			return err
		}
		return ErrTestLimit.After(list[0].At.Add(time.Hour).Sub(now))
	}
	if err := oldest(testsAt, store.Between(since, nil), testsPerOrg); err != nil {
		return err
	}
	of := store.Text(accountID)
	return oldest(testsOf, store.Between(store.Tuple(of, since), store.Tuple(of, store.Int(1<<62))), testsPerAccount)
}

// Compose is the text that was asked for.
func (s *Service) Compose(tx *store.Tx, c *api.Call, j *send.Job, r *recipient.Recipient) (d send.Draft, err error) {
	m, err := tests.Get(tx, c.Org, j.ID)
	if err != nil {
		return d, err
	}
	if r == nil {
		named, err := suppression.Names(tx, c.Org, field.Who{Username: m.Username})
		if err != nil {
			return d, err
		}
		if named {
			return d, &send.Skip{Reason: send.Suppressed}
		}
		d.To = messenger.Target{Username: m.Username}
	}
	text, err := testText.Open(tx.DB(), c.Org, &m)
	d.Text = string(text)
	return d, err
}

// Settled forgets the text, and notes the message where people look for it.
func (s *Service) Settled(tx *store.Tx, c *api.Call, j *send.Job) error {
	m, err := tests.Get(tx, c.Org, j.ID)
	if err != nil {
		return store.IgnoreNotFound(err)
	}
	m.Text = store.Sealed{}
	if err := tests.Put(tx, c.Org, &m); err != nil {
		return err
	}
	if j.Status == send.Delivered && j.RecipientID != "" {
		contact := recipient.Contact{At: j.SentAt, Sent: true, Account: j.AccountID, MessageID: j.ID, Status: string(j.Status)}
		if err := recipient.RecordContact(tx, c.Org, j.RecipientID, contact); err != nil {
			return err
		}
	}
	return account.Note(tx, c.Org, j.AccountID, account.TestMessage, testSentence(j), "", j.ErrorCode)
}

func testSentence(j *send.Job) string {
	switch {
	case j.Status == send.Delivered:
		return "A test message was delivered."
	case j.LastError != "":
		return "A test message was not delivered. " + j.LastError
	}
	return "A test message was not sent (" + j.SkipReason + ")."
}

// keepTests is how long the records of test messages are kept: their limits count an
// hour.
const keepTests = 24 * time.Hour

// Purge removes up to limit records of test messages that are of no more use, and
// says how many there were. Their jobs stay.
func Purge(tx *store.Tx, orgID string, limit int) (n int, err error) {
	old := store.Between(nil, store.Time(tx.DB().Now().Add(-keepTests)))
	list, _, err := testsAt.Walk(tx, orgID, store.Range{Span: old, Limit: limit})
	for i := range list {
		// One that has its text still waits for its account.
		if err == nil && list[i].Text.IsZero() {
			err = tests.Delete(tx, orgID, list[i].ID)
			n++
		}
	}
	return n, err
}

var _ send.Source = (*Service)(nil)
