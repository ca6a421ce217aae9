// Package page speaks with the page network: its sign-in with several pages in one grant, its
// messages and its comments.
//
// It promises what platform.Network asks for. A page's token does not expire by itself; it ends
// with the password, the role or the application.
package page

import (
	"context"
	"encoding/json"
	"io"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"

	"svc/messenger/platform"
	"svc/messenger/platform/graph"
)

// Options say which application speaks, and where the hosts are, without a slash at their ends.
type Options struct {
	AppID, Secret string
	// LoginConfig names a configuration of the consent page, which replaces the scopes; "": none.
	LoginConfig string
	// Consent has the consent page, Graph the rest; Version is that of both.
	Consent, Graph, Version string
	HTTP                    *http.Client
	Now                     func() time.Time
}

// Client implements platform.Network.
type Client struct {
	o               Options
	graph           *graph.Client
	insights        *graph.Insights
	graph.Messaging // private messages: what both networks do alike
}

var _ platform.Network = (*Client)(nil)

// New makes the client.
func New(o Options) *Client {
	if o.Now == nil {
		o.Now = time.Now
	}
	c := &Client{o: o, graph: &graph.Client{Base: o.Graph + "/" + o.Version, Secret: o.Secret, HTTP: o.HTTP}}
	c.insights = &graph.Insights{Client: c.graph, Now: o.Now}
	c.Messaging = graph.Messaging{Client: c.graph, Node: func(a platform.Access) string { return a.ExternalID }, Platform: "messenger", Answers: "comments", Quotes: true}
	return c
}

// Name implements platform.Network.
func (*Client) Name() platform.Name { return platform.Page }

// Scopes implements platform.Network.
func (*Client) Scopes() []string {
	return []string{
		"pages_show_list", "pages_messaging", "pages_manage_metadata", "pages_read_engagement", "pages_read_user_content",
		"pages_manage_engagement", "read_insights", "business_management",
	}
}

// Authorize implements platform.Network.
func (c *Client) Authorize(redirect, state, _ string) string {
	q := url.Values{"client_id": {c.o.AppID}, "redirect_uri": {redirect}, "response_type": {"code"}, "state": {state}}
	if c.o.LoginConfig != "" {
		q.Set("config_id", c.o.LoginConfig)
	} else {
		q.Set("scope", strings.Join(c.Scopes(), ","))
	}
	return c.o.Consent + "/" + c.o.Version + "/dialog/oauth?" + q.Encode()
}

type wireToken struct {
	Token string `json:"access_token"`
}

// Exchange implements platform.Network.
func (c *Client) Exchange(ctx context.Context, code, redirect, _ string) (out platform.Grant, err error) {
	var short, long wireToken
	app := url.Values{"client_id": {c.o.AppID}, "client_secret": {c.o.Secret}, "redirect_uri": {redirect}, "code": {code}}
	if err := c.graph.Get(ctx, platform.Access{}, "/oauth/access_token", app, &short); err != nil {
		return out, err
	}
	more := url.Values{"grant_type": {"fb_exchange_token"}, "client_id": {c.o.AppID}, "client_secret": {c.o.Secret}, "fb_exchange_token": {short.Token}}
	if err := c.graph.Get(ctx, platform.Access{}, "/oauth/access_token", more, &long); err != nil {
		return out, err
	}
	person := platform.Access{Token: long.Token}
	var me struct {
		ID graph.Text `json:"id"`
	}
	if err := c.graph.Get(ctx, person, "/me", url.Values{"fields": {"id"}}, &me); err != nil {
		return out, err
	}
	out.UserID = string(me.ID)
	if out.Scopes, err = graph.Granted(ctx, c.graph, person, "/me/permissions"); err != nil {
		return out, err
	}
	out.Accounts, err = c.pages(ctx, person, out.Scopes)
	return out, err
}

// mostPages bounds the pages of one grant.
const mostPages = 1000

// pages are those that the person may speak for.
func (c *Client) pages(ctx context.Context, person platform.Access, scopes []string) (out []platform.Granted, err error) {
	type listed struct {
		Data []struct {
			ID      graph.Text `json:"id"`
			Name    string     `json:"name"`
			Token   string     `json:"access_token"`
			Tasks   []string   `json:"tasks"`
			Picture struct {
				Data struct {
					URL string `json:"url"`
				} `json:"data"`
			} `json:"picture"`
		} `json:"data"`
		Paging struct {
			Next    string `json:"next"`
			Cursors struct {
				After string `json:"after"`
			} `json:"cursors"`
		} `json:"paging"`
	}
	q := url.Values{"fields": {"id,name,access_token,tasks,picture"}, "limit": {"100"}}
	for len(out) < mostPages {
		var w listed
		if err := c.graph.Get(ctx, person, "/me/accounts", q, &w); err != nil {
			return nil, err
		}
		for _, p := range w.Data {
			g := platform.Granted{
				ExternalID: string(p.ID), Name: p.Name, AvatarURL: p.Picture.Data.URL, Token: p.Token, UserToken: person.Token, Scopes: scopes,
			}
			if !slices.Contains(p.Tasks, "MESSAGING") {
				g.Unconnectable = "The person who allowed it has no messaging task on this page."
			}
			out = append(out, g)
		}
		if w.Paging.Next == "" || w.Paging.Cursors.After == "" {
			return out, nil
		}
		q.Set("after", w.Paging.Cursors.After)
	}
	return out, nil
}

// Refresh implements platform.Network: tokens of pages do not expire.
func (*Client) Refresh(_ context.Context, a platform.Access) (string, time.Time, error) {
	return a.Token, time.Time{}, nil
}

// Alive implements platform.Network.
func (c *Client) Alive(ctx context.Context, a platform.Access) error {
	return c.graph.Get(ctx, a, "/"+a.ExternalID, url.Values{"fields": {"id"}}, nil)
}

var (
	fields = []string{
		"messages", "message_echoes", "message_deliveries", "message_reads", "message_reactions", "message_edits", "messaging_postbacks",
		"messaging_referrals", "messaging_optins", "messaging_handovers", "standby", "messaging_policy_enforcement", "feed",
	}
	essential = []string{"messages"}
)

// Check implements platform.Network.
func (c *Client) Check(ctx context.Context, a platform.Access) (out platform.Health, err error) {
	var me struct {
		Name      string `json:"name"`
		Username  string `json:"username"`
		Published *bool  `json:"is_published"`
		Picture   struct {
			Data struct {
				URL string `json:"url"`
			} `json:"data"`
		} `json:"picture"`
	}
	if err := c.graph.Get(ctx, a, "/"+a.ExternalID, url.Values{"fields": {"name,username,is_published,picture"}}, &me); err != nil {
		return out, err
	}
	out.Name, out.Username, out.AvatarURL = me.Name, me.Username, me.Picture.Data.URL
	out.Unpublished = me.Published != nil && !*me.Published
	out.Subscribed, err = graph.Subscribed(ctx, c.graph, a, "/"+a.ExternalID+"/subscribed_apps", c.o.AppID, essential)
	if err != nil {
		return out, err
	}
	return out, c.debug(ctx, a, &out)
}

// debug reads what the token may do, and until when there is data.
func (c *Client) debug(ctx context.Context, a platform.Access, out *platform.Health) error {
	var w struct {
		Data struct {
			Valid  bool        `json:"is_valid"`
			Scopes []string    `json:"scopes"`
			Data   json.Number `json:"data_access_expires_at"`
		} `json:"data"`
	}
	q := url.Values{"input_token": {a.Token}, "access_token": {c.o.AppID + "|" + c.o.Secret}}
	if err := c.graph.Get(ctx, platform.Access{}, "/debug_token", q, &w); err != nil {
		return err
	}
	if !w.Data.Valid {
		return &platform.Error{Fault: platform.TokenInvalid, Code: 190, Text: "the token is not valid"}
	}
	out.Scopes = w.Data.Scopes
	out.DataExpires = graph.TimeOf(w.Data.Data)
	return nil
}

// Subscribe implements platform.Network.
func (c *Client) Subscribe(ctx context.Context, a platform.Access) error {
	return graph.Subscribe(ctx, c.graph, a, "/"+a.ExternalID+"/subscribed_apps", fields)
}

// Revoke implements platform.Network.
func (c *Client) Revoke(ctx context.Context, userID, userToken string) error {
	return c.graph.Delete(ctx, platform.Access{Token: userToken}, "/"+userID+"/permissions")
}

// tagPrefix begins what a part of ours is sent with, so that its echo is known.
const tagPrefix = "svc1:"

// Tagged is the id of a part that an echo carries, "" for none of ours.
func Tagged(tag string) string {
	id, ok := strings.CutPrefix(tag, tagPrefix)
	if !ok {
		return ""
	}
	return id
}

// Send implements platform.Network.
func (c *Client) Send(ctx context.Context, a platform.Access, p *platform.Part) (platform.Sent, error) {
	return c.Messaging.Send(ctx, a, p, tagPrefix+p.ID)
}

// Profile implements platform.Network.
func (c *Client) Profile(ctx context.Context, a platform.Access, person string) (platform.Person, error) {
	var w struct {
		First   string `json:"first_name"`
		Last    string `json:"last_name"`
		Picture string `json:"profile_pic"`
	}
	err := c.graph.Get(ctx, a, "/"+url.PathEscape(person), url.Values{"fields": {"first_name,last_name,profile_pic"}}, &w)
	return platform.Person{ID: person, FirstName: w.First, LastName: w.Last, AvatarURL: w.Picture}, graph.OfProfile(err)
}

// Download implements platform.Network.
func (c *Client) Download(ctx context.Context, address string, w io.Writer, from, most int64) (int64, error) {
	return graph.Download(ctx, c.o.HTTP, address, w, from, most)
}
