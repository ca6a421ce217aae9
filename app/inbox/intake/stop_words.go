package intake

import (
	find "svc/ai/signals"
	"svc/app/org"
)

// saysStop says whether a message certainly asks never to be written to again, and the words
// that say so. In a personal chat only a stop word of the organization counts, alone: nothing
// else is read there.
func saysStop(text string, words org.StopKeywords, personal bool) (phrase string, ok bool) {
	list := words.All()
	if personal {
		return find.FindBare(text, list)
	}
	s := find.FindStop(text, list)
	return s.Phrase, s.Certainty == find.Certain
}
