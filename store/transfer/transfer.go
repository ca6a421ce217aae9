// Package transfer copies the keys of a database from one engine to another, for who moves
// from a file to a server that several processes share, or back.
//
// It promises: a copy that was interrupted goes on where it stood when it is called again;
// at the end every pair was read back from the target and agrees with the source. It
// refuses a target that holds anything else, and a source that changes meanwhile: nobody
// may serve from either.
package transfer

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"svc/store/kv"
	"svc/store/kv/digest"
)

const (
	// chunk and chunkBytes bound what one transaction copies.
	chunk      = 2000
	chunkBytes = 8 << 20
)

// ErrNotEmpty is matched when the target holds something that no copy of this source left.
var ErrNotEmpty = errors.New("the target is not empty")

// Progress is how far a copy is.
type Progress struct {
	Step  string // "copied" or "compared"
	Pairs int64
	Bytes int64
}

// Sum is what was copied.
type Sum struct {
	Pairs  int64
	Bytes  int64
	SHA256 string // of all pairs in their order
}

// cursorKey sorts before every key of a store, whose first four bytes are zero.
var cursorKey = []byte("\x00\x00\x00")

// cursor is what an interrupted copy left in the target.
type cursor struct {
	Source string `json:"source"` // what the first pairs of the source hash to
	Last   []byte `json:"last"`   // the last key that is copied; nil: none
	Pairs  int64  `json:"pairs"`
	Bytes  int64  `json:"bytes"`
}

// Copy copies every pair of an engine to another and proves the copy. step hears of
// progress; it may be nil.
func Copy(ctx context.Context, from, to kv.Engine, step func(Progress)) (Sum, error) {
	if step == nil {
		step = func(Progress) {}
	}
	at, err := begin(ctx, from, to)
	if err != nil {
		return Sum{}, err
	}
	for more := true; more; {
		var pairs []kv.Pair
		if pairs, more, err = read(ctx, from, at.Last); err != nil {
			return Sum{}, fmt.Errorf("read the source: %w", err)
		}
		if len(pairs) == 0 {
			break
		}
		for _, p := range pairs {
			at.Pairs++
			at.Bytes += int64(len(p.Key) + len(p.Value))
		}
		at.Last = pairs[len(pairs)-1].Key
		if err := write(ctx, to, pairs, at); err != nil {
			return Sum{}, fmt.Errorf("write the target: %w", err)
		}
		step(Progress{"copied", at.Pairs, at.Bytes})
	}
	return prove(ctx, from, to, step)
}

// begin says where the copy goes on.
func begin(ctx context.Context, from, to kv.Engine) (at cursor, err error) {
	first, _, err := read(ctx, from, nil)
	if err != nil {
		return at, fmt.Errorf("read the source: %w", err)
	}
	sum := digest.New()
	for _, p := range first {
		sum.Add(p.Key, p.Value)
	}
	source := sum.SHA256()
	err = to.View(ctx, func(tx kv.Tx) error {
		at = cursor{}
		for p, err := range tx.Scan(kv.Range{Limit: 1}) {
			switch {
			case err != nil:
				return err
			case !bytes.Equal(p.Key, cursorKey):
				return fmt.Errorf("%w: give a new file, or an empty database", ErrNotEmpty)
			}
			if err := json.Unmarshal(p.Value, &at); err != nil || at.Source != source {
				return fmt.Errorf("%w: a copy of another database was begun in it; give a new file, or an empty database", ErrNotEmpty)
			}
		}
		return nil
	})
	at.Source = source
	return at, err
}

// read answers the next pairs behind a key, and whether there may be more.
func read(ctx context.Context, from kv.Engine, after []byte) (pairs []kv.Pair, more bool, err error) {
	err = from.View(ctx, func(tx kv.Tx) error {
		pairs, more = nil, false
		size := 0
		for p, err := range tx.Scan(behind(after)) {
			if err != nil {
				return err
			}
			if len(pairs) == chunk || size >= chunkBytes {
				more = true
				return nil
			}
			pairs = append(pairs, kv.Pair{Key: bytes.Clone(p.Key), Value: append([]byte{}, p.Value...)})
			size += len(p.Key) + len(p.Value)
		}
		return nil
	})
	return pairs, more, err
}

// behind is the range of all keys behind one.
func behind(key []byte) kv.Range {
	r := kv.Range{Limit: chunk + 1}
	if key != nil {
		r.From = append(bytes.Clone(key), 0)
	}
	return r
}

// write adds pairs to the target, and how far the copy is then.
func write(ctx context.Context, to kv.Engine, pairs []kv.Pair, at cursor) error {
	b, err := json.Marshal(at)
	if err != nil {
		return err
	}
	return to.Update(ctx, func(tx kv.Tx) error {
		if err := tx.Put(cursorKey, b); err != nil {
			return err
		}
		return tx.PutMany(pairs)
	})
}

// prove reads both sides again, and takes the cursor out of the target when they agree.
func prove(ctx context.Context, from, to kv.Engine, step func(Progress)) (out Sum, err error) {
	want, err := sumOf(ctx, from, func(Progress) {})
	if err != nil {
		return out, fmt.Errorf("read the source: %w", err)
	}
	got, err := sumOf(ctx, to, step)
	if err != nil {
		return out, fmt.Errorf("read the target: %w", err)
	}
	if got != want {
		return out, fmt.Errorf("the copy has %d pairs (%s) and the source %d (%s): did a server run on one of them? Begin again with an empty target", got.Pairs, got.SHA256, want.Pairs, want.SHA256)
	}
	return want, to.Update(ctx, func(tx kv.Tx) error { return tx.Delete(cursorKey) })
}

// sumOf reads everything but the cursor.
func sumOf(ctx context.Context, e kv.Engine, step func(Progress)) (Sum, error) {
	s := digest.New()
	last := bytes.Clone(cursorKey)
	for more := true; more; {
		var pairs []kv.Pair
		var err error
		if pairs, more, err = read(ctx, e, last); err != nil {
			return Sum{}, err
		}
		for _, p := range pairs {
			s.Add(p.Key, p.Value)
			last = p.Key
		}
		step(Progress{"compared", s.Pairs, s.Bytes})
	}
	return Sum{s.Pairs, s.Bytes, s.SHA256()}, nil
}
