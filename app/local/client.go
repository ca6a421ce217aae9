package local

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io/fs"
	"net"
	"net/http"
	"syscall"

	"svc/app/mapkey"
)

// Client asks a running server. Close it.
type Client struct{ http *http.Client }

// Dial finds the server of a data folder, or answers ErrNotRunning.
func Dial(ctx context.Context, dir string) (*Client, error) {
	dial := func(ctx context.Context, _, _ string) (net.Conn, error) {
		return (&net.Dialer{}).DialContext(ctx, "unix", socket(dir))
	}
	conn, err := dial(ctx, "", "")
	switch {
	case errors.Is(err, fs.ErrNotExist), errors.Is(err, syscall.ECONNREFUSED): // a former server left its socket
		return nil, ErrNotRunning
	case err != nil:
		return nil, err
	}
	return &Client{&http.Client{Transport: &http.Transport{DialContext: dial}}}, conn.Close()
}

// Close ends the connection.
func (c *Client) Close() error {
	c.http.CloseIdleConnections()
	return nil
}

func (c *Client) call(ctx context.Context, name string, in, out any) error {
	body, err := json.Marshal(in)
	if err != nil {
		return err
	}
	ask, err := http.NewRequestWithContext(ctx, http.MethodPost, "http://svc/"+name, bytes.NewReader(body))
	if err != nil {
		return err
	}
	answer, err := c.http.Do(ask)
	if err != nil {
		return err
	}
	defer func() { _ = answer.Body.Close() }()
	if answer.StatusCode != http.StatusOK {
		return refusal(answer)
	}
	return json.NewDecoder(answer.Body).Decode(out)
}

// Backup implements Admin.
func (c *Client) Backup(ctx context.Context, file string, force bool) error {
	return c.call(ctx, "Backup", target{file, force}, &none{})
}

// CreateAdmin implements Admin.
func (c *Client) CreateAdmin(ctx context.Context, email string) (password string, err error) {
	err = c.call(ctx, "CreateAdmin", email, &password)
	return password, err
}

// ResetPassword implements Admin.
func (c *Client) ResetPassword(ctx context.Context, email string, twoFactor bool) (password string, err error) {
	err = c.call(ctx, "ResetPassword", reset{email, twoFactor}, &password)
	return password, err
}

// VerifyAudit implements Admin.
func (c *Client) VerifyAudit(ctx context.Context, anchors string) (out []Chain, err error) {
	err = c.call(ctx, "VerifyAudit", anchors, &out)
	return out, err
}

// Clocks implements Admin.
func (c *Client) Clocks(ctx context.Context) (out Clocks, err error) {
	err = c.call(ctx, "Clocks", none{}, &out)
	return out, err
}

// MissingFiles implements Admin.
func (c *Client) MissingFiles(ctx context.Context) (out MissingFiles, err error) {
	err = c.call(ctx, "MissingFiles", none{}, &out)
	return out, err
}

// AddMapKey implements Admin.
func (c *Client) AddMapKey(ctx context.Context, n mapkey.NewKey) (out NewMapKey, err error) {
	err = c.call(ctx, "AddMapKey", n, &out)
	return out, err
}

// MapKeys implements Admin.
func (c *Client) MapKeys(ctx context.Context) (out []MapKey, err error) {
	err = c.call(ctx, "MapKeys", none{}, &out)
	return out, err
}

// RevokeMapKey implements Admin.
func (c *Client) RevokeMapKey(ctx context.Context, who string) (out RevokedMapKey, err error) {
	err = c.call(ctx, "RevokeMapKey", who, &out)
	return out, err
}

// EditMapKey implements Admin.
func (c *Client) EditMapKey(ctx context.Context, who string, ch mapkey.KeyChanges) (out EditedMapKey, err error) {
	err = c.call(ctx, "EditMapKey", editOf{who, ch}, &out)
	return out, err
}
