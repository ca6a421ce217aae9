package memory

import "testing"

// TestSize: sizes with their unit, none that would not work.
func TestSize(t *testing.T) {
	for text, want := range map[string]int64{
		"": 0, "512MiB": 512 << 20, "2 GB": 2e9, "1.5gib": 3 << 29, "off": NoLimit, "OFF": NoLimit,
	} {
		if got, err := Size(text); err != nil || got != want {
			t.Errorf("%q is %d bytes (%v), want %d", text, got, err, want)
		}
	}
	for _, text := range []string{"512", "512M", "MB", "-1GB", "1e300GB", "NaNGB", "0GB", "1MB", "much", "on"} {
		if err := Check(text); err == nil {
			t.Errorf("%q passes", text)
		}
	}
}
