package apiv1

import (
	"net/http"
	"strings"

	"svc/app/api"
)

// everythingElse is the pattern of the requests that no operation takes.
const everythingElse = "/"

// methods are those that a path may be asked with, for Allow; nil when no operation
// has the path. They say no more than the description, which is public.
func (a *API) methods(r *http.Request) (out []string) {
	for _, method := range []string{http.MethodGet, http.MethodPost, http.MethodPut, http.MethodPatch, http.MethodDelete} {
		probe := *r
		probe.Method = method
		if _, pattern := a.mux.Handler(&probe); pattern == everythingElse {
			continue
		}
		out = append(out, method)
		if method == http.MethodGet {
			out = append(out, http.MethodHead) // the mux answers it as a GET without a body
		}
	}
	if out != nil {
		out = append(out, http.MethodOptions)
	}
	return out
}

// noOperation refuses what no operation takes: route_not_found for a path that none
// has, method_not_allowed with Allow for a path that has other methods (contract 21.2).
func (a *API) noOperation(w http.ResponseWriter, r *http.Request) {
	allowed := a.methods(r)
	if allowed == nil {
		refuse(w, api.ErrRouteNotFound)
		return
	}
	w.Header().Set("Allow", strings.Join(allowed, ", "))
	refuse(w, api.ErrMethod.WithMessage("There is no %s here; this endpoint takes %s.", clip(r.Method), strings.Join(allowed, ", ")))
}

// options answers OPTIONS: 204 with Allow for a path that an operation has, whoever
// asks, and what a preflight asks for when its origin may call (contract 21.2).
func (a *API) options(w http.ResponseWriter, r *http.Request) {
	allowed := a.methods(r)
	if allowed == nil {
		refuse(w, api.ErrRouteNotFound)
		return
	}
	w.Header().Set("Allow", strings.Join(allowed, ", "))
	a.preflight(w, r, allowed)
	w.WriteHeader(http.StatusNoContent)
}

// clip bounds a method in bytes, which a client may make up.
func clip(method string) string {
	const most = 16
	if len(method) > most {
		return method[:most]
	}
	return method
}
