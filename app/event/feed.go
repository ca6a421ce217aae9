package event

import (
	"context"
	"sync"
	"sync/atomic"

	"svc/store"
)

// feeds are those of the organizations that have open streams in this process.
type feeds struct {
	mu  sync.Mutex
	all map[string]*feed
}

// feed is what the open streams of an organization read together: when something happened,
// one of them reads it and writes the frames, and the others send the same bytes.
type feed struct {
	db  *store.DB
	org string
	// version counts what was published since the feed began.
	version atomic.Uint64
	stop    func()

	mu      sync.Mutex
	readers map[*reader]struct{}

	reading sync.Mutex // held by the one that reads
	last    *feedPage  // nil before the first
}

// reader is an open stream of a feed.
type reader struct {
	wake    chan struct{}
	moments chan moment
}

// feedPage are the events behind a place, as they were at a version of the feed.
type feedPage struct {
	version uint64
	at      string
	list    []feedEvent
	newest  string // event of the organization; read only with a full page
}

// feedEvent is an event whose frame is written when the first stream wants it.
type feedEvent struct {
	Stored
	once  sync.Once
	bytes []byte
}

func (e *feedEvent) frame() []byte {
	e.once.Do(func() { e.bytes = []byte(frame(e.ID, string(e.Type), string(e.Envelope()))) })
	return e.bytes
}

// join adds a reader to the feed of an organization. Its channel wake receives after each
// commit with new events, several of which may share one signal. Call leave when done.
func (f *feeds) join(db *store.DB, org string) (x *feed, me *reader, leave func()) {
	f.mu.Lock()
	defer f.mu.Unlock()
	x = f.all[org]
	if x == nil {
		x = &feed{db: db, org: org, readers: map[*reader]struct{}{}}
		events := db.Subscribe(Topic(org), func(string, bool) { x.changed() })
		typing := db.Subscribe(typingTopic(org), func(payload string, _ bool) { x.typed(payload) })
		x.stop = func() { events(); typing() }
		if f.all == nil {
			f.all = map[string]*feed{}
		}
		f.all[org] = x
	}
	me = &reader{make(chan struct{}, 1), make(chan moment, momentsWaiting)}
	x.mu.Lock()
	defer x.mu.Unlock()
	x.readers[me] = struct{}{}
	return x, me, sync.OnceFunc(func() { f.leave(x, me) })
}

func (f *feeds) leave(x *feed, me *reader) {
	f.mu.Lock()
	defer f.mu.Unlock()
	x.mu.Lock()
	delete(x.readers, me)
	left := len(x.readers)
	x.mu.Unlock()
	if left == 0 {
		delete(f.all, x.org)
		x.stop()
	}
}

// changed wakes all readers. Commits wait for it.
func (x *feed) changed() {
	x.version.Add(1)
	x.mu.Lock()
	defer x.mu.Unlock()
	for r := range x.readers {
		select {
		case r.wake <- struct{}{}:
		default: // it is already waking
		}
	}
}

// typed passes on that somebody writes. Commits wait for it.
func (x *feed) typed(payload string) {
	m, ok := typed(payload, x.db.Now())
	if !ok {
		return
	}
	x.mu.Lock()
	defer x.mu.Unlock()
	for r := range x.readers {
		select {
		case r.moments <- m:
		default: // it reads slowly: the next one says the same
		}
	}
}

// after reads up to streamPage events behind a place. Whoever is where another one was just
// now is given what that one read: events never appear before others that were there, so
// a page that is not empty is right for ever, if not all.
func (x *feed) after(ctx context.Context, at string) (*feedPage, error) {
	x.reading.Lock()
	p := x.last
	if p != nil && p.at == at && (len(p.list) > 0 || p.version == x.version.Load()) {
		x.reading.Unlock()
		return p, nil
	}
	if p != nil && at < p.at { // behind the others: nobody else is here
		x.reading.Unlock()
		return x.read(ctx, at)
	}
	defer x.reading.Unlock()
	p, err := x.read(ctx, at)
	if err == nil {
		x.last = p
	}
	return p, err
}

func (x *feed) read(ctx context.Context, at string) (*feedPage, error) {
	p := &feedPage{version: x.version.Load(), at: at}
	var list []Stored
	err := x.db.View(ctx, func(tx *store.Tx) (err error) {
		if list, err = After(tx, x.org, at, streamPage); err != nil || len(list) < streamPage {
			return err
		}
		p.newest, err = newestOf(tx, x.org)
		return err
	})
	p.list = make([]feedEvent, len(list))
	for i := range list {
		p.list[i].Stored = list[i]
	}
	return p, err
}
