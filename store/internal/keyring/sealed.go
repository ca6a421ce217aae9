package keyring

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"log/slog"
)

// Sealed is a secret in a record. It shows nothing however it is printed; in JSON,
// which is how it is stored, it is the sealed bytes. Only a Ring opens it.
type Sealed struct{ b []byte }

// hidden is what a secret prints as.
const hidden = "[sealed]"

// String implements fmt.Stringer.
func (Sealed) String() string { return hidden }

// GoString implements fmt.GoStringer.
func (Sealed) GoString() string { return hidden }

// Format implements fmt.Formatter, which every verb asks first.
func (Sealed) Format(s fmt.State, _ rune) { fmt.Fprint(s, hidden) }

// LogValue implements slog.LogValuer.
func (Sealed) LogValue() slog.Value { return slog.StringValue(hidden) }

// IsZero reports whether nothing is sealed in it: `json:",omitzero"` leaves it out.
func (s Sealed) IsZero() bool { return len(s.b) == 0 }

// MarshalJSON implements json.Marshaler.
func (s Sealed) MarshalJSON() ([]byte, error) { return jsonBytes(s.b) }

// UnmarshalJSON implements json.Unmarshaler.
func (s *Sealed) UnmarshalJSON(b []byte) (err error) {
	s.b, err = bytesJSON(b)
	return err
}

func jsonBytes(b []byte) ([]byte, error) {
	if len(b) == 0 {
		return []byte("null"), nil
	}
	return json.Marshal(base64.RawStdEncoding.EncodeToString(b))
}

func bytesJSON(b []byte) ([]byte, error) {
	var s *string
	if err := json.Unmarshal(b, &s); err != nil || s == nil {
		return nil, err
	}
	return base64.RawStdEncoding.DecodeString(*s)
}
