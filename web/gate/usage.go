package gate

import (
	"net/http"
	"strconv"

	"svc/app/mapkey"
)

// failure is the body of a handler's error.
type failure struct {
	Error string `json:"error"`
}

// maxDays is the longest usage window (map contract 53).
const maxDays = 366

// Usage answers GET /api/usage: a key's own usage (map contract 54.7).
// The key must be known even when keys are not enforced. It belongs
// behind Wrap, which applies the rate limit; it is neither metered nor stopped
// by a spent quota.
func (g *Gate) Usage() http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch {
		case g.c.Keys == nil || !g.c.Keys.Configured():
			writeJSON(w, http.StatusServiceUnavailable, failure{"API keys are not configured on this server"})
			return
		case g.c.Meter == nil:
			writeJSON(w, http.StatusServiceUnavailable, failure{"usage metering is not enabled on this server"})
			return
		}
		holder, ok := g.c.Keys.Lookup(key(r))
		if !ok {
			writeJSON(w, http.StatusUnauthorized, failure{"a valid API key is required to read its usage"})
			return
		}
		if holder.Key == "" { // stored: only who asks knows the key
			own := *holder
			own.Key, holder = key(r), &own
		}
		now := g.c.Clock()
		window := mapkey.MonthWindow(now)
		if d := queryValue(r.URL.RawQuery, "days"); d != "" {
			days, err := strconv.Atoi(d)
			if err != nil || days < 1 || days > maxDays {
				writeJSON(w, http.StatusBadRequest, failure{"days must be a whole number between 1 and 366"})
				return
			}
			window = mapkey.DaysWindow(now, days)
		}
		series := queryValue(r.URL.RawQuery, "series") == "1"
		report, err := g.c.Meter.Report(r.Context(), holder, window, series, now)
		if err != nil {
			g.c.Log.Warn("a usage report was made from memory alone", "error", err.Error())
		}
		writeJSON(w, http.StatusOK, report)
	})
}
