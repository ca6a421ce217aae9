package hook

import (
	"math"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"svc/app/event"
)

// TestWaits is the row of contract 8.3.
func TestWaits(t *testing.T) {
	want := []string{"10s", "30s", "2m0s", "10m0s", "30m0s", "1h0m0s", "3h0m0s", "6h0m0s", "12h0m0s"}
	for i, w := range want {
		mean, err := time.ParseDuration(w)
		if err != nil {
			t.Fatal(err)
		}
		low, middle, high := waitAfter(i+1, 0, 0), waitAfter(i+1, 0.5, 0), waitAfter(i+1, math.Nextafter(1, 0), 0)
		for got, part := range map[time.Duration]float64{low: 0.8, middle: 1, high: 1.2} {
			if diff := got - time.Duration(part*float64(mean)); diff.Abs() > time.Millisecond {
				t.Errorf("after %d attempts: %s, want %v of %s", i+1, got, part, mean)
			}
		}
	}
}

func TestSameServer(t *testing.T) {
	for _, x := range []struct {
		a, b string
		same bool
	}{
		{"https://models.example.com/v1", "https://Models.example.com.:443/v2", true},
		{"", "", true},
		{"https://models.example.com/v1", "http://models.example.com/v1", false},
		{"https://models.example.com/v1", "https://models.example.com:8443/v1", false},
		{"https://models.example.com/v1", "https://models.example.com.evil.example/v1", false},
		{"https://models.example.com/v1", "", false},
		{"https://models.example.com/v1", "https://%", false},
	} {
		if got := SameServer(x.a, x.b); got != x.same {
			t.Errorf("%q and %q: %v", x.a, x.b, got)
		}
	}
}

func TestRetryAfterIsHonoured(t *testing.T) {
	for _, tt := range []struct {
		attempts    int
		asked, want time.Duration
	}{
		{1, time.Second, 10 * time.Second}, // no sooner than the decided wait
		{1, time.Minute, time.Minute},
		{1, 5 * time.Hour, time.Hour},
		{9, time.Hour, 12 * time.Hour},
	} {
		if got := waitAfter(tt.attempts, 0.5, tt.asked); got != tt.want {
			t.Errorf("after %d attempts, asked for %s: %s, want %s", tt.attempts, tt.asked, got, tt.want)
		}
	}
}

// TestShare: one endpoint has 5; as the free ones run out it has fewer, so that 20
// slow endpoints do not hold all of them.
func TestShare(t *testing.T) {
	for free, want := range map[int]int{100: 5, 40: 5, 39: 4, 31: 3, 16: 2, 15: 1, 1: 1, 0: 1} {
		if got := share(free); got != want {
			t.Errorf("with %d free: %d, want %d", free, got, want)
		}
	}
	taken := 0
	for range 20 { // each takes all it may
		for n := 0; n < share(AtATime-taken); n++ {
			taken++
		}
	}
	if taken >= AtATime {
		t.Errorf("20 slow endpoints hold %d of %d", taken, AtATime)
	}
}

func TestTakes(t *testing.T) {
	w := Webhook{ID: "whk_1", Status: Active, Since: "evt_5", Events: []string{"campaign.paused", "message.*", "webhook.disabled"}}
	all := Webhook{ID: "whk_2", Status: Active, Events: []string{"*"}}
	off := Webhook{ID: "whk_1", Status: Disabled, Events: []string{"*"}}
	for _, tt := range []struct {
		w    Webhook
		id   string
		kind event.Type
		want bool
		on   []string
	}{
		{w, "evt_6", event.CampaignPaused, true, nil},
		{w, "evt_5", event.CampaignPaused, false, nil},
		{w, "evt_6", event.CampaignResumed, false, nil},
		{w, "evt_6", event.MessageFailed, true, nil},
		{w, "evt_6", event.WebhookTest, true, []string{"whk_1"}},
		{w, "evt_6", event.WebhookTest, false, []string{"whk_2"}},
		{all, "evt_6", event.WebhookTest, false, []string{"whk_1"}},
		{w, "evt_6", event.WebhookDisabled, false, []string{"whk_1"}},
		{w, "evt_6", event.WebhookDisabled, true, []string{"whk_2"}},
		{all, "evt_6", event.CampaignResumed, true, nil},
		{off, "evt_6", event.CampaignPaused, false, nil},
	} {
		e := event.Stored{Event: event.Event{ID: tt.id, Type: tt.kind}, About: tt.on}
		if got := tt.w.takes(&e); got != tt.want {
			t.Errorf("%s %v takes %s %s about %v: %v", tt.w.ID, tt.w.Status, tt.id, tt.kind, tt.on, got)
		}
	}
	if all.takes(&event.Stored{Event: event.Event{ID: "evt_6", Type: event.CampaignResumed}, Personal: true}) {
		t.Error("an endpoint is told of a personal chat")
	}
}

func TestKept(t *testing.T) {
	for name, tt := range map[string]struct{ body, want string }{
		"short":             {"ok", "ok"},
		"empty":             {"", ""},
		"cut":               {strings.Repeat("x", 5000), strings.Repeat("x", 2048)},
		"cut at a rune":     {"x" + strings.Repeat("ў", 3000), "x" + strings.Repeat("ў", 1023)},
		"not text":          {"a\xffb", "a\uFFFDb"},
		"longer when shown": {strings.Repeat("\xffa", 1024), strings.Repeat("\uFFFDa", 512)},
	} {
		got := kept([]byte(tt.body))
		if got != tt.want || len(got) > keptAnswer || !utf8.ValidString(got) {
			t.Errorf("%s: %d bytes, want %d", name, len(got), len(tt.want))
		}
	}
}

// TestLife: the table of contract 39.1.
func TestLife(t *testing.T) {
	var got []string
	for _, from := range []Status{Active, Disabled} {
		for _, on := range []transition{gaveUp, turnedOff, turnedOn} {
			if to, ok := transitions.Next(from, on); ok {
				got = append(got, string(from)+" "+string(on)+": "+string(to))
			}
		}
	}
	want := []string{"ACTIVE failed 25 times in a row: DISABLED", "ACTIVE turned off: DISABLED", "DISABLED turned on: ACTIVE"}
	if !slices.Equal(got, want) {
		t.Errorf("%q", got)
	}
}

func TestAddresses(t *testing.T) {
	const good, bad, onlyHere, onlyOpen = "good", "bad", "private", "http"
	for raw, want := range map[string]string{
		"https://example.com":                              good,
		"https://example.com:8443/hook?token=abc":          good,
		"https://EXAMPLE.com./x":                           good,
		"https://1.1.1.1/":                                 good,
		"https://[2606:4700:4700::1111]/":                  good,
		"https://пример.рф/":                               good,
		"http://example.com/":                              onlyOpen,
		"https://localhost/":                               onlyHere,
		"https://a.localhost/":                             onlyHere,
		"https://receiver/":                                onlyHere,
		"https://db.internal/":                             onlyHere,
		"https://nas.local/":                               onlyHere,
		"https://127.0.0.1/":                               onlyHere,
		"https://10.1.2.3/":                                onlyHere,
		"https://172.31.0.1/":                              onlyHere,
		"https://192.168.1.1/":                             onlyHere,
		"https://169.254.169.254/latest/meta-data":         onlyHere,
		"https://100.64.0.1/":                              onlyHere,
		"https://0.0.0.0/":                                 onlyHere,
		"https://224.0.0.1/":                               onlyHere,
		"https://255.255.255.255/":                         onlyHere,
		"https://[::1]/":                                   onlyHere,
		"https://[fd00::1]/":                               onlyHere,
		"https://[fe80::1]/":                               onlyHere,
		"https://[::ffff:127.0.0.1]/":                      onlyHere,
		"https://[::ffff:7f00:1]/":                         onlyHere,
		"https://[64:ff9b::7f00:1]/":                       onlyHere,
		"https://[2002:7f00:1::]/":                         onlyHere,
		"https://2130706433/":                              bad, // 127.0.0.1 as one number
		"https://0x7f000001/":                              bad,
		"https://0177.0.0.1/":                              bad,
		"https://127.1/":                                   bad,
		"https://1.2.3.4.5/":                               bad,
		"https://user:pass@example.com/":                   bad,
		"https://user@example.com/":                        bad,
		"https://example.com/#part":                        bad,
		"https://example.com/#":                            bad,
		"https://example.com:0/":                           bad,
		"https://example.com:70000/":                       bad,
		"https://[fe80::1%25eth0]/":                        bad,
		"https://exa mple.com/":                            bad,
		"https://ex..com/":                                 bad,
		"https:///hook":                                    bad,
		"https:example.com":                                bad,
		"//example.com/":                                   bad,
		"ftp://example.com/":                               bad,
		"gopher://example.com/":                            bad,
		"file:///etc/passwd":                               bad,
		"example.com":                                      bad,
		"":                                                 bad,
		"https://example.com/\x00":                         bad,
		"https://" + strings.Repeat("a.", 130) + "com/":    bad,
		"https://example.com/" + strings.Repeat("a", 2048): bad,
	} {
		for name, o := range map[string]Options{
			"production": {Production: true}, "private": {Production: true, AllowPrivate: true}, "open": {},
		} {
			allowed := want == good || want == onlyHere && name == "private" || want == onlyOpen && name == "open"
			if err := o.checkURL(raw); (err == nil) != allowed {
				t.Errorf("%s, %q: %v, want %s", name, raw, err, want)
			}
		}
	}
}

func FuzzAddress(f *testing.F) {
	for _, seed := range []string{"https://example.com/", "https://[::1]:80/", "http://a@b/", "https://0x7f.1/", "https://%31/"} {
		f.Add(seed)
	}
	o := Options{Production: true}
	f.Fuzz(func(t *testing.T, raw string) {
		if o.checkURL(raw) != nil {
			return
		}
		if !strings.HasPrefix(strings.ToLower(raw), "https://") || hostOf(raw) == "" || strings.Contains(hostOf(raw), "@") || len(raw) > maxURL {
			t.Errorf("%q was allowed", raw)
		}
	})
}
