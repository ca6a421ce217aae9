// Package photo finds a picture of a place: the image property of its entity,
// then what the image store says about that image, then the image itself.
//
// It promises an answer within five seconds whatever the two hosts do, one
// question a place however many ask at once, credit where it is due (author,
// licence, host), and a disk cache that stays within its bound. It refuses
// answers and images beyond their size, anything but JPEG, PNG, WebP and GIF,
// and connections to private addresses other than the configured hosts: what
// an upstream answers must not steer the server into its own network.
package photo

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/url"
	"path/filepath"
	"regexp"
	"time"

	"golang.org/x/sync/singleflight"
)

const (
	// Budget bounds one lookup or one image, waiting included (map contract 14).
	Budget = 5 * time.Second
	// TTL is how long a photo and its image are kept (map contract 14).
	TTL = 30 * 24 * time.Hour
	// noneTTL is how long "no photo" is kept: as long as clients may keep that
	// answer (Cache-Control of GET /api/photo).
	noneTTL = 24 * time.Hour
	// maxUpstream bounds the calls to the two hosts at one time.
	maxUpstream = 8
	// defaultCacheBytes is the disk cache's bound when none is given.
	defaultCacheBytes = 512 << 20
	// HostName ends every attribution.
	HostName = "Wikimedia Commons"
)

var (
	// ErrBadEntity says that an entity id is not Q and digits.
	ErrBadEntity = errors.New("bad entity id")
	// ErrNone says that the entity has no image, or that it could not be had in
	// time.
	ErrNone = errors.New("no photo")
)

// Photo is the photo object of map contract 37. URL is
// relative to this server; SourceURL is the image's page on its host; Width and
// Height are pixels of the original.
type Photo struct {
	URL         string `json:"url"`
	SourceURL   string `json:"source_url"`
	Author      string `json:"author,omitempty"`
	License     string `json:"license,omitempty"`
	LicenseURL  string `json:"license_url,omitempty"`
	Title       string `json:"title,omitempty"`
	Width       int    `json:"width,omitempty"`
	Height      int    `json:"height,omitempty"`
	Attribution string `json:"attribution"`
}

// Config is what a Client works with. EntityBase and ImageBase are the full
// addresses of the two query interfaces, for example
// "https://www.example.org/w/api.php".
type Config struct {
	EntityBase string
	ImageBase  string
	// CacheDir keeps answers and images; empty: nothing is kept.
	CacheDir string
	// CacheBytes bounds CacheDir; 0: 512 MiB.
	CacheBytes int64
	// UserAgent introduces this server to the hosts, which ask for that.
	UserAgent string
	// HTTP makes the calls; nil: a client that refuses private addresses.
	HTTP *http.Client
	// Clock tells the time; nil: time.Now.
	Clock func() time.Time
	// Log is told of hosts that do not answer; nil: nobody is.
	Log *slog.Logger
}

// Client looks photos up. Safe for concurrent use.
type Client struct {
	c           Config
	entity, img *url.URL
	http        *http.Client
	cache       *cache
	lookups     singleflight.Group
	images      singleflight.Group
	slots       chan struct{}
}

// New makes a client; it calls nobody. The error says which address is wrong.
func New(c Config) (*Client, error) {
	entity, err := base("entity", c.EntityBase)
	if err != nil {
		return nil, err
	}
	img, err := base("image", c.ImageBase)
	if err != nil {
		return nil, err
	}
	if c.Clock == nil {
		c.Clock = time.Now
	}
	if c.Log == nil {
		c.Log = slog.New(slog.DiscardHandler)
	}
	if c.UserAgent == "" {
		c.UserAgent = "svc (map server photo lookup)"
	}
	if c.CacheBytes <= 0 {
		c.CacheBytes = defaultCacheBytes
	}
	client := c.HTTP
	if client == nil {
		client = guardedClient(entity, img)
	}
	return &Client{
		c: c, entity: entity, img: img, http: client,
		cache: newCache(c.CacheDir, c.CacheBytes, c.Clock),
		slots: make(chan struct{}, maxUpstream),
	}, nil
}

func base(which, text string) (*url.URL, error) {
	u, err := url.Parse(text)
	if err != nil || (u.Scheme != "http" && u.Scheme != "https") || u.Host == "" {
		return nil, fmt.Errorf("photo: the %s address is not a web address", which)
	}
	return u, nil
}

var entityID = regexp.MustCompile(`^Q[0-9]+$`)

// maxEntityID is far above real ids (ten characters); longer ones have no photo.
const maxEntityID = 20

// record is what the cache keeps about one entity.
type record struct {
	Photo *Photo `json:"photo"`           // nil: the entity has no image
	Image string `json:"image,omitempty"` // where the image's bytes are
}

// Lookup returns the photo of an entity such as "Q269". nil without an error
// means that it has none, or that the hosts could not be reached within Budget.
// An error means that a host answered with an error status or unreadably; its
// text is fit for the client. ErrBadEntity means that qid is none.
func (c *Client) Lookup(ctx context.Context, qid string) (*Photo, error) {
	rec, err := c.find(ctx, qid)
	switch {
	case errors.Is(err, errUnreachable):
		return nil, nil
	case err != nil:
		return nil, err
	}
	return rec.Photo, nil
}

// find is Lookup with unreachable hosts still told apart.
func (c *Client) find(ctx context.Context, qid string) (record, error) {
	if !entityID.MatchString(qid) {
		return record{}, ErrBadEntity
	}
	if len(qid) > maxEntityID {
		return record{}, nil
	}
	if rec, ok := c.cached(qid); ok {
		return rec, nil
	}
	v, err := join(ctx, &c.lookups, qid, func(ctx context.Context) (any, error) {
		return c.ask(ctx, qid)
	})
	if err != nil {
		return record{}, err
	}
	return v.(record), nil
}

// ask questions both hosts and keeps what they say. A caller who found nothing kept just before
// another's questions were answered finds it now.
func (c *Client) ask(ctx context.Context, qid string) (record, error) {
	if rec, ok := c.cached(qid); ok {
		return rec, nil
	}
	rec, err := c.upstream(ctx, qid)
	if err != nil {
		c.c.Log.Warn("photo lookup failed", "entity", qid, "error", err)
		return record{}, err
	}
	if data, err := json.Marshal(rec); err == nil {
		c.keep(qid+".json", data)
	}
	return rec, nil
}

func (c *Client) cached(qid string) (record, bool) {
	data, age, ok := c.cache.read(qid+".json", maxAnswer)
	if !ok {
		return record{}, false
	}
	var rec record
	if json.Unmarshal(data, &rec) != nil {
		return record{}, false // a damaged file is asked for again and replaced
	}
	ttl := TTL
	if rec.Photo == nil {
		ttl = noneTTL
	}
	return rec, age < ttl
}

// keep stores a file in the cache. A full or read-only disk costs speed, not
// answers.
func (c *Client) keep(name string, data []byte) {
	if err := c.cache.write(name, data); err != nil {
		c.c.Log.Warn("photo cache cannot be written", "file", filepath.Base(name), "error", err)
	}
}

// Image opens the image of an entity's photo, at most 960 pixels wide, with its
// content type and the time it was fetched. The caller closes it. ErrNone means
// that there is none or that it could not be had within Budget; any other error
// is an upstream's, as for Lookup.
func (c *Client) Image(ctx context.Context, qid string) (io.ReadSeekCloser, string, time.Time, error) {
	if !entityID.MatchString(qid) {
		return nil, "", time.Time{}, ErrBadEntity
	}
	if len(qid) > maxEntityID {
		return nil, "", time.Time{}, ErrNone
	}
	if f, kind, modified, ok := c.cache.open(qid + ".img"); ok {
		return f, kind, modified, nil
	}
	v, err := join(ctx, &c.images, qid, func(ctx context.Context) (any, error) {
		return c.fetchImage(ctx, qid)
	})
	switch {
	case errors.Is(err, errUnreachable):
		return nil, "", time.Time{}, ErrNone
	case err != nil:
		return nil, "", time.Time{}, err
	}
	got := v.(image)
	return got.reader(), got.kind, got.at, nil
}

func (c *Client) fetchImage(ctx context.Context, qid string) (image, error) {
	rec, err := c.find(ctx, qid)
	if err != nil {
		return image{}, err
	}
	if rec.Photo == nil || rec.Image == "" {
		return image{}, ErrNone
	}
	got, err := c.download(ctx, rec.Image)
	if err != nil {
		if !errors.Is(err, ErrNone) {
			c.c.Log.Warn("photo image failed", "entity", qid, "error", err)
		}
		return image{}, err
	}
	got.at = c.c.Clock().UTC().Truncate(time.Second)
	c.keep(qid+".img", got.data)
	return got, nil
}

// join runs work once for all callers with the same key. Work has a time limit
// of its own and not a caller's context, so that a caller who leaves takes
// nothing from the others. A panic of work becomes its error: on the goroutine
// that singleflight starts, no request's recovery could catch it.
func join(ctx context.Context, g *singleflight.Group, key string, work func(context.Context) (any, error)) (any, error) {
	done := g.DoChan(key, func() (v any, err error) {
		ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), Budget)
		defer cancel()
		defer func() {
			if p := recover(); p != nil {
				err = errors.New("the photo lookup failed inside")
			}
		}()
		return work(ctx)
	})
	select {
	case r := <-done:
		return r.Val, r.Err
	case <-ctx.Done():
		return nil, fmt.Errorf("%w: %w", errUnreachable, ctx.Err())
	}
}
