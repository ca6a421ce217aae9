package channel

import (
	"errors"
	"testing"
	"time"

	"svc/app/api"
	"svc/app/send"
	"svc/messenger"
)

// TestMarkRead: what the messenger answers to a read mark is told as a refusal, or as a
// messenger that is not reached.
func TestMarkRead(t *testing.T) {
	for fault, want := range map[messenger.Fault]*api.Error{
		messenger.Unreachable: ErrUnreachable, messenger.RouteFailed: ErrUnreachable, messenger.Busy: ErrUnreachable,
		messenger.Flood: ErrUnreachable, messenger.Wait: ErrUnreachable,
		messenger.PeerUnreachable: ErrRefused, messenger.Refused: ErrRefused, messenger.SessionEnded: ErrRefused, messenger.Restricted: ErrRefused,
	} {
		if got := refusalOf(&messenger.Error{Fault: fault, Wait: time.Minute}); !errors.Is(got, want) {
			t.Errorf("fault %d: %v, want %s", fault, got, want.Code)
		}
	}
	if err := refusalOf(nil); err != nil {
		t.Error(err)
	}
	if err := refusalOf(errors.New("no answer of the messenger")); !errors.Is(err, ErrUnreachable) {
		t.Error(err)
	}
}

// TestCodes: what package send says of a reply becomes a code of contract 10.2.
func TestCodes(t *testing.T) {
	for _, x := range []struct {
		job  send.Job
		want string
	}{
		{send.Job{Status: send.Unreachable, ErrorCode: "PEER_BLOCKED"}, PeerBlocked},
		{send.Job{Status: send.Unreachable, ErrorCode: "PRIVACY_RESTRICTED"}, PrivacyRestricted},
		{send.Job{Status: send.Unreachable, ErrorCode: "PEER_DEACTIVATED"}, PeerUnresolvable},
		{send.Job{Status: send.Failed, ErrorCode: "MESSAGE_TOO_LONG", ContentRefused: true}, TextRejected},
		{send.Job{Status: send.Failed, ErrorCode: "PHOTO_INVALID", ContentRefused: true}, FileRejected},
		{send.Job{Status: send.Failed, ErrorCode: "FLOOD_WAIT"}, RateLimited},
		{send.Job{Status: send.Failed, ErrorCode: "INTERNAL"}, Transport},
	} {
		if got := failedCode(&x.job); got != x.want {
			t.Errorf("%+v: %s, want %s", x.job, got, x.want)
		}
	}
	if got := deniedCode(send.RecipientDeleted); got != NoConsent {
		t.Error(got)
	}
}

// TestLength: the messenger and the page network count UTF-16 units, the photo network bytes.
func TestLength(t *testing.T) {
	for _, x := range []struct {
		unit, text string
		want       int
	}{
		{"utf16", "Salom", 5}, {"utf16", "Салом", 5}, {"utf16", "🙂", 2}, {"utf16", "oʻ", 2},
		{"bytes", "Salom", 5}, {"bytes", "Салом", 10}, {"bytes", "🙂", 4}, {"bytes", "oʻ", 3},
		{"characters", "Salom", 5}, {"characters", "Салом", 5}, {"characters", "🙂", 2}, {"characters", "oʻ", 2},
	} {
		if got := (Rules{Unit: x.unit}).Length(x.text); got != x.want {
			t.Errorf("%q has %d %s units, want %d", x.text, got, x.unit, x.want)
		}
	}
}
