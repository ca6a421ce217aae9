package login

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"svc/app/api"
	"svc/app/audit"
	"svc/messenger"
	"svc/store"
)

// openAt reads a sign-in that waits for a step.
func openAt(tx *store.Tx, c *api.Call, id string, at Step) (Flow, error) {
	f, err := flows.Get(tx, c.Org, id)
	if store.IsNotFound(err) {
		return f, ErrFlowNotFound
	}
	if err == nil {
		err = f.over(tx.DB().Now(), at)
	}
	return f, err
}

// refused notes what a refusal of the platform means for the sign-in.
func (s *Service[A]) refused(c *api.Call, id string, at Step, refusal error) error {
	var e *api.Error
	if !errors.As(refusal, &e) {
		return refusal
	}
	wrong := errors.Is(e, ErrCode) || errors.Is(e, ErrPassword)
	ends := errors.Is(e, ErrFlowFailed) || slices.ContainsFunc(endsFlow, func(x *api.Error) bool { return errors.Is(e, x) })
	if !wrong && !ends {
		return e
	}
	answer := e
	err := s.db.Update(context.WithoutCancel(c), func(tx *store.Tx) error {
		f, err := openAt(tx, c, id, at)
		if err != nil {
			return err
		}
		on := failed
		if wrong {
			f.Attempts++
			on = usedUp
		}
		if left := flowAttempts - f.Attempts; wrong && left > 0 {
			answer = e.WithMessage("%s", e.Message+" "+attemptsLeft(left)).WithExtra("attempts_left", left).WithFigure("attempts_left", left) // beside it for clients that know it there
			return flows.Put(tx, c.Org, &f)
		}
		if err := f.happens(tx, c.Org, on); err != nil {
			return err
		}
		if answer = e; wrong {
			answer = ErrAttempts.After(f.ExpiresAt.Sub(tx.DB().Now())).WithCause(e.Cause)
		}
		if err := flows.Put(tx, c.Org, &f); err != nil {
			return err
		}
		return audit.Write(tx, c, "account.login_failed", f.resource(), audit.Because(answer.Code))
	})
	if err != nil {
		return err
	}
	return answer
}

// stepped saves the step that the platform answered with.
func (s *Service[A]) stepped(c *api.Call, id string, via messenger.Route, secret flowSecret, step messenger.Step) (out Answer[A], err error) {
	if step.Kind == messenger.Completed {
		return s.complete(c, id, via, step)
	}
	secret.State, secret.Hint = step.State, step.Hint
	err = s.db.Update(context.WithoutCancel(c), func(tx *store.Tx) error {
		f, err := openAt(tx, c, id, CodeSent)
		if err != nil {
			return err
		}
		if step.Kind == messenger.PasswordRequired {
			if err := f.happens(tx, c.Org, passwordAsked); err != nil {
				return err
			}
		}
		if err := sealFlow(tx, c.Org, &f, secret); err != nil {
			return err
		}
		out = Answer[A]{State: f.shown(step.Hint)}
		return flows.Put(tx, c.Org, &f)
	})
	return out, err
}

// complete makes the account, or gives one its new session. A session that cannot
// become an account's is ended at the platform.
func (s *Service[A]) complete(c *api.Call, id string, via messenger.Route, step messenger.Step) (out Answer[A], err error) {
	ctx := context.WithoutCancel(c)
	accountID := s.db.NewID("acc")
	err = s.db.Update(ctx, func(tx *store.Tx) error {
		f, err := flows.Get(tx, c.Org, id)
		if err != nil {
			return err
		}
		if !f.open() { // replaced, or its time ran out, while the platform answered
			return f.over(tx.DB().Now(), f.Step)
		}
		var shown A
		if f.AccountID == "" {
			f.AccountID = accountID
			shown, err = s.o.Accounts.Connect(tx, c, &f, step)
		} else {
			shown, err = s.o.Accounts.SignInAgain(tx, c, &f, step)
		}
		if err != nil {
			return err
		}
		if err := f.happens(tx, c.Org, signedIn); err != nil {
			return err
		}
		out = Answer[A]{State: f.shown(""), Account: &shown}
		return flows.Put(tx, c.Org, &f)
	})
	if err == nil {
		return out, nil
	}
	if failed := s.abandon(ctx, c, id, via, step.Session, err); failed != nil {
		return Answer[A]{}, failed
	}
	return Answer[A]{}, err
}

// abandon ends a sign-in that succeeded at the platform and may not here.
func (s *Service[A]) abandon(ctx context.Context, c *api.Call, id string, via messenger.Route, secret []byte, why error) error {
	unused := s.db.NewID("acc")
	err := s.db.Update(ctx, func(tx *store.Tx) error {
		if err := s.o.Accounts.LogOut(tx, c.Org, unused, secret, via); err != nil {
			return err
		}
		f, err := flows.Get(tx, c.Org, id)
		if err != nil || !f.open() {
			return store.IgnoreNotFound(err)
		}
		if err := f.happens(tx, c.Org, failed); err != nil {
			return err
		}
		if err := flows.Put(tx, c.Org, &f); err != nil {
			return err
		}
		return audit.Write(tx, c, "account.login_failed", f.resource(), audit.Because(api.From(why).Code))
	})
	if err != nil {
		return fmt.Errorf("end a session that is not used: %w", err)
	}
	return nil
}

// attemptsLeft says how many attempts a sign-in has left.
func attemptsLeft(n int) string {
	if n == 1 {
		return "1 attempt is left."
	}
	return fmt.Sprintf("%d attempts are left.", n)
}
