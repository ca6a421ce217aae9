package route

import (
	"net/http"
	"runtime"
	"strings"
	"sync"
	"time"

	"golang.org/x/sync/singleflight"
)

const (
	// Budget bounds every call but Status: waiting for a place, asking, reading
	// the answer (map contract 13).
	Budget = 25 * time.Second
	// MaxAnswer bounds what is read of an answer (map contract 13): of a route,
	// whose answers are the longest.
	MaxAnswer = 32 << 20
	// placesPerCore is how many calls may be in flight for each core.
	placesPerCore = 4
)

// Client talks to one engine, a Valhalla of version 3.8 or later. The zero
// value of the optional fields works. Safe for concurrent use; not to be copied.
type Client struct {
	// BaseURL is the engine's address, for example "http://127.0.0.1:8002".
	BaseURL string
	// HTTP makes the calls; nil: a client of this package.
	HTTP *http.Client
	// Clock tells the time; nil: time.Now.
	Clock func() time.Time
	// Observe is told of every call to the engine ("status", "route", "matrix",
	// "isochrone", "trip", "match", "elevation"); may be nil.
	Observe func(call string, ok bool, took time.Duration)
	// Budget replaces the constant of that name; 0: the constant.
	Budget time.Duration
	// Places is how many calls may be in flight; 0: four for each core.
	Places int

	joined singleflight.Group // of Status
	mu     sync.Mutex
	last   status

	flights flights
	once    sync.Once
	places  chan struct{}
	// readers has room for each core: more answers decoded at once would be no
	// faster and only more memory.
	readers chan struct{}
}

var _ Engine = (*Client)(nil)

// defaultHTTP never follows a redirect: the engine has no reason to send one,
// and the address is the operator's word. It keeps as many connections as calls
// may be in flight on the largest machine that is likely.
var defaultHTTP = &http.Client{
	Transport: &http.Transport{MaxIdleConnsPerHost: 256, IdleConnTimeout: time.Minute, DisableCompression: true},
	CheckRedirect: func(*http.Request, []*http.Request) error {
		return http.ErrUseLastResponse
	},
}

func (c *Client) client() *http.Client {
	if c.HTTP != nil {
		return c.HTTP
	}
	return defaultHTTP
}

func (c *Client) url(path string) string { return strings.TrimSuffix(c.BaseURL, "/") + path }

func (c *Client) now() time.Time {
	if c.Clock != nil {
		return c.Clock()
	}
	return time.Now()
}

func (c *Client) observe(call string, ok bool, took time.Duration) {
	if c.Observe != nil {
		c.Observe(call, ok, max(took, 0))
	}
}

func (c *Client) budget() time.Duration {
	if c.Budget > 0 {
		return c.Budget
	}
	return Budget
}

// enter is the channel whose room is the number of places; readers is there after
// it too.
func (c *Client) enter() chan struct{} {
	c.once.Do(func() {
		n := c.Places
		if n <= 0 {
			n = placesPerCore * runtime.GOMAXPROCS(0)
		}
		c.places = make(chan struct{}, n)
		c.readers = make(chan struct{}, runtime.GOMAXPROCS(0))
	})
	return c.places
}
