package gate

import (
	"net/url"
	pathpkg "path"
	"strings"

	"svc/app/mapkey"
)

// route answers the one path that both the gate and the router go by, and
// whether the request is the map's at all.
//
// A path can be written so that two readers disagree: "/api%2Fsearch" is one
// segment to http.ServeMux and two to whoever looks at URL.Path;
// "/x/%2e%2e/api/search" and "/api//search" depend on who cleans when. So the
// gate decodes and cleans once, and the request goes on with that path alone. A
// request is left untouched only when both readings say that it is not the map's.
func route(u *url.URL) (path string, isMap bool) {
	if u.RawPath == "" && clean(u.Path) {
		_, access := classify(u.Path)
		return u.Path, access != mapkey.Foreign
	}
	asRouted := routerView(u)
	if messaging(asRouted) {
		return u.Path, false
	}
	path = canonical(u.Path)
	_, a := classify(path)
	_, b := classify(asRouted)
	return path, a != mapkey.Foreign || b != mapkey.Foreign
}

// classify is mapkey.Classify, and the files of the app shell: open as the shell
// is, and under the one rule of CORS and methods that holds for every path of the
// map.
func classify(path string) (mapkey.Product, mapkey.Access) {
	if strings.HasPrefix(path, "/app/") {
		return mapkey.Meta, mapkey.Open
	}
	return mapkey.Classify(path)
}

// messaging is the part of /api that the gate never sees.
func messaging(path string) bool { return path == "/api/v1" || strings.HasPrefix(path, "/api/v1/") }

// clean reports whether canonical would change nothing, without allocating.
func clean(p string) bool {
	if p == "" || p[0] != '/' {
		return false
	}
	for i := 0; i < len(p); i++ {
		if p[i] != '/' {
			continue
		}
		rest := p[i+1:]
		if rest == "." || rest == ".." || strings.HasPrefix(rest, "/") ||
			strings.HasPrefix(rest, "./") || strings.HasPrefix(rest, "../") {
			return false
		}
	}
	return true
}

// canonical removes empty, "." and ".." segments and keeps a trailing slash; a dot
// segment at the end leaves one (RFC 3986, 5.2.4).
func canonical(p string) string {
	if p == "" {
		return "/"
	}
	out := pathpkg.Clean("/" + p)
	if last := p[strings.LastIndexByte(p, '/')+1:]; out != "/" && (last == "" || last == "." || last == "..") {
		out += "/"
	}
	return out
}

// routerView is the path as http.ServeMux reads it: cleaned while it is still
// escaped, then decoded segment by segment, so that an escaped slash does not
// separate.
func routerView(u *url.URL) string {
	segments := strings.Split(canonical(u.EscapedPath()), "/")
	for i, s := range segments {
		if d, err := url.PathUnescape(s); err == nil {
			segments[i] = strings.ReplaceAll(d, "/", "%2F")
		}
	}
	return strings.Join(segments, "/")
}

// queryValue is url.ParseQuery(raw).Get(name) without building a map: the first
// value of the name; pairs with a semicolon or a bad escape do not count.
func queryValue(raw, name string) string {
	for raw != "" {
		var pair string
		pair, raw, _ = strings.Cut(raw, "&")
		if pair == "" || strings.IndexByte(pair, ';') >= 0 {
			continue
		}
		k, v, _ := strings.Cut(pair, "=")
		k, ok := unescape(k)
		if !ok || k != name {
			continue
		}
		if v, ok = unescape(v); ok {
			return v
		}
	}
	return ""
}

// unescape decodes a query component; the usual one has nothing to decode.
func unescape(s string) (string, bool) {
	if !strings.ContainsAny(s, "%+") {
		return s, true
	}
	d, err := url.QueryUnescape(s)
	return d, err == nil
}
