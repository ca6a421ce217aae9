package messenger

import (
	"errors"
	"time"
)

// Fault is what an answer of the platform means for whoever asked.
type Fault uint8

// The faults. What is done about each stands in the design of the messenger (B4) and in
// app/send and app/account.
const (
	// Flood: wait for Error.Wait, then ask the same again.
	Flood Fault = iota + 1
	// Wait: as Flood, but it concerns this request only, not the account.
	Wait
	// Restricted: the platform keeps the account from writing.
	Restricted
	// SessionEnded: the session is gone; a new sign-in is needed.
	SessionEnded
	// PeerUnreachable: this person cannot be written to; Code is one of the codes of contract 4.5.
	PeerUnreachable
	// ContentRefused: the platform does not take this message from anybody.
	ContentRefused
	// Busy: the platform answered that it failed; try again later.
	Busy
	// Unreachable: no answer. Whether the request arrived is not known.
	Unreachable
	// RouteFailed: the proxy cannot be used; the request did not arrive.
	RouteFailed
	// SignInRefused: a step of a sign-in failed; Code is that of contract 46.4, in
	// lower case.
	SignInRefused
	// Refused: any other refusal, for good.
	Refused
	// FileGone: the platform no longer has the file, or never gives it out.
	FileGone
	// FileTooLarge: the file has more bytes than the caller takes.
	FileTooLarge
)

// Error is an answer of the platform, or the lack of one.
type Error struct {
	Fault Fault
	// Code is the platform's error type without its number, as in PEER_FLOOD; a code
	// of ours where the platform has none (USERNAME_REASSIGNED).
	Code string
	// Wait is how long the platform asks to wait, to the second.
	Wait time.Duration
	// Cause is for the log.
	Cause error
}

// Error is the code, which holds no secret and no text of a message.
func (e *Error) Error() string {
	if e.Cause == nil {
		return e.Code
	}
	return e.Code + ": " + e.Cause.Error()
}

// Unwrap gives the cause.
func (e *Error) Unwrap() error { return e.Cause }

// As finds the messenger's error in err; nil for none.
func As(err error) *Error {
	var e *Error
	if errors.As(err, &e) {
		return e
	}
	return nil
}
