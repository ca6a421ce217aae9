package apiv1

import (
	"net"
	"net/http"
	"net/netip"
	"slices"
	"strings"

	"svc/app/api"
	"svc/web/reply"
)

// client is the address of whoever calls. Behind trusted proxies it is the last
// address in X-Forwarded-For that is not one of them: what stands before it
// anybody may have written (contract 20.14).
func (a *API) client(r *http.Request) string {
	host, _, err := net.SplitHostPort(r.RemoteAddr)
	if err != nil {
		host = r.RemoteAddr
	}
	at, err := netip.ParseAddr(host)
	if err != nil {
		return host
	}
	at = at.Unmap().WithZone("")
	if !a.trusted(at) {
		return at.String()
	}
	hops := strings.Split(strings.Join(r.Header.Values("X-Forwarded-For"), ","), ",")
	for _, hop := range slices.Backward(hops) {
		next, err := netip.ParseAddr(strings.TrimSpace(hop))
		if err != nil {
			break // a proxy of ours writes addresses; this came from elsewhere
		}
		at = next.Unmap().WithZone("")
		if !a.trusted(at) {
			break
		}
	}
	return at.String()
}

func (a *API) trusted(at netip.Addr) bool {
	return slices.ContainsFunc(a.c.TrustedProxies, func(p netip.Prefix) bool { return p.Contains(at) })
}

// SignedIn says whether a request is that of a person who is signed in, from a page of ours.
func (a *API) SignedIn(r *http.Request) bool {
	c := api.NewCall(r.Context(), nil)
	c.Now, c.Base = a.c.Clock().UTC(), reply.Base(r, a.c.PublicURL)
	cred, err := credential(r)
	if err != nil || a.c.Identify(c, cred) != nil || c.Caller.Kind != api.Person || c.Caller.MFAPending {
		return false
	}
	return r.Method == http.MethodGet || r.Method == http.MethodHead || a.isTrustedOrigin(r, true)
}
