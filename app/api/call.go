package api

import (
	"context"
	"errors"
	"time"

	"svc/app/api/perm"
)

// CallerKind says who makes a call.
type CallerKind uint8

// Nobody, a person with a session, a program with an API key or one of its access
// tokens; and those who never call an operation: the service itself, in a job, and
// a recipient who follows an opt-out link or writes a message.
const (
	Nobody CallerKind = iota
	Person
	Key
	Service
	Customer
)

// Caller is who makes a call, established before the operation runs.
type Caller struct {
	Kind CallerKind
	ID   string // of the user or the key
	Name string // as the audit log shows it
	// Session is the id of a person's session.
	Session string
	Role    perm.Role
	Perms   perm.Set // in the organization of the call
	// AIOff: AI is switched off for that organization or on the platform. Of the operations
	// about AI those of the inbox alone are left (contract 2), and Perms lacks ai:manage.
	AIOff bool
	// MFAPending: the session still waits for its two-factor code.
	MFAPending bool
	// Administrator of the platform; Verified: with two-factor on and given in
	// this session.
	Administrator, Verified bool
	// Support is the support session in which an administrator looks at the
	// organization of the call.
	Support string
	// APIAccess: the plan of the key's organization includes the API.
	APIAccess bool
}

// Call is one call of one operation: who, in which organization, when and from
// where. It is the context of everything that the operation does.
type Call struct {
	context.Context
	Caller    Caller
	Org       string // active organization; "" for none
	Suspended bool   // the organization is suspended
	Now       time.Time
	RequestID string
	// Base is the address under which the caller reached the service, without a slash
	// at its end, for links that are handed to somebody; "" for calls of no request.
	Base      string
	IP        string
	UserAgent string
	// Alive asks again whether the caller may still act: whether the session or the
	// key is still good. It brings Caller.Perms up to date. nil: it is. For answers that
	// go on for long.
	Alive func() bool
	// Report is told of failures of ours, whose causes the caller never sees; nil:
	// nobody is.
	Report func(*Error)
	// Maintained refuses while the service is in maintenance, for an operation that asks
	// itself (AsksMaintenance); nil: it was asked already, or nobody asks.
	Maintained func() error
	// Endpoint is the operation; nil for calls that no operation makes.
	Endpoint *Endpoint

	response ResponseWriter
	ignored  []string // what nobody read, see nameIgnored
}

// NewCall makes a call. response takes what is no JSON body; nil: there is none, and
// headers are dropped.
func NewCall(ctx context.Context, response ResponseWriter) *Call {
	c := &Call{response: response}
	c.Context = context.WithValue(ctx, callKey{}, c)
	return c
}

// System is the call of the service itself, for jobs: it may do everything in
// that organization.
func System(ctx context.Context, org string, now time.Time) *Call {
	c := NewCall(ctx, nil)
	c.Org, c.Now = org, now
	c.Caller = Caller{Kind: Service, Name: "svc", Perms: perm.Owner.Permissions()}
	return c
}

type callKey struct{}

// callOf finds the call that the guard made.
func callOf(ctx context.Context) *Call {
	c, _ := ctx.Value(callKey{}).(*Call)
	if c == nil {
		panic("api: an operation was mounted without a guard")
	}
	return c
}

// Failed makes an Error of any error that the call ended with. What is none, and came when
// the time of the call was over, is timeout: whoever waited then says only that it was
// interrupted.
func (c *Call) Failed(err error) *Error {
	e := From(err)
	var late *Error
	if e.Code == ErrInternal.Code && errors.As(context.Cause(c), &late) {
		return late.WithCause(err)
	}
	return e
}

// SetHeader sets a header of the answer, a refusal too.
func (c *Call) SetHeader(name, value string) {
	if c.response != nil {
		c.response.SetHeader(name, value)
	}
}

// Can says whether the caller may use p in the organization of the call; what a
// suspended organization may not do counts as missing.
func (c *Call) Can(p perm.Perm) bool {
	return c.Caller.Perms.Has(p) && !(c.Suspended && p.RefusedWhileSuspended())
}

// Revoked says whether the caller's session or key ended since the call began, and
// learns what the caller may do by now.
func (c *Call) Revoked() bool { return c.Alive != nil && !c.Alive() }

// Administration says whether this is the platform at work: an operation for its
// administrators.
func (c *Call) Administration() bool {
	return c.Endpoint != nil && c.Endpoint.Perm == perm.Administrator
}

// Authorize says whether the caller may use e, in the order of contract 44, with the refusals of contract 2.
// It
// knows nothing of rates and maintenance.
func (c *Call) Authorize(e *Endpoint) error {
	switch {
	case e.Perm == perm.Public:
		return nil
	case c.Caller.Kind == Nobody:
		return ErrUnauthenticated
	case c.Caller.MFAPending && !e.beforeMFA:
		return ErrMFARequired
	case c.Caller.Support != "" && e.Perm == perm.Administrator:
		return ErrSupportSession
	case c.Caller.Support != "" && !e.Reads() && !e.inSupport:
		return ErrSupportReadOnly
	}
	if err := c.authorizeKey(e); err != nil {
		return err
	}
	if e.Perm == perm.Administrator {
		return c.authorizeAdministrator()
	}
	if e.Perm.InOrganization() {
		return c.authorizeInOrganization(e)
	}
	return nil
}

func (c *Call) authorizeKey(e *Endpoint) error {
	if c.Caller.Kind != Key {
		return nil
	}
	if !c.Caller.APIAccess {
		return ErrPlanLimit.WithMessage("The plan of this organization does not include the API (api_access).")
	}
	if e.personOnly != nil && !(e.Perm.InOrganization() && !c.Caller.Perms.Has(e.Perm)) {
		return e.personOnly
	}
	return nil
}

func (c *Call) authorizeAdministrator() error {
	switch {
	case c.Caller.Kind != Person || !c.Caller.Administrator:
		return ErrForbidden.WithMessage("Only platform administrators may do this.")
	case !c.Caller.Verified:
		return ErrMFAEnrollment
	}
	return nil
}

func (c *Call) authorizeInOrganization(e *Endpoint) error {
	switch {
	case c.Org == "":
		return ErrNoOrganization
	case !c.Caller.Perms.Has(e.Perm) && c.Caller.Perms.And(e.orWith) == 0:
		return ErrForbidden.WithMessage("This needs the permission %s.", e.Perm)
	case c.Caller.AIOff && perm.AIPermissions.Has(e.Perm) && !e.withoutAI:
		return ErrForbidden.WithMessage("AI is switched off for this organization or for the platform.")
	case c.Suspended && e.Perm.RefusedWhileSuspended():
		return ErrSuspended
	}
	return nil
}
