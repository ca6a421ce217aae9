// How a receiver checks that a delivery is ours. Complete functions, to be copied; a
// story runs each against a real delivery.

export interface Sample {
  key: 'go' | 'javascript' | 'python' | 'shell';
  label: string;
  code: string;
}

const go = `package hook

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"strconv"
	"strings"
	"time"
)

// Verify says whether a delivery is genuine. body is the request body as it came,
// byte for byte; header is X-Svc-Signature; secret begins with whsec_.
func Verify(body []byte, header, secret string) bool {
	var stamp string
	var signatures []string
	for _, part := range strings.Split(header, ",") {
		name, value, _ := strings.Cut(strings.TrimSpace(part), "=")
		switch name {
		case "t":
			stamp = value
		case "v1":
			signatures = append(signatures, value)
		}
	}
	seconds, err := strconv.ParseInt(stamp, 10, 64)
	if err != nil || time.Since(time.Unix(seconds, 0)).Abs() > 5*time.Minute {
		return false // too old: somebody may be sending it again
	}
	mac := hmac.New(sha256.New, []byte(secret))
	mac.Write([]byte(stamp + "."))
	mac.Write(body)
	want := mac.Sum(nil)
	for _, s := range signatures { // two while the secret is being replaced
		got, err := hex.DecodeString(s)
		if err == nil && hmac.Equal(got, want) {
			return true
		}
	}
	return false
}
`;

const javascript = `import { createHmac, timingSafeEqual } from 'node:crypto';

// Says whether a delivery is genuine. body is the request body as it came (a Buffer,
// before any JSON parser); header is X-Svc-Signature; secret begins with whsec_.
export function verify(body, header, secret) {
  const parts = header.split(',').map((part) => part.trim().split('='));
  const stamp = parts.find(([name]) => name === 't')?.[1] ?? '';
  if (!/^\\d+$/.test(stamp) || Math.abs(Date.now() / 1000 - Number(stamp)) > 300) {
    return false; // too old: somebody may be sending it again
  }
  const want = createHmac('sha256', secret).update(stamp + '.').update(body).digest();
  return parts
    .filter(([name]) => name === 'v1') // two while the secret is being replaced
    .map(([, value]) => Buffer.from(value ?? '', 'hex'))
    .some((got) => got.length === want.length && timingSafeEqual(got, want));
}
`;

const python = `import hashlib
import hmac
import time


def verify(body: bytes, header: str, secret: str) -> bool:
    """Says whether a delivery is genuine.

    body is the request body as it came; header is X-Svc-Signature; secret begins
    with whsec_.
    """
    parts = [part.strip().partition("=") for part in header.split(",")]
    stamp = next((value for name, _, value in parts if name == "t"), "")
    if not stamp.isdigit() or abs(time.time() - int(stamp)) > 300:
        return False  # too old: somebody may be sending it again
    want = hmac.new(secret.encode(), stamp.encode() + b"." + body, hashlib.sha256).hexdigest()
    # There are two while the secret is being replaced.
    return any(hmac.compare_digest(value, want) for name, _, value in parts if name == "v1")
`;

const shell = `# body.json holds the request body as it came, byte for byte.
SIGNATURE='t=1767225600,v1=…'   # the header X-Svc-Signature
SECRET='whsec_…'

STAMP=$(printf %s "$SIGNATURE" | tr , '\\n' | sed -n 's/^t=//p')
WANT=$({ printf %s. "$STAMP"; cat body.json; } | openssl dgst -sha256 -hmac "$SECRET" -r | cut -d' ' -f1)
printf %s "$SIGNATURE" | tr , '\\n' | grep -qx "v1=$WANT" && echo genuine || echo 'not genuine'
`;

export const samples: readonly Sample[] = [
  { key: 'go', label: 'Go', code: go },
  { key: 'javascript', label: 'JavaScript', code: javascript },
  { key: 'python', label: 'Python', code: python },
  { key: 'shell', label: 'Shell', code: shell },
];
