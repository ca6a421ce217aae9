package web

import (
	"context"
	"errors"
	"fmt"
	"net"
	"syscall"
)

// bind listens on addr and, when it cannot, says what to do about it. flag is
// the name of the setting that chose the address.
func bind(ctx context.Context, addr, flag string) (net.Listener, error) {
	var lc net.ListenConfig
	ln, err := lc.Listen(ctx, "tcp", addr)
	switch {
	case err == nil:
		return ln, nil
	case errors.Is(err, syscall.EADDRINUSE):
		return nil, fmt.Errorf("cannot listen on %s: another program uses this address; stop it or choose another address with %s", addr, flag)
	case errors.Is(err, syscall.EACCES):
		return nil, fmt.Errorf("cannot listen on %s: not permitted; ports below 1024 need privileges, choose another with %s", addr, flag)
	case errors.Is(err, syscall.EADDRNOTAVAIL):
		return nil, fmt.Errorf("cannot listen on %s: this machine does not have that address; choose another with %s", addr, flag)
	}
	return nil, fmt.Errorf("cannot listen on %s (%s): %w", addr, flag, err)
}
