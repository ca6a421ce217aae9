package web_test

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"
	"time"

	"svc/web/webtest"
)

// TestRefusedUploads: a client that sends its whole body before it listens hears why it
// was refused, whoever refuses; one that asks before it sends is not told to.
func TestRefusedUploads(t *testing.T) {
	server := webtest.Start(t, webtest.Options{Messaging: true, Keys: `[{"key":"k","name":"map"}]`, RequireKey: true})
	o := &tenant{t: t, server: server, ids: map[string]string{}}
	o.signUp("olga")
	olga := "Cookie: svc_session=" + o.cookie + "\r\nOrigin: " + server.URL + "\r\n"
	const badKey, form, data = "Authorization: Bearer svc_no\r\n", "Content-Type: multipart/form-data; boundary=x\r\n", "Content-Type: application/json\r\n"
	for _, tt := range []struct {
		name, path, headers string
		length              int
		status              int
		code                string
	}{
		{"far too large", "/api/v1/attachments", olga + form, 40 << 20, 413, "file_too_large"},
		{"from one who goes", "/api/v1/attachments", olga + form + "Connection: close\r\n", 40 << 20, 413, "file_too_large"},
		{"a bad key", "/api/v1/recipients/import", badKey + form, 8 << 20, 401, "invalid_credentials"},
		{"a bad key of one who goes", "/api/v1/recipients/import", badKey + form + "Connection: close\r\n", 100 << 10, 401, "invalid_credentials"},
		{"JSON", "/api/v1/recipients", olga + data, 5 << 20, 413, "file_too_large"},
		{"nowhere", "/api/v1/nothing", olga + data, 5 << 20, 404, "route_not_found"},
		{"the map without its key", "/api/route", data, 5 << 20, 401, "Unauthorized"},
	} {
		for _, way := range []string{"announced", "in chunks", "asked for"} {
			t.Run(tt.name+" "+way, func(t *testing.T) {
				status, code := upload(t, server, "POST "+tt.path+" HTTP/1.1\r\nHost: "+strings.TrimPrefix(server.URL, "http://")+"\r\n"+tt.headers, tt.length, way)
				if status != tt.status || code != tt.code {
					t.Errorf("%d %s, want %d %s", status, code, tt.status, tt.code)
				}
			})
		}
	}
}

// upload sends that many bytes and answers the status and the code that come back.
func upload(t *testing.T, server *webtest.Server, head string, length int, way string) (status int, code string) {
	t.Helper()
	conn, err := net.Dial("tcp", strings.TrimPrefix(server.URL, "http://"))
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	if err := conn.SetDeadline(time.Now().Add(time.Minute)); err != nil {
		t.Fatal(err)
	}
	body := bytes.Repeat([]byte("a"), length)
	switch way {
	case "announced":
		head += fmt.Sprintf("Content-Length: %d\r\n\r\n", length)
	case "in chunks":
		head += fmt.Sprintf("Transfer-Encoding: chunked\r\n\r\n%x\r\n", length)
		body = append(body, "\r\n0\r\n\r\n"...)
	case "asked for":
		head += fmt.Sprintf("Content-Length: %d\r\nExpect: 100-continue\r\n\r\n", length)
		body = nil
	}
	for _, part := range [][]byte{[]byte(head), body} {
		if _, err := conn.Write(part); err != nil {
			t.Fatalf("while sending: %v", err)
		}
	}
	resp, err := http.ReadResponse(bufio.NewReader(conn), nil)
	if err != nil {
		t.Fatal(err)
	}
	answer, err := io.ReadAll(resp.Body)
	if err != nil || !resp.Close {
		t.Errorf("%v; it says that it closes: %v", err, resp.Close)
	}
	var said struct{ Error any }
	if err := json.Unmarshal(answer, &said); err != nil {
		t.Fatalf("%v: %d %s", err, resp.StatusCode, answer)
	}
	if e, ok := said.Error.(map[string]any); ok {
		return resp.StatusCode, fmt.Sprint(e["code"])
	}
	return resp.StatusCode, fmt.Sprint(said.Error) // of the map
}
