package smtp_test

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"net"
	"strings"
	"testing"

	gosmtp "github.com/emersion/go-smtp"

	"svc/app/mail"
	"svc/app/mail/smtp"
)

var sample = mail.Letter{
	ID: "eml_1", To: "olga@example.uz", Language: "ru", Subject: "Новый пароль", Text: "Текст\nссылка", HTML: "<p>Текст</p>",
}

// client is one for the server, under its own name.
func client(t *testing.T, s *server, url string) *smtp.Client {
	t.Helper()
	o := smtp.Options{URL: url, From: "svc <svc@example.uz>", TLS: &tls.Config{RootCAs: s.roots, ServerName: host}}
	if strings.HasPrefix(url, "smtp:") {
		o.Dial = func(ctx context.Context, network, _ string) (net.Conn, error) {
			return (&net.Dialer{}).DialContext(ctx, network, s.address)
		}
	} else {
		o.URL = strings.Replace(url, host, s.address, 1)
	}
	c, err := smtp.New(o)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func withPassword(_ *gosmtp.Server, s *server) { s.password = "hush" }

func TestALetterArrives(t *testing.T) {
	for _, tt := range []struct {
		name, url string
		implicit  bool
		user      string
	}{
		{"STARTTLS and a password", "smtp://svc:hush@" + host, false, "svc"},
		{"TLS from the first byte and a password", "smtps://svc:hush@" + host, true, "svc"},
		{"STARTTLS without a password", "smtp://" + host, false, ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			how := withPassword
			if tt.user == "" {
				how = nil
			}
			s := start(t, tt.implicit, how)
			c := client(t, s, tt.url)
			if err := c.Check(t.Context()); err != nil {
				t.Fatal(err)
			}
			if err := c.Send(t.Context(), sample); err != nil {
				t.Fatal(err)
			}
			got := s.got()
			if len(got) != 1 {
				t.Fatalf("%d letters", len(got))
			}
			l := got[0]
			if l.from != "svc@example.uz" || l.to != sample.To || l.user != tt.user || !l.secure {
				t.Errorf("got %+v", l)
			}
			for _, want := range []string{
				"From: \"svc\" <svc@example.uz>", "To: <olga@example.uz>", "=?UTF-8?q?=D0=9D=D0=BE=D0=B2=D1=8B=D0=B9_", "Message-ID: <eml_1@example.uz>", "Auto-Submitted: auto-generated",
				"Content-Language: ru", "multipart/alternative", "text/plain", "text/html",
			} {
				if !strings.Contains(l.data, want) {
					t.Errorf("no %q in\n%s", want, l.data)
				}
			}
		})
	}
}

// TestNothingTravelsInTheOpen: without TLS neither a password nor a letter is sent.
func TestNothingTravelsInTheOpen(t *testing.T) {
	s := start(t, false, func(g *gosmtp.Server, s *server) {
		g.TLSConfig, g.AllowInsecureAuth, s.password = nil, true, "hush"
	})
	fails(t, client(t, s, "smtp://svc:hush@"+host).Send(t.Context(), sample), mail.Failure{Stage: "tls"})
	if len(s.got()) != 0 {
		t.Error("a letter was sent in the open")
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, one := range s.sessions {
		if one.user != "" {
			t.Error("the password was sent in the open")
		}
	}
}

func TestTheCertificateIsChecked(t *testing.T) {
	for _, scheme := range []string{"smtp", "smtps"} {
		s := start(t, scheme == "smtps", nil)
		s.roots = x509.NewCertPool()
		fails(t, client(t, s, scheme+"://"+host).Send(t.Context(), sample), mail.Failure{Stage: "tls"})
	}
}

func TestRefusals(t *testing.T) {
	reply := func(code int) error {
		return &gosmtp.SMTPError{Code: code, EnhancedCode: gosmtp.NoEnhancedCode, Message: "no olga@example.uz here"}
	}
	for _, tt := range []struct {
		stage string
		reply int
		want  mail.Failure
	}{
		{"mail", 451, mail.Failure{Stage: "from", Code: 451}},
		{"mail", 550, mail.Failure{Stage: "from", Code: 550, Permanent: true}},
		{"mail", 530, mail.Failure{Stage: "from", Code: 530}},
		{"rcpt", 450, mail.Failure{Stage: "recipient", Code: 450}},
		{"rcpt", 550, mail.Failure{Stage: "recipient", Code: 550, Permanent: true}},
		{"data", 452, mail.Failure{Stage: "data", Code: 452}},
		{"data", 554, mail.Failure{Stage: "data", Code: 554, Permanent: true}},
	} {
		s := start(t, false, nil)
		s.refuse[tt.stage] = reply(tt.reply)
		fails(t, client(t, s, "smtp://"+host).Send(t.Context(), sample), tt.want)
	}
	s := start(t, false, withPassword)
	fails(t, client(t, s, "smtp://svc:guessed@"+host).Send(t.Context(), sample), mail.Failure{Stage: "auth", Code: 535})
	gone := start(t, false, nil)
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	gone.address = l.Addr().String()
	_ = l.Close() // nobody listens there now
	fails(t, client(t, gone, "smtp://"+host).Send(t.Context(), sample), mail.Failure{Stage: "connect"})
	fails(t, client(t, gone, "smtp://"+host).Check(t.Context()), mail.Failure{Stage: "connect"})
}

// fails wants a failure, and nothing of the letter in its words.
func fails(t *testing.T, err error, want mail.Failure) {
	t.Helper()
	var f *mail.Failure
	if !errors.As(err, &f) || *f != want {
		t.Errorf("got %v, want %v", err, &want)
		return
	}
	if strings.Contains(err.Error(), "olga") || strings.Contains(err.Error(), "hush") || strings.Contains(err.Error(), "guessed") {
		t.Errorf("the error says %q", err)
	}
}

// TestHeadersCannotBeInjected: what a person typed stays within its header.
func TestHeadersCannotBeInjected(t *testing.T) {
	s := start(t, false, nil)
	l := sample
	l.Subject = "a\r\nBcc: eve@example.uz\r\n\r\nbody"
	if err := client(t, s, "smtp://"+host).Send(t.Context(), l); err != nil {
		t.Fatal(err)
	}
	for line := range strings.SplitSeq(s.got()[0].data, "\n") {
		if strings.HasPrefix(line, "Bcc:") {
			t.Errorf("injected: %q", line)
		}
	}
	l.To = "olga@example.uz>\r\nRCPT TO:<eve@example.uz"
	fails(t, client(t, s, "smtp://"+host).Send(t.Context(), l), mail.Failure{Stage: "recipient", Permanent: true})
}

func TestAddresses(t *testing.T) {
	for text, good := range map[string]bool{
		"smtp://mail.example.uz": true, "smtps://a:b@mail.example.uz:465": true, "smtp://a%40b:c@[::1]:25/": true,
		"": false, "http://mail.example.uz": false, "smtp://": false, "mail.example.uz:25": false, "smtp://a@mail.example.uz": false,
		"smtp://mail.example.uz:0": false, "smtp://mail.example.uz/x": false, "smtp://mail.example.uz?x=1": false,
	} {
		err := smtp.CheckURL(text)
		if (err == nil) != good {
			t.Errorf("%s: %v", text, err)
		}
	}
	for text, good := range map[string]bool{"svc@example.uz": true, "svc <svc@example.uz>": true, "svc": false, "": false, "a@b\r\nBcc: c@d": false} {
		if err := smtp.CheckFrom(text); (err == nil) != good {
			t.Errorf("%q: %v", text, err)
		}
	}
	if err := smtp.CheckURL("smtp://user:secret@mail.example.uz:99999"); err == nil || strings.Contains(err.Error(), "secret") {
		t.Errorf("the mistake says %v", err)
	}
}
