package source

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"time"

	"svc/ai"
	"svc/ai/chunk"
	"svc/app/notify"
	"svc/store"
	"svc/store/queue"
)

const (
	// pageSize is how many chunks a page has, and pagesAtOnce how many pages one transaction
	// writes.
	pageSize    = 8
	pagesAtOnce = 64
	// kept is how long the chunks of a version are kept after another was published, for
	// searches that have begun.
	kept = 2 * time.Minute
)

func pageID(version string, n int) string { return fmt.Sprintf("%s/%04d", version, n) }

// Ref names a chunk.
type Ref struct {
	Version string // id
	N       int
}

// Chunks reads chunks in the order of refs; nil for one that is gone.
func Chunks(tx *store.Tx, org string, refs []Ref) ([]*Chunk, error) {
	ids := make([]string, len(refs))
	for i, r := range refs {
		ids[i] = pageID(r.Version, r.N/pageSize)
	}
	found, err := pages.GetMany(tx, org, ids)
	if err != nil {
		return nil, err
	}
	out := make([]*Chunk, len(refs))
	for i, p := range found {
		if at := refs[i].N % pageSize; p != nil && at < len(p.Chunks) {
			out[i] = &p.Chunks[at]
		}
	}
	return out, nil
}

// ChunksFrom reads some chunks of a version from a number on, and says with which to go on;
// 0: there are no more.
func ChunksFrom(tx *store.Tx, org, version string, n int) (out []Chunk, next int, err error) {
	const atOnce = 32
	first := n / pageSize
	ids := make([]string, atOnce)
	for i := range ids {
		ids[i] = pageID(version, first+i)
	}
	found, err := pages.GetMany(tx, org, ids)
	if err != nil {
		return nil, 0, err
	}
	for _, p := range found {
		if p == nil {
			return out, 0, nil
		}
		out = append(out, p.Chunks...)
	}
	return out, (first + atOnce) * pageSize, nil
}

// Made is what an ingestion found.
type Made struct {
	Chunks []chunk.Chunk
	// Title is that of the page, for a source without one.
	Title string
	// ETag and Modified make the next request for a page conditional.
	ETag, Modified string
	// Unchanged: the page says that it is what it was.
	Unchanged bool
	// Note is what there is to say of a page that is not read again by itself.
	Note Code
}

// hash is that of the chunks.
func (m *Made) hash() string {
	h := sha256.New()
	for _, c := range m.Chunks {
		_, _ = h.Write([]byte(c.Hash)) // never fails
	}
	return hex.EncodeToString(h.Sum(nil))
}

// Begin notes that the ingestion of a source begins. ok is false when there is nothing to
// ingest: then the job is over, so that the next change asks for another. What an ingestion
// left that was interrupted is dropped.
func (s *Service) Begin(ctx context.Context, j queue.Job, a Ingest) (src Source, ok bool, err error) {
	org := a.Org
	err = s.db.Update(ctx, func(tx *store.Tx) error {
		src, err = sources.Get(tx, org, a.Source)
		if ok = err == nil && (src.Status == Pending || src.Status == Ingesting); !ok {
			if store.IgnoreNotFound(err) != nil {
				return err
			}
			return queue.Finish(tx, j)
		}
		if err := src.apply(Begun); err != nil {
			return err
		}
		if src.Building != "" {
			if err := drop(tx, org, src.Building, 0); err != nil {
				return err
			}
			src.Building = ""
		}
		return sources.Put(tx, org, &src)
	})
	return src, ok, err
}

// Publish writes what an ingestion found beside what is published and publishes it, all at
// once. What equals the published version makes none. again is true when the source changed
// meanwhile: nothing was published.
func (s *Service) Publish(ctx context.Context, org string, src Source, m Made) (again bool, err error) {
	hash := m.hash()
	if m.Unchanged || src.Published > 0 && hash == src.Hash {
		return s.end(ctx, org, src, m, func(*store.Tx, *Source) error { return nil })
	}
	v := Version{ID: s.db.NewID("knv"), SourceID: src.ID, Hash: hash, Chunks: len(m.Chunks), CreatedAt: s.db.Now()}
	var list []page
	for from := 0; from < len(m.Chunks); from += pageSize {
		p := page{ID: pageID(v.ID, from/pageSize)}
		for _, c := range m.Chunks[from:min(from+pageSize, len(m.Chunks))] {
			l := c.Lang
			if src.Language != "" {
				l = src.Language
			}
			p.Chunks = append(p.Chunks, Chunk{N: c.N, Title: c.Title, Text: c.Text, Lang: l})
			v.Tokens += ai.EstimateText(c.Title) + ai.EstimateText(c.Text)
		}
		list = append(list, p)
	}
	for len(list) > pagesAtOnce {
		if again, err := s.write(ctx, org, src, v, list[:pagesAtOnce]); again || err != nil {
			return again, err
		}
		list = list[pagesAtOnce:]
	}
	return s.end(ctx, org, src, m, func(tx *store.Tx, now *Source) error {
		if err := putPages(tx, org, list); err != nil {
			return err
		}
		v := v
		v.N = now.Latest + 1
		if now.Building == v.ID {
			v.N = now.Latest
		}
		if err := versions.Put(tx, org, &v); err != nil {
			return err
		}
		if now.Version != "" {
			if err := drop(tx, org, now.Version, kept); err != nil {
				return err
			}
		}
		now.Published, now.Latest, now.Version, now.Building = v.N, v.N, v.ID, ""
		now.Hash, now.Chunks, now.Tokens = hash, v.Chunks, v.Tokens
		return changed(tx, org)
	})
}

func putPages(tx *store.Tx, org string, list []page) error {
	recs := make([]*page, len(list))
	for i := range list {
		recs[i] = &list[i]
	}
	return pages.PutMany(tx, org, recs)
}

// write saves pages of a version that is not published yet.
func (s *Service) write(ctx context.Context, org string, src Source, v Version, list []page) (again bool, err error) {
	err = s.db.Update(ctx, func(tx *store.Tx) error {
		now, err := sources.Get(tx, org, src.ID)
		if again = store.IsNotFound(err) || err == nil && now.Revision != src.Revision; again || err != nil {
			return store.IgnoreNotFound(err)
		}
		if now.Building != v.ID {
			now.Building, now.Latest = v.ID, now.Latest+1
			v.N = now.Latest
			if err := sources.Put(tx, org, &now); err != nil {
				return err
			}
			if err := versions.Put(tx, org, &v); err != nil {
				return err
			}
		}
		return putPages(tx, org, list)
	})
	return again, err
}

// end ends an ingestion well, with what publish does in the same transaction.
func (s *Service) end(ctx context.Context, org string, src Source, m Made, publish func(*store.Tx, *Source) error) (again bool, err error) {
	err = s.db.Update(ctx, func(tx *store.Tx) error {
		now, err := sources.Get(tx, org, src.ID)
		if again = err == nil && now.Revision != src.Revision; again || err != nil {
			return store.IgnoreNotFound(err)
		}
		if err := now.apply(Published); err != nil {
			return nil //nolint:nilerr // it was disabled meanwhile
		}
		if err := publish(tx, &now); err != nil {
			return err
		}
		at := tx.DB().Now()
		now.ErrorCode, now.ETag, now.Modified, now.ByItself = m.Note, m.ETag, m.Modified, false
		if m.Title != "" && now.Untitled {
			now.Title = m.Title
		}
		if now.plan(at); m.Note == "" {
			now.LastIngestedAt = &at
		} else {
			now.RefreshAt = time.Time{}
		}
		if err := sources.Put(tx, org, &now); err != nil {
			return err
		}
		if err := notify.Settle(tx, org, now.ID); err != nil {
			return err
		}
		return emitUpdated(tx, org, &now)
	})
	return again, err
}

// Fail ends an ingestion that cannot succeed: the source keeps the version that it has.
func (s *Service) Fail(ctx context.Context, org string, src Source, code Code) (again bool, err error) {
	err = s.db.Update(ctx, func(tx *store.Tx) error {
		now, err := sources.Get(tx, org, src.ID)
		if again = err == nil && now.Revision != src.Revision; again || err != nil {
			return store.IgnoreNotFound(err)
		}
		if err := now.apply(Unread); err != nil {
			return nil //nolint:nilerr // it was disabled meanwhile
		}
		now.ErrorCode, now.ByItself = code, false
		now.plan(tx.DB().Now())
		if err := sources.Put(tx, org, &now); err != nil {
			return err
		}
		if err := notifyFailed(tx, org, &now); err != nil {
			return err
		}
		return emitUpdated(tx, org, &now)
	})
	return again, err
}

func notifyFailed(tx *store.Tx, org string, s *Source) error {
	body := "The source “" + s.Title + "” could not be read (" + string(s.ErrorCode) + ")."
	if s.Published > 0 {
		body += " The version that was read before stays in use."
	}
	return notify.Send(tx, org, notify.Notice{
		Kind: "KNOWLEDGE_FAILED", Title: "A source of knowledge could not be read", Body: body,
		Resource: &notify.Resource{Type: "knowledge_source", ID: s.ID}, Link: "/ai/knowledge/" + s.ID,
	})
}

// dropping is the job that removes the chunks of a version that nobody reads any more.
type dropping struct {
	Org     string `json:"org"`
	Version string `json:"version"`
}

func (dropping) Kind() string      { return "knowledge.drop" }
func (dropping) Queue() queue.Name { return queue.Maintenance }

func drop(tx *store.Tx, org, version string, in time.Duration) error {
	_, err := queue.Add(tx, dropping{org, version}, tx.DB().Now().Add(in), queue.Once(version), queue.For(org, version))
	return err
}

func (s *Service) runDrop(ctx context.Context, _ queue.Job, d dropping) error {
	return s.db.Update(ctx, func(tx *store.Tx) error {
		v, err := versions.Get(tx, d.Org, d.Version)
		if err != nil {
			return store.IgnoreNotFound(err)
		}
		for n := range (v.Chunks + pageSize - 1) / pageSize {
			if err := store.IgnoreNotFound(pages.Delete(tx, d.Org, pageID(v.ID, n))); err != nil {
				return err
			}
		}
		return versions.Delete(tx, d.Org, v.ID)
	})
}
