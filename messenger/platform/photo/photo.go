// Package photo speaks with the photo network: its sign-in, its messages and its comments.
//
// It promises what platform.Network asks for. It refuses to reach accounts through a linked
// page: an account signs in by itself.
package photo

import (
	"context"
	"encoding/json"
	"io"
	"net/http"
	"net/url"
	"strings"
	"time"

	"svc/messenger/platform"
	"svc/messenger/platform/graph"
)

// Options say which application speaks, and where the hosts are, without a slash at their ends.
type Options struct {
	AppID, Secret string
	// Consent has the consent page, Tokens gives the first token, Graph the rest; Version is
	// that of Graph.
	Consent, Tokens, Graph, Version string
	HTTP                            *http.Client
	Now                             func() time.Time
}

// Client implements platform.Network.
type Client struct {
	o     Options
	graph *graph.Client
	// tokens is the host without versions.
	tokens          *graph.Client
	bare            *graph.Client
	insights        *graph.Insights
	graph.Messaging // private messages: what both networks do alike
}

var _ platform.Network = (*Client)(nil)

// New makes the client.
func New(o Options) *Client {
	if o.Now == nil {
		o.Now = time.Now
	}
	c := &Client{
		o: o, graph: &graph.Client{Base: o.Graph + "/" + o.Version, Secret: o.Secret, HTTP: o.HTTP},
		tokens: &graph.Client{Base: o.Tokens, HTTP: o.HTTP}, bare: &graph.Client{Base: o.Graph, HTTP: o.HTTP},
	}
	c.insights = &graph.Insights{Client: c.graph, Now: o.Now}
	c.Messaging = graph.Messaging{Client: c.graph, Node: func(platform.Access) string { return "me" }, Platform: "instagram", Answers: "replies"}
	return c
}

// Name implements platform.Network.
func (*Client) Name() platform.Name { return platform.Photo }

// The scopes of the network.
const (
	scopeBasic    = "instagram_business_basic"
	scopeMessages = "instagram_business_manage_messages"
	scopeComments = "instagram_business_manage_comments"
	scopeInsights = "instagram_business_manage_insights"
)

// Scopes implements platform.Network.
func (*Client) Scopes() []string {
	return []string{scopeBasic, scopeMessages, scopeComments, scopeInsights}
}

// Authorize implements platform.Network.
func (c *Client) Authorize(redirect, state, _ string) string {
	q := url.Values{
		"client_id": {c.o.AppID}, "redirect_uri": {redirect}, "response_type": {"code"}, "scope": {strings.Join(c.Scopes(), ",")}, "state": {state},
	}
	return c.o.Consent + "/oauth/authorize?" + q.Encode()
}

// firstToken is the answer of the first step, bare or in a list.
type firstToken struct {
	Token       string          `json:"access_token"`
	User        graph.Text      `json:"user_id"`
	Permissions json.RawMessage `json:"permissions"`
	Data        []firstToken    `json:"data"`
}

// scopes are the permissions, as a list or as a text with commas.
func (t *firstToken) scopes() []string {
	var list []string
	if json.Unmarshal(t.Permissions, &list) == nil {
		return list
	}
	var text string
	if json.Unmarshal(t.Permissions, &text) != nil || text == "" {
		return nil
	}
	return strings.Split(text, ",")
}

// Exchange implements platform.Network.
func (c *Client) Exchange(ctx context.Context, code, redirect, _ string) (out platform.Grant, err error) {
	form := url.Values{
		"client_id": {c.o.AppID}, "client_secret": {c.o.Secret}, "grant_type": {"authorization_code"}, "redirect_uri": {redirect},
		"code": {strings.TrimSuffix(code, "#_")},
	}
	var first firstToken
	if err := c.tokens.Form(ctx, platform.Access{}, "/oauth/access_token", form, &first); err != nil {
		return out, err
	}
	if len(first.Data) > 0 {
		first = first.Data[0]
	}
	token, expires, err := c.long(ctx, "/access_token", url.Values{"grant_type": {"ig_exchange_token"}, "client_secret": {c.o.Secret}}, first.Token)
	if err != nil {
		return out, err
	}
	g := platform.Granted{Token: token, TokenExpires: expires, Scopes: first.scopes()}
	me, err := c.me(ctx, platform.Access{Token: token})
	if err != nil {
		return out, err
	}
	g.ExternalID, g.ScopedID, g.Name, g.Username, g.AvatarURL = string(me.User), string(me.ID), me.Name, me.Username, me.Picture
	g.FollowersKnown, g.FollowersNumber = me.Followers != nil, 0
	if me.Followers != nil {
		g.FollowersNumber = *me.Followers
	}
	if g.ExternalID == "" {
		return out, &platform.Error{Fault: platform.Refused, Text: "the account has no id"}
	}
	if me.Type == "PERSONAL" {
		g.Unconnectable = "The account is personal; make it a professional one in the app of the network."
	}
	return platform.Grant{UserID: string(first.User), Scopes: g.Scopes, Accounts: []platform.Granted{g}}, nil
}

// longest is how many seconds a token is believed to live: a year.
const longest = 365 * 86400

// long gets a token that lives for weeks. The token stands in the address, as the network asks.
func (c *Client) long(ctx context.Context, path string, q url.Values, token string) (string, time.Time, error) {
	var out struct {
		Token   string `json:"access_token"`
		Expires int64  `json:"expires_in"`
	}
	q.Set("access_token", token)
	if err := c.bare.Get(ctx, platform.Access{}, path, q, &out); err != nil {
		return "", time.Time{}, err
	}
	if out.Token == "" {
		return "", time.Time{}, &platform.Error{Fault: platform.Uncertain, Text: "the answer has no token"}
	}
	lives := time.Duration(min(max(out.Expires, 0), longest)) * time.Second
	return out.Token, c.o.Now().UTC().Truncate(time.Second).Add(lives), nil
}

type wireMe struct {
	ID        graph.Text `json:"id"`
	User      graph.Text `json:"user_id"`
	Username  string     `json:"username"`
	Name      string     `json:"name"`
	Type      string     `json:"account_type"`
	Picture   string     `json:"profile_picture_url"`
	Followers *int       `json:"followers_count"`
}

func (c *Client) me(ctx context.Context, a platform.Access) (out wireMe, err error) {
	err = c.graph.Get(ctx, a, "/me", url.Values{"fields": {"user_id,username,name,account_type,profile_picture_url,followers_count"}}, &out)
	return out, err
}

// Refresh implements platform.Network.
func (c *Client) Refresh(ctx context.Context, a platform.Access) (string, time.Time, error) {
	return c.long(ctx, "/refresh_access_token", url.Values{"grant_type": {"ig_refresh_token"}}, a.Token)
}

// Alive implements platform.Network.
func (c *Client) Alive(ctx context.Context, a platform.Access) error {
	_, err := c.me(ctx, a)
	return err
}

// fields are those that webhooks are wanted for; essential ones must be there.
var (
	fields = []string{
		"messages", "messaging_postbacks", "messaging_seen", "message_reactions", "messaging_referral", "message_edit", "message_echoes",
		"comments", "live_comments", "standby", "messaging_handover",
	}
	essential = []string{"messages"}
)

// Check implements platform.Network.
func (c *Client) Check(ctx context.Context, a platform.Access) (out platform.Health, err error) {
	me, err := c.me(ctx, a)
	if err != nil {
		return out, err
	}
	out.Name, out.Username, out.AvatarURL = me.Name, me.Username, me.Picture
	out.Subscribed, err = graph.Subscribed(ctx, c.graph, a, "/me/subscribed_apps", c.o.AppID, essential)
	if err != nil {
		return out, err
	}
	out.Scopes, err = graph.Granted(ctx, c.graph, a, "/me/permissions")
	return out, err
}

// Subscribe implements platform.Network.
func (c *Client) Subscribe(ctx context.Context, a platform.Access) error {
	return graph.Subscribe(ctx, c.graph, a, "/me/subscribed_apps", fields)
}

// Revoke implements platform.Network: the network has no call for it; the token is forgotten.
func (*Client) Revoke(context.Context, string, string) error { return nil }

// Send implements platform.Network.
func (c *Client) Send(ctx context.Context, a platform.Access, p *platform.Part) (platform.Sent, error) {
	return c.Messaging.Send(ctx, a, p, "")
}

// Profile implements platform.Network.
func (c *Client) Profile(ctx context.Context, a platform.Access, person string) (out platform.Person, err error) {
	var w struct {
		Name     string `json:"name"`
		Username string `json:"username"`
		Picture  string `json:"profile_pic"`
	}
	err = c.graph.Get(ctx, a, "/"+url.PathEscape(person), url.Values{"fields": {"name,username,profile_pic"}}, &w)
	return platform.Person{ID: person, Name: w.Name, Username: w.Username, AvatarURL: w.Picture}, graph.OfProfile(err)
}

// Download implements platform.Network.
func (c *Client) Download(ctx context.Context, address string, w io.Writer, from, most int64) (int64, error) {
	return graph.Download(ctx, c.o.HTTP, address, w, from, most)
}
