package event

import (
	"bytes"
	"context"
	"encoding/json"
	"slices"
	"strings"
	"sync"
	"time"

	"svc/app/api"
	"svc/store"
)

// The life of a stream (messaging decisions, 8.4).
const (
	heartbeat    = 15 * time.Second
	maxAge       = time.Hour
	maxWaiting   = 1000    // events behind the newest
	maxWaitBytes = 1 << 20 // of them
	streamPage   = 200
)

// Open streams of one organization and of one key or session (messaging decisions,
// 1.3).
const (
	streamsPerOrg    = 50
	streamsPerCaller = 5
)

// ErrTooManyStreams refuses one more stream (messaging decisions, 18).
var ErrTooManyStreams = &api.Error{
	Kind: api.TooMany, Code: "too_many_streams", Message: "Too many event streams are open; close one.", RetryAfter: 5 * time.Second,
}

// streams counts the open ones of this process.
type streams struct {
	mu   sync.Mutex
	open map[string]int
}

func (s *streams) take(bounds map[string]int) (release func(), ok bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for who, most := range bounds {
		if s.open[who] >= most {
			return nil, false
		}
	}
	if s.open == nil {
		s.open = map[string]int{}
	}
	for who := range bounds {
		s.open[who]++
	}
	return sync.OnceFunc(func() {
		s.mu.Lock()
		defer s.mu.Unlock()
		for who := range bounds {
			if s.open[who]--; s.open[who] == 0 {
				delete(s.open, who)
			}
		}
	}), true
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
	f := follower{s: s, c: c, about: in.ResourceID}
	if len(in.Types) > 0 {
		var ok bool
		if f.types, ok = Match(in.Types); !ok {
			return out, api.Wrong("types", "names no type of event, nor the beginning of one with a * behind it")
		}
	}
	last := in.Header
	if last == "" {
		last = in.LastEventID
	}
	if last != "" && !store.ValidID("evt", last) {
		return out, api.Wrong("last_event_id", "is not the id of an event")
	}
	if err := f.begin(last); err != nil {
		return out, err
	}
	who := c.Caller.ID
	if c.Caller.Session != "" {
		who = c.Caller.Session
	}
	release, ok := s.streams.take(map[string]int{"org " + c.Org: streamsPerOrg, "caller " + who: streamsPerCaller})
	if !ok {
		return out, ErrTooManyStreams
	}
	return api.Stream{Run: func(ctx context.Context, send func([]byte) error) {
		defer release()
		f.run(ctx, send)
	}}, nil
}

// follower is one open stream.
type follower struct {
	s       *Service
	c       *api.Call
	types   []Type // nil: all
	about   string
	at      string // the event it has come to
	replay  bool   // it still reads what was stored before it began
	upTo    string // the newest event when it began
	reset   bool   // the place asked for is not stored any more
	oldest  string
	written bytes.Buffer
}

// begin finds the place to go on from.
func (f *follower) begin(last string) error {
	return f.s.db.View(f.c, func(tx *store.Tx) error {
		newest, err := newestOf(tx, f.c.Org)
		if err != nil {
			return err
		}
		f.upTo, f.at, f.replay, f.reset = newest, newest, false, false
		if last == "" {
			return nil
		}
		if f.oldest, err = Oldest(tx, f.c.Org); err != nil {
			return err
		}
		if last < f.oldest {
			f.reset = true
			return nil
		}
		f.at, f.replay = last, last < newest
		return nil
	})
}

func newestOf(tx *store.Tx, org string) (string, error) {
	e, err := byID.Last(tx, org, store.All())
	if isNotFound(err) {
		return "", nil
	}
	return e.ID, err
}

// run sends frames until the stream is over.
func (f *follower) run(ctx context.Context, send func([]byte) error) {
	ctx, cancel := context.WithTimeout(ctx, maxAge)
	defer cancel()
	wake, stop := f.s.db.Listen(Topic(f.c.Org))
	defer stop()
	beat := time.NewTicker(heartbeat)
	defer beat.Stop()
	opening := "retry: 3000\n\n: ready\n\n"
	if f.reset {
		opening += frame("", "stream.reset", mustJSON(map[string]string{"oldest_event_id": f.oldest}))
	}
	if send([]byte(opening)) != nil {
		return
	}
	for f.catchUp(ctx, send) {
		select {
		case <-ctx.Done():
			return
		case <-wake:
		case <-beat.C:
			if f.c.Revoked() {
				_ = send([]byte(frame("", "stream.closed", mustJSON(map[string]string{"code": api.ErrUnauthenticated.Code}))))
				return
			}
			if send([]byte(": ping\n\n")) != nil {
				return
			}
		}
	}
}

// catchUp sends everything that is stored behind the place of the follower. It is
// false when the stream is over.
func (f *follower) catchUp(ctx context.Context, send func([]byte) error) bool {
	for {
		var page []Stored
		var over bool
		err := f.s.db.View(ctx, func(tx *store.Tx) (err error) {
			if page, err = After(tx, f.c.Org, f.at, streamPage); err != nil {
				return err
			}
			over, err = f.tooFarBehind(tx, page)
			return err
		})
		switch {
		case err != nil || len(page) == 0:
			return err == nil
		case over:
			_ = send([]byte(frame("", "stream.overflow", "{}")))
			return false
		}
		if f.c.Revoked() {
			_ = send([]byte(frame("", "stream.closed", mustJSON(map[string]string{"code": api.ErrUnauthenticated.Code}))))
			return false
		}
		if !f.send(page, send) {
			return false
		}
	}
}

// tooFarBehind says whether a client that reads too slowly has more waiting than
// it may. What was stored before the stream began does not count.
func (f *follower) tooFarBehind(tx *store.Tx, page []Stored) (bool, error) {
	if f.replay && f.at < f.upTo {
		return false, nil
	}
	f.replay = false
	if len(page) < streamPage {
		return false, nil
	}
	waiting, err := After(tx, f.c.Org, f.at, maxWaiting+1)
	size := 0
	for i := range waiting {
		size += len(waiting[i].Data)
	}
	return len(waiting) > maxWaiting || size > maxWaitBytes, err
}

func (f *follower) send(page []Stored, send func([]byte) error) bool {
	f.written.Reset()
	for i := range page {
		e := &page[i]
		f.at = e.ID
		if !f.wants(e) {
			continue
		}
		f.written.WriteString(frame(e.ID, string(e.Type), string(e.Envelope())))
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
