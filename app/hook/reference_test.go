package hook

import (
	"net/http"
	"strconv"
	"testing"
	"time"

	standardwebhooks "github.com/standard-webhooks/standard-webhooks/libraries/go"
)

// TestTheReferenceLibraryVerifies: receivers may use the library of Standard
// Webhooks, also while two secrets sign.
func TestTheReferenceLibraryVerifies(t *testing.T) {
	old, current := newSecret(), newSecret()
	body := []byte(`{"id":"evt_1","text":"салом & <b>"}`)
	at := strconv.FormatInt(time.Now().Unix(), 10)
	headers := http.Header{}
	headers.Set("webhook-id", "evt_1")
	headers.Set("webhook-timestamp", at)
	headers.Set("webhook-signature", standardSignature("evt_1", at, body, []string{old, current}))
	for _, secret := range []string{old, current} {
		w, err := standardwebhooks.NewWebhook(secret)
		if err != nil {
			t.Fatal(err)
		}
		if err := w.Verify(body, headers); err != nil {
			t.Error(err)
		}
		if w.Verify(append(body, ' '), headers) == nil {
			t.Error("another body was verified")
		}
	}
	stranger, err := standardwebhooks.NewWebhook(newSecret())
	if err != nil {
		t.Fatal(err)
	}
	if stranger.Verify(body, headers) == nil {
		t.Error("another secret verified")
	}
}
