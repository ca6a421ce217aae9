package postgres

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/jackc/pgx/v5"

	"svc/store/kv"
	"svc/store/kv/group"
)

type request = group.Request[kv.Tx]

// maxBytes bounds what one commit writes, beyond its last closure.
const maxBytes = 32 << 20

// batch is one commit in the making: closures that run one after the other in one
// transaction of the server. When another node was in the way they all run again.
type batch struct {
	e       *Engine
	next    func() *request
	waiting []*request // they ran before, or are to run again
	served  []*request // their closures succeeded in this attempt
	s       *session
	changes *changes
	writes  int
	bytes   int
	retry   error // why there is to be another attempt
	exited  bool  // a closure ended its goroutine: the others run again at once
}

// commit makes one transaction of the requests that wait. Each attempt runs in a goroutine
// of its own, because a closure may end the one it runs in.
func (e *Engine) commit(next func() *request) {
	b := &batch{e: e, next: next}
	var tries again
	for {
		ended := make(chan struct{})
		go func() {
			defer close(ended)
			b.attempt()
		}()
		<-ended
		switch {
		case b.exited:
			b.exited = false
		case b.retry == nil:
			return
		case !tries.wait(e.life, b.retry):
			b.refuse(b.waiting, b.retry)
			return
		}
	}
}

func (b *batch) refuse(all []*request, err error) {
	for _, r := range all {
		r.Answer(group.Outcome{Err: err})
	}
}

func (b *batch) attempt() {
	b.s = &session{e: b.e, pool: b.e.writers, begin: beginUpdate}
	defer func() { b.s.leave() }()
	b.changes, b.served, b.writes, b.bytes, b.retry = newChanges(), nil, 0, 0, nil
	for r := b.take(); r != nil; r = b.take() {
		if err := r.Ctx.Err(); err != nil {
			r.Answer(group.Outcome{Err: err})
			continue
		}
		b.call(r)
		if b.s.broken != nil {
			b.waiting = append(append(b.served, r), b.waiting...)
			b.failed(b.s.broken)
			return
		}
	}
	b.finish()
}

// take answers the request to run next, nil when the commit is large enough.
func (b *batch) take() *request {
	if len(b.waiting) > 0 {
		r := b.waiting[0]
		b.waiting = b.waiting[1:]
		return r
	}
	if len(b.served) >= group.Max || b.writes >= kv.MaxWrites || b.bytes >= maxBytes {
		return nil
	}
	return b.next()
}

// call runs one closure over what those before it changed. It is answered here when it
// leaves nothing behind.
func (b *batch) call(r *request) {
	t := &tx{ctx: r.Ctx, s: b.s, changes: b.changes.IsoCopy()}
	o := group.Call[kv.Tx](r.Fn, t, func() {
		t.over = true
		r.Answer(group.Outcome{Exited: true})
		b.waiting, b.exited = append(b.served, b.waiting...), true // this goroutine ends
	})
	t.over = true
	switch {
	case b.s.broken != nil: // whatever the closure made of it
	case o.OK():
		r.Tell = t.out.Messages
		b.served = append(b.served, r)
		b.changes, b.writes, b.bytes = t.changes, b.writes+t.writes, b.bytes+t.bytes
	default:
		r.Answer(o)
	}
}

// finish makes the batch durable, tells of it and answers.
func (b *batch) finish() {
	if err := b.s.save(b.changes, b.messages()); err != nil {
		b.waiting = b.served
		b.failed(err)
		return
	}
	for _, r := range b.served {
		b.e.tell(r.Tell)
		r.Answer(group.Outcome{})
	}
}

// failed ends an attempt: it is made again, or everybody hears why not.
func (b *batch) failed(err error) {
	if errors.Is(err, errConflict) || errors.Is(err, errLost) {
		b.retry = err
		return
	}
	b.refuse(b.waiting, err)
	b.waiting = nil
}

func (b *batch) messages() (out []kv.Message) {
	for _, r := range b.served {
		out = append(out, r.Tell...)
	}
	return out
}

// save writes the changes of a batch and commits, in one journey. A commit whose answer
// did not arrive is looked up: nil when it happened.
func (s *session) save(all *changes, messages []kv.Message) error {
	if all.Len() == 0 && len(messages) == 0 {
		_, err := s.commit(&pgx.Batch{})
		return err
	}
	former := s.e.last
	s.e.last++
	b := &pgx.Batch{}
	w := writeOf(all)
	if keys := slices.Concat(w.replaced, w.deleted); len(keys) > 0 {
		b.Queue("delete from svc_kv where k = any($1) and n > 0", keys)
	}
	if len(w.deleted) > 0 {
		b.Queue("delete from svc_kv where k = any($1) and n = 0", w.deleted)
	}
	if len(w.replaced) > 0 {
		b.Queue("insert into svc_kv (k, n, v) select k, 0, v from unnest($1::bytea[], $2::bytea[]) as t (k, v) on conflict (k, n) do update set v = excluded.v", w.replaced, w.values)
	}
	if len(w.added) > 0 {
		b.Queue("insert into svc_kv (k, n, v) select k, nextval('svc_kv_addition'), v from unnest($1::bytea[], $2::bytea[]) as t (k, v)", w.added, w.additions)
	}
	for _, payload := range payloads(s.e.name, messages) {
		b.Queue("select pg_notify($1, $2)", channel, payload)
	}
	// A commit that lookUp gave up finds another number than its own former one: no row
	// may have null, so nothing of it stays.
	b.Queue("insert into svc_kv_commit (node, number) values ($1, $2) on conflict (node) do update set number = case when svc_kv_commit.number = $3 then excluded.number end",
		s.e.name, s.e.last, former)
	asked, err := s.commit(b)
	if err == nil {
		for _, key := range w.added {
			s.e.folds.count(key)
		}
		return nil
	}
	if asked && errors.Is(err, errLost) {
		return s.e.lookUp(err)
	}
	s.e.last = former
	return err
}

// commit sends the last statements of the transaction, "commit" behind them. asked says that
// the server may have got them.
func (s *session) commit(b *pgx.Batch) (asked bool, err error) {
	b.Queue("commit")
	err = s.run(b, func(results pgx.BatchResults) error {
		asked = true
		for range b.Len() {
			tag, err := results.Exec()
			if err != nil {
				return err
			}
			if tag.String() == "ROLLBACK" {
				return errConflict // the server gave the transaction up
			}
		}
		s.begun = false // it is over
		return nil
	})
	return asked, err
}

// lookUp says whether the last commit happened, whose answer was lost with cause: nil, or
// cause for one that did not, and never will.
func (e *Engine) lookUp(cause error) error {
	for tries := (again{}); ; {
		happened, err := e.settle()
		switch {
		case err == nil && happened:
			return nil
		case err == nil:
			e.last++
			return cause
		case !tries.wait(e.life, err):
			return fmt.Errorf("whether the last change was saved is not known: PostgreSQL cannot be asked: %w", errors.Join(context.Cause(e.life), err))
		}
	}
}

// settle says whether the last commit happened. When it did not, the next number is taken
// in its place: if it is still on its way, it fails.
func (e *Engine) settle() (happened bool, err error) {
	ctx, cancel := context.WithTimeout(e.life, statementTime)
	defer cancel()
	err = pgx.BeginFunc(ctx, e.writers, func(tx pgx.Tx) error {
		var number int64
		if err := tx.QueryRow(ctx, "select number from svc_kv_commit where node = $1 for update", e.name).Scan(&number); err != nil {
			return err
		}
		if happened = number == e.last; happened {
			return nil
		}
		_, err := tx.Exec(ctx, "update svc_kv_commit set number = $2 where node = $1", e.name, e.last+1)
		return err
	})
	return happened, explain(err)
}
