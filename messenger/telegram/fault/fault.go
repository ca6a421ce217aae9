// Package fault turns errors of the messenger into faults of package messenger.
//
// It promises that every error has one meaning, whoever met it: wait, stop, another person,
// another account. It refuses to decide what is done about one.
package fault

import (
	"errors"
	"strings"
	"time"

	"github.com/gotd/td/telegram/auth"
	"github.com/gotd/td/tgerr"

	"svc/messenger"
)

// The codes of contract 4.5, for people who cannot be written to, and our
// own where the platform has none.
const (
	CodeUnresolvable = "PEER_UNRESOLVABLE"
	CodeReassigned   = "USERNAME_REASSIGNED"
	codePrivacy      = "PRIVACY_RESTRICTED"
	codeBlocked      = "PEER_BLOCKED"
	CodeDeactivated  = "PEER_DEACTIVATED"
	CodeBot          = "PEER_IS_BOT"

	codeTransport  = "TRANSPORT"
	codeProxy      = "PROXY_UNREACHABLE"
	codeProxyAuth  = "PROXY_AUTH_FAILED"
	CodeUnknownKey = "AUTH_KEY_UNKNOWN"
	codeMemory     = "MEMORY_FAILED"
	CodeBook       = "CONTACTS_UNREAD"
	CodeFile       = "FILE_UNREADABLE"
	CodeFlowFailed = "flow_failed"
)

// meaning is what one type of error of the platform means for a send.
type meaning struct {
	fault messenger.Fault
	code  string // "" for the type itself
}

// meanings is the table of the design (telegram.md, B4), by type of error.
var meanings = map[string]meaning{
	"FLOOD_WAIT":         {messenger.Flood, ""},
	"FLOOD_PREMIUM_WAIT": {messenger.Flood, ""},

	"PEER_FLOOD":           {messenger.Restricted, ""},
	"USER_RESTRICTED":      {messenger.Restricted, ""},
	"USER_DEACTIVATED_BAN": {messenger.Restricted, ""},
	"PHONE_NUMBER_BANNED":  {messenger.Restricted, ""},

	"AUTH_KEY_UNREGISTERED": {messenger.SessionEnded, ""},
	"AUTH_KEY_INVALID":      {messenger.SessionEnded, ""},
	"AUTH_KEY_PERM_EMPTY":   {messenger.SessionEnded, ""},
	"AUTH_KEY_DUPLICATED":   {messenger.SessionEnded, ""},
	"SESSION_REVOKED":       {messenger.SessionEnded, ""},
	"SESSION_EXPIRED":       {messenger.SessionEnded, ""},
	"USER_DEACTIVATED":      {messenger.SessionEnded, ""},

	"PEER_ID_INVALID":            {messenger.PeerUnreachable, CodeUnresolvable},
	"USER_ID_INVALID":            {messenger.PeerUnreachable, CodeUnresolvable},
	"USERNAME_NOT_OCCUPIED":      {messenger.PeerUnreachable, CodeUnresolvable},
	"USERNAME_INVALID":           {messenger.PeerUnreachable, CodeUnresolvable},
	"USER_PRIVACY_RESTRICTED":    {messenger.PeerUnreachable, codePrivacy},
	"PRIVACY_PREMIUM_REQUIRED":   {messenger.PeerUnreachable, codePrivacy},
	"ALLOW_PAYMENT_REQUIRED":     {messenger.PeerUnreachable, codePrivacy},
	"CHAT_WRITE_FORBIDDEN":       {messenger.PeerUnreachable, codePrivacy},
	"VOICE_MESSAGES_FORBIDDEN":   {messenger.PeerUnreachable, codePrivacy},
	"USER_IS_BLOCKED":            {messenger.PeerUnreachable, codeBlocked},
	"YOU_BLOCKED_USER":           {messenger.PeerUnreachable, codeBlocked},
	"INPUT_USER_DEACTIVATED":     {messenger.PeerUnreachable, CodeDeactivated},
	"USER_IS_BOT":                {messenger.PeerUnreachable, CodeBot},
	"RANDOM_ID_DUPLICATE":        {messenger.Refused, ""},
	"FILE_REFERENCE_EXPIRED":     {messenger.Busy, ""},
	"FILE_REFERENCE_INVALID":     {messenger.Busy, ""},
	"MULTI_MEDIA_TOO_LONG":       {messenger.ContentRefused, ""},
	"FILE_PARTS_INVALID":         {messenger.ContentRefused, ""},
	"WORKER_BUSY_TOO_LONG_RETRY": {messenger.Busy, ""},
}

// families are types that share a beginning; they are asked after the table.
var families = []struct {
	prefix string
	meaning
}{
	{"FROZEN_", meaning{messenger.Restricted, ""}},
	{"BOT_", meaning{messenger.PeerUnreachable, CodeBot}},
	{"CHAT_SEND_", meaning{messenger.PeerUnreachable, codePrivacy}},
	{"MESSAGE_TOO_LONG", meaning{messenger.ContentRefused, ""}},
	{"MESSAGE_EMPTY", meaning{messenger.ContentRefused, ""}},
	{"ENTITY_", meaning{messenger.ContentRefused, ""}},
	{"ENTITIES_", meaning{messenger.ContentRefused, ""}},
	{"MEDIA_", meaning{messenger.ContentRefused, ""}},
	{"PHOTO_", meaning{messenger.ContentRefused, ""}},
	{"VIDEO_", meaning{messenger.ContentRefused, ""}},
	{"IMAGE_", meaning{messenger.ContentRefused, ""}},
	{"DOCUMENT_", meaning{messenger.ContentRefused, ""}},
	{"FILE_", meaning{messenger.ContentRefused, ""}},
}

// meaningOf looks a type up: in the table, in the families, then by the code alone.
func meaningOf(e *tgerr.Error) meaning {
	if m, ok := meanings[e.Type]; ok {
		return m
	}
	for _, f := range families {
		if strings.HasPrefix(e.Type, f.prefix) {
			return f.meaning
		}
	}
	switch {
	case e.Code == 420 && strings.HasSuffix(e.Type, "_WAIT"):
		return meaning{messenger.Wait, ""}
	case e.Code == 401:
		return meaning{messenger.SessionEnded, ""}
	case e.Code >= 500, e.Code < 0, e.Code == 303:
		return meaning{messenger.Busy, ""}
	default:
		return meaning{messenger.Refused, ""}
	}
}

// Of says what an answer of the platform means outside of a sign-in. It is pure.
func Of(e *tgerr.Error) *messenger.Error {
	m := meaningOf(e)
	out := &messenger.Error{Fault: m.fault, Code: e.Type, Cause: e}
	if m.code != "" {
		out.Code = m.code
	}
	if m.fault == messenger.Flood || m.fault == messenger.Wait {
		out.Wait = time.Duration(max(e.Argument, 0)) * time.Second
	}
	return out
}

// signInCodes maps the platform's types to those of contract 46.4 where
// they are not the same in lower case.
var signInCodes = map[string]string{
	"PHONE_CODE_INVALID":                "phone_code_invalid",
	"PHONE_CODE_EMPTY":                  "phone_code_invalid",
	"PHONE_CODE_HASH_EMPTY":             "phone_code_expired",
	"PHONE_CODE_EXPIRED":                "phone_code_expired",
	"PASSWORD_HASH_INVALID":             "password_hash_invalid",
	"PHONE_NUMBER_INVALID":              "phone_number_invalid",
	"PHONE_NUMBER_UNOCCUPIED":           "phone_number_unoccupied",
	"PHONE_NUMBER_APP_SIGNUP_FORBIDDEN": "phone_number_unoccupied",
	"PHONE_NUMBER_BANNED":               "phone_number_banned",
	"USER_DEACTIVATED_BAN":              "phone_number_banned",
	"PHONE_NUMBER_FLOOD":                "phone_number_flood",
	"PHONE_PASSWORD_FLOOD":              "phone_number_flood",
	"API_ID_INVALID":                    "messenger_app_invalid",
	"API_ID_PUBLISHED_FLOOD":            "messenger_app_invalid",
	"UPDATE_APP_TO_LOGIN":               "messenger_app_invalid",
	"AUTH_RESTART":                      CodeFlowFailed,
	"SRP_ID_INVALID":                    CodeFlowFailed,
}

// signInFaultOf says what an answer means in a sign-in. It is pure.
func signInFaultOf(e *tgerr.Error) *messenger.Error {
	if code, ok := signInCodes[e.Type]; ok {
		return Refusal(code, e)
	}
	out := Of(e)
	switch {
	case e.Code == 420:
		out.Fault, out.Code = messenger.SignInRefused, "phone_number_flood"
		out.Wait = time.Duration(max(e.Argument, 0)) * time.Second
	case out.Fault == messenger.SessionEnded:
		// The key that the sign-in began with is gone.
		return Refusal(CodeFlowFailed, e)
	case out.Fault != messenger.Busy:
		return Refusal(strings.ToLower(e.Type), e)
	}
	return out
}

// Refusal is a step of a sign-in that was refused, with the code that the API answers.
func Refusal(code string, cause error) *messenger.Error {
	return &messenger.Error{Fault: messenger.SignInRefused, Code: code, Cause: cause}
}

// OfSignIn finds what a step of a sign-in ended with.
func OfSignIn(err error) *messenger.Error {
	if e := messenger.As(err); e != nil {
		if e.Fault == messenger.SessionEnded {
			return Refusal(CodeFlowFailed, e.Cause)
		}
		return e
	}
	if errors.Is(err, auth.ErrPasswordInvalid) {
		// The library replaces the platform's error by its own.
		return Refusal("password_hash_invalid", nil)
	}
	if errors.Is(err, &auth.SignUpRequired{}) {
		return Refusal("phone_number_unoccupied", nil)
	}
	if e, ok := tgerr.As(err); ok {
		return signInFaultOf(e)
	}
	return Unanswered(err)
}

// In finds what a request ended with: an answer, a failed route, or none.
func In(err error) *messenger.Error {
	if e := messenger.As(err); e != nil {
		return e
	}
	if e, ok := tgerr.As(err); ok {
		return Of(e)
	}
	return Unanswered(err)
}

// Unanswered is a request that nobody answered.
func Unanswered(err error) *messenger.Error {
	var route *messenger.RouteError
	if !errors.As(err, &route) {
		return &messenger.Error{Fault: messenger.Unreachable, Code: codeTransport, Cause: err}
	}
	code := codeProxy
	if route.Stage == messenger.StageAuth {
		code = codeProxyAuth
	}
	return &messenger.Error{Fault: messenger.RouteFailed, Code: code, Cause: route}
}

// Remembered wraps an error of Memory: nothing was sent, and it may be tried again.
func Remembered(err error) error {
	if err == nil {
		return nil
	}
	return &messenger.Error{Fault: messenger.Busy, Code: codeMemory, Cause: err}
}
