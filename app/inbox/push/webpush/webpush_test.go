package webpush

import (
	"crypto/ecdh"
	"encoding/base64"
	"strings"
	"testing"
)

func bytesOf(t *testing.T, s string) []byte {
	t.Helper()
	b, err := base64.RawURLEncoding.DecodeString(s)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// TestVector is the example of RFC 8291, appendix A, to the byte.
func TestVector(t *testing.T) {
	d, err := ReadDevice("BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4", "BTBZMqHH6r4Tts7J_aSIgg")
	if err != nil {
		t.Fatal(err)
	}
	key, err := ecdh.P256().NewPrivateKey(bytesOf(t, "yfWPiYE-n46HLnH0KqZOF1fJJU3MYrct3AELtAQ-oRw"))
	if err != nil {
		t.Fatal(err)
	}
	got, err := encrypt(d, []byte("When I grow up, I want to be a watermelon"), key, bytesOf(t, "DGv6ra1nlYgDCS1FRnbzlw"))
	if err != nil {
		t.Fatal(err)
	}
	const want = "DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl7A_yl95bQpu6cVPTpK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLVWGNWQexSgSxsj_Qulcy4a-fN"
	if s := base64.RawURLEncoding.EncodeToString(got); s != want {
		t.Errorf("encrypted\n%s\nwant\n%s", s, want)
	}
}

func TestKeysThatAreNone(t *testing.T) {
	point, auth := "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4", "BTBZMqHH6r4Tts7J_aSIgg"
	for name, keys := range map[string][2]string{
		"no point": {"", auth}, "no base64": {"!!", auth}, "no point of the curve": {strings.Repeat("A", 87), auth},
		"a short secret": {point, "AAAA"}, "no secret": {point, ""},
	} {
		if _, err := ReadDevice(keys[0], keys[1]); err == nil {
			t.Errorf("%s was taken", name)
		}
	}
	if _, err := ReadDevice(point+"=", auth+"=="); err != nil {
		t.Errorf("padded: %v", err)
	}
}

func TestBounds(t *testing.T) {
	d, err := ReadDevice("BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4", "BTBZMqHH6r4Tts7J_aSIgg")
	if err != nil {
		t.Fatal(err)
	}
	if b, err := Encrypt(d, make([]byte, MaxPlain)); err != nil || len(b) > 4096 {
		t.Errorf("the longest text: %d bytes, %v", len(b), err)
	}
	if _, err := Encrypt(d, make([]byte, MaxPlain+1)); err == nil {
		t.Error("a longer text was taken")
	}
}
