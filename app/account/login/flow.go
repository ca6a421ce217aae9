package login

import (
	"encoding/json"
	"time"

	"svc/app/api"
	"svc/app/audit"
	"svc/store"
)

// The bounds of a sign-in (contract 47).
const (
	flowFor      = 15 * time.Minute
	flowAttempts = 5
	// flowKept is how long one that is over is remembered, without its secrets.
	flowKept = 24 * time.Hour
)

// Step says what a sign-in waits for.
type Step string

// The steps (contract 37). Failed, Exhausted and Expired ones are over;
// the API tells them as errors.
const (
	CodeSent         Step = "CODE_SENT"
	PasswordRequired Step = "PASSWORD_REQUIRED"
	Completed        Step = "COMPLETED"
	FlowFailed       Step = "FAILED"
	FlowExhausted    Step = "EXHAUSTED"
	FlowExpired      Step = "EXPIRED"
)

// flowEvent is what happens to a sign-in.
type flowEvent string

const (
	passwordAsked flowEvent = "code right, password asked for"
	signedIn      flowEvent = "signed in"
	failed        flowEvent = "failed"
	replaced      flowEvent = "replaced"
	usedUp        flowEvent = "fifth wrong attempt"
	ranOut        flowEvent = "15 minutes passed"
)

// flowTransitions is the life of a sign-in (contract 37).
var flowTransitions = api.Table[Step, flowEvent]{
	{From: []Step{CodeSent}, On: passwordAsked, To: PasswordRequired},
	{From: []Step{CodeSent, PasswordRequired}, On: signedIn, To: Completed},
	{From: []Step{CodeSent, PasswordRequired}, On: failed, To: FlowFailed},
	{From: []Step{CodeSent, PasswordRequired}, On: replaced, To: FlowFailed},
	{From: []Step{CodeSent, PasswordRequired}, On: usedUp, To: FlowExhausted},
	{From: []Step{CodeSent, PasswordRequired}, On: ranOut, To: FlowExpired},
}

// Flow is a sign-in as it is kept.
type Flow struct {
	ID          string `json:"id"`
	Step        Step   `json:"step"`
	CodeType    string `json:"code_type,omitempty"`
	PhoneHash   string `json:"phone_hash"`
	PhoneMasked string `json:"phone_masked"`
	ProxyID     string `json:"proxy_id,omitempty"`
	// SetProxy: the proxy was named, so that the account of a reauth takes it.
	SetProxy bool `json:"set_proxy,omitempty"`
	// AccountID is the account that signs in again, or that was made.
	AccountID string `json:"account_id,omitempty"`
	Attempts  int    `json:"attempts"` // wrong ones
	// Secret is what the next step needs; nothing when it is over.
	Secret    store.Sealed `json:"secret,omitzero"`
	CreatedBy string       `json:"created_by"`
	CreatedAt time.Time    `json:"created_at"`
	ExpiresAt time.Time    `json:"expires_at"`
	EndedAt   time.Time    `json:"ended_at,omitzero"`
}

// flowSecret is what is sealed of a sign-in.
type flowSecret struct {
	Phone string `json:"phone"`
	State []byte `json:"state"`
	Hint  string `json:"hint,omitempty"`
}

func (f *Flow) open() bool { return f.Step == CodeSent || f.Step == PasswordRequired }

var (
	flows      = store.NewTable("login_flow", "flw", func(f *Flow) string { return f.ID })
	flowSealed = flows.Sealed("secret", func(f *Flow) *store.Sealed { return &f.Secret })
	// openFlow finds the open sign-in of a number.
	openFlow = flows.Unique("open", func(f *Flow) store.Key {
		if !f.open() {
			return nil
		}
		return store.Text(f.PhoneHash)
	})
	// flowsDue are open ones by when they run out, and others by when they are forgotten.
	flowsDue = flows.MultiAcross("due", func(f *Flow) []store.Key {
		if f.open() {
			return []store.Key{store.Time(f.ExpiresAt)}
		}
		return []store.Key{store.Time(f.EndedAt.Add(flowKept))}
	})
)

func sealFlow(tx *store.Tx, org string, f *Flow, x flowSecret) error {
	data, err := json.Marshal(x)
	if err != nil {
		return err
	}
	return flowSealed.Set(tx, org, f, data)
}

func (f *Flow) secret(db *store.DB, org string) (x flowSecret, err error) {
	data, err := flowSealed.Open(db, org, f)
	if err != nil || data == nil {
		return x, err
	}
	return x, json.Unmarshal(data, &x)
}

// happens moves a sign-in on, and forgets its secrets when it is over. The caller
// saves it.
func (f *Flow) happens(tx *store.Tx, org string, on flowEvent) error {
	to, ok := flowTransitions.Next(f.Step, on)
	if !ok {
		return api.ErrState
	}
	f.Step = to
	if f.open() {
		return nil
	}
	f.EndedAt = tx.DB().Now()
	return flowSealed.Set(tx, org, f, nil)
}

// over says why a sign-in takes no step any more; nil when it does. at is the step
// that is asked for.
func (f *Flow) over(now time.Time, at Step) error {
	switch {
	case f.Step == FlowExhausted:
		return ErrAttempts.After(max(f.ExpiresAt.Sub(now), time.Second))
	case f.Step == FlowExpired, f.open() && !now.Before(f.ExpiresAt):
		return ErrFlowExpired
	case f.Step == FlowFailed:
		return ErrFlowFailed
	case f.Step == Completed:
		return errFlowDone
	case f.Step != at:
		return errFlowIncomplete
	}
	return nil
}

// ShownFlow is where a sign-in is, in the API.
type ShownFlow struct {
	ID           string    `json:"flow_id"`
	Step         Step      `json:"step" enum:"CODE_SENT,PASSWORD_REQUIRED,COMPLETED"`
	CodeType     *string   `json:"code_type" enum:"app,sms,call,flash_call,email" doc:"How the code was sent."`
	PhoneMasked  string    `json:"phone_masked" example:"+998 90 ••• •• 67"`
	PasswordHint *string   `json:"password_hint"`
	AttemptsLeft int       `json:"attempts_left" doc:"Wrong codes and passwords together use up five."`
	ExpiresAt    time.Time `json:"expires_at"`
}

// Answer is the answer of each step of a sign-in. A is how an account is shown; Account is
// nil until the sign-in is completed.
type Answer[A any] struct {
	State   ShownFlow
	Account *A
}

func (f *Flow) shown(hint string) ShownFlow {
	return ShownFlow{
		ID: f.ID, Step: f.Step, CodeType: api.Optional(f.CodeType), PhoneMasked: f.PhoneMasked, PasswordHint: api.Optional(hint),
		AttemptsLeft: max(0, flowAttempts-f.Attempts), ExpiresAt: f.ExpiresAt,
	}
}

func (f *Flow) resource() audit.Resource { return audit.On("login_flow", f.ID, f.PhoneMasked) }
