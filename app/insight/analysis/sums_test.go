package analysis

import (
	"bytes"
	"context"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"svc/app/insight/dimension"
	"svc/app/insight/sums"
	"svc/app/org"
	"svc/app/setting"
	"svc/store"
	"svc/store/queue"
	"svc/store/storetest"
)

const testOrg = "org_01arz3ndektsv4rrffq69g5fav"

func newStore(t testing.TB) *store.DB {
	return storetest.Twice(t, slices.Concat(Tables(), sums.Conversations.Tables(), org.Tables(), setting.Tables(), queue.Tables())...)
}

// history changes conversations at random, as messages, analyses, corrections and deletions do.
type history struct {
	t   testing.TB
	db  *store.DB
	r   *rand.Rand
	ids []string
}

func (h *history) place() sums.Place {
	return sums.Place{
		Day: fmt.Sprintf("2026-11-%02d", 1+h.r.IntN(9)), Business: fmt.Sprintf("bus_%d", h.r.IntN(2)),
		Channel: []string{"MESSENGER", "PHOTO_NETWORK", "PAGE_NETWORK"}[h.r.IntN(3)],
	}
}

// analyse fills in what an analysis finds.
func (h *history) analyse(r *Row) {
	r.AnalysedAt, r.Choices, r.Scores, r.Flags = time.Date(2026, 11, 20, 0, 0, 0, 0, time.UTC), map[dimension.Dimension]Choice{}, map[dimension.Score]int{}, map[dimension.Flag]float64{}
	for _, d := range dimension.OfConversations {
		if h.r.IntN(4) > 0 {
			r.Choices[d] = Choice{Case: []string{"", "cas_a", "cas_b", "cas_c"}[h.r.IntN(4)], By: Machine}
		}
	}
	for _, s := range dimension.Scores {
		if low, high := s.Bounds(); h.r.IntN(3) > 0 {
			r.Scores[s] = low + h.r.IntN(high-low+1)
		}
	}
	for _, f := range dimension.Flags {
		r.Flags[f] = h.r.Float64()
	}
}

// step does one thing.
func (h *history) step() error {
	return h.db.Update(context.Background(), func(tx *store.Tx) error {
		if len(h.ids) == 0 || h.r.IntN(4) == 0 {
			r := Row{ID: h.db.NewID("cnv"), Place: h.place()}
			tx.AfterCommit(func() { h.ids = append(h.ids, r.ID) })
			return save(tx, testOrg, nil, &r)
		}
		before, err := table.Get(tx, testOrg, h.ids[h.r.IntN(len(h.ids))])
		if store.IsNotFound(err) {
			return nil
		}
		if err != nil {
			return err
		}
		after := before
		switch h.r.IntN(6) {
		case 0: // another message, on another day or for another business
			after.Place = h.place()
		case 1: // a correction
			after.Choices = map[dimension.Dimension]Choice{dimension.Demand: {Case: "cas_b", By: Person}}
		case 2:
			return Forget(tx, testOrg, before.ID)
		default:
			h.analyse(&after)
		}
		return save(tx, testOrg, &before, &after)
	})
}

// TestSumsAfterAnyHistory: what boards add up is what a recount finds, whatever happened
// (contract 15.5); sums that are wrong are found, and put right.
func TestSumsAfterAnyHistory(t *testing.T) {
	for seed := range uint64(4) {
		h := history{t: t, db: newStore(t), r: rand.New(rand.NewPCG(seed, 7))}
		for range 400 {
			if err := h.step(); err != nil {
				t.Fatal(err)
			}
		}
		s := New(h.db, nil, nil, slog.New(slog.DiscardHandler))
		if wrong, err := s.Recount(t.Context(), testOrg); err != nil || wrong != 0 {
			t.Fatalf("seed %d: %d places are wrong, %v", seed, wrong, err)
		}
		h.damage()
		if wrong, err := s.Recount(t.Context(), testOrg); err != nil || wrong != 2 {
			t.Errorf("seed %d: %d places are wrong after two were damaged, %v", seed, wrong, err)
		}
		if wrong, err := s.Recount(t.Context(), testOrg); err != nil || wrong != 0 {
			t.Errorf("seed %d: %d places are wrong after they were put right, %v", seed, wrong, err)
		}
	}
}

// TestNightlyRecount: the job of the night recounts every organization, says where sums were wrong,
// puts them right, and comes again the next night.
func TestNightlyRecount(t *testing.T) {
	h := history{t: t, db: newStore(t), r: rand.New(rand.NewPCG(1, 7))}
	for range 100 {
		if err := h.step(); err != nil {
			t.Fatal(err)
		}
	}
	var told bytes.Buffer
	s := New(h.db, nil, nil, slog.New(slog.NewTextHandler(&told, nil)))
	h.damage()
	for _, want := range []string{"places=2", ""} {
		told.Reset()
		if err := s.recountAll(t.Context(), queue.Job{}, recounting{}); !reflect.DeepEqual(err, queue.Snooze(24*time.Hour)) {
			t.Fatalf("it ends with %v", err)
		}
		if log := told.String(); (log != "") != (want != "") || !strings.Contains(log, want) || want != "" && !strings.Contains(log, testOrg) {
			t.Errorf("the log says %q, want %q", log, want)
		}
	}
}

// TestAgeOfWords: a summary is as old as it is, however often a decision service that writes none
// looks at the conversation again (contract 15.3, Forgotten).
func TestAgeOfWords(t *testing.T) {
	db := newStore(t)
	at := func(day int) time.Time { return time.Date(2026, 11, day, 0, 0, 0, 0, time.UTC) }
	r := Row{ID: db.NewID("cnv"), Place: sums.Place{Day: "2026-11-01", Business: "bus_1", Channel: "MESSENGER"}}
	old := func(until int) (n int) {
		storetest.Update(t, db, func(tx *store.Tx) error {
			list, _, err := byAge.Walk(tx, testOrg, store.Range{Span: store.During(time.Time{}, at(until)), Limit: 10})
			n = len(list)
			return err
		})
		return n
	}
	for _, x := range []struct {
		day   int
		fresh bool
		w     words
		age   int // the day from which the words are
	}{
		{1, true, words{Summary: "a"}, 1},
		{5, false, words{Summary: "a"}, 1},
		{9, false, words{Summary: "a"}, 1},
		{12, true, words{Summary: "b"}, 12},
		{15, false, words{}, 15},
		{18, false, words{Explanations: []Explanation{{Text: "c"}}}, 15},
	} {
		before := r
		r.AnalysedAt = at(x.day)
		storetest.Update(t, db, func(tx *store.Tx) error {
			if err := r.keepWords(tx, testOrg, &before, x.w, x.fresh); err != nil {
				return err
			}
			return table.Put(tx, testOrg, &r)
		})
		if old(x.age) != 0 || old(x.age+1) != 1 {
			t.Errorf("day %d: the words are not of day %d", x.day, x.age)
		}
	}
}

// damage loses the sums of one place and adds to those of another.
func (h *history) damage() {
	storetest.Update(h.t, h.db, func(tx *store.Tx) error {
		places, _, err := sums.Conversations.Page(tx, testOrg, nil, 2)
		if err != nil {
			return err
		}
		if err := sums.Conversations.Set(tx, testOrg, places[0], sums.Counts{}); err != nil {
			return err
		}
		return sums.Conversations.Change(tx, testOrg, places[1], &sums.Counts{Flags: map[dimension.Flag]int{dimension.Complaint: 3}})
	})
}

// TestAnAnalysisAgainCountsOnce: analysing again takes away exactly what the conversation had
// added, and a conversation that is forgotten leaves nothing.
func TestAnAnalysisAgainCountsOnce(t *testing.T) {
	db := newStore(t)
	p := sums.Place{Day: "2026-11-20", Business: "bus_1", Channel: "MESSENGER"}
	r := Row{ID: db.NewID("cnv"), Place: p, AnalysedAt: time.Unix(1, 0), Choices: map[dimension.Dimension]Choice{dimension.Demand: {Case: "cas_a"}},
		Scores: map[dimension.Score]int{dimension.Satisfaction: 2}, Flags: map[dimension.Flag]float64{dimension.Complaint: 0.6, dimension.ChurnRisk: 0.59}}
	again := r
	again.Choices = map[dimension.Dimension]Choice{dimension.Demand: {By: Person}}
	again.Scores = map[dimension.Score]int{dimension.Satisfaction: 5}
	storetest.Update(t, db, func(tx *store.Tx) error { return save(tx, testOrg, nil, &r) })
	storetest.Update(t, db, func(tx *store.Tx) error { return save(tx, testOrg, &r, &again) })
	of := func() (c sums.Counts) {
		storetest.Update(t, db, func(tx *store.Tx) (err error) {
			c, err = sums.Conversations.Of(tx, testOrg, p)
			return err
		})
		return c
	}
	want := sums.Counts{Seen: 1, Analysed: 1, Cases: map[string]int{"DEMAND/UNCLEAR": 1}, Scores: map[dimension.Score]sums.Mark{dimension.Satisfaction: {Sum: 5, N: 1}},
		Flags: map[dimension.Flag]int{dimension.Complaint: 1}}
	if got := of(); !got.Equal(&want) {
		t.Errorf("%+v, want %+v", got, want)
	}
	storetest.Update(t, db, func(tx *store.Tx) error { return Forget(tx, testOrg, r.ID) })
	if got := of(); !got.Empty() {
		t.Errorf("a conversation that is forgotten leaves %+v", got)
	}
}
