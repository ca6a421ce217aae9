package e2e

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"strings"
	"testing"

	"svc/web/e2e/browsertest"
)

// geocoderFiles are the files of npm packages that the page below loads.
var geocoderFiles = map[string]string{
	"/leaflet.js":  "leaflet/dist/leaflet.js",
	"/leaflet.css": "leaflet/dist/leaflet.css",
	"/control.js":  "leaflet-control-geocoder/dist/Control.Geocoder.js",
	"/control.css": "leaflet-control-geocoder/dist/Control.Geocoder.css",
}

// geocoderPage is a page of somebody who moves from one of the two services: only
// the addresses are ours, with the key in the path.
const geocoderPage = `<!doctype html><html lang="en"><title>somebody's map</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="/leaflet.css"><link rel="stylesheet" href="/control.css">
<div id="map" style="height: 500px"></div>
<script src="/leaflet.js"></script><script src="/control.js"></script>
<script>
const at = {
	nominatim: L.Control.Geocoder.nominatim({ serviceUrl: '%[1]s/nominatim/' }),
	photon: L.Control.Geocoder.photon({ serviceUrl: '%[1]s/photon/api/', reverseUrl: '%[1]s/photon/reverse/' }),
};
const map = L.map('map').setView([39.7447, -75.5484], 15);
window.chosen = null;
// Suggestions would be asked for 250 ms after the last letter, and an answer that comes later than that is then dropped.
L.Control.geocoder({ geocoder: at.%[2]s, collapsed: false, defaultMarkGeocode: false, suggestMinLength: 99 })
	.on('markgeocode', (e) => { window.chosen = { name: e.geocode.name, lat: e.geocode.center.lat, lng: e.geocode.center.lng }; })
	.addTo(map);
window.reversed = null;
window.reverse = async () => { window.reversed = await at.%[2]s.reverse(L.latLng(39.7447, -75.5484), map.options.crs.scale(18)); };
</script>`

// TestGeocoderControls: the search box of other people's maps works when its
// address is changed (map contract 59). The control is leaflet-control-geocoder.
func TestGeocoderControls(t *testing.T) {
	t.Parallel()
	folder := browsertest.Packages(t, "leaflet", "leaflet-control-geocoder")
	keys, key := browsertest.Key(t)
	base := browsertest.Serve(t, "--map", browsertest.Map(t, ""), "--keys", keys, "--require-key")
	for _, service := range []string{"nominatim", "photon"} {
		page := fmt.Sprintf(geocoderPage, base+"/k/"+key, service)
		s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if name, ok := geocoderFiles[r.URL.Path]; ok {
				http.ServeFile(w, r, filepath.Join(folder, name))
				return
			}
			w.Header().Set("Content-Type", "text/html; charset=utf-8")
			_, _ = fmt.Fprint(w, page)
		}))
		t.Cleanup(s.Close)
		p := browsertest.Open(t, browsertest.Options{})
		p.Goto(s.URL)
		p.Type(".leaflet-control-geocoder-form input", "Grand Opera House\n")
		p.Wait("window.chosen || document.querySelector('.leaflet-control-geocoder-alternatives li a')")
		p.Shot("geocoder-" + service)
		if browsertest.Eval[bool](p, "!window.chosen") {
			p.Click(".leaflet-control-geocoder-alternatives li a")
			p.Wait("window.chosen")
		}
		name := browsertest.Eval[string](p, "chosen.name")
		near := browsertest.Eval[bool](p, "Math.abs(chosen.lat - 39.7457) < 0.02 && Math.abs(chosen.lng + 75.5466) < 0.02")
		if !strings.Contains(name, "Grand Opera") || !near {
			t.Errorf("%s: chosen %q, near it: %v", service, name, near)
		}
		browsertest.Eval[bool](p, "reverse(), true")
		p.Wait("window.reversed")
		if name := browsertest.Eval[string](p, "reversed[0]?.name ?? ''"); !strings.Contains(name, "Wilmington") {
			t.Errorf("%s: reverse gives %q", service, name)
		}
		p.Clean()
	}
}
