// Package video speaks with the video network: public channels with a key of the application,
// own channels with a sign-in, and what both show: videos, figures and comments.
//
// It promises what platform.Network asks for, without messages: the network has none. Every
// list costs one unit for each page, which Access.Spend is asked for before the call. An access
// is a refresh token, which has no date; the short tokens made of it live in memory. It refuses
// to search: a search costs a hundred times a list (platforms 2).
package video

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"time"

	"svc/messenger/platform"
	"svc/messenger/platform/graph"
)

// Options say which application speaks, and where the hosts are, without a slash at their ends.
type Options struct {
	// Key reads public channels. ClientID and Secret sign in; "": nobody can.
	Key, ClientID, Secret string
	// Consent has the consent page, Token gives and revokes tokens, API has the lists.
	Consent, Token, API string
	HTTP                *http.Client
	Now                 func() time.Time
}

// Client implements platform.Network and platform.Finder. Safe for concurrent use.
type Client struct {
	platform.NoMessages
	o Options

	mu      sync.Mutex
	tokens  map[string]short  // by refresh token
	uploads map[string]string // the list of uploads, by channel
}

// short is a token that lives an hour.
type short struct {
	token string
	until time.Time
}

var (
	_ platform.Network = (*Client)(nil)
	_ platform.Finder  = (*Client)(nil)
)

// New makes the client.
func New(o Options) *Client {
	if o.Now == nil {
		o.Now = time.Now
	}
	return &Client{o: o, tokens: map[string]short{}, uploads: map[string]string{}}
}

// Name implements platform.Network.
func (*Client) Name() platform.Name { return platform.Video }

// scope lets videos, figures and comments be read, nothing else.
const scope = "https://www.googleapis.com/auth/youtube.readonly"

// Scopes implements platform.Network.
func (*Client) Scopes() []string { return []string{scope} }

// Authorize implements platform.Network.
func (c *Client) Authorize(redirect, state, verifier string) string {
	q := url.Values{
		"client_id": {c.o.ClientID}, "redirect_uri": {redirect}, "response_type": {"code"}, "scope": {scope}, "state": {state},
		"access_type": {"offline"}, "prompt": {"consent"}, // without it a repeated consent has no refresh token
		"code_challenge": {platform.Challenge(verifier)}, "code_challenge_method": {"S256"},
	}
	return c.o.Consent + "/o/oauth2/v2/auth?" + q.Encode()
}

type wireToken struct {
	Access  string `json:"access_token"`
	Refresh string `json:"refresh_token"`
	Scope   string `json:"scope"`
	Expires int64  `json:"expires_in"`
	Error   string `json:"error"`
}

// Exchange implements platform.Network.
func (c *Client) Exchange(ctx context.Context, code, redirect, verifier string) (out platform.Grant, err error) {
	w, err := c.token(ctx, url.Values{"grant_type": {"authorization_code"}, "code": {code}, "redirect_uri": {redirect}, "code_verifier": {verifier}})
	if err != nil {
		return out, err
	}
	if w.Refresh == "" {
		return out, &platform.Error{Fault: platform.Refused, Reason: "no_refresh_token", Text: "the consent has no refresh token"}
	}
	out.Scopes = strings.Fields(w.Scope)
	var list channels
	if err := c.get(ctx, platform.Access{Token: w.Refresh}, "channels", url.Values{"part": {channelParts}, "mine": {"true"}, "maxResults": {"50"}}, &list); err != nil {
		return out, err
	}
	for i := range list.Items {
		g := c.granted(&list.Items[i])
		g.Token, g.UserToken, g.Scopes = w.Refresh, w.Refresh, out.Scopes
		out.Accounts = append(out.Accounts, g)
		out.UserID = g.ExternalID
	}
	return out, nil
}

// token asks for a token with the application's secret.
func (c *Client) token(ctx context.Context, form url.Values) (w wireToken, err error) {
	form.Set("client_id", c.o.ClientID)
	form.Set("client_secret", c.o.Secret)
	status, data, err := c.send(ctx, http.MethodPost, c.o.Token+"/token", strings.NewReader(form.Encode()), "application/x-www-form-urlencoded", "")
	if err != nil {
		return w, err
	}
	bad := json.Unmarshal(data, &w)
	switch {
	case w.Error == "invalid_grant":
		return w, &platform.Error{Fault: platform.TokenInvalid, Code: status, Reason: w.Error, Text: "the access was withdrawn or ran out"}
	case status >= 500, status < 400 && (bad != nil || w.Access == ""):
		return w, &platform.Error{Fault: platform.Uncertain, Code: status, Text: "no token came"}
	case status >= 400:
		return w, &platform.Error{Fault: platform.Refused, Code: status, Reason: cut(w.Error)}
	}
	c.remember(form.Get("refresh_token")+w.Refresh, w)
	return w, nil
}

func (c *Client) remember(refresh string, w wireToken) {
	if refresh == "" {
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.tokens[refresh] = short{w.Access, c.o.Now().Add(time.Duration(w.Expires)*time.Second - time.Minute)}
}

// access is a token that lives, "" without a sign-in.
func (c *Client) access(ctx context.Context, refresh string) (string, error) {
	if refresh == "" {
		return "", nil
	}
	c.mu.Lock()
	have, ok := c.tokens[refresh]
	c.mu.Unlock()
	if ok && c.o.Now().Before(have.until) {
		return have.token, nil
	}
	w, err := c.token(ctx, url.Values{"grant_type": {"refresh_token"}, "refresh_token": {refresh}})
	return w.Access, err
}

func (c *Client) forget(refresh string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	delete(c.tokens, refresh)
}

// Refresh implements platform.Network: an access has no date.
func (*Client) Refresh(_ context.Context, a platform.Access) (string, time.Time, error) {
	return a.Token, time.Time{}, nil
}

// Alive implements platform.Network.
func (c *Client) Alive(ctx context.Context, a platform.Access) error {
	c.forget(a.Token)
	_, err := c.channel(ctx, a)
	return err
}

// Check implements platform.Network.
func (c *Client) Check(ctx context.Context, a platform.Access) (out platform.Health, err error) {
	w, err := c.channel(ctx, a)
	if err != nil {
		return out, err
	}
	g := c.granted(w)
	out.Name, out.Username, out.AvatarURL, out.Subscribed = g.Name, g.Username, g.AvatarURL, true
	if a.Token != "" {
		out.Scopes = []string{scope}
	}
	return out, nil
}

// Revoke implements platform.Network.
func (c *Client) Revoke(ctx context.Context, _, userToken string) error {
	c.forget(userToken)
	status, _, err := c.send(ctx, http.MethodPost, c.o.Token+"/revoke", strings.NewReader(url.Values{"token": {userToken}}.Encode()), "application/x-www-form-urlencoded", "")
	if err == nil && status >= 500 {
		err = &platform.Error{Fault: platform.Uncertain, Code: status}
	}
	return err
}

// Download implements platform.Network.
func (c *Client) Download(ctx context.Context, address string, w io.Writer, from, most int64) (int64, error) {
	return graph.Download(ctx, c.o.HTTP, address, w, from, most)
}

const (
	callTime  = 30 * time.Second
	maxAnswer = 8 << 20
)

// get asks for a list, for one unit.
func (c *Client) get(ctx context.Context, a platform.Access, list string, q url.Values, out any) error {
	token, err := c.access(ctx, a.Token)
	if err != nil {
		return err
	}
	if a.Spend != nil {
		if err := a.Spend(ctx, 1); err != nil {
			return err
		}
	}
	if token == "" {
		q.Set("key", c.o.Key)
	}
	status, data, err := c.send(ctx, http.MethodGet, c.o.API+"/youtube/v3/"+list+"?"+q.Encode(), nil, "", token)
	if err != nil {
		return err
	}
	if status >= 400 {
		if status == http.StatusUnauthorized {
			c.forget(a.Token)
		}
		return c.fault(status, data)
	}
	if err := json.Unmarshal(data, out); err != nil {
		return &platform.Error{Fault: platform.Uncertain, Text: "the answer was not understood"}
	}
	return nil
}

// send makes a request. Its errors hold no address: those have keys in them.
func (c *Client) send(ctx context.Context, method, address string, body io.Reader, contentType, token string) (status int, data []byte, err error) {
	ctx, cancel := context.WithTimeout(ctx, callTime)
	defer cancel()
	req, err := http.NewRequestWithContext(ctx, method, address, body)
	if err != nil {
		return 0, nil, errors.New("platform: the address of the network is not one")
	}
	if contentType != "" {
		req.Header.Set("Content-Type", contentType)
	}
	if token != "" {
		req.Header.Set("Authorization", "Bearer "+token)
	}
	resp, err := c.o.HTTP.Do(req)
	if err != nil {
		return 0, nil, platform.OfTransport(ctx, err)
	}
	defer func() { _ = resp.Body.Close() }()
	data, err = io.ReadAll(io.LimitReader(resp.Body, maxAnswer+1))
	if err != nil || len(data) > maxAnswer {
		return 0, nil, &platform.Error{Fault: platform.Uncertain, Text: "the answer was not whole"}
	}
	return resp.StatusCode, data, nil
}

// reasons are what the names of errors mean.
var reasons = map[string]platform.Fault{
	"quotaExceeded": platform.Limited, "dailyLimitExceeded": platform.Limited, "rateLimitExceeded": platform.Limited, "userRateLimitExceeded": platform.Limited,
	"commentsDisabled": platform.NotAnswerable, "videoNotFound": platform.Gone, "channelNotFound": platform.Gone, "playlistNotFound": platform.Gone,
	"forbidden": platform.NoPermission, "insufficientPermissions": platform.NoPermission, "accessNotConfigured": platform.Refused,
	"processingFailure": platform.Uncertain, "backendError": platform.Uncertain, "keyInvalid": platform.Refused, "authError": platform.TokenInvalid,
}

// Spent says that an error is the end of the units of a day.
func Spent(e *platform.Error) bool {
	return e.Reason == "quotaExceeded" || e.Reason == "dailyLimitExceeded"
}

func (c *Client) fault(status int, data []byte) error {
	var w struct {
		Error struct {
			Message string `json:"message"`
			Errors  []struct {
				Reason string `json:"reason"`
			} `json:"errors"`
		} `json:"error"`
	}
	_ = json.Unmarshal(data, &w) // what is not understood has no reason
	e := &platform.Error{Fault: platform.Refused, Code: status, Text: cut(w.Error.Message)}
	if len(w.Error.Errors) > 0 {
		e.Reason = cut(w.Error.Errors[0].Reason)
	}
	f, known := reasons[e.Reason]
	switch {
	case known:
		e.Fault = f
	case status == http.StatusUnauthorized:
		e.Fault = platform.TokenInvalid
	case status == http.StatusTooManyRequests:
		e.Fault = platform.Limited
	case status == http.StatusNotFound:
		e.Fault = platform.Gone
	case status >= 500:
		e.Fault = platform.Uncertain
	}
	if Spent(e) {
		e.Wait = Reset(c.o.Now()).Sub(c.o.Now())
	}
	return e
}

func cut(s string) string {
	s = strings.ToValidUTF8(s, "")
	return strings.ToValidUTF8(s[:min(len(s), 200)], "")
}
