package webtest

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"sync"
	"time"
)

// stream is an open event stream.
type stream struct {
	cancel context.CancelFunc
	wait   sync.WaitGroup
	mu     sync.Mutex
	text   string // that the story has not seen
	ended  bool
}

// openStream follows the events as whoever's turn it is. arg is the name of the
// stream, and behind it a query ("?types=recipient.*") or a header
// ("Last-Event-ID: ...", "Authorization: ..."). A stream of that name is closed.
func (r *runner) openStream(arg string) error {
	name, how, _ := strings.Cut(arg, " ")
	if before := r.streams[name]; before != nil {
		before.close()
	}
	deadline := time.Now().Add(patience)
	for {
		s, status, err := r.askStream(how)
		if err == nil {
			r.streams[name] = s
			return nil
		}
		// The server may not have seen yet that the one before is closed.
		if r.streams[name] == nil || status != http.StatusTooManyRequests || time.Now().After(deadline) {
			return err
		}
	}
}

// askStream asks for a stream. The error is what came instead.
func (r *runner) askStream(how string) (s *stream, status int, err error) {
	ctx, cancel := context.WithCancel(context.Background())
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, r.server.URL+"/api/v1/events/stream", nil)
	if err != nil {
		cancel()
		return nil, 0, err
	}
	if query, ok := strings.CutPrefix(how, "?"); ok {
		req.URL.RawQuery = query
	} else if header, value, ok := strings.Cut(how, ": "); ok {
		req.Header.Set(header, value)
	}
	r.people.sign(req, r.server.origin())
	resp, err := r.server.Client.Do(req)
	if err != nil {
		cancel()
		return nil, 0, err
	}
	h := resp.Header
	if resp.StatusCode != http.StatusOK || !strings.HasPrefix(h.Get("Content-Type"), "text/event-stream") ||
		h.Get("Cache-Control") != "no-store" || h.Get("X-Accel-Buffering") != "no" {
		cancel()
		return nil, resp.StatusCode, errors.Join(resp.Body.Close(), fmt.Errorf("no stream but %d with %v", resp.StatusCode, h))
	}
	if what := r.undeclared(req, resp, nil); what != "" {
		cancel()
		return nil, resp.StatusCode, errors.Join(resp.Body.Close(), errors.New(what))
	}
	r.visits.add(req, resp.StatusCode, nil)
	s = &stream{cancel: cancel}
	s.wait.Go(func() { s.read(resp.Body) })
	return s, resp.StatusCode, nil
}

// read takes in what comes, without heartbeats.
func (s *stream) read(body io.ReadCloser) {
	defer body.Close()
	buffer := make([]byte, 64<<10)
	for {
		n, err := body.Read(buffer)
		s.mu.Lock()
		s.text += strings.ReplaceAll(string(buffer[:n]), ": ping\n\n", "")
		s.ended = err != nil
		s.mu.Unlock()
		if err != nil {
			return
		}
	}
}

func (s *stream) close() {
	s.cancel()
	s.wait.Wait()
}

// frames are those that came since the story last asked; forget says that it has seen
// them.
func (s *stream) frames() (text string, forget func()) {
	s.mu.Lock()
	defer s.mu.Unlock()
	whole := strings.LastIndex(s.text, "\n\n") + len("\n\n")
	if whole == 1 {
		whole = 0
	}
	text = strings.TrimRight(s.text[:whole], "\n")
	if s.ended {
		text = strings.TrimPrefix(text+"\n\n(the stream ended)", "\n\n")
	}
	return text, func() {
		s.mu.Lock()
		defer s.mu.Unlock()
		s.text = s.text[whole:]
	}
}

// Something that happens beside the story, on another connection, is waited for.
const (
	patience = 15 * time.Second
	stillFor = 300 * time.Millisecond // nothing new: with -update there is nothing to wait for
	lookEach = 5 * time.Millisecond   // at first
	seldom   = 100 * time.Millisecond // later: looks count against the rates
)

// await calls try until it says that all is as written. With -update it waits until
// two looks see the same.
func await(try func(last bool) (seen string, ok bool)) {
	deadline := time.Now().Add(patience)
	wait := lookEach
	before, since := "", time.Now()
	for {
		late := time.Now().After(deadline) || *update && time.Since(since) > stillFor
		seen, ok := try(late)
		if ok || late {
			return
		}
		if seen != before {
			before, since = seen, time.Now()
		}
		<-time.After(wait)
		wait = min(2*wait, seldom)
	}
}
