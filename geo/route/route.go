// Package route is the client of the routing engine that runs beside the
// server. Today it asks the engine one thing: whether it is there, and how old
// its data is.
//
// It promises an answer within 1.5 seconds whatever the engine does, at most
// one question in 10 seconds however many ask, and never an error: an engine
// that does not answer is simply not there. It refuses redirects and answers
// larger than a status can be.
package route

import (
	"context"
	"encoding/json"
	"io"
	"net/http"
	"strings"
	"sync"
	"time"

	"golang.org/x/sync/singleflight"
)

const (
	// StatusBudget bounds the health check (map specification, GET /api/status).
	StatusBudget = 1500 * time.Millisecond
	// statusTTL is how long an answer is believed (map decisions, 1).
	statusTTL = 10 * time.Second
	// maxStatus bounds the engine's answer; a real one is under 1 kB.
	maxStatus = 64 << 10
)

// Client talks to one engine. The zero value of the optional fields works.
// Safe for concurrent use.
type Client struct {
	// BaseURL is the engine's address, for example "http://127.0.0.1:8002".
	BaseURL string
	// HTTP makes the calls; nil: a client of this package.
	HTTP *http.Client
	// Clock tells the time; nil: time.Now.
	Clock func() time.Time
	// Observe is told of every call to the engine; may be nil.
	Observe func(call string, ok bool, took time.Duration)

	joined singleflight.Group
	mu     sync.Mutex
	last   status
}

type status struct {
	version  string
	dataTime time.Time
	ok       bool
	asked    time.Time
}

// defaultHTTP never follows a redirect: the engine has no reason to send one,
// and the address is the operator's word.
var defaultHTTP = &http.Client{
	Transport: &http.Transport{MaxIdleConnsPerHost: 4, IdleConnTimeout: time.Minute},
	CheckRedirect: func(*http.Request, []*http.Request) error {
		return http.ErrUseLastResponse
	},
}

// Status asks GET /status of the engine and returns its version and the time
// of its data (zero when it does not say). ok is false when the engine did not
// answer with 200 within StatusBudget, or when ctx ended first. Answers, good
// and bad, are believed for 10 seconds; questions at the same time are joined.
func (c *Client) Status(ctx context.Context) (version string, dataTime time.Time, ok bool) {
	c.mu.Lock()
	last := c.last
	c.mu.Unlock()
	// A clock that went backwards must not keep an answer alive for long.
	if age := c.now().Sub(last.asked); !last.asked.IsZero() && age >= 0 && age < statusTTL {
		return last.version, last.dataTime, last.ok
	}
	answer := c.joined.DoChan("status", func() (any, error) {
		s := c.ask()
		c.mu.Lock()
		c.last = s
		c.mu.Unlock()
		return s, nil
	})
	select {
	case r := <-answer:
		s := r.Val.(status)
		return s.version, s.dataTime, s.ok
	case <-ctx.Done():
		return "", time.Time{}, false
	}
}

// ask is one call. It has its own time limit and not a caller's context: others
// may wait for the same answer.
func (c *Client) ask() status {
	ctx, cancel := context.WithTimeout(context.Background(), StatusBudget)
	defer cancel()
	start := c.now()
	s := c.fetch(ctx)
	s.asked = c.now()
	if c.Observe != nil {
		c.Observe("status", s.ok, max(s.asked.Sub(start), 0))
	}
	return s
}

func (c *Client) fetch(ctx context.Context) status {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, strings.TrimSuffix(c.BaseURL, "/")+"/status", nil)
	if err != nil {
		return status{}
	}
	client := c.HTTP
	if client == nil {
		client = defaultHTTP
	}
	resp, err := client.Do(req)
	if err != nil {
		return status{}
	}
	defer resp.Body.Close()
	body, err := io.ReadAll(io.LimitReader(resp.Body, maxStatus+1))
	if err != nil || resp.StatusCode != http.StatusOK || len(body) > maxStatus {
		return status{}
	}
	return parseStatus(body)
}

// maxVersion bounds what the status page repeats of the engine's words.
const maxVersion = 64

// parseStatus reads the engine's answer. Anything but a JSON object is not the
// engine: some other program has the port. Fields of a surprising type are only
// missing, since an engine that answers can route.
func parseStatus(body []byte) status {
	var raw map[string]json.RawMessage
	if json.Unmarshal(body, &raw) != nil || raw == nil {
		return status{}
	}
	var in struct {
		Version  string
		Modified float64 // seconds since 1970
	}
	_ = json.Unmarshal(raw["version"], &in.Version)
	_ = json.Unmarshal(raw["tileset_last_modified"], &in.Modified)
	s := status{ok: true}
	s.version = strings.ToValidUTF8(in.Version, "")
	if len(s.version) > maxVersion {
		s.version = strings.ToValidUTF8(s.version[:maxVersion], "")
	}
	const year9999 = 253402300799 // the last second that JSON can carry as a time
	if in.Modified > 0 && in.Modified <= year9999 {
		s.dataTime = time.Unix(int64(in.Modified), 0).UTC()
	}
	return s
}

func (c *Client) now() time.Time {
	if c.Clock != nil {
		return c.Clock()
	}
	return time.Now()
}
