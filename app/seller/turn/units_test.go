package turn

import (
	"testing"

	"svc/ai/check"
	"svc/app/inbox/channel"
)

// TestUnits: an answer of the AI is measured as the reply that it becomes: one that fits is not
// refused by the network, and one that does not is written again.
func TestUnits(t *testing.T) {
	count := map[check.Unit]map[string]int{
		check.UTF16: {"Salom": 5, "Салом": 5, "🙂": 2, "oʻ": 2}, check.Bytes: {"Salom": 5, "Салом": 10, "🙂": 4, "oʻ": 3},
	}
	for _, unit := range []string{"utf16", "bytes", "characters"} {
		for text, want := range count[units[unit]] {
			if got := (channel.Rules{Unit: unit}).Length(text); got != want {
				t.Errorf("%q is %d %s for the network and %d for the validators", text, got, unit, want)
			}
		}
		if count[units[unit]] == nil {
			t.Errorf("validators do not count %s as networks do", unit)
		}
	}
}
