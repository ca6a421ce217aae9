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
	"maps"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"svc/ai/rank"
	"svc/app/knowledge/source"
	"svc/app/knowledge/vector"
	"svc/store"
)

const (
	// maxOpen is how many organizations have their index in memory, and maxChunks how many
	// chunks they have together; one that nobody asks is kept for idle.
	maxOpen   = 256
	maxChunks = 150_000
	idle      = 30 * time.Minute
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

	mu      sync.RWMutex // held to search, and to take groups out
	state   *state       // nil: nothing was loaded yet
	vectors *rank.Vectors
}

// state is what of an organization is searched: that of one generation.
type state struct {
	generation int64
	groups     map[string]*group   // by name
	businesses map[string][]string // names of groups
	space      vector.Space
	floors     map[string]float64 // by business: below it a vector is near by chance
}

// group is a version of a source in the index.
type group struct {
	source.Source
	offers []source.Chunk // of a source of offers
	texts  []string       // names of the texts of its chunks, as vectors are named
}

// groupName names a version of a source in the index.
func groupName(s *source.Source) string { return s.ID + ":" + strconv.Itoa(s.Published) }

// of is the index of an organization. Of too many those go that nobody asked for longest.
func (x *Index) of(org string) *ofOrg {
	now := time.Now()
	x.mu.Lock()
	defer x.mu.Unlock()
	o := x.orgs[org]
	if o == nil {
		o = &ofOrg{rank: rank.NewIndex(), vectors: rank.NewVectors()}
		x.orgs[org] = o
		x.forget(org, now)
	}
	o.used = now
	return o
}

// forget drops the indexes of others that are too many or idle.
func (x *Index) forget(but string, now time.Time) {
	chunks := 0
	names := slices.SortedFunc(maps.Keys(x.orgs), func(a, b string) int { return x.orgs[b].used.Compare(x.orgs[a].used) })
	for i, name := range names {
		o := x.orgs[name]
		if chunks += o.rank.Len(); name != but && (i >= maxOpen || chunks > maxChunks || now.Sub(o.used) > idle) {
			delete(x.orgs, name)
		}
	}
}

// refresh brings the index of an organization to the state of the store.
func (x *Index) refresh(ctx context.Context, org string, o *ofOrg) error {
	o.loading.Lock()
	defer o.loading.Unlock()
	var (
		live []source.Source
		next = &state{groups: map[string]*group{}, businesses: map[string][]string{}, floors: map[string]float64{}}
	)
	o.mu.RLock()
	before := o.state
	o.mu.RUnlock()
	err := x.db.View(ctx, func(tx *store.Tx) (err error) {
		if next.generation, err = source.Generation(tx, org); err != nil || before != nil && before.generation == next.generation {
			return err
		}
		if next.space, err = vector.SpaceOf(tx, org); err != nil {
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
			g.offers, g.texts = before.groups[name].offers, before.groups[name].texts
		} else if err := x.load(ctx, org, o, name, g); err != nil {
			return err
		}
		next.groups[name] = g
		next.businesses[g.BusinessID] = append(next.businesses[g.BusinessID], name)
	}
	made, err := x.vectors(ctx, org, before, next)
	if err != nil {
		return err
	}
	o.mu.Lock()
	defer o.mu.Unlock()
	o.state = next
	for name, list := range made {
		o.vectors.Put(name, list)
	}
	if before != nil {
		for name := range before.groups {
			if next.groups[name] == nil {
				o.rank.Put(name, nil)
				o.vectors.Put(name, nil)
			}
		}
	}
	for business, groups := range next.businesses {
		next.floors[business] = o.vectors.Floor(groups)
	}
	return nil
}

// vectors reads those of the groups that are new, or of all where some were added.
func (x *Index) vectors(ctx context.Context, org string, before, next *state) (map[string][]rank.Vector, error) {
	out := map[string][]rank.Vector{}
	if next.space.Name == "" {
		return out, nil
	}
	added := before == nil || before.space != next.space
	for name, g := range next.groups {
		if !added && before.groups[name] != nil {
			continue
		}
		list := []rank.Vector{}
		for from := 0; from < len(g.texts); from += vectorsAtOnce {
			part := g.texts[from:min(from+vectorsAtOnce, len(g.texts))]
			err := x.db.View(ctx, func(tx *store.Tx) error {
				found, err := vector.Many(tx, org, next.space.Name, part)
				for i, v := range found {
					if v != nil {
						list = append(list, rank.Vector{ID: strconv.Itoa(from + i), Packed: v})
					}
				}
				return err
			})
			if err != nil {
				return nil, err
			}
		}
		out[name] = list
	}
	return out, nil
}

// vectorsAtOnce is how many vectors one transaction reads.
const vectorsAtOnce = 500

// errMoved says that a version was dropped while it was loaded: another is published.
var errMoved = errors.New("a version went while it was loaded")

// load puts the chunks of a version into the index.
func (x *Index) load(ctx context.Context, org string, o *ofOrg, name string, g *group) error {
	var chunks []source.Chunk
	for next, more := 0, true; more; {
		var part []source.Chunk
		err := x.db.View(ctx, func(tx *store.Tx) (err error) {
			var to int
			part, to, err = source.Read(tx, org, &g.Source, next)
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
	g.texts = make([]string, len(chunks))
	for i, c := range chunks {
		g.texts[i] = vector.HashOf(vector.Text(&c))
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
