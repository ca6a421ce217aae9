package hook

import (
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"strconv"
	"strings"
	"time"
)

const secretPrefix = "whsec_"

// newSecret makes a signing secret: whsec_ and 32 random bytes in base64.
func newSecret() string {
	b := make([]byte, 32)
	_, _ = rand.Read(b) // never fails
	return secretPrefix + base64.StdEncoding.EncodeToString(b)
}

// headers are those of one attempt. Both forms of the signature cover its time;
// secrets are the valid ones, an old one first.
func headers(version string, d *Delivery, at time.Time, body []byte, secrets []string) [][2]string {
	unix := strconv.FormatInt(at.Unix(), 10)
	return [][2]string{
		{"Content-Type", "application/json; charset=utf-8"},
		{"User-Agent", "svc-webhooks/" + version},
		{"X-Svc-Signature", signature(unix, body, secrets)},
		{"X-Svc-Event", string(d.EventType)},
		{"X-Svc-Event-Id", d.EventID},
		{"X-Svc-Delivery", d.ID},
		{"X-Svc-Attempt", strconv.Itoa(d.Attempts + 1)},
		{"webhook-id", d.EventID},
		{"webhook-timestamp", unix},
		{"webhook-signature", standardSignature(d.EventID, unix, body, secrets)},
	}
}

// signature is t=<unix>,v1=<hex>: the key is the whole secret as it is written.
func signature(unix string, body []byte, secrets []string) string {
	var b strings.Builder
	b.WriteString("t=" + unix)
	for _, s := range secrets {
		b.WriteString(",v1=" + hex.EncodeToString(mac([]byte(s), unix+".", body)))
	}
	return b.String()
}

// standardSignature is that of Standard Webhooks: the key is what the secret
// encodes.
func standardSignature(id, unix string, body []byte, secrets []string) string {
	var all []string
	for _, s := range secrets {
		key, err := base64.StdEncoding.DecodeString(strings.TrimPrefix(s, secretPrefix))
		if err != nil {
			continue // not one of ours: newSecret makes no such thing
		}
		all = append(all, "v1,"+base64.StdEncoding.EncodeToString(mac(key, id+"."+unix+".", body)))
	}
	return strings.Join(all, " ")
}

func mac(key []byte, before string, body []byte) []byte {
	h := hmac.New(sha256.New, key)
	h.Write([]byte(before))
	h.Write(body)
	return h.Sum(nil)
}
