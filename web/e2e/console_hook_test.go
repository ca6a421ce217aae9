package e2e

import (
	"bytes"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"svc/web/e2e/browsertest"
)

// delivery is what an endpoint was sent.
type delivery struct {
	signature, event string
	body             []byte
}

// endpoint takes deliveries; it refuses them while the file of its name is there.
func endpoint(t *testing.T) (url string, got chan delivery, refuse func(bool)) {
	t.Helper()
	got = make(chan delivery, 100)
	refusing := make(chan bool, 1)
	refusing <- false
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		no := <-refusing
		refusing <- no
		if no {
			http.Error(w, "the till is closed", http.StatusServiceUnavailable)
			return
		}
		got <- delivery{r.Header.Get("X-Svc-Signature"), r.Header.Get("X-Svc-Event"), body}
	}))
	t.Cleanup(server.Close)
	return server.URL + "/hook", got, func(no bool) { <-refusing; refusing <- no }
}

// TestConsoleWebhook: a webhook is made, its secret shown once, a test arrives and is in
// the log; a refused delivery says why; the samples of the page verify a real delivery.
func TestConsoleWebhook(t *testing.T) {
	url, got, refuse := endpoint(t)
	p, base := signUp(t, browsertest.Options{Lang: "en", Allow: whenNobody}, "--private-webhooks")
	p.Goto(base + "/console/webhooks")
	says(p, "No webhooks yet")
	p.Shot("console-webhooks-empty")
	press(p, "New webhook")
	heading(p, "New webhook")
	field(p, "Address", "example.com")
	press(p, "Create the webhook")
	says(p, "Type an address such as")
	field(p, "Address", url)
	field(p, "Name", "CRM")
	browsertest.Eval[bool](p, "document.querySelector('input[type=radio][value=some]').click() || true")
	p.Wait("document.querySelectorAll('form input[type=checkbox]').length > 20")
	browsertest.Eval[bool](p, `[...document.querySelectorAll('form [role=group]')].find(g => g.getAttribute('aria-label') === 'Recipients').querySelector('input').click() || true`)
	p.Shot("console-webhook-new")
	p.Accessible()
	press(p, "Create the webhook")
	says(p, "shown only now")
	secret := browsertest.Eval[string](p, "document.querySelector('[role=dialog] code').textContent")
	p.Shot("console-webhook-secret")
	press(p, "I have kept it")
	heading(p, "CRM")
	says(p, "Nothing was sent yet")

	press(p, "Send a test")
	sent := arrives(t, got, "webhook.test")
	p.Wait("document.querySelector('[data-delivery]')?.textContent.includes('Delivered')")
	browsertest.Eval[bool](p, "document.querySelector('[data-delivery] button').click() || true")
	says(p, "The receiver took it.")
	p.Shot("console-webhook")
	p.Accessible()

	refuse(true)
	post(p, "/recipients", `{"username":"gulnora_k","consent_status":"OPTED_OUT"}`)
	p.Wait("document.querySelectorAll('[data-delivery]').length === 2 && document.querySelector('[data-delivery]').textContent.includes('Will be tried again')")
	browsertest.Eval[bool](p, "document.querySelector('[data-delivery] button').click() || true")
	says(p, "the till is closed")
	says(p, "not with 2xx")
	p.Shot("console-webhook-refused")
	refuse(false)
	press(p, "Try again now")
	arrives(t, got, "recipient.opted_out")
	p.Wait("[...document.querySelectorAll('[data-delivery]')].every(d => d.textContent.includes('Delivered'))")

	press(p, "More")
	press(p, "Replace the secret")
	says(p, "both secrets sign")
	p.Shot("console-webhook-rotate")
	press(p, "Replace the secret") // of the question
	says(p, "The new signing secret")
	press(p, "I have kept it")
	press(p, "More")
	press(p, "Send what was missed")
	p.Wait("document.querySelector('[role=dialog] input[type=checkbox]')")
	p.Shot("console-webhook-recover")
	p.Accessible()
	press(p, "Send what was missed") // of the question
	says(p, "is being sent")
	press(p, "More")
	press(p, "Turn off")
	says(p, "It gets no events from now on")
	press(p, "Turn off") // of the question
	says(p, "It is turned off and gets no events")
	p.Shot("console-webhook-off")
	p.Accessible()
	post(p, "/recipients", `{"username":"missed_one","consent_status":"OPTED_OUT"}`)
	press(p, "Turn on and send what was missed") // one press ends the outage
	says(p, "The webhook is on, and what was missed is being sent")
	if d := arrives(t, got, "recipient.opted_out"); !bytes.Contains(d.body, []byte("missed_one")) {
		t.Errorf("after the outage came %s", d.body)
	}
	p.Wait("!document.querySelector('main').textContent.includes('It is turned off')")

	p.Goto(base + "/console/webhooks/verify")
	p.Wait("document.querySelectorAll('[data-sample]').length === 4")
	p.Shot("console-webhook-verify")
	p.Accessible()
	for _, language := range []string{"go", "javascript", "python", "shell"} {
		code := browsertest.Eval[string](p, "document.querySelector('[data-sample="+language+"]').textContent")
		runSample(t, language, code, sent, secret)
	}
	p.Clean()
}

// arrives waits for a delivery of that type.
func arrives(t *testing.T, got chan delivery, kind string) delivery {
	t.Helper()
	for deadline := time.After(20 * time.Second); ; {
		select {
		case d := <-got:
			if d.event == kind {
				return d
			}
		case <-deadline:
			t.Fatalf("no %s arrived", kind)
		}
	}
}

// runSample runs the code that people copy against a delivery that came, and against
// the same with another body: it must tell them apart.
func runSample(t *testing.T, language, code string, d delivery, secret string) {
	t.Helper()
	dir := t.TempDir()
	write := func(name, text string) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	var cmd []string
	switch language {
	case "go":
		write("go.mod", "module sample\n\ngo 1.21\n")
		if err := os.Mkdir(filepath.Join(dir, "hook"), 0o700); err != nil {
			t.Fatal(err)
		}
		write("hook/hook.go", code)
		write("main.go", "package main\n\nimport (\n\t\"fmt\"\n\t\"os\"\n\n\t\"sample/hook\"\n)\n\nfunc main() {\n\tbody, _ := os.ReadFile(\"body.json\")\n\tfmt.Println(hook.Verify(body, os.Args[1], os.Args[2]))\n}\n")
		cmd = []string{"go", "run", "."}
	case "javascript":
		write("verify.mjs", code)
		cmd = []string{"node", write("run.mjs", "import { readFileSync } from 'node:fs';\nimport { verify } from './verify.mjs';\nconsole.log(verify(readFileSync('body.json'), process.argv[2], process.argv[3]));\n")}
	case "python":
		cmd = []string{"python3", write("verify.py", code+"\nimport sys\nprint(verify(open('body.json', 'rb').read(), sys.argv[1], sys.argv[2]))\n")}
	case "shell":
		lines := strings.Split(code, "\n")
		for i, line := range lines {
			if strings.HasPrefix(line, "SIGNATURE=") {
				lines[i] = `SIGNATURE="$1"`
			} else if strings.HasPrefix(line, "SECRET=") {
				lines[i] = `SECRET="$2"`
			}
		}
		cmd = []string{"sh", write("verify.sh", strings.Join(lines, "\n"))}
	}
	if _, err := exec.LookPath(cmd[0]); err != nil {
		if os.Getenv("CI") == "true" {
			t.Fatalf("not run: the sample in %s needs %s", language, cmd[0])
		}
		t.Logf("not run: the sample in %s needs %s", language, cmd[0])
		return
	}
	for _, c := range []struct {
		body []byte
		want bool
	}{{d.body, true}, {append(bytes.Clone(d.body), ' '), false}} {
		write("body.json", string(c.body))
		run := exec.CommandContext(t.Context(), cmd[0], append(cmd[1:], d.signature, secret)...)
		run.Dir = dir
		out, err := run.CombinedOutput()
		if said := strings.ToLower(strings.TrimSpace(string(out))); err != nil || said != map[bool]string{true: "true", false: "false"}[c.want] && said != map[bool]string{true: "genuine", false: "not genuine"}[c.want] {
			t.Errorf("the sample in %s says %q, want %s: %v", language, out, fmt.Sprint(c.want), err)
		}
	}
}
