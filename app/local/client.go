package local

import (
	"context"
	"errors"
	"io/fs"
	"net"
	"net/rpc"
	"net/rpc/jsonrpc"
	"syscall"

	"svc/app/mapkey"
)

// Client asks a running server. Close it.
type Client struct{ rpc *rpc.Client }

// Dial finds the server of a data folder, or answers ErrNotRunning.
func Dial(ctx context.Context, dir string) (*Client, error) {
	conn, err := (&net.Dialer{}).DialContext(ctx, "unix", socket(dir))
	switch {
	case errors.Is(err, fs.ErrNotExist), errors.Is(err, syscall.ECONNREFUSED): // a former server left its socket
		return nil, ErrNotRunning
	case err != nil:
		return nil, err
	}
	return &Client{jsonrpc.NewClient(conn)}, nil
}

// Close ends the connection.
func (c *Client) Close() error { return c.rpc.Close() }

func (c *Client) call(ctx context.Context, method string, args, out any) error {
	call := c.rpc.Go("svc."+method, args, out, make(chan *rpc.Call, 1))
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-call.Done:
		return call.Error
	}
}

// Backup implements Admin.
func (c *Client) Backup(ctx context.Context, file string, force bool) error {
	return c.call(ctx, "Backup", Target{file, force}, &None{})
}

// CreateAdmin implements Admin.
func (c *Client) CreateAdmin(ctx context.Context, email string) (password string, err error) {
	err = c.call(ctx, "CreateAdmin", email, &password)
	return password, err
}

// ResetPassword implements Admin.
func (c *Client) ResetPassword(ctx context.Context, email string, twoFactor bool) (password string, err error) {
	err = c.call(ctx, "ResetPassword", Reset{email, twoFactor}, &password)
	return password, err
}

// VerifyAudit implements Admin.
func (c *Client) VerifyAudit(ctx context.Context, anchors string) (out []Chain, err error) {
	err = c.call(ctx, "VerifyAudit", anchors, &out)
	return out, err
}

// Clocks implements Admin.
func (c *Client) Clocks(ctx context.Context) (out Clocks, err error) {
	err = c.call(ctx, "Clocks", None{}, &out)
	return out, err
}

// MissingFiles implements Admin.
func (c *Client) MissingFiles(ctx context.Context) (out MissingFiles, err error) {
	err = c.call(ctx, "MissingFiles", None{}, &out)
	return out, err
}

// AddMapKey implements Admin.
func (c *Client) AddMapKey(ctx context.Context, n mapkey.NewKey) (out NewMapKey, err error) {
	err = c.call(ctx, "AddMapKey", n, &out)
	return out, err
}

// MapKeys implements Admin.
func (c *Client) MapKeys(ctx context.Context) (out []MapKey, err error) {
	err = c.call(ctx, "MapKeys", None{}, &out)
	return out, err
}

// RevokeMapKey implements Admin.
func (c *Client) RevokeMapKey(ctx context.Context, who string) (out RevokedMapKey, err error) {
	err = c.call(ctx, "RevokeMapKey", who, &out)
	return out, err
}

// EditMapKey implements Admin.
func (c *Client) EditMapKey(ctx context.Context, who string, ch mapkey.KeyChanges) (out EditedMapKey, err error) {
	err = c.call(ctx, "EditMapKey", EditOf{who, ch}, &out)
	return out, err
}
