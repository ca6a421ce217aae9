package recordid_test

import (
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"svc/store/recordid"
	"svc/store/storetest"
)

func TestIDs(t *testing.T) {
	clock := storetest.NewClock()
	g := recordid.NewMaker(clock.Now)
	form := regexp.MustCompile(`^rcp_[0-7][0-9abcdefghjkmnpqrstvwxyz]{25}$`)
	var ids []string
	for i := range 3000 {
		if i == 1000 {
			clock.Add(time.Millisecond)
		}
		if i == 2000 {
			clock.Add(-time.Hour)
		}
		ids = append(ids, g.New("rcp"))
	}
	if !slices.IsSorted(ids) || len(slices.Compact(slices.Clone(ids))) != len(ids) {
		t.Error("ids do not ascend")
	}
	for _, id := range ids {
		if !form.MatchString(id) || !recordid.Valid("rcp", id) {
			t.Fatalf("id %s", id)
		}
	}
	if at, ok := recordid.Time(ids[0]); !ok || !at.Equal(clock.Now().Add(time.Hour-time.Millisecond)) {
		t.Errorf("made at %v, %v", at, ok)
	}
	body := ids[0][4:]
	for _, bad := range []string{"", "rcp", "rcp_", body, "org_" + body, "rcp_" + strings.ToUpper(body), "rcp_" + body + "0", "rcp_" + body[1:],
		"rcp_8" + body[1:], "rcp_i" + body[1:], "rcp_l" + body[1:], "rcp_o" + body[1:], "rcp_u" + body[1:], "rcp-" + body, " rcp_" + body, "rcp_\x00" + body[1:]} {
		if recordid.Valid("rcp", bad) {
			t.Errorf("%q is taken for an id", bad)
		}
	}
}

func TestIDsOfManyGoroutines(t *testing.T) {
	g := recordid.NewMaker(time.Now)
	var all sync.Map
	var wait sync.WaitGroup
	for range 8 {
		wait.Go(func() {
			for range 2000 {
				if _, twice := all.LoadOrStore(g.New("x"), true); twice {
					t.Error("an id was made twice")
				}
			}
		})
	}
	wait.Wait()
}

func FuzzValidID(f *testing.F) {
	f.Add("rcp", "rcp_01jyd1zq6x4t9v2n8m5c7b3k1h")
	f.Add("", "_01jyd1zq6x4t9v2n8m5c7b3k1h")
	f.Fuzz(func(t *testing.T, prefix, id string) {
		if recordid.Valid(prefix, id) && (len(id) != len(prefix)+27 || !strings.HasPrefix(id, prefix+"_") || strings.ToLower(id[len(prefix):]) != id[len(prefix):]) {
			t.Errorf("%q of %q is taken for an id", id, prefix)
		}
	})
}
