package web

import (
	"context"
	"errors"
	"io"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"time"
)

// Bounds of robots.txt.
const (
	maxRobots  = 500 << 10
	robotsLife = 24 * time.Hour
	maxHosts   = 1000
	maxRules   = 5000
)

// rules are what hosts said, until it has to be asked for again.
type rules struct {
	mu    sync.Mutex
	hosts map[string]robots
}

// robots is what a host said.
type robots struct {
	until time.Time
	none  bool // nothing is allowed
	rules []rule
}

// rule allows or forbids what begins with a path.
type rule struct {
	path  string
	allow bool
}

// allows asks the host of a page.
func (c *Client) allows(ctx context.Context, at *url.URL) (bool, error) {
	host := at.Scheme + "://" + at.Host
	c.robots.mu.Lock()
	r, known := c.robots.hosts[host]
	c.robots.mu.Unlock()
	if !known || time.Now().After(r.until) {
		var err error
		if r, err = c.askRobots(ctx, at); err != nil {
			return false, err
		}
		c.robots.mu.Lock()
		if c.robots.hosts == nil || len(c.robots.hosts) >= maxHosts {
			c.robots.hosts = map[string]robots{}
		}
		c.robots.hosts[host] = r
		c.robots.mu.Unlock()
	}
	path := at.EscapedPath()
	if at.RawQuery != "" {
		path += "?" + at.RawQuery
	}
	return r.allows(path), nil
}

// askRobots fetches robots.txt: no such file allows everything, a host in trouble forbids it.
func (c *Client) askRobots(ctx context.Context, page *url.URL) (robots, error) {
	at := &url.URL{Scheme: page.Scheme, Host: page.Host, Path: "/robots.txt"}
	out := robots{until: time.Now().Add(robotsLife)}
	for range MaxRedirects + 1 {
		if err := c.may(ctx, at, false); err != nil {
			return out, err
		}
		res, err := c.get(ctx, at, &Request{})
		var e *Error
		if errors.As(err, &e) && e.Code == Unreachable {
			out.none, out.until = true, time.Now().Add(time.Minute)
			return out, nil
		}
		if err != nil {
			return out, err
		}
		next, err := redirected(at, res)
		if err == nil && next != nil {
			_ = res.Body.Close() // nothing of it is read
			at = next
			continue
		}
		switch {
		case err != nil, res.StatusCode >= 500, res.StatusCode == http.StatusTooManyRequests:
			out.none, out.until = true, time.Now().Add(time.Minute)
		case res.StatusCode == http.StatusOK:
			var body io.Reader
			if body, err = unpacked(res); err == nil {
				var text []byte
				if text, err = io.ReadAll(io.LimitReader(body, maxRobots)); err == nil {
					out.rules = parseRobots(string(text), c.o.Agent)
				}
			}
			if err != nil {
				out.none, out.until = true, time.Now().Add(time.Minute)
			}
		}
		_ = res.Body.Close() // it was only read
		return out, nil
	}
	return out, nil // RFC 9309, 2.3.1.2: as if there were none
}

// parseRobots are the rules for an agent: those of the groups that name it, else those of *.
func parseRobots(text, agent string) []rule {
	agent, _, _ = strings.Cut(strings.ToLower(agent), "/")
	var own, any []rule
	found, mine, all, header := false, false, false, false
	for line := range strings.Lines(strings.TrimPrefix(text, "\ufeff")) {
		line, _, _ = strings.Cut(line, "#")
		name, value, ok := strings.Cut(line, ":")
		if !ok {
			continue
		}
		name, value = strings.ToLower(strings.TrimSpace(name)), strings.TrimSpace(value)
		switch name {
		case "user-agent":
			if !header { // a group begins
				mine, all = false, false
			}
			header = true
			mine = mine || strings.EqualFold(value, agent)
			all = all || value == "*"
			found = found || mine
		case "allow", "disallow":
			header = false
			if value == "" || len(own)+len(any) >= maxRules {
				continue
			}
			r := rule{value, name == "allow"}
			if mine {
				own = append(own, r)
			}
			if all {
				any = append(any, r)
			}
		}
	}
	if found {
		return own
	}
	return any
}

// allows says whether a path may be fetched: the longest rule that fits decides, and of two
// equally long ones the one that allows.
func (r robots) allows(path string) bool {
	if r.none {
		return path == "/robots.txt"
	}
	best, allow := -1, true
	for _, x := range r.rules {
		if n := len(x.path); (n > best || n == best && x.allow) && fits(x.path, path) {
			best, allow = n, x.allow
		}
	}
	return allow
}

// fits says whether a path begins as a pattern says: * is anything, $ the end.
func fits(pattern, path string) bool {
	pattern, end := strings.CutSuffix(pattern, "$")
	parts := strings.Split(pattern, "*")
	rest, ok := strings.CutPrefix(path, parts[0])
	if !ok {
		return false
	}
	for i, p := range parts[1:] {
		if end && i == len(parts)-2 {
			return strings.HasSuffix(rest, p)
		}
		at := strings.Index(rest, p)
		if at < 0 {
			return false
		}
		rest = rest[at+len(p):]
	}
	return !end || rest == ""
}
