package session_test

import (
	"fmt"
	"testing"

	"svc/app/api"
	"svc/app/session"
	"svc/app/session/sessiontest"
)

// BenchmarkIdentify is the check that every request makes (target: 20 µs): of a
// credential that was checked since the last change, and of one that was not.
func BenchmarkIdentify(b *testing.B) {
	h := sessiontest.New(b)
	cookie := h.Signup("a@example.com", "A")
	_, key := cookie.Key(map[string]any{"name": "k"})
	for name, cred := range map[string]session.Credential{"session": cookie.Cred, "key": key.Cred, "token": key.Exchange().Cred} {
		for _, cold := range []bool{false, true} {
			b.Run(fmt.Sprintf("%s/unknown=%v", name, cold), func(b *testing.B) {
				b.ReportAllocs()
				for b.Loop() {
					if cold {
						h.S.Forget()
					}
					if err := h.S.Identify(api.NewCall(b.Context(), nil), cred); err != nil {
						b.Fatal(err)
					}
				}
				b.ReportMetric(float64(b.Elapsed().Nanoseconds())/1e3/float64(b.N), "µs/check")
				b.ReportMetric(20, "µs/target")
			})
		}
	}
}
