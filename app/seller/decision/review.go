package decision

import (
	"slices"

	"svc/ai/decide"
	"svc/store"
)

// reviewRow is the one row of an organization's reviews.
type reviewRow struct {
	ID string `json:"id"`
	decide.Reviews
}

const reviewID = "model"

var reviews = store.NewTable("decision_review", "", func(r *reviewRow) string { return r.ID })

// Reviews are what people of an organization said of its models' decisions.
func Reviews(tx *store.Tx, org string) (decide.Reviews, error) {
	r, err := reviews.Get(tx, org, reviewID)
	return r.Reviews, store.IgnoreNotFound(err)
}

// Judge counts what a person said of a decision: that its fields are right, or that those that
// are named are wrong, nil: all. Only what a model decided counts. A decision counts once;
// store.ErrNotFound when there is none of that id.
func Judge(tx *store.Tx, org, id string, right bool, fields []decide.Field) error {
	d, err := decisions.Get(tx, org, id)
	if err != nil || d.Judged {
		return err
	}
	r, err := reviews.Get(tx, org, reviewID)
	if store.IgnoreNotFound(err) != nil {
		return err
	}
	r.ID = reviewID
	counted := false
	for f, v := range d.Fields {
		if v.Source == decide.FromModel && v.Probability != nil && (right || fields == nil || slices.Contains(fields, f)) {
			r.Count(f, *v.Probability, right)
			counted = true
		}
	}
	if !counted {
		return nil
	}
	r.Decisions++
	d.Judged = true
	if err := decisions.Put(tx, org, &d); err != nil {
		return err
	}
	return reviews.Put(tx, org, &r)
}
