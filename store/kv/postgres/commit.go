package postgres

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/jackc/pgx/v5"

	"svc/store/kv"
	"svc/store/kv/group"
)

type request = group.Request[kv.Tx]

const (
	// maxBytes bounds what one commit writes, beyond its last closure.
	maxBytes = 32 << 20
	// maxLasting bounds for how long one commit takes more closures in: the longer it
	// lasts, the likelier another node is in its way.
	maxLasting = 50 * time.Millisecond
)

// batch is one commit in the making: closures that run one after the other in one
// transaction of the server. When another node was in the way they run again, half as many
// in one transaction: so that each conflict concerns fewer, and in the end one.
type batch struct {
	e       *Engine
	next    func() *request
	most    int        // closures of one transaction
	waiting []*request // they ran before, or are to run again
	served  []*request // their closures succeeded in this attempt
	began   time.Time  // of this attempt
	s       *session
	changes *changes
	writes  int
	bytes   int
	retry   error // why there is to be another attempt
	ran     int   // closures of the attempt that failed
	exited  bool  // a closure ended its goroutine: the others run again at once
}

// commit makes one transaction of the requests that wait, and several when other nodes are in
// the way. Each attempt runs in a goroutine of its own, because a closure may end the one it
// runs in.
func (e *Engine) commit(next func() *request) {
	b := &batch{e: e, next: next, most: group.Max}
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
		case b.retry == nil && len(b.waiting) == 0:
			return
		case b.retry == nil: // a part of them is stored
			tries, b.most = again{}, min(2*b.most, group.Max)
		case !tries.wait(e.life, b.retry):
			b.refuse(b.waiting, b.retry)
			return
		case errors.Is(b.retry, errConflict):
			b.most = max(1, b.ran/2)
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
	b.changes, b.served, b.writes, b.bytes, b.retry, b.began = newChanges(), nil, 0, 0, nil, time.Now()
	for r := b.take(); r != nil; r = b.take() {
		if err := r.Ctx.Err(); err != nil {
			r.Answer(group.Outcome{Err: err})
			continue
		}
		b.call(r)
		if b.s.broken != nil {
			b.failed(append(b.served, r), b.s.broken)
			return
		}
	}
	b.finish()
}

// take answers the request to run next, nil when the commit is large enough.
func (b *batch) take() *request {
	full := len(b.served) >= b.most || b.writes >= kv.MaxWrites || b.bytes >= maxBytes || time.Since(b.began) >= maxLasting
	switch {
	case full && len(b.served) > 0:
		return nil
	case len(b.waiting) == 0:
		return b.next()
	}
	r := b.waiting[0]
	b.waiting = b.waiting[1:]
	return r
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
		r.Messages = t.out.Messages
		b.served = append(b.served, r)
		b.changes, b.writes, b.bytes = t.changes, b.writes+t.writes, b.bytes+t.bytes
	default:
		r.Answer(o)
	}
}

// finish makes the batch durable, tells of it and answers.
func (b *batch) finish() {
	if err := b.s.save(b.changes, b.messages()); err != nil {
		b.failed(b.served, err)
		return
	}
	for _, r := range b.served {
		b.e.deliver(r.Messages)
		r.Answer(group.Outcome{})
	}
}

// failed ends an attempt: those who were in it run again, or hear why not. One that is in
// conflict alone lets the others go first.
func (b *batch) failed(all []*request, err error) {
	switch {
	case errors.Is(err, errConflict) && len(all) == 1:
		b.retry, b.ran, b.waiting = err, 1, append(b.waiting, all...)
	case errors.Is(err, errConflict), errors.Is(err, errLost):
		b.retry, b.ran, b.waiting = err, len(all), append(all, b.waiting...)
	default:
		b.refuse(all, err)
	}
}

func (b *batch) messages() (out []kv.Message) {
	for _, r := range b.served {
		out = append(out, r.Messages...)
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
