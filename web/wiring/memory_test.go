package wiring

import (
	"errors"
	"testing"

	"svc/app/cli/memory"

	"github.com/KimMachineGun/automemlimit/memlimit"
)

// TestLimitOf: the container's limit counts when there is one, else the machine
// (contract 21.3, Memory).
func TestLimitOf(t *testing.T) {
	is := func(n uint64) memlimit.Provider { return func() (uint64, error) { return n, nil } }
	not := memlimit.Provider(func() (uint64, error) { return 0, errors.New("cannot be read") })
	for name, tt := range map[string]struct {
		container, machine memlimit.Provider
		limit              int64
		from               string
	}{
		"a container":                    {is(1000), is(8000), 900, "container"},
		"no container":                   {not, is(8000), 6000, "machine"},
		"a container without a limit":    {is(1 << 62), is(8000), 6000, "machine"},
		"a container on unknown machine": {is(1000), not, 900, "container"},
		"nothing can be read":            {not, not, memory.NoLimit, ""},
	} {
		if limit, from := limitOf(tt.container, tt.machine); limit != tt.limit || from != tt.from {
			t.Errorf("%s: %d from %q, want %d from %q", name, limit, from, tt.limit, tt.from)
		}
	}
}

// TestUnmapProgram: the program runs on when its pages were let go.
func TestUnmapProgram(t *testing.T) {
	for range 3 {
		if err := unmapProgram(); err != nil {
			t.Fatal(err)
		}
	}
}
