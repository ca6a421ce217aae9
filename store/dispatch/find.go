package dispatch

import (
	"context"
	"slices"
	"time"

	"svc/store"
)

// items are the records that the next transactions serve.
type items struct {
	list []*item
	at   map[store.Ref]*item
	room int // how much may still be claimed
}

// item is a record that a transaction serves: it settles what came of its work, and
// claims more.
type item struct {
	key      store.Ref
	outcomes []*work
	room     int      // how much of it may be claimed
	poison   *trouble // whose ref is put away first
	// What came of it, assigned whole by each run of the transaction.
	begun []*work
	lost  int // outcomes whose claim another has
	// elsewhere: it is due for another node.
	elsewhere bool
	next      time.Time // when it is due again; zero: it is not, or does not wait
}

func (l *items) of(key store.Ref) *item {
	it := l.at[key]
	if it == nil {
		it = &item{key: key}
		l.at[key] = it
		l.list = append(l.list, it)
	}
	return it
}

func (r *runner) hasEnded() bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return len(r.ended) > 0
}

// collect takes in the work that ended, with that which could not be settled before:
// what had trouble a moment ago only with again. A key goes on with as much as ended,
// unless others wait: then it goes behind them.
func (r *runner) collect(again bool) *items {
	r.mu.Lock()
	ended := r.ended
	r.ended = nil
	r.mu.Unlock()
	r.running -= len(ended)
	r.busy.Store(int32(r.running))
	r.look = r.look || r.limited && len(ended) > 0
	l := &items{at: map[store.Ref]*item{}, room: r.o.Concurrency - r.running}
	if r.stopping {
		l.room = 0
	}
	unsettled := r.unsettled
	r.unsettled = nil
	for _, w := range slices.Concat(unsettled, ended) {
		if r.isTroubled(w.key) && !again {
			r.unsettled = append(r.unsettled, w)
			continue
		}
		it := l.of(w.key)
		it.outcomes = append(it.outcomes, w)
		if l.room > 0 && !r.backlog && !r.paused && len(it.outcomes)+r.share(l.room, w.key) > it.room {
			it.room++
			l.room--
		}
	}
	return l
}

func (r *runner) isTroubled(key store.Ref) bool {
	x := r.troubles[key]
	return x != nil && time.Now().Before(x.until)
}

// share is how much more of a key may be claimed while that many places are free, beside
// what of it is settled now.
func (r *runner) share(free int, key store.Ref) int {
	if r.o.Share == nil {
		return free
	}
	return r.o.Share(free) - r.perKey[key]
}

// find adds records that are due, as many as there is room for.
func (r *runner) find(l *items) error {
	if !r.look || l.room <= 0 {
		return nil
	}
	most := min(l.room, foundAtATime)
	limit := most + len(r.troubles) + 1
	if r.o.Share != nil {
		limit += len(r.perKey) // some of those that are found may have their share
	}
	var found []store.Ref
	var next time.Time
	var paused bool
	err := r.d.db.View(context.Background(), func(tx *store.Tx) (err error) {
		found, next = nil, time.Time{}
		if paused, err = Paused(tx, r.name); err != nil || paused {
			return err
		}
		found, next, err = r.core.look(tx, r.d.db.Now(), limit)
		return err
	})
	if err != nil {
		return err
	}
	r.paused, r.next = paused, next
	r.look, r.backlog, r.limited = len(found) == limit, len(found) == limit, false
	for i, key := range found {
		if most == 0 {
			r.look, r.backlog = true, l.room == 0
			break
		}
		if n := r.allot(l, key, len(found)-i); n > 0 {
			most = max(most-n, 0)
		}
	}
	return nil
}

// allot gives places to a record that is due; left is how many wait with it. Several for
// one, when it allows that and the others do not need them.
func (r *runner) allot(l *items, key store.Ref, left int) int {
	if r.isTroubled(key) {
		return 0
	}
	was := 0
	if it := l.at[key]; it != nil {
		was = it.room
	}
	n := min(max(1, l.room/left), r.share(l.room, key)-was)
	if n <= 0 {
		r.limited = true
		return 0
	}
	it := l.of(key)
	it.room += n
	l.room -= n
	if x := r.troubles[key]; x != nil && x.times >= tooOften {
		it.poison = x
	}
	return n
}
