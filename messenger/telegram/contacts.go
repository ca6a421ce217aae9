package telegram

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"slices"
	"sync"
	"time"

	"github.com/gotd/td/tg"

	"svc/messenger"
	"svc/messenger/telegram/cursor"
	"svc/messenger/telegram/fault"
)

// Bounds of learning address books.
const (
	bookMost     = 20_000           // people of one book that are learned
	bookAtATime  = 200              // of them that Memory is given together
	booksAtOnce  = 4                // that a driver learns: one can be megabytes
	bookRetry    = time.Minute      // after a failure, and twice as long after each that follows
	bookRest     = time.Hour        // the longest of these
	bookPatience = 10 * time.Second // of a send that depends on it
)

// contacts is the address book of an account: people whom it can write to by id although no
// message passed. It is asked for at every connection, and costs nothing as long as it is
// the one that Memory was taught.
type contacts struct {
	c     *conn
	key   []byte        // id of the session's key
	again chan struct{} // the connection stands again
	asked chan struct{} // closed once there was a first answer

	mu   sync.Mutex
	err  *messenger.Error // why the platform's book is not known; nil when it is
	next time.Time        // when it is asked for again after err; zero: at the next connection
}

// taught is the blob that Memory keeps.
type taught struct {
	// Key is the id of the key of the session that asked: another sign-in may have to
	// address people in another way.
	Key  []byte `json:"key"`
	Hash int64  `json:"hash"`
}

func newContacts(c *conn, key []byte) *contacts {
	return &contacts{c: c, key: key, again: make(chan struct{}, 1), asked: make(chan struct{})}
}

// run learns the book, and again when the connection was lost or the platform asked to
// wait, until ctx ends.
func (b *contacts) run(ctx context.Context) {
	first := sync.OnceFunc(func() { close(b.asked) })
	for retry := bookRetry; ; {
		e := messenger.As(b.learn(ctx))
		if ctx.Err() != nil {
			return
		}
		wait, flood := rest(e, retry)
		b.note(e, wait)
		first()
		if e == nil {
			retry = bookRetry
		} else {
			retry = min(2*retry, bookRest)
			b.c.d.o.Log.Warn("the address book of an account was not read", "after", wait, "err", e.Code)
		}
		if !b.rest(ctx, wait, flood) {
			return
		}
	}
}

// rest is how long to wait after an answer; 0: until the connection is made again. The
// platform's own waits are not cut short by that.
func rest(e *messenger.Error, retry time.Duration) (wait time.Duration, flood bool) {
	if e == nil {
		return 0, false
	}
	switch e.Fault {
	case messenger.Flood, messenger.Wait:
		return max(e.Wait, time.Second), true
	case messenger.Busy, messenger.Unreachable, messenger.RouteFailed:
		return retry, false
	default:
		return 0, false
	}
}

// rest waits; false says that ctx ended.
func (b *contacts) rest(ctx context.Context, wait time.Duration, flood bool) bool {
	if flood {
		return pause(ctx, wait)
	}
	var due <-chan time.Time
	if wait > 0 {
		t := time.NewTimer(wait)
		defer t.Stop()
		due = t.C
	}
	select {
	case <-due:
	case <-b.again:
	case <-ctx.Done():
		return false
	}
	return true
}

func (b *contacts) note(e *messenger.Error, wait time.Duration) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.err, b.next = e, time.Time{}
	if wait > 0 {
		b.next = time.Now().Add(wait)
	}
}

// known waits until the book was asked for. Its error says that somebody may be in it who
// is not known yet: the same is to be asked later.
func (b *contacts) known(ctx context.Context) error {
	t := time.NewTimer(bookPatience)
	defer t.Stop()
	select {
	case <-b.asked:
	case <-b.c.done:
		return b.c.endedWith()
	case <-ctx.Done():
		return fault.Unanswered(ctx.Err())
	case <-t.C:
		return &messenger.Error{Fault: messenger.Wait, Code: fault.CodeBook, Wait: bookPatience}
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.err == nil || b.next.IsZero() {
		return nil
	}
	if b.err.Fault == messenger.Busy {
		return b.err // counted by whoever asks, so that it does not go on for ever
	}
	return &messenger.Error{Fault: messenger.Wait, Code: b.err.Code, Wait: max(time.Until(b.next).Round(time.Second), time.Second), Cause: b.err.Cause}
}

// learn asks for the book once, and gives Memory who is new or can be addressed in
// another way.
func (b *contacts) learn(ctx context.Context) error {
	select {
	case b.c.d.books <- struct{}{}:
		defer func() { <-b.c.d.books }()
	case <-ctx.Done():
		return ctx.Err()
	}
	was, err := b.taught(ctx)
	if err != nil {
		return fault.Remembered(err)
	}
	var res tg.ContactsContactsClass
	err = b.c.call(ctx, func(ctx context.Context, api *tg.Client) (err error) {
		res, err = api.ContactsGetContacts(ctx, was)
		return err
	})
	if err != nil {
		return err
	}
	all, changed := res.(*tg.ContactsContacts)
	if !changed {
		return nil
	}
	if err := b.keep(ctx, all.Users); err != nil {
		return fault.Remembered(err)
	}
	data, err := json.Marshal(taught{b.key, bookHash(all)})
	if err != nil {
		return fault.Remembered(err)
	}
	return fault.Remembered(b.c.memory.SaveContacts(ctx, data))
}

// taught is the hash of the book that Memory has, 0 for none.
func (b *contacts) taught(ctx context.Context) (int64, error) {
	data, err := b.c.memory.Contacts(ctx)
	var t taught
	if err != nil || len(data) == 0 || json.Unmarshal(data, &t) != nil || !bytes.Equal(t.Key, b.key) {
		return 0, err
	}
	return t.Hash, nil
}

// keep saves people, some at a time.
func (b *contacts) keep(ctx context.Context, users []tg.UserClass) error {
	for some := range slices.Chunk(users[:min(len(users), bookMost)], bookAtATime) {
		fresh := make([]messenger.Peer, 0, len(some))
		for _, u := range some {
			u, ok := u.(*tg.User)
			if !ok || !full(u) || u.Bot || u.Deleted || u.Self || u.ID == cursor.ServiceChat {
				continue
			}
			known, found, err := b.c.memory.Peer(ctx, u.ID)
			if err != nil {
				return err
			}
			if p := listed(u, known); !found || p != known {
				fresh = append(fresh, p)
			}
		}
		if len(fresh) == 0 {
			continue
		}
		if err := b.c.memory.SavePeers(ctx, fresh); err != nil {
			return err
		}
	}
	return nil
}

// listed is how somebody in the book can be addressed. Names are the owner's, for people
// who may never be written to: those are kept once a message passes.
func listed(u *tg.User, known messenger.Peer) messenger.Peer {
	return messenger.Peer{
		ID: u.ID, AccessHash: u.AccessHash, Username: usernameOf(u), Contact: true,
		FirstName: known.FirstName, LastName: known.LastName,
	}
}

// bookHash is the platform's hash of a book: of the count that came with it, then of the
// ids in ascending order (contacts.getContacts in the API; Pagination, Hash generation).
func bookHash(all *tg.ContactsContacts) int64 {
	list := slices.SortedFunc(slices.Values(all.Contacts), func(x, y tg.Contact) int { return cmp.Compare(x.UserID, y.UserID) })
	hash := uint64(all.SavedCount)
	for _, p := range list {
		hash ^= hash >> 21
		hash ^= hash << 35
		hash ^= hash >> 4
		hash += uint64(p.UserID)
	}
	return int64(hash)
}
