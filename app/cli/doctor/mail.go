package doctor

import (
	"context"
	"time"

	"svc/app/mail/smtp"
)

// mailPatience is how long doctor waits for the mail server.
const mailPatience = 15 * time.Second

// checkMail connects to the mail server and signs in; it sends nothing.
func (f *Findings) checkMail(ctx context.Context, c *Subject) {
	const area = "mail"
	if c.SMTPURL == "" {
		f.good(area, "server", "none: links of invitations and for new passwords are copied (--smtp-url turns mail on)")
		return
	}
	client, err := smtp.New(smtp.Options{URL: c.SMTPURL, From: c.MailFrom})
	if err != nil {
		f.bad(area, "server", "correct --smtp-url and --mail-from", "%v", err)
		return
	}
	ctx, cancel := context.WithTimeout(ctx, mailPatience)
	defer cancel()
	if err := client.Check(ctx); err != nil {
		f.bad(area, "server", "look at the address, the certificate and the password in --smtp-url", "%s: %v", client.Server(), err)
		return
	}
	f.good(area, "server", "%s takes connections, encrypted where it is not on this machine", client.Server())
}
