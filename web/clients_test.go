package web_test

import (
	"os/exec"
	"strings"
	"testing"

	"svc/web/webtest"
	"svc/web/webtest/town"
)

// TestGeopy lets geopy ask, a client of Nominatim and Photon that thousands of
// programs use (map contract 59): it knows nothing of us but the address.
func TestGeopy(t *testing.T) {
	python := webtest.Geopy(t)
	const key = "0123456789abcdef0123456789abcdef"
	s := webtest.Start(t, webtest.Options{
		Map: town.NewMaps(t).Path(t, town.Town), RequireKey: true, Usage: true, Keys: `[{"key":"` + key + `","name":"geopy","monthly_quota":60}]`,
	})
	cmd := exec.CommandContext(t.Context(), python, "testdata/clients/geopy_calls.py", strings.TrimPrefix(s.URL, "http://")+"/k/"+key)
	out, err := cmd.CombinedOutput()
	if err != nil || strings.TrimSpace(string(out)) != "geopy is content" {
		t.Errorf("%v\n%s", err, out)
	}
	if strings.Contains(s.Log(), key) {
		t.Error("the key stands in the log")
	}
}
