package mapkey

import (
	"sync"
	"testing"
	"time"
)

// drain takes until the bucket refuses, at most n times.
func drain(b *bucket, now time.Time, limit int64, n int) int {
	got := 0
	for got < n && b.take(now, limit) {
		got++
	}
	return got
}

func TestBucketStartsFullAndRefills(t *testing.T) {
	b, now := new(bucket), noon
	if got := drain(b, now, 60, 1000); got != 60 {
		t.Fatalf("a fresh bucket of 60 gave %d", got)
	}
	if got := drain(b, now.Add(999*time.Millisecond), 60, 1000); got != 0 {
		t.Errorf("after 0.999 s of 1 a second: %d", got)
	}
	if got := drain(b, now.Add(10*time.Second), 60, 1000); got != 10 {
		t.Errorf("after 10 s of 1 a second: %d", got)
	}
	if got := drain(b, now.Add(time.Hour), 60, 1000); got != 60 {
		t.Errorf("after an hour: %d, want the limit", got)
	}
}

func TestBucketFollowsAChangedLimit(t *testing.T) {
	b := new(bucket)
	drain(b, noon, 60, 30)
	if got := drain(b, noon, 10, 1000); got != 10 {
		t.Errorf("lowered to 10 with 30 left: %d", got)
	}
	if got := drain(b, noon.Add(time.Second), 6000, 1000); got != 100 {
		t.Errorf("raised to 6000, one second later: %d, want 100", got)
	}
}

func TestBucketClockJumps(t *testing.T) {
	b := new(bucket)
	drain(b, noon, 60, 60)
	back := noon.Add(-24 * time.Hour)
	if b.take(back, 60) {
		t.Error("setting the clock back filled the bucket")
	}
	if got := drain(b, back.Add(5*time.Second), 60, 100); got != 5 {
		t.Errorf("five seconds after the jump: %d, want 5", got)
	}
	if got := drain(b, noon.AddDate(10, 0, 0), 60, 100); got != 60 {
		t.Errorf("after a jump of ten years: %d, want 60", got)
	}
	// A late caller with an earlier reading must not credit time twice.
	b = new(bucket)
	drain(b, noon, 60, 60)
	b.take(noon.Add(900*time.Millisecond), 60)
	b.take(noon, 60)
	if b.take(noon.Add(900*time.Millisecond), 60) {
		t.Error("time was credited twice")
	}
}

func TestBucketIsExactUnderConcurrency(t *testing.T) {
	b := new(bucket)
	var wg sync.WaitGroup
	got := make([]int, 8)
	for i := range got {
		wg.Go(func() { got[i] = drain(b, noon, 1000, 1000) })
	}
	wg.Wait()
	sum := 0
	for _, n := range got {
		sum += n
	}
	if sum != 1000 {
		t.Errorf("8 goroutines took %d of 1000", sum)
	}
}
