package acceptance

import (
	"bytes"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"svc/app/vault/bucket/buckettest"
)

// bucketAddress is what --files is for a store of objects.
func bucketAddress(s *buckettest.Server) string {
	o := s.Options
	u := url.URL{Scheme: "s3", User: url.UserPassword(o.AccessKey, o.Secret), Host: o.Host, Path: "/" + o.Bucket + "/" + o.Prefix, RawQuery: "region=" + o.Region + "&plain=true"}
	return u.String()
}

// TestFilesInABucket moves the files of an installation into a bucket, and back: what was
// uploaded is answered from wherever it lies, its bytes are nowhere open, the doctor looks at
// the bucket, and a new master key reseals what lies there.
func TestFilesInABucket(t *testing.T) {
	t.Parallel()
	s := buckettest.Start(t)
	o := s.Options
	address := bucketAddress(s)
	in := install(t)
	in.start()
	boss := in.signUp("boss", map[string]any{"setup_token": setupToken(t, in)})
	text := bytes.Repeat([]byte("Narxlar: 101 ta atirgul 1 400 000 so‘m.\n"), 20_000)
	upload := func(name string) string {
		t.Helper()
		return boss.do("POST", "/attachments", newForm(nil, name, append([]byte(name+"\n"), text...))).want(201).text("id")
	}
	has := func(id, name string) {
		t.Helper()
		got := boss.do("GET", "/attachments/"+id+"/content", nil).want(200).body
		if !bytes.Equal(got, append([]byte(name+"\n"), text...)) {
			t.Errorf("%s: %d bytes, of %d", name, len(got), len(text))
		}
	}
	first := upload("one.txt")
	in.stop()

	move := func(args ...string) string {
		t.Helper()
		cmd := exec.Command("svc", append([]string{"files", "copy"}, args...)...)
		cmd.Env = append(os.Environ(), "SVC_FILES="+address)
		out, err := cmd.CombinedOutput()
		if err != nil || strings.Contains(string(out), o.Secret) {
			t.Fatalf("%v: %s", err, out)
		}
		return string(out)
	}
	if out := move("--from", in.data); !strings.Contains(out, "1 file at the target") {
		t.Errorf("moved: %s", out)
	}
	if err := os.RemoveAll(filepath.Join(in.data, "files")); err != nil {
		t.Fatal(err)
	}
	in.args = []string{"--files", address}
	in.start()
	has(first, "one.txt")
	second := upload("two.txt")
	has(second, "two.txt")
	if strings.Contains(in.stderr.String(), o.Secret) {
		t.Error("the secret is in the log")
	}
	in.stop()
	if _, err := os.Stat(filepath.Join(in.data, "files")); err == nil {
		t.Error("files lie in the data folder too")
	}
	if out, _ := in.svc("doctor", "--files", address); !strings.Contains(out, "a bucket that takes, gives and removes") || strings.Contains(out, o.Secret) {
		t.Errorf("doctor: %s", out)
	}
	s.Down(true)
	if out, err := in.svc("doctor", "--files", address); err == nil || !strings.Contains(out, "s3://"+o.Host) || strings.Contains(out, o.Secret) {
		t.Errorf("doctor of a bucket that is down: %v, %s", err, out)
	}
	s.Down(false)

	if out := in.must("keys", "rotate-master", "--files", address); !strings.Contains(out, "2 files were sealed again") {
		t.Errorf("rotated: %s", out)
	}
	in.start()
	has(first, "one.txt")
	in.stop()
	move("--to", in.data)
	in.args = nil
	in.start()
	has(first, "one.txt")
	has(second, "two.txt")
}
