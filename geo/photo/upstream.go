package photo

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"
	"time"
)

const (
	// maxAnswer bounds a host's answer about an entity or an image.
	maxAnswer = 1 << 20
	// maxImage bounds an image; at 960 pixels they are 100 to 500 kB.
	maxImage = 8 << 20
	// imageWidth is one of the widths that the image store keeps ready.
	imageWidth = "960"
	// imageProperty is the entity database's property "image".
	imageProperty = "P18"
)

// errUnreachable says that a host did not answer in time or at all.
var errUnreachable = errors.New("photo host unreachable")

// upstream asks both hosts about one entity.
func (c *Client) upstream(ctx context.Context, qid string) (record, error) {
	body, err := c.query(ctx, "entity database", c.entity, url.Values{
		"action": {"wbgetclaims"}, "entity": {qid}, "property": {imageProperty}, "format": {"json"},
	})
	if err != nil {
		return record{}, err
	}
	file, err := parseClaims(body)
	if err != nil || file == "" {
		return record{}, err
	}
	body, err = c.query(ctx, "image store", c.img, url.Values{
		"action": {"query"}, "titles": {"File:" + file}, "prop": {"imageinfo"},
		"iiprop": {"url|size|mime|extmetadata"}, "iiextmetadatafilter": {"Artist|LicenseShortName|LicenseUrl"},
		"iiurlwidth": {imageWidth}, "format": {"json"}, "formatversion": {"2"}, "redirects": {"1"},
	})
	if err != nil {
		return record{}, err
	}
	return parseInfo(body, qid)
}

// query is one call to a host's query interface.
func (c *Client) query(ctx context.Context, who string, at *url.URL, params url.Values) ([]byte, error) {
	u := *at
	u.RawQuery = params.Encode()
	body, _, err := c.get(ctx, who, u.String(), maxAnswer)
	if errors.Is(err, ErrNone) {
		return nil, fmt.Errorf("the %s answered 404; is its address right?", who)
	}
	return body, err
}

// get fetches an address. Errors name the host by its role, never the address,
// which may hold the operator's password. ErrNone stands for 404 and 410.
func (c *Client) get(ctx context.Context, who, address string, limit int64) ([]byte, http.Header, error) {
	select {
	case c.slots <- struct{}{}:
		defer func() { <-c.slots }()
	case <-ctx.Done():
		return nil, nil, fmt.Errorf("%w: no free connection in time", errUnreachable)
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, address, nil)
	if err != nil {
		return nil, nil, fmt.Errorf("the %s gave an unusable address", who)
	}
	req.Header.Set("User-Agent", c.c.UserAgent)
	resp, err := c.http.Do(req)
	if err != nil {
		return nil, nil, fmt.Errorf("%w: %s: %w", errUnreachable, who, withoutURL(err))
	}
	defer resp.Body.Close()
	switch {
	case resp.StatusCode == http.StatusNotFound || resp.StatusCode == http.StatusGone:
		return nil, nil, ErrNone
	case resp.StatusCode != http.StatusOK:
		return nil, nil, fmt.Errorf("the %s answered %d", who, resp.StatusCode)
	}
	body, err := io.ReadAll(io.LimitReader(resp.Body, limit+1))
	switch {
	case err != nil && ctx.Err() != nil:
		return nil, nil, fmt.Errorf("%w: %s: %w", errUnreachable, who, ctx.Err())
	case err != nil:
		return nil, nil, fmt.Errorf("the answer of the %s broke off", who)
	case int64(len(body)) > limit:
		return nil, nil, fmt.Errorf("the answer of the %s is larger than %d bytes", who, limit)
	}
	return body, resp.Header, nil
}

// withoutURL strips the address that net/http puts into its errors.
func withoutURL(err error) error {
	var e *url.Error
	if errors.As(err, &e) {
		return e.Err
	}
	return err
}

// claim is one statement about an entity.
type claim struct {
	Rank string `json:"rank"`
	Snak struct {
		Type  string `json:"snaktype"`
		Value struct {
			Value json.RawMessage `json:"value"`
		} `json:"datavalue"`
	} `json:"mainsnak"`
}

// file is the file name that the claim states, or "".
func (c claim) file() string {
	var name string
	if c.Snak.Type == "somevalue" || c.Snak.Type == "novalue" || json.Unmarshal(c.Snak.Value.Value, &name) != nil {
		return ""
	}
	name = strings.TrimSpace(name)
	if len(name) > 300 || strings.ContainsAny(name, "|#<>[]{}\n") {
		return "" // no file can have such a name; "|" would ask for several
	}
	return name
}

// parseClaims returns the file name of an entity's image, or "" when it has
// none. A preferred claim wins over a normal one, a deprecated one never counts.
func parseClaims(body []byte) (string, error) {
	var in struct {
		Error *struct {
			Code string `json:"code"`
		} `json:"error"`
		Claims json.RawMessage `json:"claims"`
	}
	unreadable := errors.New("the answer of the entity database is not readable")
	if err := decode(body, &in); err != nil {
		return "", unreadable
	}
	if in.Error != nil {
		switch in.Error.Code {
		case "no-such-entity", "invalid-entity-id", "param-invalid", "param-illegal":
			return "", nil
		}
		return "", errors.New("the entity database answered with an error")
	}
	var claims map[string][]claim
	if none := []any(nil); json.Unmarshal(in.Claims, &none) == nil && len(none) == 0 {
		return "", nil // no claims at all are an empty list, not an empty object
	}
	if json.Unmarshal(in.Claims, &claims) != nil {
		return "", unreadable
	}
	best, bestRank := "", 0
	for _, c := range claims[imageProperty] {
		rank := map[string]int{"preferred": 3, "normal": 2, "": 1}[c.Rank]
		if file := c.file(); file != "" && rank > bestRank {
			best, bestRank = file, rank
		}
	}
	return best, nil
}

// info is the image store's answer about one file.
type info struct {
	Title string `json:"title"`
	Image []struct {
		URL         string          `json:"url"`
		ThumbURL    string          `json:"thumburl"`
		Description string          `json:"descriptionurl"`
		Mime        string          `json:"mime"`
		Width       int             `json:"width"`
		Height      int             `json:"height"`
		Meta        json.RawMessage `json:"extmetadata"`
	} `json:"imageinfo"`
}

// parseInfo makes the record of an entity from the image store's answer, in
// which pages are a list (format version 2) or a map (version 1).
func parseInfo(body []byte, qid string) (record, error) {
	var in struct {
		Error json.RawMessage `json:"error"`
		Query struct {
			Pages json.RawMessage `json:"pages"`
		} `json:"query"`
	}
	if err := decode(body, &in); err != nil {
		return record{}, errors.New("the answer of the image store is not readable")
	}
	if in.Error != nil {
		return record{}, errors.New("the image store answered with an error")
	}
	var pages []info
	if json.Unmarshal(in.Query.Pages, &pages) != nil {
		var byID map[string]info
		if in.Query.Pages != nil && json.Unmarshal(in.Query.Pages, &byID) != nil {
			return record{}, errors.New("the answer of the image store is not readable")
		}
		for _, page := range byID {
			pages = append(pages, page)
		}
	}
	if len(pages) == 0 || len(pages[0].Image) == 0 {
		return record{}, nil // the file is missing
	}
	return pages[0].record(qid), nil
}

func (p info) record(qid string) record {
	img := p.Image[0]
	source := webAddress(img.ThumbURL)
	if source == "" && allowedType(img.Mime) {
		source = webAddress(img.URL)
	}
	if source == "" {
		return record{} // nothing that a browser shows, for example a sound
	}
	meta := metadata(img.Meta)
	_, title, found := strings.Cut(p.Title, ":")
	if !found {
		title = p.Title
	}
	photo := &Photo{
		URL:        "/api/photo/img/" + qid + ".jpg",
		SourceURL:  webAddress(img.Description),
		Author:     plain(meta["Artist"], 200),
		License:    plain(meta["LicenseShortName"], 100),
		LicenseURL: webAddress(meta["LicenseUrl"]),
		Title:      plain(title, 300),
		Width:      max(img.Width, 0),
		Height:     max(img.Height, 0),
	}
	var credit []string
	for _, part := range []string{photo.Author, photo.License, HostName} {
		if part != "" {
			credit = append(credit, part)
		}
	}
	photo.Attribution = strings.Join(credit, " · ")
	return record{Photo: photo, Image: source}
}

// metadata reads the store's extended metadata; without any it sends a list
// instead of an object.
func metadata(raw json.RawMessage) map[string]string {
	var in map[string]struct {
		Value any `json:"value"`
	}
	out := map[string]string{}
	if json.Unmarshal(raw, &in) != nil {
		return out
	}
	for name, field := range in {
		if text, ok := field.Value.(string); ok {
			out[name] = text
		}
	}
	return out
}

// webAddress returns text when it is an absolute http or https address; one
// without a scheme ("//host/path") gets https.
func webAddress(text string) string {
	if strings.HasPrefix(text, "//") {
		text = "https:" + text
	}
	u, err := url.Parse(text)
	if err != nil || len(text) > 2000 || (u.Scheme != "http" && u.Scheme != "https") || u.Host == "" {
		return ""
	}
	return u.String()
}

// decode reads one JSON object; null and other values are refused.
func decode(body []byte, into any) error {
	if trimmed := bytes.TrimSpace(body); len(trimmed) == 0 || trimmed[0] != '{' {
		return errors.New("not an object")
	}
	return json.Unmarshal(body, into)
}

// image is a downloaded image.
type image struct {
	data []byte
	kind string
	at   time.Time
}

func (i image) reader() io.ReadSeekCloser {
	return struct {
		*bytes.Reader
		io.Closer
	}{bytes.NewReader(i.data), io.NopCloser(nil)}
}

// download fetches an image and checks that it is what it says.
func (c *Client) download(ctx context.Context, address string) (image, error) {
	data, header, err := c.get(ctx, "image store", address, maxImage)
	if err != nil {
		return image{}, err
	}
	kind := http.DetectContentType(data)
	if said, _, _ := strings.Cut(header.Get("Content-Type"), ";"); !allowedType(kind) || !allowedType(strings.TrimSpace(said)) {
		return image{}, errors.New("the image store sent something that is not a JPEG, PNG, WebP or GIF image")
	}
	return image{data: data, kind: kind}, nil
}

// allowedType is true for what browsers show and cannot run: SVG is left out
// because it may hold scripts.
func allowedType(kind string) bool {
	switch strings.ToLower(kind) {
	case "image/jpeg", "image/png", "image/webp", "image/gif":
		return true
	}
	return false
}
