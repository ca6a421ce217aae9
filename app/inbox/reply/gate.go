// Package reply writes to customers from the inbox: it says whether somebody may be
// answered now, keeps the reply, and hands it to the network to be sent before everything
// else that the account sends.
//
// It promises that the gate is asked when a reply is queued and again in the transaction
// that claims it (contract 10.3), that a reply is sent once (package send), that a client_id
// makes a retry safe, and that whoever takes a conversation over cancels what the AI has
// queued. It refuses to know a network: package channel does.
package reply

import (
	"time"

	"svc/app/api"
	"svc/app/inbox/channel"
	"svc/app/inbox/conversation"
	"svc/store"
)

// Basis is on what ground a person is answered.
type Basis string

// The bases (contract 10.3).
const (
	ReplyWindow Basis = "REPLY_WINDOW"
	Consent     Basis = "CONSENT"
	HumanAgent  Basis = "HUMAN_AGENT"
)

// Verdict is what the gate says.
type Verdict struct {
	Allowed bool
	Basis   Basis
	// WindowEnds is when the reply window closes, or closed; zero: there never was one.
	WindowEnds time.Time
	// HumanEnds is when nobody may answer any more; zero where that is WindowEnds.
	HumanEnds time.Time
	Code      string // why not, of contract 10.3
	Standing  channel.Standing
}

// refusals are the answers of POST …/reply by the code of the gate.
var refusals = map[string]*api.Error{
	channel.WindowClosed: ErrWindowClosed, channel.NoConsent: ErrNoConsent, channel.OptedOut: ErrOptedOut, channel.Suppressed: ErrSuppressed,
	channel.Stopped: ErrStopped, channel.Unavailable: ErrUnavailable, channel.AuthRequired: ErrAuthRequired, channel.Blocked: ErrBlocked,
}

// The refusals of the gate (contract 18).
var (
	ErrWindowClosed  = &api.Error{Kind: api.Conflict, Code: "reply_window_closed", Message: "The customer wrote too long ago and gave no consent; they must write first."}
	ErrUploadExpired = &api.Error{Kind: api.Gone, Code: "upload_expired", Message: "A file waited for its reply longer than 24 hours; add it again."}
	ErrNoConsent     = &api.Error{Kind: api.Conflict, Code: "no_consent", Message: "The customer never wrote and gave no consent."}
	ErrOptedOut      = &api.Error{Kind: api.Conflict, Code: "opted_out", Message: "The customer opted out; nothing is sent to them."}
	ErrSuppressed    = &api.Error{Kind: api.Conflict, Code: "suppressed", Message: "The customer is on the suppression list; nothing is sent to them."}
	ErrStopped       = &api.Error{Kind: api.Conflict, Code: "conversation_stopped", Message: "The customer asked to stop; this conversation is closed."}
	ErrUnavailable   = &api.Error{Kind: api.Conflict, Code: "account_unavailable", Message: "The account cannot send now; look at its status."}
	ErrAuthRequired  = &api.Error{Kind: api.Conflict, Code: "channel_auth_required", Message: "The channel must be connected again before anything is sent."}
	ErrBlocked       = &api.Error{Kind: api.Conflict, Code: "customer_blocked", Message: "The customer blocked the account."}
)

// Refusals lists them.
func Refusals() []*api.Error {
	return []*api.Error{ErrWindowClosed, ErrNoConsent, ErrOptedOut, ErrSuppressed, ErrStopped, ErrUnavailable, ErrAuthRequired, ErrBlocked}
}

// Refusal is the answer for a verdict that does not allow.
func (v *Verdict) Refusal() *api.Error {
	if e := refusals[v.Code]; e != nil {
		return e
	}
	return ErrUnavailable
}

// Gate says whether the AI may answer in a conversation now, and why not.
func (s *Service) Gate(tx *store.Tx, org string, k *conversation.Conversation) (v Verdict, err error) {
	return s.GateOf(tx, org, k, false)
}

// Unproven says whether nobody knows yet whether a reply of a conversation arrived: what the
// customer reads is not certain, so that the AI waits with the next one.
func (s *Service) Unproven(tx *store.Tx, org string, k *conversation.Conversation) (bool, error) {
	net, ok := s.o.Networks.Of(k.Channel).(channel.Proving)
	if !ok {
		return false, nil
	}
	return net.Unproven(tx, org, k.ID)
}

// GateOf says whether somebody may be answered in a conversation now, and why not: by a person
// of the team, or else by the AI.
func (s *Service) GateOf(tx *store.Tx, org string, k *conversation.Conversation, person bool) (v Verdict, err error) {
	net := s.o.Networks.Of(k.Channel)
	rules := net.Rules()
	if v.Standing, err = net.Standing(tx, org, k.Person, k.RecipientID); err != nil {
		return v, err
	}
	var closes time.Time
	if !k.LastInAt.IsZero() {
		window, err := s.window(tx, org, k.AccountID, &rules)
		if err != nil {
			return v, err
		}
		v.WindowEnds = k.LastInAt.Add(window)
		closes = v.WindowEnds
		if rules.WindowLimit > 0 {
			closes = k.LastInAt.Add(min(window, rules.WindowLimit-rules.Early))
		}
		if rules.HumanWindow > 0 {
			v.HumanEnds = k.LastInAt.Add(rules.HumanWindow)
		}
	}
	v.Code, err = s.objection(tx, org, net, k, &v)
	if err != nil || v.Code != "" {
		return v, err
	}
	now := tx.DB().Now()
	switch {
	case now.Before(closes):
		v.Allowed, v.Basis = true, ReplyWindow
	case person && now.Before(v.HumanEnds.Add(-rules.Early)):
		v.Allowed, v.Basis = true, HumanAgent
	case v.Standing.Basis():
		v.Allowed, v.Basis = true, Consent
	case v.WindowEnds.IsZero():
		v.Code = channel.NoConsent
	default:
		v.Code = channel.WindowClosed
	}
	return v, nil
}

// window is how long after their last message the customers of an account may be answered
// without consent: what its business says, else what is usual on the network, and never longer
// than the network allows.
func (s *Service) window(tx *store.Tx, org, account string, rules *channel.Rules) (time.Duration, error) {
	out := rules.Window
	if s.o.Window != nil {
		set, err := s.o.Window(tx, org, account)
		if err != nil {
			return 0, err
		}
		if set > 0 {
			out = set
		}
	}
	if rules.WindowLimit > 0 {
		out = min(out, rules.WindowLimit)
	}
	return out, nil
}

// objection is what keeps everything from a customer, "" for nothing: the person first, then
// the account.
func (s *Service) objection(tx *store.Tx, org string, net channel.Channel, k *conversation.Conversation, v *Verdict) (string, error) {
	switch {
	case k.AIState == conversation.Stopped:
		return channel.Stopped, nil
	case v.Standing.OptedOut:
		return channel.OptedOut, nil
	case v.Standing.Suppressed:
		return channel.Suppressed, nil
	case k.Blocked:
		return channel.Blocked, nil
	}
	a, err := net.Account(tx, org, k.AccountID)
	if store.IsNotFound(err) {
		return channel.Unavailable, nil
	}
	return a.Unavailable, err
}
