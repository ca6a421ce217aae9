package turn

import (
	"strings"
	"testing"
	"time"

	"svc/app/business"
	"svc/app/seller/answer"
)

// TestTextsInCyrillic: what the service itself tells customers who write Uzbek in Cyrillic
// letters is whole: its verbs are filled in before the letters change.
func TestTextsInCyrillic(t *testing.T) {
	tongue := answer.Tongue{Language: business.Uzbek, Cyrillic: true}
	for kind, texts := range bookedTexts {
		got := tongue.Format(texts, "18.12.2026 18:00")
		if !strings.Contains(got, "18.12.2026 18:00") || strings.Contains(got, "%") {
			t.Errorf("%s: %q", kind, got)
		}
	}
	now := time.Date(2026, 11, 23, 20, 0, 0, 0, time.UTC)
	at := tongue.Format(weekdays[1]) + " " + tongue.Format(clocks, now.Format("15:04"))
	if got := tongue.Format(closedTexts, at); got != "Ҳозир иш вақти эмас. Иш душанба куни соат 20:00 да бошланади." {
		t.Errorf("closed: %q", got)
	}
}
