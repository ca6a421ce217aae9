package event

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"time"

	"svc/app/api"
	"svc/store"
	"svc/store/recordid"
)

// The life of a stream (contract 8.4).
const (
	heartbeat    = 15 * time.Second
	lookAgain    = 500 * time.Millisecond // whether the caller may still listen (contract 21.3, Revocation)
	maxAge       = time.Hour
	maxWaiting   = 1000    // events behind the newest
	maxWaitBytes = 1 << 20 // of them
	streamPage   = 200
)

// Open streams of one organization and of one key or session (contract 1.3).
const (
	streamsPerOrg    = 50
	streamsPerCaller = 5
)

// ErrTooManyStreams refuses one more stream (contract 18).
var ErrTooManyStreams = &api.Error{
	Kind: api.TooMany, Code: "too_many_streams", Message: "Too many event streams are open; close one.", RetryAfter: 5 * time.Second,
}

type streamIn struct {
	Types       []string `query:"types" maxItems:"50" doc:"Types, separated by commas; a * at the end stands for any ending."`
	ResourceID  string   `query:"resource_id" maxLength:"64"`
	LastEventID string   `query:"last_event_id" maxLength:"64" doc:"As the header Last-Event-ID."`
	Header      string   `header:"Last-Event-ID" maxLength:"64"`
}

// stream answers with the events that the caller may see, from now on or from
// behind an event.
func (s *Service) stream(c *api.Call, in streamIn) (out api.Stream, err error) {
	if c.Org == "" {
		return out, api.ErrNoOrganization
	}
	f := follower{s: s, c: c, about: in.ResourceID, typing: true}
	if len(in.Types) > 0 {
		var ok bool
		if f.types, f.typing, ok = asked(in.Types); !ok {
			return out, api.Wrong("types", "names no type of event, nor the beginning of one with a * behind it")
		}
	}
	last := cmp.Or(in.Header, in.LastEventID)
	if last != "" && !recordid.Valid("evt", last) {
		return out, api.Wrong("last_event_id", "is not the id of an event")
	}
	if err := f.begin(last); err != nil {
		return out, err
	}
	release, err := s.takeStream(c)
	return api.Stream{Run: func(ctx context.Context, send func([]byte) error) {
		defer release()
		f.run(ctx, send)
	}}, err
}

// takeStream takes one of the streams that an organization and a caller may have open at once.
func (s *Service) takeStream(c *api.Call) (release func(), err error) {
	bounds := map[string]int{"org " + c.Org: streamsPerOrg, "caller " + cmp.Or(c.Caller.Session, c.Caller.ID): streamsPerCaller}
	var ok bool
	if s.db.Exclusive() {
		release, ok = s.streams.take(bounds)
	} else if release, ok, err = takeShared(c, s.db, bounds); err != nil {
		return nil, err
	}
	if !ok {
		return nil, ErrTooManyStreams
	}
	return release, nil
}

// follower is one open stream.
type follower struct {
	s       *Service
	c       *api.Call
	types   []Type // nil: all
	typing  bool   // who writes now, too
	about   string
	feed    *feed   // while it runs
	at      string  // the event it has come to
	upTo    string  // the newest event when it last looked
	reset   bool    // the place asked for is not stored any more
	oldest  *string // event that is stored
	written bytes.Buffer
}

// begin finds the place to go on from. A place behind the newest event, which this
// organization cannot have been given, is the newest.
func (f *follower) begin(last string) error {
	return f.s.db.View(f.c, func(tx *store.Tx) error {
		newest, err := newestOf(tx, f.c.Org)
		if err != nil {
			return err
		}
		f.upTo, f.at, f.reset, f.oldest = newest, newest, false, nil
		if last == "" {
			return nil
		}
		oldest, err := Oldest(tx, f.c.Org)
		if err != nil {
			return err
		}
		if oldest != "" {
			f.oldest = &oldest
		}
		if f.reset = oldest == "" || last < oldest; !f.reset {
			f.at = min(last, newest)
		}
		return nil
	})
}

func newestOf(tx *store.Tx, org string) (string, error) {
	e, err := byID.Last(tx, org, store.All())
	if store.IsNotFound(err) {
		return "", nil
	}
	return e.ID, err
}

// run sends frames until the stream is over.
func (f *follower) run(ctx context.Context, send func([]byte) error) {
	ctx, cancel := context.WithTimeout(ctx, maxAge)
	defer cancel()
	x, me, leave := f.s.feeds.join(f.s.db, f.c.Org)
	defer leave()
	f.feed = x
	beat := time.NewTicker(heartbeat)
	defer beat.Stop()
	look := time.NewTicker(lookAgain)
	defer look.Stop()
	opening := "retry: 3000\n\n: ready\n\n"
	if f.reset {
		opening += frame("", "stream.reset", mustJSON(map[string]*string{"oldest_event_id": f.oldest}))
	}
	if send([]byte(opening)) != nil {
		return
	}
	for f.catchUp(ctx, send) && f.wait(ctx, me, beat.C, look.C, send) {
	}
}

// wait returns true when there may be new events, and false when the stream is over.
func (f *follower) wait(ctx context.Context, me *reader, beat, look <-chan time.Time, send func([]byte) error) bool {
	for {
		select {
		case <-ctx.Done():
			return false
		case <-me.wake:
			return true
		case m := <-me.moments:
			if f.hears(&m) && send(m.frame) != nil {
				return false
			}
		case <-look:
			if f.revoked(send) {
				return false
			}
		case <-beat:
			if f.revoked(send) || send([]byte(": ping\n\n")) != nil {
				return false
			}
		}
	}
}

// revoked says whether the caller may no longer listen, and tells him.
func (f *follower) revoked(send func([]byte) error) bool {
	if !f.c.Revoked() {
		return false
	}
	_ = send([]byte(frame("", "stream.closed", mustJSON(map[string]string{"code": api.ErrUnauthenticated.Code})))) // it ends either way
	return true
}

// catchUp sends everything that is stored behind the place of the follower. It is
// false when the stream is over.
func (f *follower) catchUp(ctx context.Context, send func([]byte) error) bool {
	for sent := false; ctx.Err() == nil; sent = true {
		page, err := f.next(ctx, sent)
		switch {
		case errors.Is(err, errSlow):
			_ = send([]byte(frame("", "stream.overflow", "{}"))) // it ends either way
			return false
		case err != nil:
			return false
		case len(page.list) == 0:
			return true
		}
		if f.revoked(send) || !f.send(page, send) {
			return false
		}
		if len(page.list) < streamPage && page.version == f.feed.version.Load() {
			return true // nothing came while the client read
		}
	}
	return false
}

// errSlow ends the stream of a client that has more waiting than it may.
var errSlow = errors.New("the client reads too slowly")

// next reads what comes behind the place of the follower. sent says that the client
// had to take something since the follower last waited. What was stored by then is
// no sign of a slow client, however much it is: a replay, or many events of one
// transaction. What came while it read is.
func (f *follower) next(ctx context.Context, sent bool) (*feedPage, error) {
	if sent && f.at >= f.upTo {
		if err := f.bearable(ctx); err != nil {
			return nil, err
		}
	}
	page, err := f.feed.after(ctx, f.at)
	if err == nil && f.at >= f.upTo && len(page.list) > 0 {
		f.upTo = max(page.newest, page.list[len(page.list)-1].ID)
	}
	return page, err
}

// bearable is errSlow when more events wait for the client than may.
func (f *follower) bearable(ctx context.Context) error {
	waiting, size, at := 0, 0, f.at
	for {
		var page []Stored
		err := f.s.db.View(ctx, func(tx *store.Tx) (err error) {
			page, err = After(tx, f.c.Org, at, streamPage)
			return err
		})
		if err != nil {
			return err
		}
		for i := range page {
			at = page[i].ID
			if f.wants(&page[i]) {
				waiting, size = waiting+1, size+len(page[i].Data)
			}
		}
		switch {
		case waiting > maxWaiting || size > maxWaitBytes:
			return errSlow
		case len(page) < streamPage:
			return nil
		}
	}
}

func (f *follower) send(page *feedPage, send func([]byte) error) bool {
	f.written.Reset()
	for i := range page.list {
		e := &page.list[i]
		f.at = e.ID
		if f.wants(&e.Stored) {
			f.written.Write(e.frame())
		}
	}
	return f.written.Len() == 0 || send(f.written.Bytes()) == nil
}

func (f *follower) wants(e *Stored) bool {
	return e.Sees(f.c.Caller.Perms) &&
		(f.types == nil || slices.Contains(f.types, e.Type)) &&
		(f.about == "" || slices.Contains(e.About, f.about))
}

// frame is one event of the stream; its data is one line.
func frame(id, name, data string) string {
	var b strings.Builder
	if id != "" {
		b.WriteString("id: " + id + "\n")
	}
	b.WriteString("event: " + name + "\ndata: " + data + "\n\n")
	return b.String()
}

// mustJSON is for values that were JSON before.
func mustJSON(v any) string {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		panic(err)
	}
	return strings.TrimSuffix(b.String(), "\n")
}
