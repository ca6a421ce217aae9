package post

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"svc/app/api"
	"svc/app/audit"
	"svc/app/channel"
	"svc/app/content"
	"svc/app/event"
	"svc/app/notify"
	"svc/app/org"
	"svc/app/setting"
	"svc/messenger/platform"
	"svc/store"
	"svc/store/queue"
	"svc/store/storetest"
)

// world is a store with an organization and an account of a network.
type world struct {
	t     testing.TB
	db    *store.DB
	org   string
	clock *storetest.Clock
	w     Writer
}

func newWorld(t testing.TB) *world {
	clock := storetest.NewClock()
	db := storetest.OpenWith(t, t.TempDir()+"/svc.db", store.Options{
		Tables: slices.Concat(Tables(), org.Tables(), setting.Tables(), queue.Tables(), content.Tables(), audit.Tables(), event.Tables(), notify.Tables()), Now: clock.Now,
	})
	w := &world{t: t, db: db, clock: clock}
	storetest.Update(t, db, func(tx *store.Tx) error {
		o, err := org.Create(tx, api.System(t.Context(), "", db.Now()), org.Fields{Name: "Acme", Plan: org.Enterprise, Timezone: "Asia/Tashkent"})
		w.org = o.ID
		return err
	})
	w.w = Writer{Org: w.org, Account: &channel.Account{ID: "cha_1", Platform: platform.Photo, ExternalID: "me"}, Zone: "Asia/Tashkent", Round: 1}
	return w
}

func (w *world) update(f func(*store.Tx) error) { storetest.Update(w.t, w.db, f) }

func (w *world) posts(list ...platform.Post) {
	w.update(func(tx *store.Tx) error { _, err := w.w.Posts(tx, list); return err })
}

func (w *world) comments(list ...platform.Comment) (fresh, known int) {
	w.update(func(tx *store.Tx) error {
		f, k, err := w.w.Comments(tx, list)
		fresh, known = len(f), k
		return err
	})
	return fresh, known
}

func (w *world) recounted() {
	w.t.Helper()
	storetest.View(w.t, w.db, func(tx *store.Tx) error {
		wrong, err := Recount(tx, w.org)
		if len(wrong) > 0 {
			w.t.Fatalf("sums that are not those of the rows: %v", wrong)
		}
		return err
	})
}

func (w *world) find(external string) (p Post) {
	storetest.View(w.t, w.db, func(tx *store.Tx) (err error) {
		p, err = knownPost.Find(tx, w.org, store.Tuple(store.Text("cha_1"), store.Text(external)))
		return err
	})
	return p
}

func number(n int64) *int64 { return &n }

func (w *world) post(id string, ago time.Duration, views int64) platform.Post {
	return platform.Post{
		ID: id, Kind: platform.KindPost, Caption: "Post " + id, Permalink: "https://x/" + id, At: w.clock.Now().Add(-ago), Whole: true,
		Metrics: platform.Metrics{Views: number(views), Likes: number(views / 10), Comments: number(1)},
	}
}

// TestRecount changes content at random, as syncs, webhooks, judgements and deletions do, and
// proves after each step that the sums are those of the rows.
func TestRecount(t *testing.T) {
	w := newWorld(t)
	r := rand.New(rand.NewPCG(1, 2))
	for step := range 300 {
		id := fmt.Sprint(r.IntN(12))
		switch r.IntN(8) {
		case 0, 1:
			p := w.post(id, time.Duration(r.IntN(80*24))*time.Hour, int64(r.IntN(5000)))
			if known := w.tryFind(id); known != nil {
				p.At = known.At
			}
			if r.IntN(4) == 0 {
				p.Metrics.Reach = number(int64(r.IntN(900)))
			}
			if r.IntN(3) == 0 {
				p.Caption = fmt.Sprint("Again ", step)
			}
			w.posts(p)
		case 2, 3:
			c := platform.Comment{ID: fmt.Sprint("c", r.IntN(40)), Post: id, From: []string{"me", "lola"}[r.IntN(2)], FromName: "Lola", Text: fmt.Sprint("text ", r.IntN(3)), At: w.clock.Now().Add(-time.Duration(r.IntN(100)) * time.Hour), Likes: int64(r.IntN(3)), Verb: "add"}
			w.comments(c)
		case 4:
			w.judge(r)
		case 5:
			w.update(func(tx *store.Tx) error { return Removed(tx, w.org, "cha_1", fmt.Sprint("c", r.IntN(40))) })
		case 6:
			w.w.Round++
			w.update(func(tx *store.Tx) error {
				_, err := w.w.Missing(tx, w.clock.Now().Add(-time.Duration(r.IntN(30))*24*time.Hour), nil, 3)
				return err
			})
			w.wipe()
		case 7:
			w.clock.Add(time.Duration(r.IntN(30)) * time.Hour)
			w.update(func(tx *store.Tx) error { _, err := Purge(tx, w.org, 5); return err })
		}
		w.recounted()
	}
}

func (w *world) tryFind(external string) (out *Post) {
	storetest.View(w.t, w.db, func(tx *store.Tx) error {
		p, err := knownPost.Find(tx, w.org, store.Tuple(store.Text("cha_1"), store.Text(external)))
		if err == nil {
			out = &p
		}
		return store.IgnoreNotFound(err)
	})
	return out
}

func (w *world) judge(r *rand.Rand) {
	w.update(func(tx *store.Tx) error {
		posts, comments, err := ToJudge(tx, w.org, 5)
		if err != nil {
			return err
		}
		said := map[string]*Judged{}
		var ids []string
		add := func(id string) {
			ids = append(ids, id)
			if r.IntN(4) > 0 {
				said[id] = &Judged{
					Topic: Topic{Case: []string{"", "cas_a", "cas_b"}[r.IntN(3)], Confidence: 0.9}, Sentiment: r.IntN(6), Language: []string{"", "uz", "ru"}[r.IntN(3)],
					Flags: map[Flag]float64{Question: r.Float64(), Spam: r.Float64()},
				}
			}
		}
		for i := range posts {
			add(posts[i].ID)
		}
		for i := range comments {
			add(comments[i].ID)
		}
		return Judge(tx, w.org, ids, said)
	})
}

// TestDeleted shows that what two complete listings miss loses its words, and never comes back.
func TestDeleted(t *testing.T) {
	w := newWorld(t)
	w.posts(w.post("a", time.Hour, 100), w.post("b", 2*time.Hour, 100))
	w.comments(platform.Comment{ID: "c1", Post: "a", From: "lola", FromName: "Lola", Text: "secret words", At: w.clock.Now()})
	for round := 2; round < 5; round++ {
		w.w.Round = round
		w.posts(w.post("b", 2*time.Hour, 100))
		w.update(func(tx *store.Tx) error {
			_, err := w.w.Missing(tx, w.clock.Now().Add(-24*time.Hour), nil, 100)
			return err
		})
		w.wipe()
		if gone := w.find("a").Deleted; gone != (round > 2) {
			t.Errorf("after %d listings without it: deleted %v", round-1, gone)
		}
	}
	w.posts(w.post("a", time.Hour, 100))
	if p := w.find("a"); !p.Deleted || !p.Words.IsZero() || w.find("b").Deleted {
		t.Errorf("%+v", p)
	}
	storetest.View(t, w.db, func(tx *store.Tx) error {
		c, err := knownComment.Find(tx, w.org, store.Tuple(store.Text("cha_1"), store.Text("c1")))
		if !c.Deleted || !c.Words.IsZero() {
			t.Errorf("%+v", c)
		}
		return err
	})
	w.recounted()
}

// TestSealed shows that no text of a comment and no name lies open in a record.
func TestSealed(t *testing.T) {
	w := newWorld(t)
	w.posts(w.post("a", time.Hour, 100))
	w.comments(platform.Comment{ID: "c1", Post: "a", From: "lola", FromName: "Lolakhon", Text: "hidden text", At: w.clock.Now()})
	storetest.View(t, w.db, func(tx *store.Tx) error {
		c, err := knownComment.Find(tx, w.org, store.Tuple(store.Text("cha_1"), store.Text("c1")))
		b, encoded := json.Marshal(&c)
		if text := string(b); encoded != nil || strings.Contains(text, "Lolakhon") || strings.Contains(text, "hidden") {
			t.Error(text, encoded)
		}
		words, opened := c.Open(tx.DB(), w.org)
		if opened != nil || words.Text != "hidden text" || words.Author != "Lolakhon" {
			t.Error(words, opened)
		}
		return err
	})
}

// TestViewsGained counts the views that came between two readings on the day of the second.
func TestViewsGained(t *testing.T) {
	w := newWorld(t)
	gained := func() (n int64) {
		storetest.View(t, w.db, func(tx *store.Tx) error {
			return EachAudience(tx, w.org, "2000-01-01", "2100-01-01", func(a *Audience) { n += a.Gained })
		})
		return n
	}
	w.posts(w.post("old", 72*time.Hour, 5000))
	if n := gained(); n != 0 {
		t.Errorf("%d views of an old post were seen to come", n)
	}
	w.posts(w.post("new", time.Minute, 50), w.post("old", 72*time.Hour, 5300), w.post("old", 72*time.Hour, 5300))
	w.posts(w.post("old", 72*time.Hour, 5290))
	if n := gained(); n != 350 {
		t.Errorf("%d views, want 350", n)
	}
}

// TestPurge removes what is over 90 days old and keeps its sums and daily figures.
func TestPurge(t *testing.T) {
	w := newWorld(t)
	w.posts(w.post("a", time.Hour, 100))
	w.comments(platform.Comment{ID: "c1", Post: "a", From: "lola", Text: "x", At: w.clock.Now()})
	w.clock.Add(KeptFor + 48*time.Hour)
	storetest.Update(t, w.db, func(tx *store.Tx) error {
		n, err := Purge(tx, w.org, 100)
		if n != 2 {
			t.Errorf("%d rows left", n)
		}
		return err
	})
	storetest.View(t, w.db, func(tx *store.Tx) error {
		orgs, err := Sums.EachOwner(tx)
		if len(orgs) != 1 {
			t.Error("the sums are gone")
		}
		return err
	})
	w.recounted()
}

// wipe takes the words of what stands below deleted posts.
func (w *world) wipe() {
	for more := true; more; {
		w.update(func(tx *store.Tx) (err error) {
			more, err = w.w.WipeBelow(tx)
			return err
		})
	}
}

// TestManyBelow: however many comments stand below a post that the network deleted, each loses its words.
func TestManyBelow(t *testing.T) {
	w := newWorld(t)
	w.posts(w.post("a", time.Hour, 100))
	const many = 2*belowAtOnce + 5
	var said []platform.Comment
	for n := range many {
		said = append(said, platform.Comment{ID: fmt.Sprint("c", n), Post: "a", From: "lola", FromName: "Lola", Text: "words", At: w.clock.Now()})
	}
	for chunk := range slices.Chunk(said, 100) {
		w.comments(chunk...)
	}
	for range absences {
		w.w.Round++
		w.update(func(tx *store.Tx) error {
			_, err := w.w.Missing(tx, w.clock.Now().Add(-24*time.Hour), nil, 100)
			return err
		})
	}
	w.wipe()
	left := 0
	storetest.View(t, w.db, func(tx *store.Tx) error {
		return each(tx, w.org, comments, func(c *Comment) {
			if !c.Deleted || !c.Words.IsZero() {
				left++
			}
		})
	})
	if left != 0 {
		t.Errorf("%d of %d comments have their words", left, many)
	}
	w.recounted()
}
