package mapkey

import "testing"

func TestClassify(t *testing.T) {
	for _, c := range []struct {
		path    string
		product Product
		access  Access
	}{
		// Billable products, row by row.
		{"/tiles/14/11343/6124.pbf", Tiles, Gated},
		{"/tiles/tiles.json", Tiles, Gated},
		{"/terrain/3/1/2.png", Tiles, Gated},
		{"/fonts/Noto Sans Regular/0-255.pbf", Tiles, Gated},
		{"/sprites/base@2x.png", Tiles, Gated},
		{"/styles/light.json", Tiles, Gated},
		{"/api/search", Search, Gated},
		{"/api/autocomplete", Search, Gated},
		{"/api/suggest", Search, Gated},
		{"/api/reverse", Geocoding, Gated},
		{"/api/lookup", Geocoding, Gated},
		{"/api/geocode", Geocoding, Gated},
		{"/api/nearby", Places, Gated},
		{"/api/categories", Places, Gated},
		{"/api/districts", Places, Gated},
		{"/api/place/12", Places, Gated},
		{"/api/place/mapsrc/n/12", Places, Gated},
		{"/api/geometry/12", Places, Gated},
		{"/api/photo", Places, Gated},
		{"/api/photo/img/Q1.jpg", Places, Gated},
		{"/api/route", Routing, Gated},
		{"/api/matrix", Matrix, Gated},
		{"/api/isochrone", Isochrone, Gated},
		{"/static/app.js", Static, Foreign},
		{"/api/trip", Routing, Gated},
		{"/api/match", Routing, Gated},
		{"/api/elevation", Routing, Gated},
		{"/api/nothing", Other, Gated},
		{"/api/", Other, Gated},
		{"/api/search/", Other, Gated},
		{"/api/Search", Other, Gated},
		{"/api/photo/x", Other, Gated},
		{"/api/v2/x", Other, Gated},
		{"/api/v1x", Other, Gated},
		{"/api/usage", Meta, Gated},
		{"/api/status", Meta, Open},
		// Others' clients, with and without a key in the path.
		{"/photon/api", Search, Gated},
		{"/photon/api/", Search, Gated},
		{"/photon/reverse", Geocoding, Gated},
		{"/photon/status", Meta, Open},
		{"/nominatim/search", Search, Gated},
		{"/nominatim/search.php", Search, Gated},
		{"/nominatim/reverse", Geocoding, Gated},
		{"/nominatim/lookup", Geocoding, Gated},
		{"/nominatim/status", Meta, Open},
		{"/nominatim/details", Other, Gated},
		{"/photon/", Other, Gated},
		{"/k/key/photon/api", Search, Gated},
		{"/k/key/nominatim/lookup", Geocoding, Gated},
		{"/k/key/nominatim/status", Meta, Open},
		{"/k/key/api/search", Other, Foreign},
		{"/k//photon/api", Other, Foreign},
		{"/k/photon/api", Other, Foreign},
		{"/k/key", Other, Foreign},
		{"/k/key/photon", Other, Foreign},
		{"/k/a/k/b/photon/api", Other, Foreign},
		{"/photon", Other, Foreign},
		{"/photonx/api", Other, Foreign},
		// Open and foreign.
		{"/", Meta, Open},
		{"/health", Meta, Open},
		{"/v1/map.js", Meta, Open},
		{"/api/v1", Other, Foreign},
		{"/api/v1/campaigns", Other, Foreign},
		{"/api", Other, Foreign},
		{"/API/search", Other, Foreign},
		{"/tiles", Other, Foreign},
		{"/tilesx/1", Other, Foreign},
		{"/console/", Other, Foreign},
		{"/healthz", Other, Foreign},
		{"/v1", Other, Foreign},
	} {
		p, a := Classify(c.path)
		if p != c.product || a != c.access {
			t.Errorf("Classify(%q) = %v, %d; want %v, %d", c.path, p, a, c.product, c.access)
		}
	}
}

func TestProductNamesAndBilling(t *testing.T) {
	seen := map[string]bool{}
	for p := Other; p <= Meta; p++ {
		if name := p.String(); name == "" || seen[name] {
			t.Errorf("product %d has the name %q, empty or taken", p, name)
		} else {
			seen[name] = true
		}
		if p.Billable() != (p != Meta) {
			t.Errorf("%v billable = %v", p, p.Billable())
		}
	}
	if got := Product(200).String(); got != "other" {
		t.Errorf("an unknown product is %q", got)
	}
}
