package targeting

import (
	"testing"

	"svc/app/recipient"
)

// TestBinding: one that knows the person, else the one with most capacity; a person
// with a username does not wait for an account that is not active.
func TestBinding(t *testing.T) {
	all := []slot{{"slow", true, 50}, {"fast", true, 150}, {"off", false, 150}}
	for _, tt := range []struct {
		name  string
		r     recipient.Recipient
		load  map[string]int
		slots []slot
		want  string
	}{
		{"the fastest", recipient.Recipient{Username: "someone"}, nil, all, "fast"},
		{"the one that is done first", recipient.Recipient{Username: "someone"}, map[string]int{"fast": 10}, all, "slow"},
		{"the one that knows the person", recipient.Recipient{Username: "someone", KnownTo: []string{"slow"}}, nil, all, "slow"},
		{"not one that is off, with a username", recipient.Recipient{Username: "someone", KnownTo: []string{"off"}}, nil, all, "fast"},
		{"one that is off, without", recipient.Recipient{MessengerID: 0, KnownTo: []string{"off"}}, nil, all, "off"},
		{"of two that know, the one that sends", recipient.Recipient{KnownTo: []string{"off", "slow"}}, nil, all, "slow"},
		{"all are off", recipient.Recipient{Username: "someone"}, nil, all[2:], "off"},
		{"there is none", recipient.Recipient{Username: "someone"}, nil, nil, ""},
	} {
		load := map[string]int{}
		for k, v := range tt.load {
			load[k] = v
		}
		b := &Binding{accounts: tt.slots, Load: load}
		got := b.Bind(&tt.r)
		if got != tt.want {
			t.Errorf("%s: %q, want %q", tt.name, got, tt.want)
		}
		if got != "" && b.Load[got] != tt.load[got]+1 {
			t.Errorf("%s: the load is %v", tt.name, b.Load)
		}
	}
}
