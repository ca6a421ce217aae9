package clock

import (
	"context"
	"log/slog"
	"testing"
	"testing/synctest"
	"time"

	"svc/store/kv"
)

// engine tells the time at once and is heard after some time.
type engine struct {
	kv.Engine
	late time.Duration
}

func (e engine) Clock(context.Context) (time.Time, error) {
	at := time.Now()
	<-time.After(e.late)
	return at, nil
}

// What the delay of an answer may explain is not corrected; more than that is, however late the
// answer was: a node that opens on a busy machine would be wrong until the next look.
func TestFollow(t *testing.T) {
	for name, of := range map[string]struct{ ahead, late, left time.Duration }{
		"right":                         {},
		"right, answered late":          {late: 13 * time.Second},
		"a little ahead":                {ahead: 900 * time.Millisecond, left: 900 * time.Millisecond},
		"ahead":                         {ahead: 5 * time.Minute},
		"behind":                        {ahead: -5 * time.Minute},
		"ahead, answered late":          {ahead: 5 * time.Minute, late: 13 * time.Second, left: -13 * time.Second},
		"behind by less than it took":   {ahead: -5 * time.Second, late: 13 * time.Second, left: -5 * time.Second},
		"behind by more than it took":   {ahead: -time.Minute, late: 13 * time.Second, left: -13 * time.Second},
		"ahead by less than the answer": {ahead: 500 * time.Millisecond, late: 13 * time.Second, left: 500 * time.Millisecond},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				c := New(func() time.Time { return time.Now().Add(of.ahead) })
				log := slog.New(slog.DiscardHandler)
				if err := c.Follow(t.Context(), engine{late: of.late}, log); err != nil {
					t.Fatal(err)
				}
				if left := time.Until(c.Now()); left != of.left {
					t.Errorf("it is %v ahead, not %v", left, of.left)
				}
				if err := c.Follow(t.Context(), engine{}, log); err != nil || time.Until(c.Now()).Abs() > tolerance {
					t.Errorf("an answer in time leaves %v, %v", time.Until(c.Now()), err)
				}
			})
		})
	}
}
