package measure

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"sync"
	"time"

	"golang.org/x/sync/errgroup"

	"svc/ai"
	"svc/ai/catalog"
	"svc/ai/decide"
	"svc/ai/lang"
	"svc/ai/mask"
	"svc/ai/signals"
)

// Model is a model that is measured as the seller uses it: the rules decide what they are
// certain of, the model the rest.
type Model struct {
	Handle ai.Model
	Kind   ai.Kind
	Name   string
	// Instructions is what the model is told before the question, in a language ("uz", "ru",
	// "en").
	Instructions func(language string) string
	// Confidence is from where on a field counts, 0 to 1.
	Confidence float64
	// Timeout bounds one call; Parallel is how many run at once.
	Timeout  time.Duration
	Parallel int
	// Before is told what the measurement asks, and may refuse it. nil: anything goes.
	Before func(Cost) error
	// Progress is told after each message how many are done, by one caller at a time. nil:
	// nobody.
	Progress func(done, all int)
}

// Cost is what a measurement asks of a model.
type Cost struct {
	// Calls is one a message that the rules do not decide; a repeated call after a failure
	// comes on top.
	Calls int
	// USD is at most what the calls cost at the prices of the catalogue; Priced: it has them.
	USD    float64
	Priced bool
}

// ErrNotAsked says that a corpus has nothing that a model is asked.
var ErrNotAsked = errors.New("no item is asked of a model: only messages labelled for signals are")

// asked are the fields that the labels of signals tell of.
var asked = []decide.Field{decide.Intent, decide.Stop, decide.DiscloseAI, decide.Scenario}

// labelled is one message with what is known of it.
type labelled struct {
	line                   int
	Text                   string
	Stop, Human, Complaint bool
	AsksAI                 bool `json:"asks_ai"`
	Intent                 string

	signals  signals.Signals
	decision decide.Decision
	request  ai.Request
	call     bool
	fault    ai.Fault // why the model decided nothing
}

// RunWith measures a corpus as Run does, and the messages that are labelled for signals with a
// model as well. Personal data is masked before a model reads it. It ends at the first
// failure that every other call would have too, and with ctx.
func RunWith(ctx context.Context, in io.Reader, m *Model) (*Report, error) {
	items, err := load(in)
	if err != nil {
		return nil, err
	}
	r, err := runForms(items)
	if err != nil {
		return nil, err
	}
	list, err := m.prepare(items)
	if err != nil {
		return nil, err
	}
	if len(list) == 0 {
		return nil, ErrNotAsked
	}
	if m.Before != nil {
		if err := m.Before(m.cost(list)); err != nil {
			return nil, err
		}
	}
	if err := m.askAll(ctx, list); err != nil {
		return nil, err
	}
	m.report(list, r)
	return r, nil
}

// prepare reads the signals of messages and writes the calls for those that need one.
func (m *Model) prepare(items []Item) (list []*labelled, err error) {
	form := forms[slices.IndexFunc(forms, func(f form) bool { return f.name == "signals" })]
	listed, known := catalog.Find(m.Kind, m.Name, time.Now())
	for _, i := range items {
		if !i.has(form.fields) {
			continue
		}
		l := &labelled{line: i.Line}
		if err := i.read(l); err != nil {
			return nil, err
		}
		l.signals = signals.Read(l.Text, stopWords)
		answers, enough := decide.Rules(l.signals)
		l.decision = l.decision.Merge(decide.FromRules, answers, m.thresholds(), nil)
		if l.call = !enough && l.signals.Stop.Certainty != signals.Certain; l.call {
			if l.request, err = m.request(l); err != nil {
				return nil, fmt.Errorf("line %d: %w", i.Line, err)
			}
			if known && listed.FixedSampling {
				l.request.Temperature = nil
			}
			if known && listed.Thinks {
				l.request.MaxTokens = max(l.request.MaxTokens, catalog.ThinkingRoom)
			}
		}
		list = append(list, l)
	}
	return list, nil
}

func (m *Model) thresholds() decide.Thresholds { return decide.Thresholds{Default: m.Confidence} }

func (m *Model) request(l *labelled) (ai.Request, error) {
	masked := []map[string]string{{"from": "customer", "text": mask.Text(l.Text).Text}}
	q, err := decide.Asked{Fields: asked, Messages: masked, AnswerTo: 1}.Request("")
	q.Model = m.Name
	if m.Instructions != nil {
		q.System = m.Instructions(cmp.Or(lang.Identify(l.Text).Lang.Code(), "en")) + "\n\n" + q.System
	}
	return q, err
}

func (m *Model) cost(list []*labelled) (c Cost) {
	price, known := catalog.Find(m.Kind, m.Name, time.Now())
	c.Priced = known
	for _, l := range list {
		if !l.call {
			continue
		}
		c.Calls++
		if known {
			c.USD += price.Price.Worst(l.request.Estimate(), l.request.MaxTokens).USD()
		}
	}
	return c
}

// askAll asks the first message alone, to find the form in which the model answers, then the
// others together.
func (m *Model) askAll(ctx context.Context, list []*labelled) error {
	calls := slices.DeleteFunc(slices.Clone(list), func(l *labelled) bool { return !l.call })
	if len(calls) == 0 {
		return nil
	}
	format, err := m.findFormat(ctx, calls[0])
	if err != nil {
		return fmt.Errorf("line %d: %w", calls[0].line, err)
	}
	var mu sync.Mutex
	done := 0
	progress := func() {
		mu.Lock()
		defer mu.Unlock()
		if done++; m.Progress != nil {
			m.Progress(done, len(calls))
		}
	}
	progress()
	group, ctx := errgroup.WithContext(ctx)
	group.SetLimit(max(m.Parallel, 1))
	for _, l := range calls[1:] {
		group.Go(func() error {
			if err := ctx.Err(); err != nil {
				return err
			}
			l.request.Format = format
			if err := m.ask(ctx, l); err != nil {
				return fmt.Errorf("line %d: %w", l.line, err)
			}
			progress()
			return nil
		})
	}
	return group.Wait()
}

// findFormat asks in one form of answers after another until the model takes one.
func (m *Model) findFormat(ctx context.Context, l *labelled) (ai.Format, error) {
	for {
		err := m.ask(ctx, l)
		next, more := l.request.Format.Below()
		var failed *ai.Error
		switch {
		case more && (err == nil && l.fault == ai.BadOutput || errors.As(err, &failed) && failed.Format):
			l.request.Format, l.fault = next, ""
		default:
			return l.request.Format, err
		}
	}
}

// Tries and waits after a failure that passes.
const (
	maxTries = 4
	maxWait  = time.Minute
)

// ask asks for one message. An answer that cannot be used is kept as the fault of that
// message; what would fail every other call is an error.
func (m *Model) ask(ctx context.Context, l *labelled) error {
	for try := 1; ; try++ {
		answers, err := m.call(ctx, &l.request)
		if err == nil {
			l.decision = l.decision.Merge(decide.FromModel, answers, m.thresholds(), nil)
			return nil
		}
		if ctx.Err() != nil {
			return ctx.Err()
		}
		var failed *ai.Error
		if !errors.As(err, &failed) {
			return err
		}
		switch failed.Fault {
		case ai.BadOutput, ai.Refused, ai.TooLong:
			l.fault = failed.Fault
			return nil
		case ai.RateLimited, ai.Overloaded, ai.Unavailable, ai.Timeout:
			if try < maxTries {
				break
			}
			return err
		default:
			return err
		}
		wait := min(cmp.Or(failed.RetryAfter, time.Second<<(try-1)), maxWait)
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(wait):
		}
	}
}

func (m *Model) call(ctx context.Context, q *ai.Request) (map[decide.Field]decide.Answer, error) {
	ctx, cancel := context.WithTimeout(ctx, cmp.Or(m.Timeout, ai.DefaultTimeout))
	defer cancel()
	res, err := m.Handle.Generate(ctx, *q)
	if err != nil {
		return nil, err
	}
	answers, err := decide.Read(res.JSON)
	if err != nil {
		return nil, &ai.Error{Fault: ai.BadOutput}
	}
	return answers, nil
}

// report adds the tables of the rules and the model together.
func (m *Model) report(list []*labelled, r *Report) {
	var out, seen, person, complaint, asks tally
	scenarios, faults, calls := confusion{}, map[ai.Fault]int{}, 0
	for _, l := range list {
		if l.call {
			calls++
		}
		if l.fault != "" {
			faults[l.fault]++
			r.mistake(l.line, "model", "an answer", string(l.fault), l.Text)
		}
		stops, looks := l.stop()
		intent := l.decision.Of(decide.Intent)
		for _, x := range []struct {
			name      string
			t         *tally
			got, want bool
		}{
			{"stop, opted out", &out, stops, l.Stop},
			{"stop, opted out or shown to a person", &seen, looks, l.Stop},
			{"person", &person, l.signals.Person || intent == decide.HumanRequest, l.Human},
			{"complaint", &complaint, l.signals.Complaint || intent == decide.Complaint, l.Complaint},
			{"asks AI", &asks, l.signals.AsksAI || l.decision.Says(decide.DiscloseAI), l.AsksAI},
		} {
			if !x.t.add(x.got, x.want) {
				r.mistake(l.line, x.name+", with the model", fmt.Sprint(x.want), fmt.Sprint(x.got), l.Text)
			}
		}
		if l.Intent != "" {
			scenarios.add(l.Intent, cmp.Or(l.decision.Of(decide.Scenario), string(l.signals.Scenario)))
		}
	}
	r.Tables = append(r.Tables, Table{"Signals, rules and " + m.Name, [][]string{
		{"signal", "labelled", "found", "extra", "missed", "precision", "recall", "F1", "target"},
		out.row("stop, opted out", "precision 0.99"), seen.row("stop, opted out or shown to a person", "recall 0.97"),
		person.row("person", "F1 0.95"), complaint.row("complaint", "recall 0.85"), asks.row("asks AI", "F1 0.95"),
	}})
	if len(scenarios) > 0 {
		r.Tables = append(r.Tables, scenarios.table("Scenario, rules and "+m.Name, ""))
	}
	t := Table{"Answers of " + m.Name, [][]string{{"answer", "messages"}, {"decided by the rules alone", fmt.Sprint(len(list) - calls)}}}
	failed := 0
	for _, f := range ai.Faults() {
		if n := faults[f]; n > 0 {
			failed += n
			t.Rows = append(t.Rows, []string{string(f), fmt.Sprint(n)})
		}
	}
	t.Rows = append(t.Rows, []string{"usable", fmt.Sprint(calls - failed)})
	r.Tables = append(r.Tables, t)
}

// stop says whether the customer is opted out, and whether they are or a person looks
// (contract 13.12).
func (l *labelled) stop() (stops, looks bool) {
	certain, likely := l.signals.Stop.Certainty == signals.Certain, l.signals.Stop.Certainty == signals.Likely
	sure := l.decision.StopLikely()
	stops = certain || likely && sure >= decide.StopWithWords || sure >= decide.StopAlone
	v := l.decision[decide.Stop]
	goesOn := v.Trusted && v.Value == decide.No && v.Source == decide.FromModel
	return stops, stops || likely && !goesOn || sure >= decide.StopDoubt
}
