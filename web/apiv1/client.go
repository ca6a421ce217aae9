package apiv1

import (
	"net"
	"net/http"
	"net/netip"
	"slices"
	"strings"
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
