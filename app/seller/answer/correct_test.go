package answer

import (
	"testing"

	"svc/ai/decide"
	"svc/app/business"
)

// TestCorrectedConfidence: until enough decisions were judged a model needs 0.1 more from level 3
// on; then its confidence counts as what it was worth, by the threshold of the settings.
func TestCorrectedConfidence(t *testing.T) {
	for _, c := range []struct {
		level, judged, right int
		trusted              bool
	}{
		{level: 2, trusted: true},
		{level: 3, trusted: false}, // 0.65 of 0.7
		{level: 3, judged: decide.EnoughReviews - 1, right: 199, trusted: false},             // too few
		{level: 3, judged: decide.EnoughReviews, right: decide.EnoughReviews, trusted: true}, // it is right whenever it says that
		{level: 2, judged: decide.EnoughReviews, right: 60, trusted: false},                  // it is surer than it is right
	} {
		s := &Situation{Level: c.level, Settings: business.Settings{Confidence: 0.6}, Reviews: decide.Reviews{Decisions: c.judged}}
		for i := range c.judged {
			s.Reviews.Count(decide.Intent, 0.65, i < c.right)
		}
		answers := map[decide.Field]decide.Answer{decide.Intent: {Value: decide.Price, Confidence: 0.65}}
		r := run{s: s}
		limits := r.correct(answers)
		v := decide.Decision{}.Merge(decide.FromModel, answers, limits, nil)[decide.Intent]
		if v.Trusted != c.trusted || v.Probability == nil || *v.Probability != 0.65 {
			t.Errorf("%+v: %+v", c, v)
		}
	}
}
