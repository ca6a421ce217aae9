package graph

import (
	"net/http"
	"testing"
	"time"

	"svc/messenger/platform"
)

var webhooks = []string{
	`{"object":"instagram","entry":[{"id":"17","time":1769000000,"messaging":[{"sender":{"id":"5"},"recipient":{"id":"17"},"timestamp":1769000000123,"message":{"mid":"m_1","text":"narxi?"}}]}]}`,
	`{"object":"page","entry":[{"id":17,"time":1769000000123,"messaging":[{"sender":{"id":5},"recipient":{"id":17},"timestamp":1769000000123,"message":{"mid":"m_2","is_echo":true,"app_id":1,"metadata":"svc1:x","attachments":[{"type":"image","payload":{"url":"https://x/y"}}]}}]}]}`,
	`{"object":"page","entry":[{"id":"17","changes":[{"field":"feed","value":{"item":"comment","verb":"add","comment_id":"1_2","post_id":"1","from":{"id":"5","name":"L"},"message":"narx"}}]}]}`,
	`{"object":"instagram","entry":[{"id":"17","changes":[{"field":"comments","value":{"id":"9","text":"narx","from":{"id":"5","username":"l"},"media":{"id":"3"}}}]}]}`,
	`{"object":"page","entry":[{"id":"17","messaging":[{"sender":{"id":"5"},"recipient":{"id":"17"},"delivery":{"watermark":1769000000123}},{"read":{"watermark":1}},{"reaction":{"mid":"m","action":"react","emoji":"👍"}},null,7,"x"]}]}`,
	`{"object":"page","entry":[{"id":"0","time":1,"changes":[{"field":"feed","value":{}}]}]}`,
	`{"object":"instagram","entry":[{"id":"17","field":"messages","value":{"sender":{"id":"5"},"message":{"mid":"m","is_deleted":true}}}]}`,
	`{"object":"page"}`, `[]`, `null`, ``,
}

// FuzzParse: whatever a signed body holds, reading it ends, and what is read names an account of
// a network that it may be of.
func FuzzParse(f *testing.F) {
	for _, body := range webhooks {
		f.Add([]byte(body))
	}
	f.Fuzz(func(t *testing.T, body []byte) {
		updates, odd, err := Parse(body)
		if err != nil && (len(updates) > 0 || odd > 0) {
			t.Errorf("an error and %d updates", len(updates))
		}
		for i := range updates {
			u := &updates[i]
			if u.Account == "" || u.Account == "0" || u.Network != platform.Photo && u.Network != platform.Page {
				t.Errorf("an update of %q on %q", u.Account, u.Network)
			}
		}
		if again, _, _ := Parse(body); len(again) != len(updates) {
			t.Error("read twice, it says two things")
		}
	})
}

// FuzzSignedRequest: what was not made with the secret names nobody, and whatever was is read as
// it was made.
func FuzzSignedRequest(f *testing.F) {
	at := time.Unix(1769000000, 0)
	f.Add(MakeSigned("5", "HMAC-SHA256", "secret", at), "5", "HMAC-SHA256")
	f.Add(MakeSigned("5", "none", "secret", at), "ж", "hmac-sha256")
	f.Add(".", "", "none")
	f.Add("eyJ.eyJ", "1", "")
	f.Fuzz(func(t *testing.T, text, user, algorithm string) {
		if got, err := SignedRequest(text, "another"); err == nil {
			t.Errorf("forged: %+v", got)
		}
		if got, err := SignedRequest(text, ""); err == nil {
			t.Errorf("without a secret: %+v", got)
		}
		made := MakeSigned(user, algorithm, "secret", at)
		got, err := SignedRequest(made, "old", "secret")
		if err == nil && (got.UserID == "" || !got.At.Equal(at)) {
			t.Errorf("%q became %+v", made, got)
		}
		if i := len(made) / 2; err == nil {
			broken := []byte(made)
			if broken[i] ^= 1; broken[i] != '.' {
				if got, err := SignedRequest(string(broken), "secret"); err == nil && got.UserID != user {
					t.Errorf("one byte changed, and it names %q", got.UserID)
				}
			}
		}
	})
}

// FuzzUsage: whatever the headers say, the figures stay within their bounds.
func FuzzUsage(f *testing.F) {
	f.Add(`{"call_count":95,"total_cputime":1,"total_time":2}`, `{"17":[{"type":"messenger","call_count":28,"total_time":25,"total_cputime":25,"estimated_time_to_regain_access":19}]}`, "17")
	f.Add(`{"call_count":-1e300}`, `{"1":[{"estimated_time_to_regain_access":1e18}],"2":[]}`, "")
	f.Add(`x`, `{"17":{}}`, "17")
	f.Fuzz(func(t *testing.T, app, business, account string) {
		h := http.Header{"X-App-Usage": {app}, "X-Business-Use-Case-Usage": {business}}
		u, ok := UsageOf(h, account)
		if u.Percent < 0 || u.Percent > 1000 || u.Regain < 0 || u.Regain > 24*time.Hour {
			t.Errorf("%+v", u)
		}
		if !ok && (u != platform.Usage{}) {
			t.Errorf("nothing was said, and it is %+v", u)
		}
	})
}
