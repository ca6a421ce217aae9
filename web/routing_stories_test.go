package web_test

import "svc/web/webtest"

// wantedRouting is what stories must have visited of the routing endpoints:
// the rows of map contract 55.2, and their answers.
var wantedRouting = []webtest.Visit{
	{Endpoint: "/api/route", Status: 200}, {Endpoint: "/api/matrix", Status: 200}, {Endpoint: "/api/isochrone", Status: 200},
	{Endpoint: "/api/trip", Status: 200}, {Endpoint: "/api/match", Status: 200}, {Endpoint: "/api/elevation", Status: 200},
	{Endpoint: "/api/trip", Status: 400, Text: "at least two points required (*"}, {Endpoint: "/api/match", Status: 400, Text: "at least two points required (*"},
	{Endpoint: "/api/match", Status: 400, Text: "times must be *"}, {Endpoint: "/api/elevation", Status: 400, Text: "points required (*"},
	{Endpoint: "/api/trip", Status: 503, Text: "routing engine not configured"}, {Endpoint: "/api/match", Status: 503, Text: "routing engine not configured"},
	{Endpoint: "/api/elevation", Status: 503, Text: "routing engine not configured"}, {Endpoint: "/api/trip", Status: 502, Text: "trip: *"},
	{Endpoint: "/api/match", Status: 502, Text: "match: *"}, {Endpoint: "/api/elevation", Status: 502, Text: "elevation: *"},
	{Endpoint: "/api/route", Status: 401, Text: "missing API key *"},
	{Endpoint: "/api/route", Status: 400, Text: "bad json"}, {Endpoint: "/api/matrix", Status: 400, Text: "bad json"},
	{Endpoint: "/api/isochrone", Status: 400, Text: "bad json"},
	{Endpoint: "/api/route", Status: 400, Text: "at least two points required (*"},
	{Endpoint: "/api/matrix", Status: 400, Text: "sources and targets required (*"},
	{Endpoint: "/api/route", Status: 400, Text: "too many points: 51, limit is 50"},
	{Endpoint: "/api/matrix", Status: 400, Text: "matrix too large: 2501 pairs, limit is 2500"},
	{Endpoint: "/api/isochrone", Status: 400, Text: "point required (point=lon,lat)"},
	{Endpoint: "/api/isochrone", Status: 400, Text: "contours required: *"},
	{Endpoint: "/api/isochrone", Status: 400, Text: "contours must be either minutes or metres, not both"},
	{Endpoint: "/api/isochrone", Status: 400, Text: "too many contours: 7, limit is 6"},
	{Endpoint: "/api/route", Status: 502, Text: "no route found"}, {Endpoint: "/api/isochrone", Status: 502, Text: "no reachable area found"},
	{Endpoint: "/api/isochrone", Status: 502, Text: "contour minutes must be positive"},
	{Endpoint: "/api/isochrone", Status: 502, Text: "contour metres must be positive"},
	{Endpoint: "/api/route", Status: 502, Text: "routing: *"}, {Endpoint: "/api/route", Status: 502, Text: "routing: HTTP 503"},
	{Endpoint: "/api/matrix", Status: 502, Text: "matrix: *"}, {Endpoint: "/api/isochrone", Status: 502, Text: "isochrone: *"},
	{Endpoint: "/api/route", Status: 502, Text: "routing engine unavailable: *"},
	{Endpoint: "/api/matrix", Status: 502, Text: "routing engine unavailable: *"},
	{Endpoint: "/api/isochrone", Status: 502, Text: "routing engine unavailable: *"},
}
