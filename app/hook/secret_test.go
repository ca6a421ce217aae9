package hook

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"testing"
	"time"
)

func TestSecrets(t *testing.T) {
	a, b := newSecret(), newSecret()
	key, err := base64.StdEncoding.DecodeString(strings.TrimPrefix(a, "whsec_"))
	if a == b || !strings.HasPrefix(a, "whsec_") || err != nil || len(key) != 32 {
		t.Errorf("%s and %s: %d bytes, %v", a, b, len(key), err)
	}
}

// TestStandardSignature holds the example that the libraries of Standard Webhooks
// are tested with.
func TestStandardSignature(t *testing.T) {
	got := standardSignature("msg_p5jXN8AQM9LWM0D4loKWxJek", "1614265330", []byte(`{"test": 2432232314}`), []string{"whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"})
	if want := "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE="; got != want {
		t.Errorf("%s, want %s", got, want)
	}
}

// verify is a receiver that follows contract 45.2: split on commas,
// read t and v1, reject what is older than five minutes, compare in constant time.
// It accepts any of several v1.
func verify(header, secret string, body []byte, now time.Time) error {
	stamp, sent := "", []string{}
	for part := range strings.SplitSeq(header, ",") {
		switch name, value, _ := strings.Cut(part, "="); name {
		case "t":
			stamp = value
		case "v1":
			sent = append(sent, value)
		}
	}
	unix, err := strconv.ParseInt(stamp, 10, 64)
	if err != nil || now.Sub(time.Unix(unix, 0)).Abs() > 5*time.Minute {
		return fmt.Errorf("the time %q is not now", stamp)
	}
	h := hmac.New(sha256.New, []byte(secret))
	fmt.Fprintf(h, "%s.%s", stamp, body)
	want := h.Sum(nil)
	for _, s := range sent {
		if got, err := hex.DecodeString(s); err == nil && hmac.Equal(got, want) {
			return nil
		}
	}
	return errors.New("no signature fits")
}

// verifyStandard is a receiver that follows the text of Standard Webhooks, written
// apart from what signs.
func verifyStandard(id, stamp, signatures, secret string, body []byte, now time.Time) error {
	key, err := base64.StdEncoding.DecodeString(strings.TrimPrefix(secret, "whsec_"))
	if err != nil {
		return err
	}
	unix, err := strconv.ParseInt(stamp, 10, 64)
	if err != nil || now.Sub(time.Unix(unix, 0)).Abs() > 5*time.Minute {
		return fmt.Errorf("the time %q is not now", stamp)
	}
	h := hmac.New(sha256.New, key)
	fmt.Fprintf(h, "%s.%d.%s", id, unix, body)
	want := h.Sum(nil)
	for s := range strings.FieldsSeq(signatures) {
		version, value, _ := strings.Cut(s, ",")
		if got, err := base64.StdEncoding.DecodeString(value); version == "v1" && err == nil && hmac.Equal(got, want) {
			return nil
		}
	}
	return errors.New("no signature fits")
}

func TestHeaders(t *testing.T) {
	old, made, other := newSecret(), newSecret(), newSecret()
	at := time.Date(2026, 5, 1, 10, 0, 0, 0, time.UTC)
	d := Delivery{ID: "dlv_1", EventID: "evt_1", EventType: "campaign.completed", Attempts: 2}
	body := []byte(`{"id":"evt_1"}`)
	get := map[string]string{}
	for _, h := range headers("1.2.3", &d, at, body, []string{old, made}) {
		get[h[0]] = h[1]
	}
	for name, want := range map[string]string{
		"Content-Type": "application/json; charset=utf-8", "User-Agent": "svc-webhooks/1.2.3", "X-Svc-Event": "campaign.completed",
		"X-Svc-Event-Id": "evt_1", "X-Svc-Delivery": "dlv_1", "X-Svc-Attempt": "3", "webhook-id": "evt_1", "webhook-timestamp": "1777629600",
	} {
		if get[name] != want {
			t.Errorf("%s: %q, want %q", name, get[name], want)
		}
	}
	if len(get) != 10 {
		t.Errorf("%d headers, want 10", len(get))
	}
	parts := strings.Split(get["X-Svc-Signature"], ",")
	if len(parts) != 3 || parts[0] != "t=1777629600" || len(parts[1]) != len("v1=")+64 || len(strings.Fields(get["webhook-signature"])) != 2 {
		t.Errorf("two secrets: %q and %q", get["X-Svc-Signature"], get["webhook-signature"])
	}
	if err := verify(parts[0]+","+parts[1], old, body, at); err != nil {
		t.Errorf("the old one is not first: %v", err)
	}
	if err := verifyStandard("evt_1", "1777629600", strings.Fields(get["webhook-signature"])[0], old, body, at); err != nil {
		t.Errorf("the old one is not first in the standard form: %v", err)
	}
	for secret, ok := range map[string]bool{old: true, made: true, other: false} {
		if err := verify(get["X-Svc-Signature"], secret, body, at); (err == nil) != ok {
			t.Errorf("own form, %v: %v", ok, err)
		}
		if err := verifyStandard("evt_1", get["webhook-timestamp"], get["webhook-signature"], secret, body, at); (err == nil) != ok {
			t.Errorf("standard form, %v: %v", ok, err)
		}
	}
	if verify(get["X-Svc-Signature"], made, append(body, ' '), at) == nil || verify(get["X-Svc-Signature"], made, body, at.Add(6*time.Minute)) == nil {
		t.Error("another body or an old request verifies")
	}
}
