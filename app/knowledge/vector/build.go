package vector

import (
	"context"
	"errors"
	"log/slog"
	"strings"
	"time"

	"svc/ai/rank"
	"svc/app/api"
	"svc/app/engine/agent"
	"svc/app/engine/execution"
	"svc/app/knowledge/source"
	"svc/store"
	"svc/store/queue"
)

// Service makes vectors.
type Service struct {
	db   *store.DB
	runs *execution.Service // nil: there are no models
	log  *slog.Logger
	questions
}

// New makes the service. It starts nothing; see Work.
func New(db *store.DB, runs *execution.Service, log *slog.Logger) *Service {
	if log == nil {
		log = slog.New(slog.DiscardHandler)
	}
	return &Service{db: db, runs: runs, log: log, questions: questions{known: map[string][]float32{}}}
}

const (
	// atOnce is how many texts one call takes.
	atOnce = 64
	// tryTime bounds one try; the next goes on where it ended.
	tryTime = 10 * time.Minute
	// later is when a build goes on for which a budget has no room, or no model answers.
	later = 10 * time.Minute
	// swept is how many vectors one transaction looks at that may be gone.
	swept = 500
)

// Work registers the job.
func (s *Service) Work(w *queue.Workers) { queue.Register(w, s.run, queue.WithTimeout(tryTime)) }

// run brings the vectors of an organization up to what can be found, and says so to searches.
func (s *Service) run(ctx context.Context, j queue.Job, a source.Embed) error {
	if s.runs == nil {
		return nil
	}
	b := build{s: s, org: a.Org, live: map[string]bool{}}
	err := b.begin(ctx)
	if err != nil || b.model == "" {
		return err
	}
	if err := b.all(ctx); err != nil {
		var refused *api.Error
		if !errors.As(err, &refused) {
			return err
		}
		s.log.Info("vectors of knowledge wait", "code", refused.Code)
		return errors.Join(b.publishAdded(ctx), queue.Snooze(max(refused.RetryAfter, later)))
	}
	if err := b.whole(ctx); err != nil {
		return err
	}
	if err := b.sweep(ctx); err != nil {
		return err
	}
	return s.db.Update(ctx, func(tx *store.Tx) error {
		now, err := source.Generation(tx, a.Org)
		if err == nil && now != b.generation {
			return queue.Snooze(time.Second) // something was published meanwhile
		}
		return errors.Join(err, queue.Finish(tx, j))
	})
}

// build is one pass over what can be found.
type build struct {
	s          *Service
	org        string
	model      string // beginning of the spaces of the model that makes vectors, "" for none
	space      Space
	name       string // of the space that is built, "" until the model answered once
	generation int64
	live       map[string]bool // names of texts
	waiting    []string        // texts without a vector
	added      bool
}

func (b *build) begin(ctx context.Context) error {
	return b.s.db.View(ctx, func(tx *store.Tx) (err error) {
		if b.model, _, err = b.s.runs.Embeds(tx, b.org); err != nil {
			return err
		}
		if b.generation, err = source.Generation(tx, b.org); err != nil {
			return err
		}
		b.space, err = SpaceOf(tx, b.org)
		for _, name := range []string{b.space.Building, b.space.Name} {
			if b.name == "" && strings.HasPrefix(name, b.model) {
				b.name = name
			}
		}
		return err
	})
}

// all makes the vectors that are missing.
func (b *build) all(ctx context.Context) error {
	var live []source.Source
	if err := b.s.db.View(ctx, func(tx *store.Tx) (err error) {
		live, err = source.Live(tx, b.org)
		return err
	}); err != nil {
		return err
	}
	for i := range live {
		for next, more := 0, true; more; {
			var part []source.Chunk
			var missing []string
			err := b.s.db.View(ctx, func(tx *store.Tx) (err error) {
				if part, next, err = source.Read(tx, b.org, &live[i], next); err != nil {
					return err
				}
				missing, err = b.missing(tx, part)
				return err
			})
			if err != nil {
				return err
			}
			more = next > 0
			b.waiting = append(b.waiting, missing...)
			for len(b.waiting) >= atOnce {
				if err := b.embed(ctx, atOnce); err != nil {
					return err
				}
			}
		}
	}
	if len(b.waiting) == 0 {
		return nil
	}
	return b.embed(ctx, len(b.waiting))
}

// missing are the texts of chunks that have no vector and wait for none.
func (b *build) missing(tx *store.Tx, list []source.Chunk) (out []string, err error) {
	texts, hashes := make([]string, len(list)), make([]string, len(list))
	for i := range list {
		texts[i] = Text(&list[i])
		hashes[i] = HashOf(texts[i])
	}
	known := make([]rank.Packed, len(list))
	if b.name != "" {
		if known, err = Many(tx, b.org, b.name, hashes); err != nil {
			return nil, err
		}
	}
	for i, h := range hashes {
		if known[i] == nil && !b.live[h] {
			out = append(out, texts[i])
		}
		b.live[h] = true
	}
	return out, nil
}

// embed makes the vectors of the first n texts that wait, and stores them.
func (b *build) embed(ctx context.Context, n int) error {
	texts := b.waiting[:n]
	made, err := b.s.runs.Embed(ctx, execution.EmbedJob{Org: b.org, Agent: agent.Research, Texts: execution.Texts{Texts: texts}})
	if err != nil {
		return err
	}
	b.waiting, b.added = b.waiting[n:], true
	list := make([]*record, len(texts))
	for i, t := range texts {
		list[i] = &record{key(made.Space, HashOf(t)), rank.Pack(made.Values[i]).Bytes()}
	}
	return b.s.db.Update(ctx, func(tx *store.Tx) error {
		if made.Space != b.name {
			now, err := SpaceOf(tx, b.org)
			if err != nil {
				return err
			}
			if now.Building = made.Space; made.Space == now.Name {
				now.Building = ""
			}
			if err := spaces.Put(tx, b.org, &now); err != nil {
				return err
			}
			tx.AfterCommit(func() { b.name = made.Space })
		}
		return vectors.PutMany(tx, b.org, list)
	})
}

// publishAdded lets searches read the vectors that were added.
func (b *build) publishAdded(ctx context.Context) error {
	if !b.added {
		return nil
	}
	return b.s.db.Update(ctx, func(tx *store.Tx) error { return b.raise(tx, func(*Space) {}) })
}

// whole makes the space that was built the one that is searched.
func (b *build) whole(ctx context.Context) error {
	if b.name == "" || !b.added && b.space.Name == b.name {
		return nil
	}
	return b.s.db.Update(ctx, func(tx *store.Tx) error {
		return b.raise(tx, func(s *Space) { s.Name, s.Building = b.name, "" })
	})
}

func (b *build) raise(tx *store.Tx, change func(*Space)) error {
	now, err := SpaceOf(tx, b.org)
	if err != nil {
		return err
	}
	change(&now)
	now.N++
	if err := spaces.Put(tx, b.org, &now); err != nil {
		return err
	}
	n, err := source.Raise(tx, b.org)
	if err == nil && n == b.generation+1 {
		tx.AfterCommit(func() { b.generation = n })
	}
	return err
}

// sweep removes the vectors of texts that nobody can find, and those of other spaces.
func (b *build) sweep(ctx context.Context) error {
	if b.name == "" {
		return nil
	}
	mine := spaceKey(b.name) + "/"
	for after := store.Cursor(nil); ; {
		var next store.Cursor
		err := b.s.db.Update(ctx, func(tx *store.Tx) error {
			list, to, err := vectors.Walk(tx, b.org, after, swept)
			next = to
			for i := range list {
				hash, ours := strings.CutPrefix(list[i].ID, mine)
				if err == nil && (!ours || !b.live[hash]) {
					err = vectors.Delete(tx, b.org, list[i].ID)
				}
			}
			return err
		})
		if err != nil || next == nil {
			return err
		}
		after = next
	}
}
