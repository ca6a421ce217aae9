package analysis

import (
	"slices"
	"strings"
	"time"

	"svc/app/business"
	"svc/app/inbox/conversation"
	"svc/app/insight/cases"
	"svc/app/insight/dimension"
	"svc/app/insight/sums"
	"svc/app/seller/lead"
	"svc/app/seller/memory"
	"svc/store"
)

// Filter narrows analysed conversations: those of cases (or of none, where Unclear), of days, of
// a business and a channel ("": of any).
type Filter struct {
	Dimension         dimension.Dimension
	Cases             []string
	Unclear           bool
	Days              []string
	Business, Channel string
}

// Find reads a page of conversations, those whose customer wrote last first.
func Find(tx *store.Tx, org string, f *Filter, q store.Query[Row]) (store.Page[Row], error) {
	q.Sort, q.Reverse = byLastIn, true
	ids := f.Cases
	if f.Unclear {
		ids = []string{sums.CaseKey(f.Dimension, dimension.Unclear)}
	}
	q.Where = []store.Cond[Row]{caseFacet.Any(ids...), dayFacet.Any(f.Days...)}
	if f.Business != "" {
		q.Where = append(q.Where, businessFacet.Any(f.Business))
	}
	if f.Channel != "" {
		q.Where = append(q.Where, channelFacet.Any(f.Channel))
	}
	return table.Page(tx, org, q)
}

// Of is how sure the choice of a conversation in a dimension is.
func (r *Row) Of(d dimension.Dimension) float64 { return r.Choices[d].Probability }

// Bounds of a sample.
const (
	looked      = 4  // times as many conversations as are wanted
	sampleWords = 60 // of a conversation without a summary
)

// Sample are conversations of a business from which cases are made, at most n: the recent
// ones, from each stage and outcome as evenly as there are.
func Sample(tx *store.Tx, org, id string, n int) (out []cases.Sampled, err error) {
	accounts, err := business.AccountsOf(tx, org, id)
	if err != nil {
		return nil, err
	}
	var list []conversation.Conversation
	for _, a := range accounts {
		page, err := conversation.List(tx, org, &conversation.Filter{Account: a}, nil, conversation.ByRecent, store.Query[conversation.Conversation]{Limit: looked * n})
		if err != nil {
			return nil, err
		}
		list = append(list, page.Data...)
	}
	slices.SortStableFunc(list, func(a, b conversation.Conversation) int { return b.LastAt.Compare(a.LastAt) })
	strata := map[string][]*conversation.Conversation{}
	var order []string
	for i := range list[:min(len(list), looked*n)] {
		k := &list[i]
		if k.LastInAt.IsZero() {
			continue
		}
		l, _, err := lead.Newest(tx, org, k.ID)
		if err != nil {
			return nil, err
		}
		s := k.Stage + "/" + string(l.Status)
		if strata[s] == nil {
			order = append(order, s)
		}
		strata[s] = append(strata[s], k)
	}
	for left := true; left && len(out) < n; {
		left = false
		for _, s := range order {
			if len(strata[s]) == 0 || len(out) >= n {
				continue
			}
			k := strata[s][0]
			strata[s], left = strata[s][1:], true
			x, err := sampled(tx, org, k, strings.HasSuffix(s, "/"+string(lead.Won)))
			if err != nil {
				return nil, err
			}
			if x.Text != "" {
				out = append(out, x)
			}
		}
	}
	return out, nil
}

// sampled says what a conversation is about, and of which dimensions it says something.
func sampled(tx *store.Tx, org string, k *conversation.Conversation, won bool) (x cases.Sampled, err error) {
	r, err := table.Get(tx, org, k.ID)
	if store.IgnoreNotFound(err) != nil {
		return x, err
	}
	w, err := r.open(tx.DB(), org)
	if err != nil {
		return x, err
	}
	x.Conversation, x.Text = k.ID, w.Summary
	if x.Text == "" {
		lines, err := memory.Lines(tx, org, k.ID)
		if err != nil {
			return x, err
		}
		var all []string
		for _, l := range lines {
			if l.Author == string(conversation.Customer) && len(all) < sampleWords {
				all = append(all, strings.Fields(l.Text)...)
			}
		}
		x.Text = strings.Join(all[:min(len(all), sampleWords)], " ")
	}
	unhappy := !r.analysed() || r.Flags[dimension.Complaint] >= dimension.LeastTrue || r.Flags[dimension.UnansweredQuestion] >= dimension.LeastTrue
	if mark, ok := r.Scores[dimension.Satisfaction]; ok && mark <= 2 {
		unhappy = true
	}
	for _, d := range dimension.OfConversations {
		if d == dimension.LostReason && won || d == dimension.Dissatisfaction && !unhappy {
			continue
		}
		x.Of = append(x.Of, d)
	}
	return x, nil
}

// Needs says whether a conversation has something that was not analysed, and where it counts
// if it does anywhere: the account answers for a business, the chat is not personal, and the
// customer wrote.
func Needs(tx *store.Tx, org string, k *conversation.Conversation) (counts, needs bool, err error) {
	if k.Personal || k.LastInAt.IsZero() {
		return false, false, nil
	}
	r, err := table.Get(tx, org, k.ID)
	if store.IgnoreNotFound(err) != nil {
		return false, false, err
	}
	return true, !r.analysed() || k.LastInAt.After(r.UpTo), nil
}

// AnalysedSince says whether a conversation was analysed at a time or later.
func AnalysedSince(tx *store.Tx, org, id string, at time.Time) (bool, error) {
	r, err := table.Get(tx, org, id)
	return err == nil && !r.AnalysedAt.Before(at), store.IgnoreNotFound(err)
}

// usualAnswer is how much a model usually writes about a conversation, in tokens.
const usualAnswer = 300

// Size is about how much a model reads and writes to analyse a conversation, in tokens.
func Size(tx *store.Tx, org, business, id string) (input, output int64, err error) {
	o := subject{org: org, cases: map[dimension.Dimension][]cases.Case{}}
	if o.lines, err = memory.Lines(tx, org, id); err != nil || len(o.lines) == 0 {
		return 0, 0, err
	}
	for _, d := range dimension.OfConversations {
		if o.cases[d], err = cases.ActiveOf(tx, org, business, d); err != nil {
			return 0, 0, err
		}
	}
	q := o.question(o.open())
	return q.Request.Estimate(), usualAnswer, nil
}
