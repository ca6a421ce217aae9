// Package smtp gives mails to a mail server.
//
// It promises that a password never travels unencrypted: smtp:// needs STARTTLS, except
// for a server on this machine, and smtps:// is TLS from the first byte; that the
// certificate is checked; that a letter is bounded in time; and that its errors name
// neither an address nor a word of a letter.
package smtp

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"net"
	netmail "net/mail"
	"net/netip"
	"net/textproto"
	"net/url"
	"strconv"
	"strings"
	"time"

	gomail "github.com/wneessen/go-mail"

	"svc/app/mail"
)

// Options of New.
type Options struct {
	// URL is smtp://user:password@host:port or smtps://…; the ports are 587 and 465
	// when it names none.
	URL string
	// From is the sender, as in "svc <svc@example.uz>".
	From string
	// Dial, of smtp:// only, and TLS are for tests; nil: the network, and the
	// certificates of the system.
	Dial func(ctx context.Context, network, address string) (net.Conn, error)
	TLS  *tls.Config
}

const timeout = 30 * time.Second

// Client sends letters; it implements mail.Sender.
type Client struct {
	server server
	from   *netmail.Address
	o      Options
}

// server is what an address says.
type server struct {
	host           string
	port           int
	user, password string
	implicitTLS    bool
}

// CheckURL says in a sentence what is wrong with the address of a mail server. The
// sentence repeats nothing of the address, which may hold a password.
func CheckURL(text string) error {
	_, err := parse(text)
	return err
}

func parse(text string) (s server, err error) {
	u, err := url.Parse(text)
	if err != nil || u.Scheme != "smtp" && u.Scheme != "smtps" || u.Hostname() == "" {
		return s, errors.New("not the address of a mail server; write smtp://user:password@host:587 (STARTTLS) or smtps://user:password@host:465")
	}
	if u.RawQuery != "" || u.Fragment != "" || u.Path != "" && u.Path != "/" {
		return s, errors.New("the address of the mail server must end with its port")
	}
	s = server{host: u.Hostname(), port: 587, user: u.User.Username(), implicitTLS: u.Scheme == "smtps"}
	s.password, _ = u.User.Password()
	if s.implicitTLS {
		s.port = 465
	}
	if p := u.Port(); p != "" {
		if s.port, err = strconv.Atoi(p); err != nil || s.port < 1 || s.port > 65535 {
			return s, errors.New("the port of the mail server must be between 1 and 65535")
		}
	}
	if (s.user == "") != (s.password == "") {
		return s, errors.New("the mail server needs a user and a password, or neither")
	}
	return s, nil
}

// CheckFrom says in a sentence what is wrong with the sender of mails.
func CheckFrom(text string) error {
	a, err := netmail.ParseAddress(text)
	if err != nil || strings.ContainsAny(text, "\r\n") || !strings.Contains(a.Address, "@") {
		return errors.New(`not the sender of a mail; write svc@example.uz or "Name <svc@example.uz>"`)
	}
	return nil
}

// New makes the client. It connects to nothing.
func New(o Options) (*Client, error) {
	s, err := parse(o.URL)
	if err != nil {
		return nil, err
	}
	if err := CheckFrom(o.From); err != nil {
		return nil, err
	}
	from, err := netmail.ParseAddress(o.From)
	return &Client{s, from, o}, err
}

// onThisMachine says whether the server cannot be listened to on the way.
func (s server) onThisMachine() bool {
	at, err := netip.ParseAddr(s.host)
	return s.host == "localhost" || err == nil && at.IsLoopback()
}

func (c *Client) client() (*gomail.Client, error) {
	config := &tls.Config{MinVersion: tls.VersionTLS12}
	if c.o.TLS != nil {
		config = c.o.TLS.Clone()
	}
	if config.ServerName == "" {
		config.ServerName = c.server.host
	}
	policy := gomail.TLSMandatory
	if c.server.onThisMachine() {
		policy = gomail.TLSOpportunistic
	}
	options := []gomail.Option{
		gomail.WithPort(c.server.port), gomail.WithTimeout(timeout), gomail.WithTLSConfig(config), gomail.WithTLSPolicy(policy),
		gomail.WithoutNoop(), gomail.WithHELO("localhost"),
	}
	if _, domain, ok := strings.Cut(c.from.Address, "@"); ok {
		options = append(options, gomail.WithHELO(domain))
	}
	if c.server.implicitTLS {
		options = append(options, gomail.WithSSL())
	}
	if c.o.Dial != nil {
		options = append(options, gomail.WithDialContextFunc(c.o.Dial))
	}
	if c.server.user != "" {
		kind := gomail.SMTPAuthAutoDiscover
		if c.server.onThisMachine() && !c.server.implicitTLS {
			kind = gomail.SMTPAuthPlainNoEnc // nobody is on the way
		}
		options = append(options, gomail.WithSMTPAuth(kind), gomail.WithUsername(c.server.user), gomail.WithPassword(c.server.password))
	}
	return gomail.NewClient(c.server.host, options...)
}

// Send implements mail.Sender.
func (c *Client) Send(ctx context.Context, l mail.Letter) error {
	m, err := c.message(l)
	if err != nil {
		return &mail.Failure{Stage: "recipient", Permanent: true}
	}
	client, err := c.client()
	if err != nil {
		return &mail.Failure{Stage: "connect"}
	}
	ctx, cancel := context.WithTimeout(ctx, 2*timeout)
	defer cancel()
	conn, err := client.DialToSMTPClientWithContext(ctx)
	if err != nil {
		return connecting(err)
	}
	stop := context.AfterFunc(ctx, func() { _ = conn.Close() })
	defer stop()
	err = client.SendWithSMTPClient(conn, m)
	// What the server says to QUIT changes nothing about a letter that it took.
	_ = client.CloseWithSMTPClient(conn)
	if err != nil {
		return sending(err)
	}
	return nil
}

// Check connects, and signs in where there is a password, without sending anything:
// for svc doctor.
func (c *Client) Check(ctx context.Context) error {
	client, err := c.client()
	if err != nil {
		return &mail.Failure{Stage: "connect"}
	}
	conn, err := client.DialToSMTPClientWithContext(ctx)
	if err != nil {
		return connecting(err)
	}
	_ = client.CloseWithSMTPClient(conn)
	return nil
}

// Server is host and port, without a password.
func (c *Client) Server() string { return net.JoinHostPort(c.server.host, strconv.Itoa(c.server.port)) }

func (c *Client) message(l mail.Letter) (*gomail.Msg, error) {
	m := gomail.NewMsg()
	if err := m.From(c.from.String()); err != nil {
		return nil, err
	}
	to := netmail.Address{Address: l.To}
	if strings.ContainsAny(l.To, "\r\n") {
		return nil, errors.New("smtp: a line break in an address")
	}
	if err := m.To(to.String()); err != nil {
		return nil, err
	}
	m.Subject(l.Subject)
	m.SetDate()
	_, domain, _ := strings.Cut(c.from.Address, "@")
	m.SetMessageIDWithValue(l.ID + "@" + domain)
	m.SetGenHeader("Auto-Submitted", "auto-generated")
	m.SetGenHeader("Content-Language", l.Language)
	m.SetUserAgent("svc")
	m.SetBodyString(gomail.TypeTextPlain, l.Text)
	m.AddAlternativeString(gomail.TypeTextHTML, l.HTML)
	return m, nil
}

// connecting says what kept a connection from being of use. A refused password or
// a missing certificate may be mended by an administrator: none of it is permanent.
func connecting(err error) error {
	var (
		said *textproto.Error
		cert *tls.CertificateVerificationError
		op   *net.OpError
	)
	switch {
	case errors.As(err, &said):
		stage := "connect"
		if strings.Contains(err.Error(), "SMTP AUTH") {
			stage = "auth"
		}
		return &mail.Failure{Stage: stage, Code: said.Code}
	case errors.As(err, &cert), strings.Contains(err.Error(), "STARTTLS"), strings.Contains(err.Error(), "tls:"):
		return &mail.Failure{Stage: "tls"}
	case errors.As(err, &op):
		return &mail.Failure{Stage: "connect"}
	case strings.Contains(err.Error(), "AUTH"):
		return &mail.Failure{Stage: "auth"}
	}
	return &mail.Failure{Stage: "connect"}
}

// sending says what a server said to a letter: what begins with a 5 stays so.
func sending(err error) error {
	var s *gomail.SendError
	if !errors.As(err, &s) {
		return &mail.Failure{Stage: "data"}
	}
	stage := map[gomail.SendErrReason]string{gomail.ErrSMTPMailFrom: "from", gomail.ErrSMTPRcptTo: "recipient"}[s.Reason]
	if stage == "" {
		stage = "data"
	}
	code := s.ErrorCode()
	return &mail.Failure{Stage: stage, Code: code, Permanent: code >= 500 && !aboutUs[code]}
}

// aboutUs are refusals of the sender and not of the letter (RFC 4954): an
// administrator mends the password, and the letter goes.
var aboutUs = map[int]bool{530: true, 534: true, 535: true, 538: true}

// String names the server in a sentence, without a password.
func (c *Client) String() string { return fmt.Sprintf("mail server %s", c.Server()) }
