package local

import (
	"context"
	"encoding/json"
	"errors"
	"io/fs"
	"net"
	"syscall"

	"svc/app/mapkey"
)

// Client asks a running server, one thing at a time. Close it.
type Client struct{ conn net.Conn }

// Dial finds the server of a data folder, or answers ErrNotRunning.
func Dial(ctx context.Context, dir string) (*Client, error) {
	conn, err := (&net.Dialer{}).DialContext(ctx, "unix", socket(dir))
	switch {
	case errors.Is(err, fs.ErrNotExist), errors.Is(err, syscall.ECONNREFUSED): // a former server left its socket
		return nil, ErrNotRunning
	case err != nil:
		return nil, err
	}
	return &Client{conn}, nil
}

// Close ends the connection.
func (c *Client) Close() error { return c.conn.Close() }

// call asks and waits. When ctx ends first the connection is of no use any more.
func (c *Client) call(ctx context.Context, name string, in, out any) error {
	defer context.AfterFunc(ctx, func() { _ = c.conn.Close() })()
	argument, err := json.Marshal(in)
	if err != nil {
		return err
	}
	var got response
	err = json.NewEncoder(c.conn).Encode(request{Method: prefix + name, Params: [1]json.RawMessage{argument}})
	if err == nil {
		err = json.NewDecoder(c.conn).Decode(&got)
	}
	switch {
	case ctx.Err() != nil:
		return ctx.Err()
	case err != nil:
		return err
	case got.Error != nil:
		return errors.New(*got.Error)
	}
	return json.Unmarshal(got.Result, out)
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
