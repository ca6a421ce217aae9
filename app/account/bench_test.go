package account

import (
	"context"
	"slices"
	"testing"
	"time"

	"svc/app/audit"
	"svc/app/event"
	"svc/app/notify"
	"svc/app/org"
	"svc/app/recipient"
	"svc/app/setting"
	"svc/app/user"
	"svc/store"
	"svc/store/queue"
	"svc/store/storetest"
)

// BenchmarkSent is what counting a send adds to the transaction of package send: 100
// accounts in turn, 500 sends a transaction.
func BenchmarkSent(b *testing.B) {
	tables := slices.Concat(queue.Tables(), audit.Tables(), event.Tables(), setting.Tables(), notify.Tables(), user.Tables(), org.Tables(), recipient.Tables(), Tables())
	db := storetest.Open(b, tables...)
	organization := db.NewID("org")
	ids := make([]string, 100)
	err := db.Update(context.Background(), func(tx *store.Tx) error {
		for i := range ids {
			ids[i] = db.NewID("acc")
			if err := paces.Insert(tx, organization, &Pace{ID: ids[i]}); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		b.Fatal(err)
	}
	const batch = 500
	at := db.Now()
	n := 0
	b.ReportAllocs()
	for b.Loop() {
		if n++; n%batch != 1 {
			continue
		}
		err := db.Update(context.Background(), func(tx *store.Tx) error {
			for i := range batch {
				if err := Sent(tx, organization, ids[(n+i)%len(ids)], at.Add(time.Duration(n)*time.Millisecond)); err != nil {
					return err
				}
			}
			return nil
		})
		if err != nil {
			b.Fatal(err)
		}
	}
}
