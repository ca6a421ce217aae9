package graph

import (
	"context"
	"net/url"
	"slices"
	"strings"

	"svc/messenger/platform"
)

// Granted are the permissions that were granted.
func Granted(ctx context.Context, c *Client, a platform.Access, path string) ([]string, error) {
	var w struct {
		Data []struct {
			Permission string `json:"permission"`
			Status     string `json:"status"`
		} `json:"data"`
	}
	if err := c.Get(ctx, a, path, nil, &w); err != nil {
		return nil, err
	}
	out := []string{}
	for _, p := range w.Data {
		if p.Status == "granted" {
			out = append(out, p.Permission)
		}
	}
	return out, nil
}

// Subscribe asks for webhooks of an account. A field that is refused is left out: the network
// names it in its refusal.
func Subscribe(ctx context.Context, c *Client, a platform.Access, path string, fields []string) error {
	fields = slices.Clone(fields)
	for {
		err := c.Form(ctx, a, path, c.formOf(a, fields), nil)
		e := platform.As(err)
		if e == nil || e.Code != 100 || len(fields) < 2 {
			return err
		}
		refused := slices.IndexFunc(fields, func(f string) bool { return strings.Contains(e.Text, f) })
		if refused < 0 {
			return err
		}
		fields = slices.Delete(fields, refused, refused+1)
	}
}

func (c *Client) formOf(a platform.Access, fields []string) url.Values {
	form := url.Values{"subscribed_fields": {strings.Join(fields, ",")}}
	c.prove(a.Token, form)
	return form
}

// Subscribed says whether an application gets webhooks of an account with the fields that it
// cannot do without.
func Subscribed(ctx context.Context, c *Client, a platform.Access, path, app string, need []string) (bool, error) {
	var w struct {
		Data []struct {
			ID     Text     `json:"id"`
			Fields []string `json:"subscribed_fields"`
		} `json:"data"`
	}
	if err := c.Get(ctx, a, path, nil, &w); err != nil {
		return false, err
	}
	for _, x := range w.Data {
		if x.ID != "" && string(x.ID) != app {
			continue
		}
		if !slices.ContainsFunc(need, func(f string) bool { return !slices.Contains(x.Fields, f) }) {
			return true, nil
		}
	}
	return false, nil
}

// OfProfile is what an error means where a profile was asked for: people who wrote nothing yet
// show none.
func OfProfile(err error) error {
	if e := platform.As(err); e != nil && e.Code == 230 {
		e.Fault = platform.NoConsent
	}
	return err
}
