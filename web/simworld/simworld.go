// Package simworld shows the pages of the simulated networks to people: consent pages, the world
// and the phone of a customer.
//
// It promises that nobody sees them without a sign-in: to the service, where the simulator is a
// part of it, or with a token that the process printed, where it serves to other machines.
package simworld

import (
	"crypto/rand"
	"crypto/subtle"
	"encoding/hex"
	"net"
	"net/http"
	"strings"

	"svc/messenger/platform/sim"
)

// Mount serves the pages of the simulator below a prefix of the service, to whom signedIn lets
// through. Its interface is not reached that way.
func Mount(world http.Handler, prefix string, signedIn func(r *http.Request) bool) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if !signedIn(r) {
			http.Redirect(w, r, "/console/sign-in", http.StatusSeeOther)
			return
		}
		path := strings.TrimPrefix(r.URL.Path, prefix)
		if !sim.Consents(path) {
			path = sim.World + path
		}
		r = r.Clone(r.Context())
		r.URL.Path, r.URL.RawPath = path, ""
		world.ServeHTTP(w, r)
	})
}

const cookie = "svc_sim"

// Guard asks for a token on pages for people, unless the address is one of this machine alone;
// token is "" then. The interface asks for tokens of its own.
func Guard(world http.Handler, addr net.Addr) (h http.Handler, token string, err error) {
	if a, ok := addr.(*net.TCPAddr); ok && a.IP.IsLoopback() {
		return world, "", nil
	}
	b := make([]byte, 16)
	if _, err := rand.Read(b); err != nil {
		return nil, "", err
	}
	token = hex.EncodeToString(b)
	same := func(got string) bool { return subtle.ConstantTimeCompare([]byte(got), []byte(token)) == 1 }
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if !strings.HasPrefix(r.URL.Path, sim.World+"/") && !sim.Consents(r.URL.Path) {
			world.ServeHTTP(w, r)
			return
		}
		if got := r.URL.Query().Get("token"); got != "" && same(got) {
			http.SetCookie(w, &http.Cookie{Name: cookie, Value: token, Path: "/", HttpOnly: true, SameSite: http.SameSiteLaxMode})
			http.Redirect(w, r, r.URL.Path, http.StatusSeeOther)
			return
		}
		if c, err := r.Cookie(cookie); err != nil || !same(c.Value) {
			http.Error(w, "Open the address that the simulator printed when it started.", http.StatusForbidden)
			return
		}
		world.ServeHTTP(w, r)
	}), token, nil
}
