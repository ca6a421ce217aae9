package google

import (
	"encoding/json"
	"strings"
	"time"

	"svc/ai"
	"svc/ai/wire"
)

// details are what an error says beside its message.
type details struct {
	Error struct {
		Message string `json:"message"`
		Details []struct {
			Reason     string `json:"reason"`
			RetryDelay string `json:"retryDelay"`
			Violations []struct {
				QuotaID     string `json:"quotaId"`
				QuotaMetric string `json:"quotaMetric"`
			} `json:"violations"`
		} `json:"details"`
	} `json:"error"`
}

// fail judges an error of this provider. Its 429 says "exceeded your current quota"
// whether a minute's rate or the day's quota is meant: the violation tells.
func fail(a *wire.Answer) *ai.Error {
	s := wire.ReadError(a.Body)
	var d details
	if json.Unmarshal(a.Body, &d) != nil {
		return a.Fail(s)
	}
	perDay, wait := false, time.Duration(0)
	for _, x := range d.Error.Details {
		if x.Reason != "" {
			s.Reasons = append(s.Reasons, x.Reason)
			s.Code = x.Reason
		}
		if t, err := time.ParseDuration(x.RetryDelay); err == nil {
			wait = wire.Bound(t.Seconds())
		}
		for _, v := range x.Violations {
			perDay = perDay || strings.Contains(v.QuotaID, "PerDay") || strings.Contains(v.QuotaMetric, "per_day")
		}
	}
	if a.Status == 429 {
		s.Message = "" // it says the same of both
	}
	e := a.Fail(s)
	if e.RetryAfter == 0 {
		e.RetryAfter = wait
	}
	words := strings.ToLower(d.Error.Message)
	switch {
	case a.Status == 429 && perDay, a.Status == 403 && strings.Contains(words, "billing"):
		e.Fault = ai.Quota
	case a.Status == 400 && strings.Contains(words, "token count") && strings.Contains(words, "exceeds"):
		e.Fault = ai.TooLong
	}
	return e
}
