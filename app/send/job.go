package send

import (
	"fmt"
	"math/rand/v2"
	"strconv"
	"strings"
	"time"

	"svc/app/policy"
	"svc/store"
)

// Status is where a job is. A job in the hands of an account is WAITING until its
// outcome is stored: which one that is stands in the queue of the account.
type Status string

// The statuses of contract 4.5. PENDING (no account yet), QUEUED and
// SENDING are all WAITING as stored.
const (
	Waiting     Status = "WAITING"
	Delivered   Status = "DELIVERED"
	Failed      Status = "FAILED"
	Unreachable Status = "UNREACHABLE"
	Skipped     Status = "SKIPPED"
	Cancelled   Status = "CANCELLED"
)

// statuses lists them in the order of a job's life.
var statuses = []Status{Waiting, Delivered, Failed, Unreachable, Skipped, Cancelled}

// Ended says whether a job has its outcome.
func (s Status) Ended() bool { return s != Waiting }

// Why a job ends SKIPPED (contract 4.5).
const (
	OptedOut          = string(policy.OptedOut)
	Suppressed        = string(policy.Suppressed)
	UnknownConsent    = string(policy.UnknownConsent)
	MissingVariables  = "MISSING_VARIABLES"
	RecentlyMessaged  = string(policy.RecentlyMessaged)
	RecipientDeleted  = "RECIPIENT_DELETED"
	DuplicateOfBefore = "DUPLICATE"
)

// Job is one message to one person: the send job of contract 4.7, and for a campaign its recipient, contract 4.5.
type Job struct {
	ID        string `json:"id"`
	Kind      Kind   `json:"kind"`
	Status    Status `json:"status"`
	AccountID string `json:"account,omitempty"` // "" for one that began SKIPPED
	// Batch is the campaign's id; "" for none.
	Batch          string `json:"batch,omitempty"`
	ConversationID string `json:"conversation,omitempty"`
	// Personal: the conversation is one that only some may see.
	Personal    bool   `json:"personal,omitempty"`
	RecipientID string `json:"recipient,omitempty"`
	// Username and MessengerID are the recipient's when the job was queued: what a
	// list is searched by.
	Username    string `json:"username,omitempty"`
	MessengerID int64  `json:"messenger_id,omitempty"`

	SkipReason string `json:"skip_reason,omitempty"`
	ErrorCode  string `json:"error_code,omitempty"`
	LastError  string `json:"last_error,omitempty"`
	// ContentRefused: the platform would take this message from nobody.
	ContentRefused bool `json:"content_refused,omitempty"`
	Attempts       int  `json:"attempts,omitempty"` // that ended
	// FailedAt is when the last try ended that failed; zero for none.
	FailedAt time.Time `json:"failed_at,omitzero"`
	// RunAt is the earliest time of a try that waits for one; zero: any time.
	RunAt time.Time `json:"run_at,omitzero"`
	// RandomIDs are the platform's numbers against sending twice, one for each file
	// of an album.
	RandomIDs []int64 `json:"random_ids,omitempty"`

	QueuedAt   time.Time `json:"queued_at"`
	FinishedAt time.Time `json:"finished_at,omitzero"`
	SentAt     time.Time `json:"sent_at,omitzero"`
	ReadAt     time.Time `json:"read_at,omitzero"`
	RepliedAt  time.Time `json:"replied_at,omitzero"`
	DurationMS int64     `json:"duration_ms,omitempty"` // of the last try
	// PeerID is who got it, as the platform knows him, and PlatformMessageID the
	// platform's number of the message: 0 when an earlier try had arrived.
	PeerID            int64 `json:"peer,omitempty"`
	PlatformMessageID int   `json:"message,omitempty"`
}

// personal is the value of the facet of jobs that only some may see.
const personal = "yes"

// SetPersonal notes on the newest jobs of a conversation whether only some may see them.
func SetPersonal(tx *store.Tx, org, conversation string, is bool) error {
	list, _, err := byConversation.Walk(tx, org, store.Range{Span: store.Is(store.Text(conversation)), Limit: hiddenAtOnce, Reverse: true})
	for i := range list {
		if err == nil && list[i].Personal != is {
			list[i].Personal = is
			err = jobs.Put(tx, org, &list[i])
		}
	}
	return err
}

// hiddenAtOnce bounds the jobs of one conversation that a change touches.
const hiddenAtOnce = 1000

// RecipientRow is the id of a job as the recipient of a campaign, crp_..., which has
// the suffix of the job's.
func (j *Job) RecipientRow() string { return "crp_" + strings.TrimPrefix(j.ID, "job_") }

var (
	jobs = store.NewTable("send_jobs", "job", func(j *Job) string { return j.ID })

	// byPair: a campaign has a person once.
	byPair = jobs.Unique("pair", func(j *Job) store.Key {
		if j.Batch == "" || j.RecipientID == "" {
			return nil
		}
		return store.Tuple(store.Text(j.Batch), store.Text(j.RecipientID))
	})
	// waiting is what an account has to send: by priority, then by campaign; there
	// what waits for another try, by its time, then the others in the order in which
	// they were queued.
	waiting     = jobs.Multi("waiting", waitingKeys)
	byRecipient = jobs.Multi("recipient", func(j *Job) []store.Key { return one(j.RecipientID) })
	// byPeer finds what the platform says was read, or answered.
	byPeer = jobs.Multi("peer", func(j *Job) []store.Key {
		if j.Status != Delivered || j.PeerID == 0 {
			return nil
		}
		return []store.Key{store.Tuple(store.Text(j.AccountID), store.Int(j.PeerID), store.Int(int64(j.PlatformMessageID)))}
	})
	byName = jobs.Multi("name", nameKeys)

	byConversation = jobs.Multi("conversation", func(j *Job) []store.Key { return one(j.ConversationID) })
	personalFacet  = jobs.Facet("personal", func(j *Job) []string {
		if j.Personal {
			return []string{personal}
		}
		return nil
	})
	kindFacet    = jobs.Facet("kind", func(j *Job) []string { return []string{string(j.Kind)} })
	batchFacet   = jobs.Facet("batch", func(j *Job) []string { return present(j.Batch) })
	statusFacet  = jobs.Facet("status", statusValues)
	accountFacet = jobs.Facet("account", func(j *Job) []string { return present(j.AccountID) })
	errorFacet   = jobs.Facet("error", func(j *Job) []string { return present(j.ErrorCode) })
	dayFacet     = jobs.Facet("day", func(j *Job) []string { return []string{dayOf(j.QueuedAt)} })
	byQueued     = jobs.Index("queued", func(j *Job) store.Key { return store.Time(j.QueuedAt) })

	// counted are the totals of a campaign, of it and of each of its accounts.
	counted = jobs.Tally("counted", func(j *Job) []string {
		if j.Batch == "" {
			return nil
		}
		return []string{countName(j.Batch, "", j.Status), countName(j.Batch, j.AccountID, j.Status)}
	})
	// everywhere counts the jobs of all organizations by status, those that wait for
	// another try under retried too.
	everywhere = jobs.TallyAcross("everywhere", statusValues).Version(2)
)

// retried is the value of the status facet that jobs waiting for another try have
// beside WAITING.
const retried = "RETRY"

func statusValues(j *Job) []string {
	if j.Status == Waiting && j.Attempts > 0 {
		return []string{string(j.Status), retried}
	}
	return []string{string(j.Status)}
}

// Priorities of the kinds: replies first, then tests (contract 20.5).
const (
	first int64 = iota
	second
	third
)

func (k Kind) priority() int64 {
	switch k {
	case Reply, AIReply:
		return first
	case Test:
		return second
	}
	return third
}

// notTried is the place of jobs that were not tried, behind all times of those that
// wait for another try.
var notTried = store.Time(time.Date(9999, 1, 1, 0, 0, 0, 0, time.UTC))

func waitingKeys(j *Job) []store.Key {
	switch {
	case j.Status != Waiting:
		return nil
	case j.RunAt.IsZero():
		return []store.Key{waitingKey(j, notTried)}
	}
	return []store.Key{waitingKey(j, store.Time(j.RunAt))}
}

func waitingKey(j *Job, at store.Key) store.Key {
	return store.Tuple(store.Text(j.AccountID), store.Int(j.Kind.priority()), store.Text(j.Batch), at)
}

func nameKeys(j *Job) (out []store.Key) {
	if j.Batch == "" {
		return nil
	}
	if j.Username != "" {
		out = append(out, store.Tuple(store.Text(j.Batch), store.Text(strings.ToLower(j.Username))))
	}
	if j.MessengerID != 0 {
		out = append(out, store.Tuple(store.Text(j.Batch), store.Text(strconv.FormatInt(j.MessengerID, 10))))
	}
	return out
}

func countName(batch, account string, s Status) string {
	return batch + " " + account + " " + string(s)
}

func one(s string) []store.Key {
	if s == "" {
		return nil
	}
	return []store.Key{store.Text(s)}
}

func present(s string) []string {
	if s == "" {
		return nil
	}
	return []string{s}
}

// dayOf is the UTC date of a time.
func dayOf(t time.Time) string { return t.UTC().Format(time.DateOnly) }

// Get reads a job: store.ErrNotFound when the organization has none of that id.
func Get(tx *store.Tx, org, id string) (Job, error) { return jobs.Get(tx, org, id) }

// Of finds the job of a campaign for a person, or answers store.ErrNotFound.
func Of(tx *store.Tx, org, batch, recipientID string) (Job, error) {
	return byPair.Find(tx, org, store.Tuple(store.Text(batch), store.Text(recipientID)))
}

// Queue saves new jobs, up to some hundred in a transaction: WAITING ones, each given
// to an account, or those that begin SKIPPED. It gives them what they lack of id,
// time and platform numbers. A campaign that has one of the people already is a
// store.DuplicateError.
func Queue(tx *store.Tx, org string, list []*Job) error {
	now := tx.DB().Now()
	accounts := map[string]struct{}{}
	for _, j := range list {
		if j.ID == "" {
			j.ID = tx.DB().NewID("job")
		}
		if j.Status == "" {
			j.Status = Waiting
		}
		if j.QueuedAt.IsZero() {
			j.QueuedAt = now
		}
		if j.Status.Ended() {
			j.FinishedAt = now
		} else if len(j.RandomIDs) == 0 {
			j.RandomIDs = []int64{randomID()}
		}
		if j.Status == Waiting {
			if j.AccountID == "" {
				return fmt.Errorf("send: job %s waits for no account", j.ID)
			}
			accounts[j.AccountID] = struct{}{}
		}
		if err := countOutcome(tx, org, j, now); err != nil {
			return err
		}
	}
	if err := jobs.PutMany(tx, org, list); err != nil {
		return err
	}
	for id := range accounts {
		if err := wake(tx, org, id); err != nil {
			return err
		}
	}
	return nil
}

// randomID is a new platform number: never 0, which stands for none.
func randomID() int64 {
	for {
		if id := rand.Int64(); id != 0 {
			return id
		}
	}
}

// Totals are how many jobs of a campaign are in each status.
type Totals map[Status]int

// Count is how many there are in all.
func (t Totals) Count() (n int) {
	for _, k := range t {
		n += k
	}
	return n
}

// Counts are the totals of a campaign. They are kept, not counted. What waits of a
// cancelled one is CANCELLED, but for what is on its way.
func Counts(tx *store.Tx, org, batch string) (Totals, error) { return countsOf(tx, org, batch, "") }

// CountsOfAccount are the totals of the jobs of a campaign that one account has.
func CountsOfAccount(tx *store.Tx, org, batch, account string) (Totals, error) {
	return countsOf(tx, org, batch, account)
}

// Pending is how many jobs of a campaign have no outcome stored.
func Pending(tx *store.Tx, org, batch string) (int, error) {
	return counted.Count(tx, org, countName(batch, "", Waiting))
}

func countsOf(tx *store.Tx, org, batch, account string) (Totals, error) {
	out := Totals{}
	for _, s := range statuses {
		n, err := counted.Count(tx, org, countName(batch, account, s))
		if err != nil {
			return nil, err
		}
		if n > 0 {
			out[s] = n
		}
	}
	b, err := batchOrNew(tx, org, batch)
	if err != nil || !b.Ended || out[Waiting] == 0 {
		return out, err
	}
	n, err := onTheirWay(tx, org, batch, account)
	out[Cancelled] += out[Waiting] - n
	if out[Waiting] = n; n == 0 {
		delete(out, Waiting)
	}
	return out, err
}

// onTheirWay is how many messages of a campaign are being sent, by one account or,
// with "", by all.
func onTheirWay(tx *store.Tx, org, batch, account string) (int, error) {
	if account == "" {
		return inFlightCounts.Count(tx, org, batch)
	}
	l, err := accountQueueOf(tx, org, account)
	if err != nil || l.InFlight == nil || l.InFlight.Batch != batch {
		return 0, err
	}
	return 1, nil
}
