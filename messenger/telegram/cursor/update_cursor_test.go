package cursor

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/gotd/td/telegram/updates"

	"svc/messenger"
)

// disk is a memory that keeps a place and nothing else.
type disk struct {
	messenger.StateStore
	mu    sync.Mutex
	state []byte
	saves int
	fail  error
}

func (d *disk) UpdateState(context.Context) ([]byte, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.state, d.fail
}

func (d *disk) SaveUpdateState(_ context.Context, s []byte) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.saves++
	if d.fail == nil {
		d.state = bytes.Clone(s)
	}
	return d.fail
}

func (d *disk) broken(err error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.fail = err
}

// kept is how often a place was saved, and the last one.
func (d *disk) kept(t *testing.T) (saves, pts int) {
	t.Helper()
	d.mu.Lock()
	defer d.mu.Unlock()
	var s Stream
	if d.state != nil {
		if err := json.Unmarshal(d.state, &s); err != nil {
			t.Fatal(err)
		}
	}
	return d.saves, s.Pts
}

func TestPlaceIsSavedOnceADelay(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := &disk{}
		p := &Cursor{Memory: d, Delay: time.Second}
		if _, found, err := p.GetState(t.Context(), 1); found || err != nil {
			t.Fatalf("found %v, %v", found, err)
		}
		_ = p.SetState(t.Context(), 1, updates.State{Pts: 1, Date: 10})
		for pts := 2; pts <= 100; pts++ {
			_ = p.SetPts(t.Context(), 1, pts)
		}
		if saves, _ := d.kept(t); saves != 0 {
			t.Errorf("%d saves at once", saves)
		}
		<-time.After(2 * time.Second)
		if saves, pts := d.kept(t); saves != 1 || pts != 100 {
			t.Errorf("%d saves, pts %d", saves, pts)
		}
		_ = p.SetPts(t.Context(), 1, 100) // nothing new
		<-time.After(2 * time.Second)
		if saves, _ := d.kept(t); saves != 1 {
			t.Errorf("%d saves of the same", saves)
		}
		_ = p.SetDateSeq(t.Context(), 1, 11, 3)
		p.Close()
		if saves, _ := d.kept(t); saves != 2 {
			t.Errorf("%d saves after the end", saves)
		}
		restart := &Cursor{Memory: d, Delay: time.Second}
		if s, found, err := restart.GetState(t.Context(), 1); !found || err != nil || s != (updates.State{Pts: 100, Date: 11, Seq: 3}) {
			t.Errorf("after a restart %+v, %v, %v", s, found, err)
		}
	})
}

func TestPlaceTriesAgain(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := &disk{fail: errors.New("disk full")}
		p := &Cursor{Memory: d, Delay: time.Second}
		if _, _, err := p.GetState(t.Context(), 1); err == nil {
			t.Error("a place that cannot be read was taken for none")
		}
		_ = p.SetPts(t.Context(), 1, 5)
		<-time.After(3500 * time.Millisecond)
		if saves, _ := d.kept(t); saves != 3 {
			t.Errorf("%d tries, want 3", saves)
		}
		d.broken(nil)
		<-time.After(time.Second)
		if _, pts := d.kept(t); pts != 5 {
			t.Errorf("pts %d", pts)
		}
		p.Close()
	})
}

func TestFrozenPlaceStays(t *testing.T) {
	d := &disk{}
	p := &Cursor{Memory: d, Delay: time.Hour}
	_ = p.SetState(t.Context(), 1, updates.State{Pts: 7})
	p.Freeze()
	_ = p.SetPts(t.Context(), 1, 8)
	_ = p.SetState(t.Context(), 1, updates.State{Pts: 9})
	p.Close()
	if _, pts := d.kept(t); pts != 7 {
		t.Errorf("pts %d: the place moved past what was refused", pts)
	}
	p.Thaw()
	if s, found, _ := p.GetState(t.Context(), 1); !found || s.Pts != 7 {
		t.Errorf("goes on at %+v", s)
	}
	_ = p.SetPts(t.Context(), 1, 8)
	p.Close()
	if _, pts := d.kept(t); pts != 8 {
		t.Errorf("pts %d", pts)
	}
}

func TestUnreadablePlaceBeginsWithNow(t *testing.T) {
	p := &Cursor{Memory: &disk{state: []byte("not json")}, Delay: time.Hour}
	if s, found, err := p.GetState(t.Context(), 1); found || err != nil || s != (updates.State{}) {
		t.Errorf("%+v, %v, %v", s, found, err)
	}
}

func TestCatchUpIsRemembered(t *testing.T) {
	d := &disk{}
	p := &Cursor{Memory: d, Delay: time.Hour}
	_ = p.SetState(t.Context(), 1, updates.State{Pts: 7, Date: 1000})
	p.TooLong()
	_ = p.SetState(t.Context(), 1, updates.State{Pts: 900, Date: 2000})
	p.TooLong() // again, before the first was caught up
	p.Close()
	restart := &Cursor{Memory: d, Delay: time.Hour}
	if _, _, err := restart.GetState(t.Context(), 1); err != nil || restart.Since() != 1000 {
		t.Errorf("since %d, %v", restart.Since(), err)
	}
	restart.CaughtUp(999)
	if restart.Since() != 1000 {
		t.Error("another catch-up ended this one")
	}
	restart.CaughtUp(1000)
	if restart.Since() != 0 {
		t.Error("not caught up")
	}
}

func TestHashesAreBounded(t *testing.T) {
	h := &Hashes{Memory: nobody{}}
	for id := range int64(10 * maxHashes) {
		_ = h.SetUserAccessHash(t.Context(), 1, id, id+1)
	}
	if len(h.seen) > maxHashes {
		t.Errorf("%d people are remembered", len(h.seen))
	}
	last := int64(10*maxHashes - 1)
	if hash, found, err := h.GetUserAccessHash(t.Context(), 1, last); !found || hash != last+1 || err != nil {
		t.Errorf("%d, %v, %v", hash, found, err)
	}
	if _, found, _ := h.GetUserAccessHash(t.Context(), 1, 1<<40); found {
		t.Error("found a stranger")
	}
}

// nobody is a memory without people.
type nobody struct{ messenger.StateStore }

func (nobody) Peer(context.Context, int64) (messenger.Peer, bool, error) {
	return messenger.Peer{}, false, nil
}
