package mapapi

import (
	"context"
	"errors"
	"net/http"
	"strconv"
	"time"

	"svc/geo/route"
)

// Timeouts of the handlers (map contract 53). The engine's client
// gives up after 25 seconds by itself.
const (
	routeTimeout     = 25 * time.Second
	matrixTimeout    = 60 * time.Second
	isochroneTimeout = 60 * time.Second
)

const (
	maxPairs    = 2500 // sources times targets
	maxContours = 6
	// maxPoints is what the engine routes through (map contract 13).
	maxPoints = 50
	// maxRouting are the requests for routing at one time, from the first byte of
	// their bodies to the last of their answers: those that send slowly, wait for the
	// engine or read slowly hold up to a megabyte each.
	maxRouting = 512
)

// withEngine bounds a request that needs the routing engine, and how many there are.
func (a *api) withEngine(w http.ResponseWriter, r *http.Request, timeout time.Duration, h func(http.ResponseWriter, *http.Request)) {
	if a.Engine == nil {
		refuse(w, http.StatusServiceUnavailable, "routing engine not configured")
		return
	}
	select {
	case a.routing <- struct{}{}:
		defer func() { <-a.routing }()
	default:
		refuse(w, http.StatusBadGateway, "routing engine unavailable: "+strconv.Itoa(maxRouting)+" requests are being worked on, try again in some seconds")
		return
	}
	ctx, cancel := context.WithTimeout(r.Context(), timeout)
	defer cancel()
	h(w, r.WithContext(ctx))
}

// refuseRouting writes why the engine gave no answer: whatever the reason, it
// stands behind this server, so the status is 502.
func refuseRouting(w http.ResponseWriter, err error) {
	message := "routing engine unavailable: an unexpected error"
	var known *route.Error
	if errors.As(err, &known) {
		message = known.Message
	}
	refuse(w, http.StatusBadGateway, message)
}

func (a *api) route(w http.ResponseWriter, r *http.Request) {
	in, ok := readRoute(w, r)
	if !ok {
		refuse(w, http.StatusBadRequest, "bad json")
		return
	}
	if len(in.Points) < 2 {
		refuse(w, http.StatusBadRequest, "at least two points required (points=lon,lat|lon,lat)")
		return
	}
	if n := len(in.Points); n > maxPoints {
		refuse(w, http.StatusBadRequest, "too many points: "+strconv.Itoa(n)+", limit is "+strconv.Itoa(maxPoints))
		return
	}
	found, err := a.Engine.Route(r.Context(), in)
	if err != nil {
		refuseRouting(w, err)
		return
	}
	body, err := found.AppendJSON(nil)
	if err != nil {
		panic(err) // the answer types cannot fail; the server's recovery logs it
	}
	body = append(body, '\n')
	h := w.Header()
	h.Set("Content-Type", "application/json; charset=utf-8")
	h.Set("Content-Length", strconv.Itoa(len(body)))
	_, _ = w.Write(body) // a client that left is nobody's error
}

func (a *api) matrix(w http.ResponseWriter, r *http.Request) {
	in, ok := readMatrix(w, r)
	if !ok {
		refuse(w, http.StatusBadRequest, "bad json")
		return
	}
	if len(in.Sources) == 0 || len(in.Targets) == 0 {
		refuse(w, http.StatusBadRequest, "sources and targets required (sources=lon,lat|lon,lat and targets=lon,lat|lon,lat, or points=lon,lat|lon,lat)")
		return
	}
	if n := len(in.Sources) * len(in.Targets); n > maxPairs {
		refuse(w, http.StatusBadRequest, "matrix too large: "+strconv.Itoa(n)+" pairs, limit is "+strconv.Itoa(maxPairs))
		return
	}
	found, err := a.Engine.Matrix(r.Context(), in)
	if err != nil {
		refuseRouting(w, err)
		return
	}
	answer(w, found)
}

func (a *api) isochrone(w http.ResponseWriter, r *http.Request) {
	in, ok := readIsochrone(w, r)
	if !ok {
		refuse(w, http.StatusBadRequest, "bad json")
		return
	}
	if wrong := contoursWrong(in); wrong != "" {
		refuse(w, http.StatusBadRequest, wrong)
		return
	}
	found, err := a.Engine.Isochrone(r.Context(), in)
	if err != nil {
		refuseRouting(w, err)
		return
	}
	answer(w, found)
}

// contoursWrong says what is wrong with a request for isochrones (map contract 51).
// Exactly 0,0 is no point: it is what is left of one that
// a program forgot to fill in.
func contoursWrong(in route.IsochroneRequest) string {
	n := len(in.Minutes) + len(in.Metres)
	switch {
	case in.Point == route.Point{}:
		return "point required (point=lon,lat)"
	case n == 0:
		return "contours required: minutes=5,10 or metres=500,1000"
	case len(in.Minutes) > 0 && len(in.Metres) > 0:
		return "contours must be either minutes or metres, not both"
	case n > maxContours:
		return "too many contours: " + strconv.Itoa(n) + ", limit is " + strconv.Itoa(maxContours)
	}
	return ""
}
