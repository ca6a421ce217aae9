package intake

import (
	"strconv"
	"testing"
	"time"

	"svc/app/inbox/channel"
	"svc/store"
)

// burstTarget is how many messages a second are stored (contract 10). Run with -benchtime=1x.
const burstTarget = 2000

// BenchmarkBurst is 10,000 messages that arrive over 200 accounts, each account one after
// the other as a connection hands them over, each in a transaction of its own.
func BenchmarkBurst(b *testing.B) {
	const messages, accounts = 10_000, 200
	for b.Loop() {
		h := newEnvOver(b, plain)
		begun := time.Now()
		done := make(chan error, accounts)
		for a := range accounts {
			go func() {
				at := h.at
				at.Owner = strconv.Itoa(a)
				for i := range messages / accounts {
					id := a*1000 + i
					in := channel.Incoming{ID: strconv.Itoa(id), Seq: int64(i + 1), From: person(id % 50), At: h.db.Now(), Text: "Salom"}
					err := h.db.Update(b.Context(), func(tx *store.Tx) error {
						_, err := h.in.Received(tx, at, in)
						return err
					})
					if err != nil {
						done <- err
						return
					}
				}
				done <- nil
			}()
		}
		for range accounts {
			if err := <-done; err != nil {
				b.Fatal(err)
			}
		}
		b.ReportMetric(0, "ns/op")
		b.ReportMetric(messages/time.Since(begun).Seconds(), "messages/s")
		b.ReportMetric(burstTarget, "target/s")
	}
}
