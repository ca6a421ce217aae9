package telegram

import (
	"context"
	"errors"
	"fmt"
	"io"
	"testing"
	"time"

	"github.com/gotd/td/telegram/auth"
	"github.com/gotd/td/tgerr"

	"svc/messenger"
	"svc/messenger/telegram/dial"
	"svc/messenger/telegram/fault"
)

// Every row of the design's table (telegram.md, B4), and the neighbours that must not
// fall into it.
func TestFaultOfEachAnswer(t *testing.T) {
	for _, row := range []struct {
		code    int
		message string
		want    messenger.Fault
		name    string
		wait    time.Duration
	}{
		{420, "FLOOD_WAIT_5", messenger.Flood, "FLOOD_WAIT", 5 * time.Second},
		{420, "FLOOD_WAIT_0", messenger.Flood, "FLOOD_WAIT", 0},
		{420, "FLOOD_PREMIUM_WAIT_7", messenger.Flood, "FLOOD_PREMIUM_WAIT", 7 * time.Second},
		{420, "SLOWMODE_WAIT_30", messenger.Wait, "SLOWMODE_WAIT", 30 * time.Second},
		{420, "FLOOD_TEST_PHONE_WAIT_3", messenger.Wait, "FLOOD_TEST_PHONE_WAIT", 3 * time.Second},
		{420, "2FA_CONFIRM_WAIT_60", messenger.Wait, "2FA_CONFIRM_WAIT", time.Minute},

		{400, "PEER_FLOOD", messenger.Restricted, "PEER_FLOOD", 0},
		{403, "USER_RESTRICTED", messenger.Restricted, "USER_RESTRICTED", 0},
		{420, "FROZEN_METHOD_INVALID", messenger.Restricted, "FROZEN_METHOD_INVALID", 0},
		{401, "USER_DEACTIVATED_BAN", messenger.Restricted, "USER_DEACTIVATED_BAN", 0},
		{403, "PHONE_NUMBER_BANNED", messenger.Restricted, "PHONE_NUMBER_BANNED", 0},
		{400, "PHONE_NUMBER_BANNED", messenger.Restricted, "PHONE_NUMBER_BANNED", 0},

		{401, "AUTH_KEY_UNREGISTERED", messenger.SessionEnded, "AUTH_KEY_UNREGISTERED", 0},
		{401, "AUTH_KEY_INVALID", messenger.SessionEnded, "AUTH_KEY_INVALID", 0},
		{401, "SESSION_REVOKED", messenger.SessionEnded, "SESSION_REVOKED", 0},
		{401, "SESSION_EXPIRED", messenger.SessionEnded, "SESSION_EXPIRED", 0},
		{401, "AUTH_KEY_PERM_EMPTY", messenger.SessionEnded, "AUTH_KEY_PERM_EMPTY", 0},
		{401, "USER_DEACTIVATED", messenger.SessionEnded, "USER_DEACTIVATED", 0},
		{406, "AUTH_KEY_DUPLICATED", messenger.SessionEnded, "AUTH_KEY_DUPLICATED", 0},
		{401, "SESSION_PASSWORD_NEEDED", messenger.SessionEnded, "SESSION_PASSWORD_NEEDED", 0},

		{400, "PEER_ID_INVALID", messenger.PeerUnreachable, "PEER_UNRESOLVABLE", 0},
		{400, "USER_ID_INVALID", messenger.PeerUnreachable, "PEER_UNRESOLVABLE", 0},
		{400, "USERNAME_NOT_OCCUPIED", messenger.PeerUnreachable, "PEER_UNRESOLVABLE", 0},
		{400, "USERNAME_INVALID", messenger.PeerUnreachable, "PEER_UNRESOLVABLE", 0},
		{403, "USER_PRIVACY_RESTRICTED", messenger.PeerUnreachable, "PRIVACY_RESTRICTED", 0},
		{403, "PRIVACY_PREMIUM_REQUIRED", messenger.PeerUnreachable, "PRIVACY_RESTRICTED", 0},
		{403, "ALLOW_PAYMENT_REQUIRED", messenger.PeerUnreachable, "PRIVACY_RESTRICTED", 0},
		{403, "ALLOW_PAYMENT_REQUIRED_30", messenger.PeerUnreachable, "PRIVACY_RESTRICTED", 0},
		{403, "CHAT_WRITE_FORBIDDEN", messenger.PeerUnreachable, "PRIVACY_RESTRICTED", 0},
		{403, "CHAT_SEND_PHOTOS_FORBIDDEN", messenger.PeerUnreachable, "PRIVACY_RESTRICTED", 0},
		{400, "VOICE_MESSAGES_FORBIDDEN", messenger.PeerUnreachable, "PRIVACY_RESTRICTED", 0},
		{400, "USER_IS_BLOCKED", messenger.PeerUnreachable, "PEER_BLOCKED", 0},
		{400, "YOU_BLOCKED_USER", messenger.PeerUnreachable, "PEER_BLOCKED", 0},
		{400, "INPUT_USER_DEACTIVATED", messenger.PeerUnreachable, "PEER_DEACTIVATED", 0},
		{400, "USER_IS_BOT", messenger.PeerUnreachable, "PEER_IS_BOT", 0},
		{400, "BOT_DOMAIN_INVALID", messenger.PeerUnreachable, "PEER_IS_BOT", 0},

		{400, "MESSAGE_TOO_LONG", messenger.ContentRefused, "MESSAGE_TOO_LONG", 0},
		{400, "MESSAGE_EMPTY", messenger.ContentRefused, "MESSAGE_EMPTY", 0},
		{400, "ENTITY_BOUNDS_INVALID", messenger.ContentRefused, "ENTITY_BOUNDS_INVALID", 0},
		{400, "MEDIA_INVALID", messenger.ContentRefused, "MEDIA_INVALID", 0},
		{400, "MEDIA_CAPTION_TOO_LONG", messenger.ContentRefused, "MEDIA_CAPTION_TOO_LONG", 0},
		{400, "PHOTO_INVALID_DIMENSIONS", messenger.ContentRefused, "PHOTO_INVALID_DIMENSIONS", 0},
		{400, "FILE_PARTS_INVALID", messenger.ContentRefused, "FILE_PARTS_INVALID", 0},
		{400, "FILE_PART_3_MISSING", messenger.ContentRefused, "FILE_PART_MISSING", 0},
		{400, "MULTI_MEDIA_TOO_LONG", messenger.ContentRefused, "MULTI_MEDIA_TOO_LONG", 0},

		{400, "FILE_REFERENCE_EXPIRED", messenger.Busy, "FILE_REFERENCE_EXPIRED", 0},
		{400, "FILE_REFERENCE_0_EXPIRED", messenger.Busy, "FILE_REFERENCE_EXPIRED", 0},
		{400, "FILE_REFERENCE_INVALID", messenger.Busy, "FILE_REFERENCE_INVALID", 0},
		{500, "INTERNAL", messenger.Busy, "INTERNAL", 0},
		{500, "WORKER_BUSY_TOO_LONG_RETRY", messenger.Busy, "WORKER_BUSY_TOO_LONG_RETRY", 0},
		{500, "RPC_CALL_FAIL", messenger.Busy, "RPC_CALL_FAIL", 0},
		{500, "TIMEOUT", messenger.Busy, "TIMEOUT", 0},
		{-503, "Timeout", messenger.Busy, "Timeout", 0},
		{303, "NETWORK_MIGRATE_3", messenger.Busy, "NETWORK_MIGRATE", 0},

		{400, "REPLY_MESSAGE_ID_INVALID", messenger.Refused, "REPLY_MESSAGE_ID_INVALID", 0},
		{400, "SOMETHING_NEW", messenger.Refused, "SOMETHING_NEW", 0},
	} {
		t.Run(row.message, func(t *testing.T) {
			asked := tgerr.New(row.code, row.message)
			for _, err := range []error{asked, fmt.Errorf("callback: %w", asked)} {
				got := fault.In(err)
				if got.Fault != row.want || got.Code != row.name || got.Wait != row.wait || !errors.Is(got, asked) {
					t.Errorf("fault %d, code %s, wait %s", got.Fault, got.Code, got.Wait)
				}
			}
		})
	}
}

func TestNoAnswer(t *testing.T) {
	for _, err := range []error{
		context.DeadlineExceeded,
		fmt.Errorf("engine forcibly closed: %w", context.Canceled),
		fmt.Errorf("retryUntilAck: send: %w", io.ErrClosedPipe),
	} {
		if e := fault.In(err); e.Fault != messenger.Unreachable || e.Code != "TRANSPORT" || !errors.Is(e, err) {
			t.Errorf("%v: fault %d, code %s", err, e.Fault, e.Code)
		}
	}
	for stage, code := range map[messenger.Stage]string{
		messenger.StageAuth: "PROXY_AUTH_FAILED", messenger.StageDial: "PROXY_UNREACHABLE",
		messenger.StageHandshake: "PROXY_UNREACHABLE", messenger.StageDataCentre: "PROXY_UNREACHABLE",
	} {
		err := fmt.Errorf("dial: %w", &messenger.RouteError{Stage: stage, Err: io.EOF})
		if e := fault.In(err); e.Fault != messenger.RouteFailed || e.Code != code {
			t.Errorf("%s: fault %d, code %s", stage, e.Fault, e.Code)
		}
	}
	if e := messenger.As(fault.Remembered(io.ErrUnexpectedEOF)); e.Fault != messenger.Busy {
		t.Errorf("a failing memory: fault %d", e.Fault)
	}
}

// The codes are those of contract 46.4 and 7.2.
func TestSignInFaults(t *testing.T) {
	for message, want := range map[string]string{
		"PHONE_CODE_INVALID":      "phone_code_invalid",
		"PHONE_CODE_EMPTY":        "phone_code_invalid",
		"PHONE_CODE_EXPIRED":      "phone_code_expired",
		"PASSWORD_HASH_INVALID":   "password_hash_invalid",
		"PHONE_NUMBER_INVALID":    "phone_number_invalid",
		"PHONE_NUMBER_UNOCCUPIED": "phone_number_unoccupied",
		"PHONE_NUMBER_BANNED":     "phone_number_banned",
		"USER_DEACTIVATED_BAN":    "phone_number_banned",
		"PHONE_NUMBER_FLOOD":      "phone_number_flood",
		"PHONE_PASSWORD_FLOOD":    "phone_number_flood",
		"API_ID_INVALID":          "messenger_app_invalid",
		"API_ID_PUBLISHED_FLOOD":  "messenger_app_invalid",
		"AUTH_RESTART":            "flow_failed",
		"AUTH_KEY_UNREGISTERED":   "flow_failed",
		"SESSION_REVOKED":         "flow_failed",
		"SOMETHING_NEW":           "something_new",
	} {
		code := 400
		if message == "AUTH_KEY_UNREGISTERED" || message == "SESSION_REVOKED" {
			code = 401
		}
		if e := fault.OfSignIn(fmt.Errorf("callback: %w", tgerr.New(code, message))); e.Fault != messenger.SignInRefused || e.Code != want {
			t.Errorf("%s: fault %d, code %s, want %s", message, e.Fault, e.Code, want)
		}
	}
	if e := fault.OfSignIn(tgerr.New(420, "FLOOD_WAIT_90")); e.Code != "phone_number_flood" || e.Wait != 90*time.Second {
		t.Errorf("flood: code %s, wait %s", e.Code, e.Wait)
	}
	if e := fault.OfSignIn(fmt.Errorf("callback: %w", auth.ErrPasswordInvalid)); e.Code != "password_hash_invalid" {
		t.Errorf("password: code %s", e.Code)
	}
	if e := fault.OfSignIn(fmt.Errorf("callback: %w", &auth.SignUpRequired{})); e.Code != "phone_number_unoccupied" {
		t.Errorf("sign-up: code %s", e.Code)
	}
	if e := fault.OfSignIn(fmt.Errorf("read: %w", dial.ErrUnknownKey)); e.Fault != messenger.SignInRefused || e.Code != "flow_failed" {
		t.Errorf("unknown key: fault %d, code %s", e.Fault, e.Code)
	}
	if e := fault.OfSignIn(tgerr.New(500, "INTERNAL")); e.Fault != messenger.Busy {
		t.Errorf("internal: fault %d", e.Fault)
	}
	if e := fault.OfSignIn(io.EOF); e.Fault != messenger.Unreachable {
		t.Errorf("no answer: fault %d", e.Fault)
	}
}

// Which answers end a connection: those about the session, not those about a message.
func TestEnds(t *testing.T) {
	for message, code := range map[string]int{
		"AUTH_KEY_UNREGISTERED": 401, "SESSION_REVOKED": 401, "USER_DEACTIVATED_BAN": 401, "AUTH_KEY_DUPLICATED": 406, "SESSION_NEW": 401,
	} {
		if ends(tgerr.New(code, message)) == nil {
			t.Errorf("%s does not end the connection", message)
		}
	}
	for message, code := range map[string]int{
		"PEER_FLOOD": 400, "FROZEN_METHOD_INVALID": 420, "FLOOD_WAIT_5": 420, "USER_RESTRICTED": 403, "INTERNAL": 500, "USER_IS_BLOCKED": 400,
	} {
		if e := ends(tgerr.New(code, message)); e != nil {
			t.Errorf("%s ends the connection", message)
		}
	}
}
