package evaluation

import (
	"context"
	"errors"

	"svc/app/engine/agent"
	"svc/app/engine/execution"
	"svc/app/engine/prompt"
	"svc/app/quality/feedback"
	"svc/app/quality/grade"
	"svc/app/quality/judge"
	"svc/store"
)

// leaseCalls is how many questions one execution of a calibration asks.
const leaseCalls = 20

// mostPeople is how many verdicts of people a judge is compared with.
const mostPeople = 200

// calibrate finds out how far the judge can be believed: by the known answers first, then by
// what people said. It is kept with the evaluation, and asked once.
func (b *batch) calibrate(ctx context.Context) {
	if b.judges == nil || b.why.Load() != nil {
		return
	}
	if b.e.Judge == nil {
		t, why := b.trust(ctx)
		if why != nil {
			b.halt(why)
			return
		}
		if ctx.Err() != nil {
			return
		}
		b.e.Judge = t
		err := b.s.db.Update(context.WithoutCancel(ctx), func(tx *store.Tx) error {
			_, err := table.Edit(tx, b.org, b.e.ID, func(e *Evaluation) error {
				e.Judge = t
				return nil
			})
			return err
		})
		if err != nil {
			b.halt(&stop{err: err})
			return
		}
	}
	if !b.e.Judge.Void {
		return
	}
	if b.judges = nil; len(b.e.Graders) == 1 && b.e.has(grade.Judge) {
		b.halt(&stop{code: judgeVoid})
	}
}

// trust asks the judge about the known answers, and about those that people judged.
func (b *batch) trust(ctx context.Context) (*Trust, *stop) {
	t := &Trust{Model: b.judges[0].Model}
	known := judge.Known()
	why := b.asked(ctx, len(known), func(w *execution.Work, i int) error {
		if t.Void {
			return nil
		}
		v, err := judge.Ask(ctx, w, b.judges, &known[i].Case)
		if err != nil && !errors.Is(err, judge.ErrNone) {
			return err
		}
		if t.Asked++; err == nil && v.Good() == known[i].Good {
			t.Right++
		}
		t.Void = t.Asked-t.Right > len(known)-judge.LeastKnown
		return nil
	})
	if why != nil || t.Void {
		return t, why
	}
	return t, b.people(ctx, t)
}

// asked asks so many questions, in executions of some each.
func (b *batch) asked(ctx context.Context, n int, one func(w *execution.Work, i int) error) *stop {
	for first := 0; first < n; first += leaseCalls {
		size := min(leaseCalls, n-first)
		w, err := b.s.o.Runs.Begin(ctx, execution.Plan{
			Org: b.org, Agent: agent.Judge, Mode: agent.Eval, Business: b.e.Business, Questions: judge.Foreseen(b.judges, size, 0),
		})
		if err != nil {
			return &stop{err: err}
		}
		err = w.Start(ctx)
		for i := first; i < first+size && err == nil; i++ {
			err = one(w, i)
		}
		if w.Opened() {
			if finished := w.Finish(ctx, execution.Outcome{Err: err}); err == nil {
				err = finished
			}
		}
		w.Close()
		if err != nil {
			return reason(ctx, err)
		}
	}
	return nil
}

// judged is one answer that people have judged.
type judged struct {
	id    string
	c     *judge.Case
	judge *bool
	good  bool
}

// people compares the judge with people, by the newest answers that they judged.
func (b *batch) people(ctx context.Context, t *Trust) *stop {
	var list []judged
	key := ""
	err := b.s.db.View(ctx, func(tx *store.Tx) (err error) {
		list, key, err = b.answers(tx)
		return err
	})
	if err != nil {
		return &stop{err: err}
	}
	if t.People = len(list); t.People < judge.LeastPeople {
		return nil
	}
	var fresh []int
	for i := range list {
		if list[i].judge == nil {
			fresh = append(fresh, i)
		}
	}
	if why := b.asked(ctx, len(fresh), func(w *execution.Work, n int) error { return b.ask(ctx, w, key, &list[fresh[n]]) }); why != nil {
		return why
	}
	var said, people []bool
	for i := range list {
		if list[i].judge != nil {
			said, people = append(said, *list[i].judge), append(people, list[i].good)
		}
	}
	t.People = len(said)
	if kappa, ok := judge.Kappa(said, people); ok {
		t.Kappa, t.Reliable = &kappa, kappa >= judge.LeastKappa
	}
	return nil
}

// answers are those that people judged, with what this judge said of them before. key names
// the judge: its model and its prompt.
func (b *batch) answers(tx *store.Tx) (out []judged, key string, err error) {
	version, err := prompt.Active(tx, b.org, agent.Judge, b.e.Business)
	if err != nil {
		return nil, "", err
	}
	key = b.judges[0].ProviderID + "/" + b.judges[0].Model + "/" + version
	list, err := feedback.Known(tx, b.org, mostPeople)
	for i := range list {
		if err != nil {
			return nil, "", err
		}
		f := &list[i]
		good, _ := f.Verdict()
		x := judged{id: f.ID, good: good}
		if said, asked := f.Judged[key]; asked {
			x.judge = &said
			out = append(out, x)
			continue
		}
		in, reply, ok, err := f.Snapshot(tx, b.org)
		if err != nil {
			return nil, "", err
		}
		if ok && reply != "" {
			x.c = &judge.Case{Language: string(b.base.Business.DefaultLanguage), Conversation: in.Messages, Offers: in.Offers, Reply: reply, Chunks: []string{}}
			out = append(out, x)
		}
	}
	return out, key, err
}

// ask asks the judge about an answer that people judged, and notes what it says.
func (b *batch) ask(ctx context.Context, w *execution.Work, key string, x *judged) error {
	v, err := judge.Ask(ctx, w, b.judges, x.c)
	if errors.Is(err, judge.ErrNone) {
		return nil
	}
	if err != nil {
		return err
	}
	good := v.Good()
	x.judge = &good
	return b.s.db.Update(ctx, func(tx *store.Tx) error { return feedback.Judged(tx, b.org, x.id, key, good) })
}
