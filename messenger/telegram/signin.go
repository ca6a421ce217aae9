package telegram

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/gotd/td/telegram"
	"github.com/gotd/td/telegram/auth"
	"github.com/gotd/td/tg"

	"svc/messenger"
	"svc/messenger/telegram/cursor"
	"svc/messenger/telegram/fault"
)

// flow is the state of a sign-in between two steps, kept by the caller. It is secret.
type flow struct {
	Session []byte `json:"session"`
	Phone   string `json:"phone"`
	Hash    string `json:"hash"`
}

// codeType maps how the code travels to the words of contract 37 and 7.2.
func codeType(t tg.AuthSentCodeTypeClass) (string, error) {
	switch t.(type) {
	case *tg.AuthSentCodeTypeApp:
		return "app", nil
	case *tg.AuthSentCodeTypeSMS, *tg.AuthSentCodeTypeSMSWord, *tg.AuthSentCodeTypeSMSPhrase,
		*tg.AuthSentCodeTypeFragmentSMS, *tg.AuthSentCodeTypeFirebaseSMS:
		return "sms", nil
	case *tg.AuthSentCodeTypeCall:
		return "call", nil
	case *tg.AuthSentCodeTypeFlashCall, *tg.AuthSentCodeTypeMissedCall:
		return "flash_call", nil
	case *tg.AuthSentCodeTypeEmailCode:
		return "email", nil
	case *tg.AuthSentCodeTypeSetUpEmailRequired:
		return "", fault.Refusal("email_setup_required", nil)
	default:
		return "", fault.Refusal(fault.CodeFlowFailed, fmt.Errorf("unknown kind of code %T", t))
	}
}

// SendCode begins a sign-in with a new key.
func (d *Driver) SendCode(ctx context.Context, via messenger.Route, phone string) (messenger.Step, error) {
	f := flow{Phone: phone}
	if d.o.NewSession != nil {
		var err error
		if f.Session, err = d.o.NewSession(); err != nil {
			return messenger.Step{}, fault.OfSignIn(err)
		}
	}
	return d.step(ctx, via, f, func(ctx context.Context, c *telegram.Client, f *flow) (messenger.Step, error) {
		sent, err := c.Auth().SendCode(ctx, f.Phone, auth.SendCodeOptions{})
		if err != nil {
			return messenger.Step{}, err
		}
		switch sent := sent.(type) {
		case *tg.AuthSentCode:
			f.Hash = sent.PhoneCodeHash
			kind, err := codeType(sent.Type)
			return messenger.Step{Kind: messenger.CodeSent, CodeType: kind}, err
		case *tg.AuthSentCodeSuccess:
			return d.signedIn(ctx, c, sent.Authorization)
		case *tg.AuthSentCodePaymentRequired:
			return messenger.Step{}, fault.Refusal("code_payment_required", nil)
		default:
			return messenger.Step{}, fault.Refusal(fault.CodeFlowFailed, fmt.Errorf("unknown answer %T", sent))
		}
	})
}

// EnterCode goes on with the code.
func (d *Driver) EnterCode(ctx context.Context, via messenger.Route, state []byte, code string) (messenger.Step, error) {
	f, err := readFlow(state)
	if err != nil {
		return messenger.Step{}, err
	}
	return d.step(ctx, via, f, func(ctx context.Context, c *telegram.Client, f *flow) (messenger.Step, error) {
		a, err := c.Auth().SignIn(ctx, f.Phone, code, f.Hash)
		if errors.Is(err, auth.ErrPasswordAuthNeeded) {
			p, err := c.API().AccountGetPassword(ctx)
			if err != nil {
				return messenger.Step{}, err
			}
			return messenger.Step{Kind: messenger.PasswordRequired, Hint: p.Hint}, nil
		}
		if err != nil {
			return messenger.Step{}, err
		}
		return d.signedIn(ctx, c, a)
	})
}

// EnterPassword goes on with the two-step password.
func (d *Driver) EnterPassword(ctx context.Context, via messenger.Route, state []byte, password string) (messenger.Step, error) {
	f, err := readFlow(state)
	if err != nil {
		return messenger.Step{}, err
	}
	return d.step(ctx, via, f, func(ctx context.Context, c *telegram.Client, _ *flow) (messenger.Step, error) {
		a, err := c.Auth().Password(ctx, password)
		if err != nil {
			return messenger.Step{}, err
		}
		return d.signedIn(ctx, c, a)
	})
}

func readFlow(state []byte) (flow, error) {
	var f flow
	if json.Unmarshal(state, &f) == nil {
		if _, ok := readSession(f.Session); ok {
			return f, nil
		}
	}
	return flow{}, fault.Refusal(fault.CodeFlowFailed, errors.New("the state of the sign-in cannot be read"))
}

// signedIn is the end of a sign-in, from which on the stream of updates is read. A
// platform that does not say where that is costs what arrives before the first
// connection, and is no reason to refuse who signed in.
func (d *Driver) signedIn(ctx context.Context, c *telegram.Client, a tg.AuthAuthorizationClass) (messenger.Step, error) {
	out, err := completed(a)
	if err != nil {
		return out, err
	}
	at, err := c.API().UpdatesGetState(ctx)
	if err == nil {
		out.UpdateState, err = json.Marshal(cursor.Stream{Pts: at.Pts, Qts: at.Qts, Date: at.Date, Seq: at.Seq})
	}
	if err != nil {
		d.o.Log.Warn("the platform did not say where the updates of a new session begin", "err", fault.In(err).Code)
	}
	return out, nil
}

func completed(a tg.AuthAuthorizationClass) (messenger.Step, error) {
	full, ok := a.(*tg.AuthAuthorization)
	if !ok {
		return messenger.Step{}, fault.Refusal("phone_number_unoccupied", nil)
	}
	u, ok := full.User.(*tg.User)
	if !ok {
		return messenger.Step{}, fault.Refusal(fault.CodeFlowFailed, errors.New("the platform did not say who signed in"))
	}
	return messenger.Step{Kind: messenger.Completed, Self: profileOf(u)}, nil
}

// step opens a connection with the key of f, does one step and closes it again: between
// the steps nothing of a sign-in runs, and a restart loses nothing.
func (d *Driver) step(ctx context.Context, via messenger.Route, f flow, do func(context.Context, *telegram.Client, *flow) (messenger.Step, error)) (messenger.Step, error) {
	ctx, cancel := context.WithTimeout(ctx, d.o.CallTimeout)
	defer cancel()
	kept := &memorySession{data: f.Session}
	l, err := d.newLine(ctx, lineOptions{via: via, storage: kept})
	if err != nil {
		return messenger.Step{}, fault.OfSignIn(err)
	}
	var out messenger.Step
	err = l.run(func(ctx context.Context) (err error) {
		out, err = do(ctx, l.client, &f)
		return err
	})
	if err != nil {
		return messenger.Step{}, fault.OfSignIn(err)
	}
	// The library stored the session before Run returned.
	session, err := kept.LoadSession(context.WithoutCancel(ctx))
	if err != nil {
		return messenger.Step{}, fault.OfSignIn(err)
	}
	if out.Kind == messenger.Completed {
		out.Session = session
		return out, nil
	}
	f.Session = session
	out.State, err = json.Marshal(f)
	return out, err
}

func profileOf(u *tg.User) messenger.Profile {
	return messenger.Profile{ID: u.ID, Username: usernameOf(u), FirstName: u.FirstName, LastName: u.LastName, Premium: u.Premium}
}

// usernameOf is the first active public name: a person may have several.
func usernameOf(u *tg.User) string {
	if u.Username != "" {
		return u.Username
	}
	for _, n := range u.Usernames {
		if n.Active {
			return n.Username
		}
	}
	return ""
}
