package calendar

import (
	"encoding/json"
	"net/http"
	"time"

	"svc/messenger/platform"
)

// afterQuota is how long nothing is asked once the allowance of the day is used up.
const afterQuota = time.Hour

// wireFault is an error: that of calendars, or that of tokens, whose error is a word.
type wireFault struct {
	Error       json.RawMessage `json:"error"`
	Description string          `json:"error_description"`
}

type wireReason struct {
	Message string `json:"message"`
	Errors  []struct {
		Reason string `json:"reason"`
	} `json:"errors"`
}

// faultOf is what an answer that refuses means (its table is in design/platforms.md, section 3).
func faultOf(status int, h http.Header, data []byte) *platform.Error {
	e := &platform.Error{Fault: platform.Refused, Code: status, Wait: platform.WaitOf(h)}
	var w wireFault
	var word string
	var of wireReason
	if json.Unmarshal(data, &w) == nil {
		_ = json.Unmarshal(w.Error, &word) // one of both forms does not fit
		_ = json.Unmarshal(w.Error, &of)
	}
	reason := ""
	if len(of.Errors) > 0 {
		reason = of.Errors[0].Reason
	}
	e.Text = platform.Cut(word + reason + " " + of.Message)
	switch {
	case word == "invalid_grant", word == "invalid_token", status == http.StatusUnauthorized && word == "":
		e.Fault = platform.TokenInvalid
	case status == http.StatusTooManyRequests:
		e.Fault = platform.Limited
	case status == http.StatusForbidden:
		e.Fault = forbidden(e, reason)
	case status == http.StatusNotFound, status == http.StatusGone:
		e.Fault = platform.Gone
	case status >= 500, status == http.StatusRequestTimeout:
		e.Fault = platform.Uncertain
	}
	return e
}

func forbidden(e *platform.Error, reason string) platform.Fault {
	switch reason {
	case "rateLimitExceeded", "userRateLimitExceeded":
		return platform.Limited
	case "quotaExceeded", "dailyLimitExceeded", "calendarUsageLimitsExceeded":
		e.Wait = max(e.Wait, afterQuota)
		return platform.Limited
	}
	return platform.NoPermission
}
