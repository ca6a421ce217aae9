package login

import (
	"context"
	"errors"
	"time"

	"svc/app/api"
	"svc/messenger"
)

// The refusals of a sign-in (contract 46.4, 7.2 and 18).
var (
	ErrCode           = &api.Error{Kind: api.Invalid, Code: "phone_code_invalid", Message: "The code is wrong; type it again."}
	ErrCodeExpired    = &api.Error{Kind: api.Gone, Code: "phone_code_expired", Message: "The code has expired; begin the sign-in again."}
	ErrPassword       = &api.Error{Kind: api.Invalid, Code: "password_hash_invalid", Message: "The two-step password is wrong; type it again."}
	ErrNumber         = &api.Error{Kind: api.Invalid, Code: "phone_number_invalid", Message: "That is no phone number; write it in international form, as in +998901234567."}
	ErrUnoccupied     = &api.Error{Kind: api.Invalid, Code: "phone_number_unoccupied", Message: "This number is not registered with the messenger; register it in its app first."}
	ErrBanned         = &api.Error{Kind: api.Forbidden, Code: "phone_number_banned", Message: "The messenger has banned this number."}
	ErrFlood          = &api.Error{Kind: api.TooMany, Code: "phone_number_flood", Message: "The messenger paused sign-ins of this number; wait as Retry-After says."}
	ErrAttempts       = &api.Error{Kind: api.TooMany, Code: "too_many_attempts", Message: "The five attempts of this sign-in are used up; begin again later."}
	ErrFlowExpired    = &api.Error{Kind: api.Gone, Code: "flow_expired", Message: "This sign-in took longer than 15 minutes; begin again."}
	ErrFlowFailed     = &api.Error{Kind: api.Gone, Code: "flow_failed", Message: "This sign-in is over; begin again."}
	ErrFlowNotFound   = &api.Error{Kind: api.NotFound, Code: "flow_not_found", Message: "There is no such sign-in; begin again."}
	ErrProxy          = &api.Error{Kind: api.Invalid, Code: "proxy_unavailable", Message: "The messenger cannot be reached through this proxy; check it, or choose another."}
	ErrApp            = &api.Error{Kind: api.Internal, Code: "messenger_app_invalid", Message: "The messenger refuses the application credentials of this service; its administrator must correct them."}
	ErrEmailSetup     = &api.Error{Kind: api.Invalid, Code: "email_setup_required", Message: "The messenger wants an e-mail address for this number; set it in the messenger's own app, then begin again."}
	ErrPaymentSetup   = &api.Error{Kind: api.Invalid, Code: "code_payment_required", Message: "The messenger asks this number to pay for codes; sign in once in the messenger's own app, then begin again."}
	ErrGateway        = &api.Error{Kind: api.BadGateway, Code: "gateway_unavailable", Message: "The messenger cannot be reached at the moment; try again."}
	signInErrors      = []*api.Error{ErrCode, ErrCodeExpired, ErrPassword, ErrNumber, ErrUnoccupied, ErrBanned, ErrFlood, ErrEmailSetup, ErrPaymentSetup, ErrApp}
	endsFlow          = []*api.Error{ErrCodeExpired, ErrNumber, ErrUnoccupied, ErrBanned, ErrEmailSetup, ErrPaymentSetup}
	errFlowDone       = api.ErrState.WithMessage("This sign-in is completed; the account is connected.")
	errFlowIncomplete = api.ErrState.WithMessage("This sign-in waits for another step; see its step.")
)

// floodWait is what Retry-After says when the platform names no time.
const floodWait = time.Minute

// signInError is the refusal of a sign-in for what the platform said.
func signInError(err error) error {
	e := messenger.As(err)
	switch {
	case e == nil && errors.Is(err, context.DeadlineExceeded):
		return ErrGateway.WithCause(err)
	case e == nil:
		return err
	}
	switch e.Fault {
	case messenger.SignInRefused:
		for _, known := range signInErrors {
			if known.Code != e.Code {
				continue
			}
			if known == ErrFlood {
				return flooded(e)
			}
			return known.WithCause(e)
		}
		if e.Code == "sign_up_required" {
			return ErrUnoccupied.WithCause(e)
		}
		return ErrFlowFailed.WithCause(e)
	case messenger.Flood, messenger.Wait:
		return flooded(e)
	case messenger.RouteFailed:
		return ErrProxy.WithCause(e)
	case messenger.Restricted:
		return ErrBanned.WithCause(e)
	case messenger.Unreachable, messenger.Busy:
		return ErrGateway.WithCause(e)
	}
	return ErrFlowFailed.WithCause(e)
}

func flooded(e *messenger.Error) error {
	wait := e.Wait
	if wait <= 0 {
		wait = floodWait
	}
	return ErrFlood.After(wait).WithCause(e)
}
