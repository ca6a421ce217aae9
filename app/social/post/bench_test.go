package post

import (
	"fmt"
	"testing"
	"time"

	"svc/messenger/platform"
	"svc/store"
	"svc/store/storetest"
)

// BenchmarkContent stores what a first sync of 500 posts and 20,000 comments reads, page by page:
// the part of the sync that is the store's. Target of the whole sync: under 60 s (platforms 7).
func BenchmarkContent(b *testing.B) {
	for range b.N {
		w := newWorld(b)
		begun := time.Now()
		for i := range 500 {
			p := w.post(fmt.Sprint(i), time.Duration(i)*4*time.Hour, 100)
			var said []platform.Comment
			for k := range 40 {
				said = append(said, platform.Comment{ID: fmt.Sprintf("%d-%d", i, k), Post: p.ID, From: "lola", FromName: "Lola", Text: "Narxi qancha?", At: p.At.Add(time.Minute)})
			}
			storetest.Update(b, w.db, func(tx *store.Tx) error {
				_, err := w.w.Posts(tx, []platform.Post{p})
				return err
			})
			w.comments(said...)
		}
		b.ReportMetric(time.Since(begun).Seconds(), "s/sync")
		b.ReportMetric(60, "s/target")
	}
}
