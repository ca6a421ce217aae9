// Package graph is the HTTP core of the photo and the page network: calls with their proofs,
// what their errors mean, how much of an allowance is used, the signatures of webhooks and
// signed requests, and the bodies of webhooks.
//
// It promises that a request whose fate is not known is told from one that certainly was not
// made (platform.Uncertain, platform.Unsent), and that no address and no token is in an error.
// It refuses to try anything again.
package graph

import (
	"bytes"
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"mime/multipart"
	"net/http"
	"net/textproto"
	"net/url"
	"strings"
	"time"

	"svc/messenger/platform"
)

// Client calls one host.
type Client struct {
	// Base is the address of the host with the version, without a slash at its end.
	Base string
	// Secret of the application, for proofs.
	Secret string
	HTTP   *http.Client
}

const (
	callTime  = 30 * time.Second
	maxAnswer = 4 << 20
)

// Get asks for something.
func (c *Client) Get(ctx context.Context, a platform.Access, path string, query url.Values, out any) error {
	if query == nil {
		query = url.Values{}
	}
	c.prove(a.Token, query)
	return c.do(ctx, a, http.MethodGet, path+"?"+query.Encode(), "", nil, out)
}

// Post sends JSON.
func (c *Client) Post(ctx context.Context, a platform.Access, path string, body, out any) error {
	query := url.Values{}
	c.prove(a.Token, query)
	data, err := json.Marshal(body)
	if err != nil {
		return err
	}
	return c.do(ctx, a, http.MethodPost, path+"?"+query.Encode(), "application/json", bytes.NewReader(data), out)
}

// Form sends a form.
func (c *Client) Form(ctx context.Context, a platform.Access, path string, form url.Values, out any) error {
	return c.do(ctx, a, http.MethodPost, path, "application/x-www-form-urlencoded", strings.NewReader(form.Encode()), out)
}

// Delete deletes.
func (c *Client) Delete(ctx context.Context, a platform.Access, path string) error {
	query := url.Values{}
	c.prove(a.Token, query)
	return c.do(ctx, a, http.MethodDelete, path+"?"+query.Encode(), "", nil, nil)
}

// Upload sends a file in parts with fields beside it.
func (c *Client) Upload(ctx context.Context, a platform.Access, path string, fields map[string]string, f *platform.File, out any) error {
	query := url.Values{}
	c.prove(a.Token, query)
	r, w := io.Pipe()
	form := multipart.NewWriter(w)
	go func() { w.CloseWithError(writeForm(form, fields, f)) }()
	defer func() { _ = r.Close() }()
	return c.do(ctx, a, http.MethodPost, path+"?"+query.Encode(), form.FormDataContentType(), r, out)
}

func writeForm(form *multipart.Writer, fields map[string]string, f *platform.File) error {
	for name, value := range fields {
		if err := form.WriteField(name, value); err != nil {
			return err
		}
	}
	h := textproto.MIMEHeader{}
	h.Set("Content-Disposition", fmt.Sprintf(`form-data; name="filedata"; filename=%q`, f.Name))
	h.Set("Content-Type", f.Type)
	part, err := form.CreatePart(h)
	if err != nil {
		return err
	}
	in, err := f.Open()
	if err != nil {
		return err
	}
	_, err = io.Copy(part, in)
	return errors.Join(err, in.Close(), form.Close())
}

// prove adds the proof that the caller knows the application's secret.
func (c *Client) prove(token string, query url.Values) {
	if token == "" || c.Secret == "" {
		return
	}
	query.Set("appsecret_proof", Proof(token, c.Secret))
}

// Proof is the proof for a token: hex HMAC-SHA256 of it with the secret.
func Proof(token, secret string) string {
	h := hmac.New(sha256.New, []byte(secret))
	_, _ = io.WriteString(h, token)
	return hex.EncodeToString(h.Sum(nil))
}

func (c *Client) do(ctx context.Context, a platform.Access, method, path, contentType string, body io.Reader, out any) error {
	ctx, cancel := context.WithTimeout(ctx, callTime)
	defer cancel()
	req, err := http.NewRequestWithContext(ctx, method, c.Base+path, body)
	if err != nil {
		return errors.New("platform: the address of the network is not one")
	}
	if contentType != "" {
		req.Header.Set("Content-Type", contentType)
	}
	if a.Token != "" {
		req.Header.Set("Authorization", "Bearer "+a.Token)
	}
	resp, err := c.HTTP.Do(req)
	if err != nil {
		return platform.OfTransport(ctx, err)
	}
	defer func() { _ = resp.Body.Close() }()
	data, err := io.ReadAll(io.LimitReader(resp.Body, maxAnswer+1))
	if used, ok := UsageOf(resp.Header, a.ExternalID); ok && a.Seen != nil {
		a.Seen(used)
	}
	if err != nil || len(data) > maxAnswer {
		return &platform.Error{Fault: platform.Uncertain, Text: "the answer was not whole"}
	}
	return read(resp.StatusCode, resp.Header, data, out)
}

// wireError is an error of the network.
type wireError struct {
	Error *struct {
		Message     string `json:"message"`
		Type        string `json:"type"`
		Code        int    `json:"code"`
		Subcode     int    `json:"error_subcode"`
		Transient   bool   `json:"is_transient"`
		UserMessage string `json:"error_user_msg"`
		Trace       string `json:"fbtrace_id"`
	} `json:"error"`
	// The first step of the photo network has a form of its own.
	OldMessage string `json:"error_message"`
	OldCode    int    `json:"code"`
	OldType    string `json:"error_type"`
}

// read makes an answer, or the error that it is: also one with status 200.
func read(status int, h http.Header, data []byte, out any) error {
	var w wireError
	known := json.Unmarshal(data, &w) == nil
	switch {
	case known && w.Error != nil:
		e := &platform.Error{Code: w.Error.Code, Subcode: w.Error.Subcode, Trace: platform.Cut(w.Error.Trace), Text: platform.Cut(w.Error.Message)}
		e.Fault, e.Wait = faultOf(status, e.Code, e.Subcode, w.Error.Transient), platform.WaitOf(h)
		return e
	case known && w.OldMessage != "" && status >= 400:
		return &platform.Error{Fault: platform.Refused, Code: w.OldCode, Text: platform.Cut(w.OldMessage)}
	case status == http.StatusTooManyRequests:
		return &platform.Error{Fault: platform.Limited, Code: status, Wait: platform.WaitOf(h)}
	case status >= 500:
		return &platform.Error{Fault: platform.Uncertain, Code: status, Text: "the network failed"}
	case status >= 400:
		return &platform.Error{Fault: platform.Refused, Code: status}
	case out == nil:
		return nil
	}
	if err := json.Unmarshal(data, out); err != nil {
		return &platform.Error{Fault: platform.Uncertain, Text: "the answer was not understood"}
	}
	return nil
}

// bySubcode are the faults that the subcode alone tells.
var bySubcode = map[int]platform.Fault{
	2534022: platform.WindowClosed, 2018278: platform.WindowClosed, 2018108: platform.WindowClosed,
	2018300: platform.OtherApp,
	1545041: platform.PersonBlocked,
	2018001: platform.PersonUnknown, 2534014: platform.PersonUnknown,
	2018007: platform.FileRejected, 2018047: platform.FileRejected, 2018008: platform.FileRejected,
	2018034: platform.TextRejected,
	2534025: platform.NotAnswerable,
	1893063: platform.Limited,
	2207050: platform.Restricted,
	2534041: platform.NoPermission, 2534066: platform.NoPermission,
}

// byCode are those that the code tells where the subcode does not.
var byCode = map[int]platform.Fault{
	190: platform.TokenInvalid, 102: platform.TokenInvalid,
	551: platform.PersonBlocked, 230: platform.PersonUnknown,
	10900: platform.NotAnswerable, 10903: platform.NotAnswerable,
	368: platform.Restricted,
	10:  platform.NoPermission, 3: platform.NoPermission, 200: platform.NoPermission,
	4: platform.Limited, 17: platform.Limited, 32: platform.Limited, 613: platform.Limited, 429: platform.Limited,
	1: platform.Uncertain, 2: platform.Uncertain, -1: platform.Uncertain, 1200: platform.Uncertain,
	9000001: platform.Gone,
}

// faultOf is what an error means.
func faultOf(status, code, subcode int, transient bool) platform.Fault {
	if f, ok := bySubcode[subcode]; ok && subcode != 0 {
		return f
	}
	if code == 100 && subcode == 33 {
		return platform.Gone
	}
	if code >= 80001 && code <= 80014 {
		return platform.Limited
	}
	if f, ok := byCode[code]; ok {
		return f
	}
	switch {
	case status == http.StatusTooManyRequests:
		return platform.Limited
	case status >= 500, transient:
		return platform.Uncertain
	}
	return platform.Refused
}

// usage is one entry of a usage header.
type usage struct {
	Calls  float64 `json:"call_count"`
	CPU    float64 `json:"total_cputime"`
	Time   float64 `json:"total_time"`
	Regain float64 `json:"estimated_time_to_regain_access"` // minutes
}

// percent is the highest figure, within 0 to 1000.
func (u usage) percent() int { return int(min(max(u.Calls, u.CPU, u.Time, 0), 1000)) }

// UsageOf reads the usage headers of an answer: the highest of the application and of the
// account. ok is false without any.
func UsageOf(h http.Header, account string) (out platform.Usage, ok bool) {
	take := func(u usage) {
		ok = true
		out.Percent = max(out.Percent, u.percent())
		out.Regain = max(out.Regain, time.Duration(min(max(u.Regain, 0), 1440))*time.Minute)
	}
	var app usage
	if text := h.Get("X-App-Usage"); text != "" && json.Unmarshal([]byte(text), &app) == nil {
		take(app)
	}
	var of map[string][]usage
	if text := h.Get("X-Business-Use-Case-Usage"); text != "" && json.Unmarshal([]byte(text), &of) == nil {
		for id, list := range of {
			if account != "" && id != account && len(of) > 1 {
				continue
			}
			for _, u := range list {
				take(u)
			}
		}
	}
	return out, ok
}

// Download writes what is at an address of the network to w, from a byte on.
func Download(ctx context.Context, client *http.Client, address string, w io.Writer, from, most int64) (int64, error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, address, nil)
	if err != nil {
		return 0, &platform.Error{Fault: platform.Gone, Text: "the address of the file is not one"}
	}
	if from > 0 {
		req.Header.Set("Range", fmt.Sprintf("bytes=%d-", from))
	}
	resp, err := client.Do(req)
	if err != nil {
		return 0, platform.OfTransport(ctx, err)
	}
	defer func() { _ = resp.Body.Close() }()
	switch {
	case resp.StatusCode == http.StatusForbidden, resp.StatusCode == http.StatusNotFound, resp.StatusCode == http.StatusGone:
		return 0, &platform.Error{Fault: platform.Gone, Code: resp.StatusCode}
	case resp.StatusCode >= 400:
		return 0, &platform.Error{Fault: platform.Uncertain, Code: resp.StatusCode}
	}
	if from > 0 && resp.StatusCode != http.StatusPartialContent {
		if _, err := io.CopyN(io.Discard, resp.Body, from); err != nil {
			return 0, platform.OfTransport(ctx, err)
		}
	}
	n, err := io.Copy(w, io.LimitReader(resp.Body, most-from+1))
	if err != nil {
		return n, err
	}
	if from+n > most {
		return n, ErrTooLarge
	}
	return n, nil
}

// ErrTooLarge is the error of a download that goes on behind what it may have.
var ErrTooLarge = errors.New("platform: the file is larger than it may be")
