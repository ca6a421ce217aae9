package photo

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"syscall"
	"time"
)

// refused are the networks that an address from an upstream may not lead to,
// beyond those that net/netip already knows (private, loopback, link-local,
// multicast, unspecified).
var refused = []netip.Prefix{
	netip.MustParsePrefix("0.0.0.0/8"),       // this network
	netip.MustParsePrefix("100.64.0.0/10"),   // carrier-grade NAT
	netip.MustParsePrefix("192.0.0.0/24"),    // protocol assignments
	netip.MustParsePrefix("192.0.2.0/24"),    // documentation
	netip.MustParsePrefix("198.18.0.0/15"),   // benchmarks
	netip.MustParsePrefix("198.51.100.0/24"), // documentation
	netip.MustParsePrefix("203.0.113.0/24"),  // documentation
	netip.MustParsePrefix("240.0.0.0/4"),     // reserved
	netip.MustParsePrefix("64:ff9b::/96"),    // IPv4 inside IPv6
	netip.MustParsePrefix("64:ff9b:1::/48"),  // IPv4 inside IPv6, local
	netip.MustParsePrefix("2002::/16"),       // IPv4 inside IPv6 (6to4)
	netip.MustParsePrefix("2001::/32"),       // IPv4 inside IPv6 (Teredo)
	netip.MustParsePrefix("2001:db8::/32"),   // documentation
}

// public reports whether an address belongs to the open Internet.
func public(a netip.Addr) bool {
	a = a.Unmap()
	if !a.IsGlobalUnicast() || a.IsPrivate() {
		return false
	}
	for _, p := range refused {
		if p.Contains(a) {
			return false
		}
	}
	return true
}

// guardedClient makes the HTTP client of the package: it follows at most three
// redirects, never from https to http, and connects to private addresses only
// where the operator's own configuration points at one. The check is on the
// address that is really dialled, after name resolution.
func guardedClient(bases ...*url.URL) *http.Client {
	configured := map[string]bool{}
	for _, b := range bases {
		configured[hostPort(b)] = true
	}
	plain := &net.Dialer{Timeout: Budget}
	guarded := &net.Dialer{Timeout: Budget, Control: func(_, address string, _ syscall.RawConn) error {
		to, err := netip.ParseAddrPort(address)
		if err != nil || !public(to.Addr()) {
			return fmt.Errorf("refused to connect to %s: not a public address", address)
		}
		return nil
	}}
	return &http.Client{
		Transport: &http.Transport{
			DialContext: func(ctx context.Context, network, address string) (net.Conn, error) {
				if configured[address] {
					return plain.DialContext(ctx, network, address)
				}
				return guarded.DialContext(ctx, network, address)
			},
			ForceAttemptHTTP2:      true,
			TLSHandshakeTimeout:    Budget,
			MaxIdleConnsPerHost:    maxUpstream,
			IdleConnTimeout:        time.Minute,
			MaxResponseHeaderBytes: 64 << 10,
		},
		CheckRedirect: checkRedirect,
	}
}

func checkRedirect(req *http.Request, via []*http.Request) error {
	switch {
	case len(via) > 3:
		return errors.New("more than three redirects")
	case req.URL.Scheme != "https" && via[0].URL.Scheme == "https":
		return errors.New("redirect from https to http")
	}
	return nil
}

// hostPort is the address that the transport dials for u.
func hostPort(u *url.URL) string {
	port := u.Port()
	if port == "" {
		port = map[string]string{"http": "80", "https": "443"}[u.Scheme]
	}
	return net.JoinHostPort(u.Hostname(), port)
}
