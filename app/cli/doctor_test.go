package cli

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"svc/app/cli/doctor"
	"svc/geo/mapbuild"
	"svc/geo/osm/osmtest"
	"svc/geo/route"
	"svc/geo/route/routetest"
)

func TestMain(m *testing.M) { os.Exit(routetest.Main(m)) }

// only is the doctor.Findings of an area, by name.
func only(f doctor.Findings, area string) map[string]doctor.Finding {
	out := map[string]doctor.Finding{}
	for _, one := range f {
		if one.Area == area {
			out[one.Name] = one
		}
	}
	return out
}

// TestDoctorAndTheRealEngine goes the whole way of a person: the printed
// configuration, the engine started with it, a map of the same country, the
// doctor.
func TestDoctorAndTheRealEngine(t *testing.T) {
	tiles := routetest.Tiles(t)
	listen := routetest.FreeAddress(t)
	var config bytes.Buffer
	if err := command(t, &config, "map", "engine-config", "--tiles", tiles, "--listen", listen); err != nil {
		t.Fatal(err)
	}
	engine := routetest.StartWith(t, config.Bytes(), listen, tiles)
	dir := t.TempDir()
	file := filepath.Join(dir, "andorra.svcmap")
	if _, err := mapbuild.Run(t.Context(), mapbuild.Options{Inputs: []string{osmtest.Extract(t, "andorra-valhalla.osm.pbf")}, Out: file, Version: "test"}); err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	if err := command(t, &out, "doctor", "--map", file, "--routing-url", engine.URL, "--json"); err != nil {
		t.Fatalf("%v\n%s", err, out.String())
	}
	var got struct {
		OK     bool
		Checks doctor.Findings
	}
	if err := json.Unmarshal(out.Bytes(), &got); err != nil || !got.OK {
		t.Fatalf("%v\n%s", err, out.String())
	}
	about := only(got.Checks, "engine")
	if n := about["answers"]; n.Verdict != route.Good || !strings.HasPrefix(n.Found, "version 3.9.1, tiles of ") {
		t.Errorf("%+v", n)
	}
	if n := about["3 alternatives"]; !strings.Contains(n.Found, "given") {
		t.Errorf("two towns of the map were no question: %+v", n)
	}
	for name, n := range about {
		if n.Verdict != route.Good && name != "3 alternatives" {
			t.Errorf("%+v", n)
		}
	}
	// The engine's own limits are told, with what to write.
	small := routetest.Start(t, `"max_contours": 6`, `"max_contours": 4`)
	out.Reset()
	err := command(t, &out, "doctor", "--map", file, "--routing-url", small.URL)
	if err == nil || err.Error() != "1 check failed" || !strings.Contains(out.String(), "→ write service_limits.isochrone.max_contours: 6") {
		t.Errorf("%v\n%s", err, out.String())
	}
}

// command runs a command of the program without a process.
func command(t *testing.T, out *bytes.Buffer, args ...string) error {
	t.Helper()
	root := New(Parts{Version: "test", Stdout: out, Stderr: &bytes.Buffer{}})
	root.SetArgs(args)
	return root.ExecuteContext(t.Context())
}
