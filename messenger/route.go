package messenger

import "fmt"

// RouteKind is a kind of proxy.
type RouteKind string

// The kinds; the zero value is a direct connection.
const (
	Direct       RouteKind = ""
	SOCKS5       RouteKind = "SOCKS5"
	HTTPConnect  RouteKind = "HTTP"
	MTProtoProxy RouteKind = "MTPROTO"
)

// Route is the way to the platform: direct, or through a proxy. It holds secrets and
// is not printed.
type Route struct {
	Kind               RouteKind
	Host               string
	Port               int
	Username, Password string // SOCKS5, HTTPConnect
	Secret             string // MTProtoProxy: hex or base64url, as in its links
	// AllowPrivate lets the proxy be in the service's own network.
	AllowPrivate bool
}

// Format prints a route without its secrets.
func (r Route) Format(s fmt.State, _ rune) { _, _ = fmt.Fprintf(s, "%s %s:%d", r.Kind, r.Host, r.Port) }

// Stage is how far a check of a route came (contract 7.3).
type Stage string

// The stages at which a check fails.
const (
	StageDial       Stage = "DIAL"
	StageAuth       Stage = "AUTH"
	StageHandshake  Stage = "HANDSHAKE"
	StageDataCentre Stage = "DATA_CENTRE"
)

// RouteError says at which stage a route failed.
type RouteError struct {
	Stage Stage
	Err   error
}

// Error is a sentence for the log and for the owner of the proxy; it holds no secret.
func (e *RouteError) Error() string { return fmt.Sprintf("the proxy failed at %s: %v", e.Stage, e.Err) }

// Unwrap gives the cause.
func (e *RouteError) Unwrap() error { return e.Err }
