package webtest

import "net/http"

// people are the browsers of a story: each has its own cookies.
type people struct {
	now     string // whose turn it is; "" for a program without cookies
	cookies map[string]map[string]string
}

// remember keeps the cookies that an answer sets.
func (p *people) remember(resp *http.Response) {
	if p.now == "" {
		return
	}
	if p.cookies == nil {
		p.cookies = map[string]map[string]string{}
	}
	jar := p.cookies[p.now]
	if jar == nil {
		jar = map[string]string{}
		p.cookies[p.now] = jar
	}
	for _, c := range resp.Cookies() {
		if c.MaxAge < 0 {
			delete(jar, c.Name)
			continue
		}
		jar[c.Name] = c.Value
	}
}

// sign gives a request the cookies and the origin that a browser would send.
func (p *people) sign(req *http.Request, origin string) {
	if p.now == "" || req.Header.Get("Authorization") != "" {
		return
	}
	for name, value := range p.cookies[p.now] {
		req.AddCookie(&http.Cookie{Name: name, Value: value})
	}
	if req.Header.Get("Origin") == "" && req.Method != http.MethodGet {
		req.Header.Set("Origin", origin)
	}
}
