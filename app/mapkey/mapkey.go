// Package mapkey keeps the promise of the map's API keys: who may ask, from
// where, how fast, how much in a month, and what they have used.
//
// It promises: the checks in the order of map contract 54.3;
// token buckets that survive an edit of the key file; a key
// file that is edited by several processes without losing a record and without
// losing fields this version does not know; counts that are added to the usage
// file exactly once, whatever kills the process, and that include what is not
// yet written; a usage file that, when it is damaged or gone, costs counts and
// never a request. An API key is never logged, never part of an error and never
// stored in the usage file, which knows only its SHA-256.
//
// It refuses: to know HTTP (that is web/gate), to guess (a key file that cannot
// be understood changes nothing), to edit a key file it cannot read completely,
// and to write to a file that is not a sound usage file.
package mapkey

import (
	"time"

	"svc/app/mapkey/origin"
)

// Outcome is the result of a check. Its text is a stable, secret-free label for
// metrics.
type Outcome uint8

const (
	// Admitted: every check passed; billable requests have been counted.
	Admitted Outcome = iota
	// Unchecked: there is no key file, so everything passes.
	Unchecked
	// NoKey: the request carries no key.
	NoKey
	// UnknownKey: the key is not in the file.
	UnknownKey
	// DisabledKey: the key's record says disabled.
	DisabledKey
	// NoOrigin: the key is restricted to origins and the request named none.
	NoOrigin
	// WrongOrigin: the request's origin is not on the key's allowlist.
	WrongOrigin
	// RateLimited: the key's token bucket is empty.
	RateLimited
	// QuotaSpent: the key's billable requests of this UTC month are used up.
	QuotaSpent
)

var outcomeNames = [...]string{
	Admitted: "admitted", Unchecked: "unchecked", NoKey: "no_key", UnknownKey: "unknown_key",
	DisabledKey: "disabled", NoOrigin: "no_origin", WrongOrigin: "origin", RateLimited: "rate", QuotaSpent: "quota",
}

// String is the outcome's label.
func (o Outcome) String() string { return outcomeNames[o] }

// Passed reports whether no check failed.
func (o Outcome) Passed() bool { return o == Admitted || o == Unchecked }

// Request is what the checks need to know about a request.
type Request struct {
	Key     string  // as presented; "" when there was none
	Origin  string  // the Origin header
	Referer string  // the Referer header
	Product Product // what it is metered as
}

// Decision is the answer of a check.
type Decision struct {
	Outcome Outcome
	Origin  string // the normalised origin; set only with WrongOrigin
	Quota   Quota  // set only with QuotaSpent
}

// Quota is the state of a monthly quota, counted in billable requests.
type Quota struct {
	Limit  int64
	Used   int64
	Resets time.Time // start of the next UTC month
}

// Checker decides about requests. Either part may be nil: without Keys
// everything passes, without Meter nothing is counted and no quota holds.
type Checker struct {
	Keys  *Keys
	Meter *Meter
}

// Check runs the checks in the order of map contract 54.3 (known, enabled, origin,
// rate, quota), the first failure deciding, and counts the request: as admitted
// when all pass, as denied when one fails for a known key, not at all when the
// key is missing or unknown. It is the same whether keys are enforced or not;
// the caller decides what a failure means. Safe for concurrent use.
func (c Checker) Check(now time.Time, q Request) Decision {
	if c.Keys == nil || !c.Keys.Configured() {
		return Decision{Outcome: Unchecked}
	}
	if q.Key == "" {
		return Decision{Outcome: NoKey}
	}
	h, ok := c.Keys.Lookup(q.Key)
	if !ok {
		return Decision{Outcome: UnknownKey}
	}
	d := h.check(now, q)
	if c.Meter == nil || !q.Product.Billable() {
		return d
	}
	if d.Outcome != Admitted {
		c.Meter.Deny(h.ID, q.Product, now)
		return d
	}
	if used, ok := c.Meter.Admit(h.ID, q.Product, now, h.MonthlyQuota); !ok {
		d.Outcome = QuotaSpent
		d.Quota = Quota{Limit: h.MonthlyQuota, Used: used, Resets: nextMonth(now)}
	}
	return d
}

// Charge counts n more billable requests of a request that went through Check, one by
// one until the quota of the key is spent; those beyond it count as denied. It answers
// how many were admitted, and of the others the quota. Without metering all are.
// Where keys are not enforced, what Check refused counts as denied here as well.
func (c Checker) Charge(now time.Time, q Request, n int) (admitted int, quota Quota) {
	if c.Keys == nil || c.Meter == nil || !c.Keys.Configured() {
		return n, quota
	}
	h, ok := c.Keys.Lookup(q.Key)
	if !ok {
		return n, quota
	}
	refused := h.refuse(q).Outcome != Admitted
	for range n {
		if refused {
			c.Meter.Deny(h.ID, q.Product, now)
			continue
		}
		used, ok := c.Meter.Admit(h.ID, q.Product, now, h.MonthlyQuota)
		if !ok {
			quota = Quota{Limit: h.MonthlyQuota, Used: used, Resets: nextMonth(now)}
			continue
		}
		admitted++
	}
	return admitted, quota
}

// check runs everything but the quota.
func (h *Holder) check(now time.Time, q Request) Decision {
	if d := h.refuse(q); d.Outcome != Admitted {
		return d
	}
	if !h.bucket.take(now, h.RateLimit) {
		return Decision{Outcome: RateLimited}
	}
	return Decision{Outcome: Admitted}
}

// refuse runs the checks that change nothing: disabled, origin.
func (h *Holder) refuse(q Request) Decision {
	if h.Disabled {
		return Decision{Outcome: DisabledKey}
	}
	if len(h.origins) > 0 {
		from := origin.Of(q.Origin, q.Referer)
		if from == "" {
			return Decision{Outcome: NoOrigin}
		}
		if !h.origins.Allows(from) {
			return Decision{Outcome: WrongOrigin, Origin: from}
		}
	}
	return Decision{Outcome: Admitted}
}
