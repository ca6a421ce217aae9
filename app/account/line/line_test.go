package line

import (
	"strings"
	"testing"

	"svc/messenger"
)

const (
	simple = "00112233445566778899aabbccddeeff"
	padded = "dd00112233445566778899aabbccddeeff"
	fake   = "ee00112233445566778899aabbccddeeff676f6f676c652e636f6d" // google.com
)

func TestParse(t *testing.T) {
	const socks, http, mt = messenger.SOCKS5, messenger.HTTPConnect, messenger.MTProtoProxy
	for _, tt := range []struct {
		text     string
		fallback messenger.RouteKind
		want     Proxy
	}{
		{"203.0.113.5:1080", "", Proxy{Type: socks, Host: "203.0.113.5", Port: 1080}},
		{"  Proxy.Example.UZ.:1080 ", "", Proxy{Type: socks, Host: "proxy.example.uz", Port: 1080}},
		{"203.0.113.5:8080", http, Proxy{Type: http, Host: "203.0.113.5", Port: 8080}},
		{"203.0.113.5:1080:ali:se:cret", "", Proxy{Type: socks, Host: "203.0.113.5", Port: 1080, Username: "ali", Password: "se:cret"}},
		{"[2001:db8::1]:1080", "", Proxy{Type: socks, Host: "2001:db8::1", Port: 1080}},
		{"[2001:db8::1]:1080:u:p", "", Proxy{Type: socks, Host: "2001:db8::1", Port: 1080, Username: "u", Password: "p"}},
		{"ali:pass@proxy.example.uz:1080", "", Proxy{Type: socks, Host: "proxy.example.uz", Port: 1080, Username: "ali", Password: "pass"}},
		{"socks5://ali:p%40ss@proxy.example.uz:1080", "", Proxy{Type: socks, Host: "proxy.example.uz", Port: 1080, Username: "ali", Password: "p@ss"}},
		{"socks5://ali:p@ss@proxy.example.uz:1080", "", Proxy{Type: socks, Host: "proxy.example.uz", Port: 1080, Username: "ali", Password: "p@ss"}},
		{"SOCKS5H://proxy.example.uz:1080/", http, Proxy{Type: socks, Host: "proxy.example.uz", Port: 1080}},
		{"http://u:p@proxy.example.uz:3128", "", Proxy{Type: http, Host: "proxy.example.uz", Port: 3128, Username: "u", Password: "p"}},
		{"mtproto://" + padded + "@proxy.example.uz:443", "", Proxy{Type: mt, Host: "proxy.example.uz", Port: 443, Secret: padded}},
		{"proxy.example.uz:443:" + simple, mt, Proxy{Type: mt, Host: "proxy.example.uz", Port: 443, Secret: simple}},
		{"tg://proxy?server=proxy.example.uz&port=443&secret=" + fake, "", Proxy{Type: mt, Host: "proxy.example.uz", Port: 443, Secret: fake}},
		{"tg://proxy?server=1.2.3.4&port=443&secret=3QARIjNEVWZ3iJmqu8zd7v8", "", Proxy{Type: mt, Host: "1.2.3.4", Port: 443, Secret: "3QARIjNEVWZ3iJmqu8zd7v8"}},
		{"https://t.me/proxy?server=1.2.3.4&port=443&secret=" + padded, "", Proxy{Type: mt, Host: "1.2.3.4", Port: 443, Secret: padded}},
		{"t.me/socks?server=1.2.3.4&port=1080&user=u&pass=p%20w", "", Proxy{Type: socks, Host: "1.2.3.4", Port: 1080, Username: "u", Password: "p w"}},
		{"tg://socks?server=1.2.3.4&port=1080", "", Proxy{Type: socks, Host: "1.2.3.4", Port: 1080}},
		{"http://t.me/proxy?server=1.2.3.4&port=443&secret=" + simple, "", Proxy{Type: mt, Host: "1.2.3.4", Port: 443, Secret: simple}},
	} {
		got, err := Parse(tt.text, tt.fallback)
		if err != nil || got != tt.want {
			t.Errorf("%q: %+v, %v", tt.text, got, err)
		}
	}
}

func TestParseRefuses(t *testing.T) {
	for text, want := range map[string]error{
		"":                                       errShape,
		"hello":                                  errShape,
		"1.2.3.4":                                errShape,
		"1.2.3.4:":                               errPort,
		"1.2.3.4:0":                              errPort,
		"1.2.3.4:65536":                          errPort,
		"1.2.3.4:1080:user":                      errShape,
		"1.2.3.4:1080::password":                 errNoUser,
		"[::1:1080":                              errShape,
		"[fe80::1%eth0]:1080":                    errHost,
		"exa mple.com:1080":                      errHost,
		"0x7f000001:1080":                        errHost,
		"127.1:1080":                             errHost,
		"https://1.2.3.4:443":                    errTLS,
		"ftp://1.2.3.4:443":                      errType,
		"socks5://u:%zz@1.2.3.4:1080":            errShape,
		"u:p@1.2.3.4:1080:u:p":                   errShape,
		"mtproto://1.2.3.4:443":                  errNoSecret,
		"mtproto://abc@1.2.3.4:443":              errSecret,
		"mtproto://" + simple + ":p@1.2.3.4:443": errSurplus,
		"mtproto://cc" + simple + "@1.2.3.4:443": errSecret,
		"tg://proxy?server=1.2.3.4&port=443":     errNoSecret,
		"tg://resolve?domain=x":                  errShape,
		"tg://proxy?server=%zz":                  errShape,
		"socks5://u:p\x01@1.2.3.4:1080":          errText,
		"1.2.3.4:1080:u:" + strings.Repeat("x", 256): errText,
		strings.Repeat("x", MaxLine+1):               errLong,
	} {
		if got, err := Parse(text, ""); err != want {
			t.Errorf("%q: %+v, %v, want %v", text, got, err, want)
		}
	}
	for want, p := range map[error]Proxy{
		errType:    {Type: "FTP", Host: "1.2.3.4", Port: 1},
		errSurplus: {Type: messenger.SOCKS5, Host: "1.2.3.4", Port: 1, Secret: simple},
	} {
		if _, err := Check(p); err != want {
			t.Errorf("%+v: %v, want %v", p, err, want)
		}
	}
}

func TestPrivate(t *testing.T) {
	for host, want := range map[string]bool{
		"127.0.0.1": true, "10.1.2.3": true, "192.168.1.1": true, "169.254.169.254": true, "::1": true, "fd00::1": true,
		"::ffff:10.0.0.1": true, "0.0.0.0": true, "localhost": true, "proxy": true, "proxy.local": true, "a.internal": true,
		"8.8.8.8": false, "2a00:1450:4001:80b::200e": false, "proxy.example.uz": false,
	} {
		if Private(host) != want {
			t.Errorf("%s: private %v", host, !want)
		}
	}
}

// FuzzParse: whatever a line holds, what is answered passes its own check again, and
// no error repeats the line.
func FuzzParse(f *testing.F) {
	for _, s := range []string{
		"1.2.3.4:1080", "[2001:db8::1]:1:u:p", "socks5://u:p@h.uz:1", "tg://proxy?server=h.uz&port=1&secret=" + fake, "t.me/socks?server=h.uz&port=1",
		"mtproto://" + simple + "@h.uz:443", "a@b@c:1", "://", "tg://", "[", "::::",
	} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		p, err := Parse(text, "")
		if err != nil {
			if len(text) > 40 && strings.Contains(err.Error(), text) {
				t.Fatalf("the error repeats the line: %v", err)
			}
			return
		}
		if again, err := Check(p); err != nil || again != p {
			t.Fatalf("%q: %+v becomes %+v, %v", text, p, again, err)
		}
	})
}
