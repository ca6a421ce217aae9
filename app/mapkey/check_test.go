package mapkey

import (
	"path/filepath"
	"testing"
)

const gateKeys = `[
	{"key":"open","name":"open"},
	{"key":"off","disabled":true,"origins":["https://a.example"]},
	{"key":"site","origins":["https://a.example"],"rate_limit":2},
	{"key":"any","origins":["*"]},
	{"key":"quota","monthly_quota":3},
	{"key":"tight","rate_limit":2,"monthly_quota":1}]`

// TestOrderOfChecks: the first failing check decides (map contract 54.3).
func TestOrderOfChecks(t *testing.T) {
	c := Checker{Keys: openKeys(t, gateKeys), Meter: openMeter(t, filepath.Join(t.TempDir(), "usage.db"))}
	for i, s := range []struct {
		q    Request
		want Outcome
	}{
		{Request{}, NoKey},
		{Request{Origin: "https://a.example"}, NoKey},
		{Request{Key: "nobody"}, UnknownKey},
		{Request{Key: "off", Origin: "https://evil.example"}, DisabledKey}, // before origin
		{Request{Key: "site"}, NoOrigin},
		{Request{Key: "site", Origin: "null"}, NoOrigin},
		{Request{Key: "site", Origin: "https://evil.example"}, WrongOrigin},
		{Request{Key: "site", Referer: "https://evil.example/x"}, WrongOrigin},
		{Request{Key: "site", Origin: "https://a.example"}, Admitted}, // refusals took no token: two are left
		{Request{Key: "site", Referer: "https://a.example/x"}, Admitted},
		{Request{Key: "site", Origin: "https://a.example"}, RateLimited},
		{Request{Key: "site"}, NoOrigin}, // before rate
		{Request{Key: "any"}, NoOrigin},
		{Request{Key: "any", Origin: "https://x.example"}, Admitted},
		{Request{Key: "open"}, Admitted},
		{Request{Key: "tight"}, Admitted},
		{Request{Key: "tight"}, QuotaSpent},  // takes the last token
		{Request{Key: "tight"}, RateLimited}, // before quota
		{Request{Key: "quota", Product: Meta}, Admitted},
		{Request{Key: "quota"}, Admitted},
		{Request{Key: "quota", Product: Tiles}, Admitted},
		{Request{Key: "quota"}, Admitted},
		{Request{Key: "quota"}, QuotaSpent},
		{Request{Key: "quota", Product: Meta}, Admitted}, // the report works after a quota refusal
	} {
		d := c.Check(noon, s.q)
		if d.Outcome != s.want {
			t.Errorf("%d: %+v = %v, want %v", i, s.q, d.Outcome, s.want)
		}
		if d.Outcome == WrongOrigin && d.Origin != "https://evil.example" {
			t.Errorf("%d: origin %q", i, d.Origin)
		}
		if s.q.Key == "quota" && d.Outcome == QuotaSpent && (d.Quota.Limit != 3 || d.Quota.Used != 3 || !d.Quota.Resets.Equal(nextMonth(noon))) {
			t.Errorf("%d: quota %+v", i, d.Quota)
		}
	}
	for key, want := range map[string]counts{
		"open": {1, 0}, "off": {0, 1}, "site": {2, 6}, "any": {1, 1}, "quota": {3, 1}, "tight": {1, 2},
	} {
		if sum := counted(c.Meter, key); sum != want {
			t.Errorf("%s counted %+v, want %+v", key, sum, want)
		}
	}
	if n := len(c.Meter.tallies); n != 6 {
		t.Errorf("%d keys have counters; unknown ones must not", n)
	}
}

// counted is what a meter holds of a key and has not written yet.
func counted(m *Meter, key string) (sum counts) {
	for _, cell := range m.pending(KeyID(key)) {
		sum.add(cell.counts)
	}
	return sum
}

func TestCheckWithoutParts(t *testing.T) {
	if d := (Checker{}).Check(noon, Request{Key: "x"}); d.Outcome != Unchecked || !d.Outcome.Passed() {
		t.Errorf("without a key file: %v", d.Outcome)
	}
	c := Checker{Keys: openKeys(t, `[{"key":"q","monthly_quota":1}]`)}
	for range 5 {
		if d := c.Check(noon, Request{Key: "q"}); d.Outcome != Admitted {
			t.Errorf("a quota without metering: %v", d.Outcome)
		}
	}
}

func TestOutcomeLabels(t *testing.T) {
	seen := map[string]bool{}
	for o := Admitted; o <= QuotaSpent; o++ {
		if s := o.String(); s == "" || seen[s] {
			t.Errorf("outcome %d has the label %q, empty or taken", o, s)
		} else {
			seen[s] = true
		}
		if o.Passed() != (o <= Unchecked) {
			t.Errorf("%v passed = %v", o, o.Passed())
		}
	}
}

// TestCharge: what one request costs beyond the one that was checked (map contract 46).
func TestCharge(t *testing.T) {
	c := Checker{Keys: openKeys(t, gateKeys), Meter: openMeter(t, filepath.Join(t.TempDir(), "usage.db"))}
	for _, tt := range []struct {
		q        Request
		n        int
		admitted int
		spent    bool
	}{
		{Request{Key: "open", Product: Geocoding}, 99, 99, false},
		{Request{Key: "quota", Product: Geocoding}, 2, 2, false},
		{Request{Key: "quota", Product: Geocoding}, 0, 0, false},
		{Request{Key: "quota", Product: Geocoding}, 5, 1, true},
		{Request{Key: "quota", Product: Geocoding}, 5, 0, true},
		{Request{Key: "off", Product: Geocoding}, 3, 0, false},
		{Request{Key: "site", Origin: "https://evil.example", Product: Geocoding}, 3, 0, false},
		{Request{Key: "nobody", Product: Geocoding}, 3, 3, false},
	} {
		admitted, quota := c.Charge(noon, tt.q, tt.n)
		if admitted != tt.admitted || (quota.Limit == 3) != tt.spent {
			t.Errorf("%+v, %d: %d admitted, %+v", tt.q, tt.n, admitted, quota)
		}
	}
	for key, want := range map[string]counts{"open": {99, 0}, "quota": {3, 9}, "off": {0, 3}, "site": {0, 3}} {
		if got := counted(c.Meter, key); got != want {
			t.Errorf("%s: %+v, want %+v", key, got, want)
		}
	}
	if n, _ := (Checker{Keys: c.Keys}).Charge(noon, Request{Key: "quota"}, 7); n != 7 {
		t.Errorf("without metering %d of 7", n)
	}
}
