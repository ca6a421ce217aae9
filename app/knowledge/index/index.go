// Package index searches the knowledge of organizations. Each node has its own index in
// memory, made of the chunks that are published and kept up with them: before a search the
// generation of the organization is compared with that of the index, so that a search sees
// what any node has published before it began.
//
// It promises that a search sees each source whole, in one version (contract 13.10), the same
// answer on every node, another business's chunks never, and what an offer is at the time
// of the search. It refuses to keep anything: a node that starts makes its indexes anew, the
// one of an organization with the first search.
package index

import (
	"context"
	"errors"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"svc/ai/rank"
	"svc/app/knowledge/source"
	"svc/store"
)

const (
	// maxOpen is how many organizations have their index in memory, and idle how long one is
	// kept that nobody asks.
	maxOpen = 16
	idle    = 30 * time.Minute
)

// Index searches. Safe for concurrent use.
type Index struct {
	db *store.DB

	mu   sync.Mutex
	orgs map[string]*ofOrg
}

// New makes an index over a store.
func New(db *store.DB) *Index { return &Index{db: db, orgs: map[string]*ofOrg{}} }

// ofOrg is the index of an organization.
type ofOrg struct {
	rank *rank.Index
	used time.Time // guarded by Index.mu

	loading sync.Mutex // held while state is brought up to date

	mu    sync.RWMutex // held to search, and to take groups out
	state *state       // nil: nothing was loaded yet
}

// state is what of an organization is searched: that of one generation.
type state struct {
	generation int64
	groups     map[string]*group   // by name
	businesses map[string][]string // names of groups
}

// group is a version of a source in the index.
type group struct {
	source.Source
	offers []source.Chunk // of a source of offers
}

// groupName names a version of a source in the index.
func groupName(s *source.Source) string { return s.ID + ":" + strconv.Itoa(s.Published) }

// of is the index of an organization. Of too many the one that nobody asked for longest goes.
func (x *Index) of(org string) *ofOrg {
	now := time.Now()
	x.mu.Lock()
	defer x.mu.Unlock()
	o := x.orgs[org]
	if o == nil {
		o = &ofOrg{rank: rank.NewIndex()}
		x.orgs[org] = o
	}
	o.used = now
	for len(x.orgs) > maxOpen || now.Sub(x.oldest().used) > idle {
		for id, other := range x.orgs {
			if other == x.oldest() {
				delete(x.orgs, id)
				break
			}
		}
	}
	return o
}

func (x *Index) oldest() (out *ofOrg) {
	for _, o := range x.orgs {
		if out == nil || o.used.Before(out.used) {
			out = o
		}
	}
	return out
}

// refresh brings the index of an organization to the state of the store.
func (x *Index) refresh(ctx context.Context, org string, o *ofOrg) error {
	o.loading.Lock()
	defer o.loading.Unlock()
	var (
		live []source.Source
		next = &state{groups: map[string]*group{}, businesses: map[string][]string{}}
	)
	o.mu.RLock()
	before := o.state
	o.mu.RUnlock()
	err := x.db.View(ctx, func(tx *store.Tx) (err error) {
		if next.generation, err = source.Generation(tx, org); err != nil || before != nil && before.generation == next.generation {
			return err
		}
		live, err = source.Live(tx, org)
		return err
	})
	if err != nil || before != nil && before.generation == next.generation {
		return err
	}
	for i := range live {
		name := groupName(&live[i])
		g := &group{Source: live[i]}
		if before != nil && before.groups[name] != nil {
			g.offers = before.groups[name].offers
		} else if err := x.load(ctx, org, o, name, g); err != nil {
			return err
		}
		next.groups[name] = g
		next.businesses[g.BusinessID] = append(next.businesses[g.BusinessID], name)
	}
	o.mu.Lock()
	defer o.mu.Unlock()
	o.state = next
	if before != nil {
		for name := range before.groups {
			if next.groups[name] == nil {
				o.rank.Put(name, nil)
			}
		}
	}
	return nil
}

// errMoved says that a version was dropped while it was loaded: another is published.
var errMoved = errors.New("a version went while it was loaded")

// load puts the chunks of a version into the index.
func (x *Index) load(ctx context.Context, org string, o *ofOrg, name string, g *group) error {
	var chunks []source.Chunk
	for next, more := 0, true; more; {
		var part []source.Chunk
		err := x.db.View(ctx, func(tx *store.Tx) (err error) {
			if g.Type == source.Offers {
				part, err = source.OffersNow(tx, org, &g.Source)
				more = false
				return err
			}
			var to int
			part, to, err = source.ChunksFrom(tx, org, g.Version, next)
			next, more = to, to > 0
			return err
		})
		if err != nil {
			return err
		}
		chunks = append(chunks, part...)
	}
	if g.Type == source.Offers {
		g.offers = chunks
	} else if len(chunks) != g.Chunks {
		return errMoved
	}
	put := make([]rank.Chunk, len(chunks))
	for i, c := range chunks {
		put[i] = rank.Chunk{ID: strconv.Itoa(c.N), Lang: base(c.Lang), Title: c.Title, Text: c.Text}
		if g.Type == source.Offers {
			put[i].Lang = rank.AnyLang
		}
	}
	o.rank.Put(name, slices.Clip(put)) // of a full index the last sources are not found
	return nil
}

// base is a language without its script: both scripts of Uzbek are one language here.
func base(label string) string {
	l, _, _ := strings.Cut(label, "-")
	return l
}
