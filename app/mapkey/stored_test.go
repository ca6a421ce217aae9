package mapkey

import (
	"path/filepath"
	"testing"
)

// TestStoredKeys: keys of the store are checked and counted like those of the file, beside
// them or without a file (map contract 54.10).
func TestStoredKeys(t *testing.T) {
	secret := Generate()
	if len(secret) != 32 || Generate() == secret {
		t.Fatalf("generated %q", secret)
	}
	for name, keys := range map[string]*Keys{"beside a file": openKeys(t, gateKeys), "alone": open(t, "")} {
		c := Checker{Keys: keys, Meter: openMeter(t, filepath.Join(t.TempDir(), "usage.db"))}
		if name == "alone" {
			if d := c.Check(noon, Request{Key: secret}); d.Outcome != Unchecked || keys.Configured() {
				t.Errorf("nothing is configured: %v", d.Outcome)
			}
		}
		stored := Stored{ID: KeyID(secret), Name: "site", Origins: []string{"https://a.example"}, RateLimit: 2, MonthlyQuota: 9}
		keys.UseStored([]Stored{stored})
		ask := Request{Key: secret, Origin: "https://a.example", Product: Search}
		for _, want := range []Outcome{Admitted, Admitted, RateLimited} {
			if d := c.Check(noon, ask); d.Outcome != want {
				t.Errorf("%s: %v, want %v", name, d.Outcome, want)
			}
		}
		if d := c.Check(noon, Request{Key: secret}); d.Outcome != NoOrigin {
			t.Errorf("%s without an origin: %v", name, d.Outcome)
		}
		if d := c.Check(noon, Request{Key: stored.ID.String()}); d.Outcome != UnknownKey {
			t.Errorf("%s: the hash opens the door: %v", name, d.Outcome)
		}
		keys.UseStored([]Stored{stored}) // the bucket stays empty
		if d := c.Check(noon, ask); d.Outcome != RateLimited {
			t.Errorf("%s after a reload: %v", name, d.Outcome)
		}
		if used, ok := c.Meter.Used(stored.ID, noon); !ok || used != 2 {
			t.Errorf("%s: %d are counted, %v", name, used, ok)
		}
		stored.Disabled = true
		keys.UseStored([]Stored{stored})
		if d := c.Check(noon, ask); d.Outcome != DisabledKey {
			t.Errorf("%s, revoked: %v", name, d.Outcome)
		}
		keys.UseStored(nil)
		if d := c.Check(noon, ask); name != "alone" && d.Outcome != UnknownKey {
			t.Errorf("%s, gone: %v", name, d.Outcome)
		}
	}
}

func TestFileKeysAreShownShortened(t *testing.T) {
	list := openKeys(t, `[{"key":"0123456789abcdef0123456789abcdef","name":"b","note":"n"},{"key":"short","name":"a"},{"key":"","name":"none"}]`).FileKeys()
	if len(list) != 2 || list[0].Key.Name != "a" || list[1].Key.Key != "01234567…" || list[1].Key.Note != "n" || list[1].ID != KeyID("0123456789abcdef0123456789abcdef") {
		t.Errorf("%+v", list)
	}
}

func open(t *testing.T, path string) *Keys {
	t.Helper()
	k, err := OpenKeys(path, KeyOptions{})
	if err != nil {
		t.Fatal(err)
	}
	if err := k.Reload(); err != nil || k.Len() != 0 {
		t.Errorf("without a file: %v, %d keys", err, k.Len())
	}
	return k
}
