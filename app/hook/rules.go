package hook

import (
	"strings"
	"time"
	"unicode/utf8"

	"svc/app/event"
)

// The bounds of delivering (contract 47 and 8.3).
const (
	maxAttempts   = 10
	maxStreak     = 25
	answerWithin  = 10 * time.Second
	maxRetryAfter = time.Hour
	keptAnswer    = 2 << 10
	perEndpoint   = 5
	listed        = 100
	keptAttempts  = 2 * maxAttempts // in the log of a delivery that began anew

	// AtATime is how many attempts are on their way at a time, to all endpoints.
	AtATime = 100

	maxRecover = 30 * 24 * time.Hour
	// Keep is how long deliveries are kept, so that what they say about an event is
	// known for as long as it can be recovered.
	Keep = maxRecover
)

// waits before attempts 2 to 10.
var waits = [maxAttempts - 1]time.Duration{
	10 * time.Second, 30 * time.Second, 2 * time.Minute, 10 * time.Minute, 30 * time.Minute,
	time.Hour, 3 * time.Hour, 6 * time.Hour, 12 * time.Hour,
}

// jitterOf spreads a wait by 20 percent both ways; random is from 0 up to 1.
func jitterOf(wait time.Duration, random float64) time.Duration {
	return time.Duration(float64(wait) * (0.8 + 0.4*random))
}

// waitAfter is how long to wait after that many failed attempts, at least 1, when
// the answer asked for a time: it comes no sooner than the endpoint asked, up to an
// hour.
func waitAfter(attempts int, random float64, asked time.Duration) time.Duration {
	wait := jitterOf(waits[min(attempts, len(waits))-1], random)
	return max(wait, min(asked, maxRetryAfter))
}

// share is how many attempts one endpoint may have under way while that many of all
// are free. It shrinks as they run out, so that many slow endpoints leave room for
// one that is not.
func share(free int) int { return min(perEndpoint, max(1, free/8)) }

// takes says whether an endpoint receives an event. A test goes to the endpoint it
// is about and no other, whatever that subscribed to; that an endpoint was disabled
// goes to all but that one. What is about a personal chat goes to none: nobody knows
// whether those who read an endpoint may see such chats.
func (w *Webhook) takes(e *event.Stored) bool {
	if w.Status != Active || e.ID <= w.Since || e.Personal {
		return false
	}
	about := false
	for _, id := range e.About {
		about = about || id == w.ID
	}
	switch e.Type {
	case event.WebhookTest:
		return about
	case event.WebhookDisabled:
		return !about && w.subscribed(e.Type)
	}
	return w.subscribed(e.Type)
}

// subscribed says whether one of its types or patterns means the type.
func (w *Webhook) subscribed(t event.Type) bool {
	for _, p := range w.Events {
		prefix, wild := strings.CutSuffix(p, "*")
		if p == string(t) || wild && strings.HasPrefix(string(t), prefix) {
			return true
		}
	}
	return false
}

// kept is the part of an answer that a delivery shows: its first 2 KB, as text.
func kept(body []byte) string {
	if len(body) > keptAnswer {
		n := keptAnswer
		for n > keptAnswer-utf8.UTFMax && !utf8.RuneStart(body[n]) {
			n--
		}
		body = body[:n]
	}
	s := strings.ToValidUTF8(string(body), "\uFFFD")
	for len(s) > keptAnswer { // replacing made it longer
		_, size := utf8.DecodeLastRuneInString(s)
		s = s[:len(s)-size]
	}
	return s
}
