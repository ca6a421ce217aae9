package dial

import (
	"bytes"
	"errors"
	"net"
	"reflect"
	"testing"
)

// writes remembers each write by itself.
type writes struct {
	net.Conn
	all  []string
	fail error
}

func (w *writes) Write(b []byte) (int, error) {
	w.all = append(w.all, string(b))
	return len(b), w.fail
}

func TestLengthsTravelWithTheirPackets(t *testing.T) {
	w := &writes{}
	c := &corked{Conn: w}
	for _, b := range []string{"tag!", "len1", "packet one", "len2", "packet two", "a packet without"} {
		if n, err := c.Write([]byte(b)); n != len(b) || err != nil {
			t.Fatalf("%q: %d, %v", b, n, err)
		}
	}
	large := string(bytes.Repeat([]byte("x"), corkMost))
	for _, b := range []string{"len3", large, "len4", "packet four"} {
		if n, err := c.Write([]byte(b)); n != len(b) || err != nil {
			t.Fatalf("%.9q: %d, %v", b, n, err)
		}
	}
	want := []string{"tag!len1packet one", "len2packet two", "a packet without", "len3", large, "len4packet four"}
	if !reflect.DeepEqual(w.all, want) {
		t.Errorf("%.60q", w.all)
	}
	w.fail = errors.New("broken pipe")
	_, _ = c.Write([]byte("len5"))
	if _, err := c.Write([]byte("packet five")); !errors.Is(err, w.fail) {
		t.Errorf("%v", err)
	}
}
