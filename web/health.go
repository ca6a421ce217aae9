package web

import (
	"context"
	"fmt"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"time"
)

// healthPatience is how long a server may take to say that it serves.
const healthPatience = 5 * time.Second

// Healthy asks the server that listens on the address host:port of this machine for
// /health. The error says what to do when it does not serve.
func Healthy(ctx context.Context, listen string) error {
	host, port, err := net.SplitHostPort(listen)
	if err != nil {
		return fmt.Errorf("%q is not an address: %w", listen, err)
	}
	if ip, err := netip.ParseAddr(host); host == "" || err == nil && ip.IsUnspecified() {
		host = "localhost" // all addresses: those of this machine too
	}
	ctx, cancel := context.WithTimeout(ctx, healthPatience)
	defer cancel()
	address := url.URL{Scheme: "http", Host: net.JoinHostPort(host, port), Path: "/health"}
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, address.String(), nil)
	if err != nil {
		return err
	}
	client := &http.Client{Transport: &http.Transport{DisableKeepAlives: true}} // no proxy of the environment
	resp, err := client.Do(req)
	if err != nil {
		return fmt.Errorf("no server answers: %w; start it with 'svc serve', or name its address with --listen", err)
	}
	defer resp.Body.Close()
	if resp.StatusCode != http.StatusOK {
		return fmt.Errorf("the server on %s answers %d to /health: it stops", listen, resp.StatusCode)
	}
	return nil
}
