package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"mime/multipart"
	"net"
	"net/http"
	"net/http/cookiejar"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"time"

	"github.com/cenkalti/backoff/v5"
	"github.com/pquerna/otp/totp"
)

// keysOfService are the API keys that requests use in turn: each has a rate, which the
// works together stay below.
const keysOfService = 120

// service is svc in a process of its own, with one organization.
type service struct {
	*target
	cmd    *exec.Cmd
	data   string
	client *http.Client // with the cookies of the person who signed up
	base   string
}

func (s *service) stop() { stop(s.cmd) }

var setupLink = regexp.MustCompile(`setup_token=(\S+)`)

// watched is the output of a process, of which something is awaited.
type watched struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (w *watched) Write(p []byte) (int, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.b.Write(p)
}

func (w *watched) find(what *regexp.Regexp) (string, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if found := what.FindSubmatch(w.b.Bytes()); found != nil {
		return string(found[1]), nil
	}
	return "", errors.New("the program did not print its first link")
}

func startService(ctx context.Context, program, data string) (*service, error) {
	address, err := freeAddress()
	if err != nil {
		return nil, err
	}
	said := &watched{}
	jar, err := cookiejar.New(nil)
	if err != nil {
		return nil, err
	}
	s := &service{data: data, client: &http.Client{Jar: jar}, base: "http://" + address + "/api/v1"}
	s.cmd = exec.CommandContext(ctx, program, "serve", "--listen", address, "--data", data, "--photos=false")
	s.cmd.Stdout = said // what it logs is not read
	if err := s.cmd.Start(); err != nil {
		return nil, fmt.Errorf("%w: make build first", err)
	}
	if err := s.prepare(ctx, "http://"+address, said); err != nil {
		s.stop()
		return nil, err
	}
	return s, nil
}

// prepare signs the first person up, who administers the platform, and makes the keys.
func (s *service) prepare(ctx context.Context, address string, said *watched) error {
	if err := answers(ctx, address+"/health"); err != nil {
		return err
	}
	token, err := retried(ctx, func() (string, error) { return said.find(setupLink) })
	if err != nil {
		return err
	}
	person := map[string]any{
		"name": "Olga", "email": peerEmail, "password": peerPassword, "organization_name": "Records", "timezone": "Asia/Tashkent", "setup_token": token,
	}
	if _, err := s.do(ctx, "POST", "/auth/signup", person); err != nil {
		return err
	}
	mfa, err := s.do(ctx, "POST", "/me/mfa/setup", nil)
	if err != nil {
		return err
	}
	code, err := totp.GenerateCode(text(mfa, "secret"), time.Now())
	if err != nil {
		return err
	}
	if _, err := s.do(ctx, "POST", "/me/mfa/enable", map[string]any{"code": code}); err != nil {
		return err
	}
	organization, err := s.do(ctx, "GET", "/organization", nil)
	if err != nil {
		return err
	}
	if _, err := s.do(ctx, "PATCH", "/admin/organizations/"+text(organization, "id"), map[string]any{"plan": "ENTERPRISE"}); err != nil {
		return err
	}
	s.target = &target{base: s.base, creates: "/recipients", list: "/recipients?limit=50", header: "Authorization", body: recipient}
	for n := range keysOfService {
		key, err := s.do(ctx, "POST", "/api-keys", map[string]any{"name": fmt.Sprintf("key %d", n)})
		if err != nil {
			return err
		}
		s.tokens = append(s.tokens, "Bearer "+text(key, "key"))
	}
	return nil
}

func text(data []byte, field string) string {
	var answer map[string]any
	_ = json.Unmarshal(data, &answer) // an answer without the field is told by whoever uses it
	s, _ := answer[field].(string)
	return s
}

// do asks as the person who signed up.
func (s *service) do(ctx context.Context, method, path string, body any) ([]byte, error) {
	reader := io.Reader(http.NoBody)
	if body != nil {
		data, err := json.Marshal(body)
		if err != nil {
			return nil, err
		}
		reader = bytes.NewReader(data)
	}
	return s.send(ctx, method, path, reader, "application/json")
}

// send asks with the cookies of the person, from the address of the service.
func (s *service) send(ctx context.Context, method, path string, body io.Reader, contentType string) ([]byte, error) {
	return do(ctx, s.client, method, s.base+path, body, contentType, "Origin", strings.TrimSuffix(s.base, "/api/v1"))
}

// importPeople uploads a file and says how long the answer took.
func (s *service) importPeople(ctx context.Context, content []byte) (time.Duration, error) {
	var body bytes.Buffer
	form := multipart.NewWriter(&body)
	file, err := form.CreateFormFile("file", "people.csv")
	if err == nil {
		_, err = file.Write(content)
	}
	if err = errors.Join(err, form.Close()); err != nil {
		return 0, err
	}
	begin := time.Now()
	_, err = s.send(ctx, http.MethodPost, "/recipients/import", &body, form.FormDataContentType())
	return time.Since(begin), err
}

// bytes is how long the database of the service is.
func (s *service) bytes() (int64, error) {
	files, err := filepath.Glob(filepath.Join(s.data, "*.db"))
	if err != nil || len(files) != 1 {
		return 0, errors.Join(err, fmt.Errorf("%d databases in %s", len(files), s.data))
	}
	info, err := os.Stat(files[0])
	if err != nil {
		return 0, err
	}
	return info.Size(), nil
}

func freeAddress() (string, error) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return "", err
	}
	return l.Addr().String(), l.Close()
}

func answers(ctx context.Context, url string) error {
	_, err := retried(ctx, func() ([]byte, error) {
		return do(ctx, http.DefaultClient, http.MethodGet, url, http.NoBody, "", "", "")
	})
	return err
}

func retried[T any](ctx context.Context, f func() (T, error)) (T, error) {
	return backoff.Retry(ctx, f, backoff.WithBackOff(backoff.NewConstantBackOff(50*time.Millisecond)), backoff.WithMaxElapsedTime(30*time.Second))
}

func stop(cmd *exec.Cmd) {
	_ = cmd.Process.Kill() // its folder goes with it
	_ = cmd.Wait()
}
