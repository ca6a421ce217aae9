package release

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// sh runs a command line in a folder and gives what it says.
func sh(t *testing.T, dir, line string, env ...string) (string, error) {
	t.Helper()
	cmd := exec.Command("bash", "-c", line)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), env...)
	out, err := cmd.CombinedOutput()
	return string(out), err
}

func must(t *testing.T, dir, line string) {
	t.Helper()
	if out, err := sh(t, dir, line); err != nil {
		t.Fatalf("%s: %v\n%s", line, err, out)
	}
}

// TestSignature: what README.md tells those to do who check a release passes for what
// was signed, and for nothing else.
func TestSignature(t *testing.T) {
	dir := t.TempDir()
	here, err := filepath.Abs("../tools")
	if err != nil {
		t.Fatal(err)
	}
	must(t, dir, "ssh-keygen -q -t ed25519 -N '' -f key && ssh-keygen -q -t ed25519 -N '' -f other")
	must(t, dir, "echo program >svc-1-linux-amd64 && sha256sum svc-* >SHA256SUMS")
	must(t, dir, here+"/sign.sh key SHA256SUMS")
	readme, err := os.ReadFile("../README.md")
	if err != nil {
		t.Fatal(err)
	}
	const allow = `echo "svc $(cat key.pub)" >allowed_signers`
	const signature = "ssh-keygen -Y verify -f allowed_signers -I svc -n svc-release -s SHA256SUMS.sig <SHA256SUMS"
	const sums = "sha256sum --check --ignore-missing SHA256SUMS"
	for _, line := range []string{strings.Replace(allow, "key.pub", "svc-release.pub", 1), signature, sums} {
		if !strings.Contains(string(readme), line) {
			t.Errorf("README.md does not say %q", line)
		}
	}
	must(t, dir, allow)
	must(t, dir, signature)
	must(t, dir, sums)
	fails := func(what, change, check string) {
		t.Helper()
		must(t, dir, change)
		if out, err := sh(t, dir, check); err == nil {
			t.Errorf("%s passes: %s", what, out)
		}
	}
	fails("a changed program", "echo more >>svc-1-linux-amd64", sums)
	fails("a changed list", "sha256sum svc-* >SHA256SUMS", signature)
	fails("another's signature", here+"/sign.sh other SHA256SUMS", signature)
	if out, err := sh(t, dir, here+"/sign.sh nowhere SHA256SUMS"); err == nil || !strings.Contains(out, "there is no key nowhere") {
		t.Errorf("a key that is not there: %v: %s", err, out)
	}
}

// fakes are programs in the place of those that vulns.sh asks.
func fakes(t *testing.T, programs map[string]string) (path string) {
	t.Helper()
	dir := t.TempDir()
	for name, script := range programs {
		if err := os.WriteFile(filepath.Join(dir, name), []byte("#!/bin/bash\n"+script), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	return "PATH=" + dir + ":" + os.Getenv("PATH")
}

// TestVulns: a database that cannot be asked is not green, and what it finds in the
// product is red; what it finds in what builds the product is told.
func TestVulns(t *testing.T) {
	dir := t.TempDir()
	must(t, "../tools", "mkdir -p "+dir+"/tools "+dir+"/bin/tools && cp vulns.sh "+dir+"/tools/")
	const (
		audited = `case "$*" in *--omit=dev*) n=$SHIPPED ;; *) n=4 ;; esac; echo "{\"metadata\":{\"vulnerabilities\":{\"total\":$n}}}"; [ "$n" = 0 ]`
		refused = `echo '{"message":"405 Method Not Allowed","error":{"summary":""}}'; exit 1`
	)
	for _, tt := range []struct {
		name              string
		curl, govulncheck string
		npm, shipped      string
		code              int
		want              []string
	}{
		{"nothing is known", "exit 0", "exit 0", audited, "0", 0, []string{"Go: no known vulnerability", "embed/console: no known vulnerability in what is shipped, 4 in what builds it", "vulns: nothing known"}},
		{"no database of Go", "exit 6", "exit 0", audited, "0", 3, []string{"Go: the database https://vuln.go.dev could not be asked", "NOT PROVEN"}},
		{"no audit of npm", "exit 0", "exit 0", refused, "0", 3, []string{"embed/sdk: the registry could not be asked", "NOT PROVEN"}},
		{"npm is offline", "exit 0", "exit 0", "exit 1", "0", 3, []string{"NOT PROVEN"}},
		{"govulncheck fails", "exit 0", "exit 1", audited, "0", 3, []string{"govulncheck failed (1)", "NOT PROVEN"}},
		{"the program is vulnerable", "exit 0", "echo GO-2026-1; exit 3", audited, "0", 1, []string{"GO-2026-1", "known vulnerabilities"}},
		{"a package is vulnerable", "exit 6", "exit 0", audited, "2", 1, []string{"2 vulnerable packages that are shipped"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if err := os.WriteFile(dir+"/bin/tools/govulncheck", []byte("#!/bin/bash\n"+tt.govulncheck), 0o755); err != nil {
				t.Fatal(err)
			}
			path := fakes(t, map[string]string{"curl": tt.curl, "go": "exit 0", "npm": tt.npm})
			cmd := exec.Command("bash", dir+"/tools/vulns.sh")
			cmd.Env = append(os.Environ(), path, "SHIPPED="+tt.shipped)
			out, _ := cmd.CombinedOutput()
			if code := cmd.ProcessState.ExitCode(); code != tt.code {
				t.Errorf("exit code %d, want %d: %s", code, tt.code, out)
			}
			for _, w := range tt.want {
				if !strings.Contains(string(out), w) {
					t.Errorf("it does not say %q: %s", w, out)
				}
			}
		})
	}
}
