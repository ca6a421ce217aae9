package web_test

import (
	"bytes"
	"context"
	"crypto/aes"
	"crypto/cipher"
	"crypto/ecdh"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/hkdf"
	"crypto/rand"
	"crypto/sha256"
	"crypto/x509"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io"
	"math/big"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"svc/web/webtest"
)

// pushed is a request that a push service got.
type pushed struct {
	path   string
	header http.Header
	body   []byte
}

// device is a browser's side of a push subscription.
type device struct {
	key  *ecdh.PrivateKey
	auth []byte
}

func newDevice(t *testing.T) device {
	t.Helper()
	key, err := ecdh.P256().GenerateKey(rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	auth := make([]byte, 16)
	_, _ = rand.Read(auth)
	return device{key, auth}
}

func (d device) subscription(endpoint string, topics string) string {
	enc := base64.RawURLEncoding.EncodeToString
	return fmt.Sprintf(`{"endpoint":%q,"keys":{"p256dh":%q,"auth":%q},"topics":%s,"language":"en","device":"Phone"}`,
		endpoint, enc(d.key.PublicKey().Bytes()), enc(d.auth), topics)
}

// open decrypts a body as a browser does (RFC 8188, RFC 8291).
func (d device) open(t *testing.T, body []byte) (out map[string]string) {
	t.Helper()
	if len(body) < 86 || body[20] != 65 {
		t.Fatalf("a body of %d bytes has no header of aes128gcm", len(body))
	}
	sender, err := ecdh.P256().NewPublicKey(body[21:86])
	if err != nil {
		t.Fatal(err)
	}
	shared, err := d.key.ECDH(sender)
	if err != nil {
		t.Fatal(err)
	}
	derive := func(secret, salt []byte, info string, n int) []byte {
		b, err := hkdf.Key(sha256.New, secret, salt, info, n)
		if err != nil {
			t.Fatal(err)
		}
		return b
	}
	secret := derive(shared, d.auth, "WebPush: info\x00"+string(d.key.PublicKey().Bytes())+string(sender.Bytes()), 32)
	block, err := aes.NewCipher(derive(secret, body[:16], "Content-Encoding: aes128gcm\x00", 16))
	if err != nil {
		t.Fatal(err)
	}
	opener, err := cipher.NewGCM(block)
	if err != nil {
		t.Fatal(err)
	}
	plain, err := opener.Open(nil, derive(secret, body[:16], "Content-Encoding: nonce\x00", 12), body[86:], nil)
	if err != nil {
		t.Fatalf("the device cannot open what was sent: %v", err)
	}
	if err := json.Unmarshal(bytes.TrimSuffix(plain, []byte{2}), &out); err != nil {
		t.Fatal(err)
	}
	return out
}

// signedBy checks the token of a request (RFC 8292) against the key that browsers subscribe
// with.
func signedBy(t *testing.T, p pushed, audience, publicKey string, now time.Time) {
	t.Helper()
	token, key, ok := strings.Cut(strings.TrimPrefix(p.header.Get("Authorization"), "vapid t="), ", k=")
	parts := strings.Split(token, ".")
	if !ok || key != publicKey || len(parts) != 3 {
		t.Fatalf("the token is %q, and the key %q", p.header.Get("Authorization"), publicKey)
	}
	decode := func(s string) []byte {
		b, err := base64.RawURLEncoding.DecodeString(s)
		if err != nil {
			t.Fatal(err)
		}
		return b
	}
	point, signature, hash := decode(key), decode(parts[2]), sha256.Sum256([]byte(parts[0]+"."+parts[1]))
	public, err := ecdsa.ParseUncompressedPublicKey(elliptic.P256(), point)
	if err != nil {
		t.Fatal(err)
	}
	if len(signature) != 64 || !ecdsa.Verify(public, hash[:], new(big.Int).SetBytes(signature[:32]), new(big.Int).SetBytes(signature[32:])) {
		t.Error("the signature is wrong")
	}
	var claims struct {
		Aud, Sub string
		Exp      int64
	}
	if err := json.Unmarshal(decode(parts[1]), &claims); err != nil {
		t.Fatal(err)
	}
	if life := time.Unix(claims.Exp, 0).Sub(now); claims.Aud != audience || claims.Sub == "" || life <= 0 || life > 24*time.Hour {
		t.Errorf("the token says %+v, %v from now", claims, life)
	}
}

// TestDevicesShowWhatTheInboxWants: a push service of the test gets what a device of the
// person opens; it says which conversation and nothing of what was said. Personal chats,
// ended sessions and devices that are gone are shown nothing.
func TestDevicesShowWhatTheInboxWants(t *testing.T) {
	arrived := make(chan pushed, 64)
	service := httptest.NewTLSServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		if err != nil {
			t.Error(err)
		}
		if r.URL.Path == "/gone" {
			w.WriteHeader(http.StatusGone)
		} else {
			w.WriteHeader(http.StatusCreated)
		}
		arrived <- pushed{r.URL.Path, r.Header.Clone(), body}
	}))
	t.Cleanup(service.Close)
	roots := x509.NewCertPool()
	roots.AddCert(service.Certificate())
	server := webtest.Start(t, webtest.Options{Messaging: true, Roots: roots})
	o := &tenant{t: t, server: server, ids: map[string]string{}}
	o.ids["/organization"], _ = o.signUp("acme")
	o.connect()
	o.converse()
	conversation := o.ids["/ai/conversations"]
	next := func() pushed {
		t.Helper()
		select {
		case p := <-arrived:
			return p
		case <-time.After(20 * time.Second):
			t.Fatal("the push service got nothing")
			return pushed{}
		}
	}
	say := func(text string) {
		t.Helper()
		if err := server.Act("messenger", fmt.Sprintf(`now @demo_user_3 says %q to %s`, text, o.phone)); err != nil {
			t.Fatal(err)
		}
	}
	var listed struct {
		PublicKey string `json:"public_key"`
		Data      []struct{ ID string }
	}
	list := func() int {
		t.Helper()
		if got := o.json(http.MethodGet, "/me/push-subscriptions", ""); json.Unmarshal([]byte(got.body), &listed) != nil || got.status != http.StatusOK {
			t.Fatalf("%d %s", got.status, got.body)
		}
		return len(listed.Data)
	}
	list()
	d := newDevice(t)
	if got := o.json(http.MethodPost, "/me/push-subscriptions", d.subscription(service.URL+"/phone", `["MESSAGES"]`)); got.status != http.StatusCreated {
		t.Fatalf("%d %s", got.status, got.body)
	}
	const secret = "MAXFIY narx"
	say(secret)
	p := next()
	signedBy(t, p, service.URL, listed.PublicKey, server.Clock.Now())
	if h := p.header; h.Get("Content-Encoding") != "aes128gcm" || h.Get("TTL") == "" || h.Get("Topic") == "" || bytes.Contains(p.body, []byte(secret)) {
		t.Errorf("%v", h)
	}
	said := d.open(t, p.body)
	if said["topic"] != "MESSAGES" || said["conversation_id"] != conversation || said["language"] != "en" || strings.Contains(fmt.Sprint(said), "MAXFIY") {
		t.Errorf("the device is shown %v", said)
	}
	// The choice changes with the same device: it stays one.
	if got := o.json(http.MethodPost, "/me/push-subscriptions", d.subscription(service.URL+"/phone", `["MENTIONS"]`)); got.status != http.StatusCreated || list() != 1 {
		t.Errorf("%d %s, %d devices", got.status, got.body, len(listed.Data))
	}
	// A personal chat is shown nowhere; a device that is gone is forgotten.
	o.json(http.MethodPost, "/me/push-subscriptions", d.subscription(service.URL+"/gone", `["MESSAGES"]`))
	o.json(http.MethodPut, "/ai/conversations/"+conversation+"/personal", `{"personal":true}`)
	say("shaxsiy")
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second)
	defer cancel()
	wait := func(what string, is func() bool) {
		t.Helper()
		for !is() {
			select {
			case <-time.After(10 * time.Millisecond):
			case <-ctx.Done():
				t.Fatal(what)
			}
		}
	}
	wait("the message did not arrive", func() bool {
		return strings.Contains(o.json(http.MethodGet, "/ai/conversations/"+conversation, "").body, "shaxsiy")
	})
	o.json(http.MethodPut, "/ai/conversations/"+conversation+"/personal", `{"personal":false}`)
	say("yana")
	if p := next(); p.path != "/gone" || d.open(t, p.body)["topic"] != "MESSAGES" {
		t.Errorf("%s was sent first", p.path)
	}
	wait("a device that is gone is kept", func() bool { return list() == 1 })
	// With the session its devices end.
	o.json(http.MethodPost, "/me/push-subscriptions", d.subscription(service.URL+"/phone", `["MESSAGES"]`))
	o.json(http.MethodPost, "/auth/logout", "")
	say("kech")
	o.json(http.MethodPost, "/auth/login", `{"email":"acme@example.uz","password":"correct horse 1"}`)
	wait("a device of a session that ended is kept", func() bool { return list() == 0 })
	select {
	case p := <-arrived:
		t.Errorf("%s was sent to", p.path)
	default:
	}
}
