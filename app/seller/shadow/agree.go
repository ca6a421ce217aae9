package shadow

import (
	"time"

	"svc/ai/check"
	"svc/ai/facts"
	"svc/app/business"
	"svc/geo/text/script"
)

// Shares of common words from which two texts say the same: where they state the same facts,
// and where they state none.
const (
	sameFacts = 0.2
	noFacts   = 0.5
)

// Agree says whether two texts tell a customer the same: they do the same, speak of the same
// offers, no fact of one contradicts the other, and enough of their words are the same, in
// either script.
func Agree(a, b, language string, offers []business.Offer) bool {
	may, least := mayAgree(a, b, language, offers)
	return may && common(a, b) >= least
}

// mayAgree is Agree without the words: what rules say. least is the share of common words that
// both must have.
func mayAgree(a, b, language string, offers []business.Offer) (may bool, least float64) {
	x, y := facts.Of(a, language, time.Time{}, nil), facts.Of(b, language, time.Time{}, nil)
	if facts.Contradict(x, y) || !sameOffers(a, b, offers) || check.Does(a) != check.Does(b) {
		return false, 0
	}
	switch {
	case stated(x) && stated(y):
		return true, sameFacts
	case stated(x) != stated(y):
		return false, 0
	}
	return true, noFacts
}

// stated says whether a text states something that can be compared.
func stated(list []facts.Fact) bool {
	for i := range list {
		if list[i].Compared() {
			return true
		}
	}
	return false
}

// common is the share of the words of the shorter text that the longer one has.
func common(a, b string) float64 {
	x, y := keys(a), keys(b)
	if len(x) > len(y) {
		x, y = y, x
	}
	if len(x) == 0 {
		return 0
	}
	n := 0
	for w := range x {
		if y[w] {
			n++
		}
	}
	return float64(n) / float64(len(x))
}

func keys(text string) map[string]bool { return script.Keys(text, 2) } // letters alone say nothing

// sameOffers says whether two texts name the same offers, where both name any.
func sameOffers(a, b string, offers []business.Offer) bool {
	x, y := keys(a), keys(b)
	var inA, inB, inBoth int
	for i := range offers {
		name := keys(offers[i].Name)
		one, other := within(name, x), within(name, y)
		if one {
			inA++
		}
		if other {
			inB++
		}
		if one && other {
			inBoth++
		}
	}
	return inA == 0 || inB == 0 || inBoth > 0
}

func within(some, all map[string]bool) bool {
	for w := range some {
		if !all[w] {
			return false
		}
	}
	return len(some) > 0
}
