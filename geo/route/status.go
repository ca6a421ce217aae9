package route

import (
	"context"
	"encoding/json"
	"io"
	"net/http"
	"strings"
	"time"
)

const (
	// StatusBudget bounds the health check (map contract 1).
	StatusBudget = 1500 * time.Millisecond
	// statusTTL is how long an answer is believed (map contract 1).
	statusTTL = 10 * time.Second
	// maxStatus bounds the engine's answer; a real one is under 1 kB.
	maxStatus = 64 << 10
)

type status struct {
	version  string
	dataTime time.Time
	ok       bool
	asked    time.Time
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
	c.observe("status", s.ok, s.asked.Sub(start))
	return s
}

func (c *Client) fetch(ctx context.Context) status {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, c.url("/status"), nil)
	if err != nil {
		return status{}
	}
	resp, err := c.client().Do(req)
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
