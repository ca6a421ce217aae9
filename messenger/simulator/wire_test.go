package simulator

import (
	"bytes"
	"context"
	"crypto/rand"
	"encoding/binary"
	"io"
	"net"
	"testing"
	"time"

	"github.com/gotd/td/bin"
	"github.com/gotd/td/crypto"
	"github.com/gotd/td/exchange"
	"github.com/gotd/td/mt"
	"github.com/gotd/td/proto"
	"github.com/gotd/td/telegram/dcs"
	"github.com/gotd/td/tg"
	"github.com/gotd/td/transport"

	"svc/messenger/simulator/mtp"
)

func dial(t testing.TB, s *Simulator) net.Conn {
	t.Helper()
	c, err := net.DialTimeout("tcp", s.Addr().String(), patience)
	ok(t, err)
	t.Cleanup(func() { c.Close() })
	ok(t, c.SetDeadline(time.Now().Add(patience)))
	return c
}

// Clients with every framing, in the clear and obfuscated, are understood.
func TestFramings(t *testing.T) {
	s := start(t, Options{})
	for name, p := range map[string]dcs.Protocol{
		"abridged": transport.Abridged, "intermediate": transport.Intermediate, "padded": transport.PaddedIntermediate,
	} {
		for _, obfuscated := range []bool{false, true} {
			ses, err := s.Session(alice)
			ok(t, err)
			c := connect(t, s, clientOptions{session: ses, protocol: p, obfuscated: obfuscated})
			if _, err := c.Self(c.ctx); err != nil {
				t.Errorf("%s, obfuscated %v: %v", name, obfuscated, err)
			}
			c.stop()
		}
	}
}

// raw speaks to the server below the client library.
type raw struct {
	transport.Conn
	t      testing.TB
	key    crypto.AuthKey
	cipher crypto.Cipher
	id     int64
}

func rawClient(t testing.TB, s *Simulator, number string) *raw {
	t.Helper()
	c, err := transport.Intermediate.Handshake(dial(t, s))
	ok(t, err)
	var k crypto.Key
	_, _ = rand.Read(k[:])
	auth := k.WithID()
	ok(t, s.World().SignInKey(auth, number))
	return &raw{Conn: c, t: t, key: auth, cipher: crypto.NewClientCipher(rand.Reader), id: time.Now().Unix() << 32}
}

func (r *raw) write(body []byte) int64 {
	r.t.Helper()
	r.id += 4
	var b bin.Buffer
	ok(r.t, r.cipher.Encrypt(r.key, crypto.EncryptedMessageData{
		SessionID: 1, MessageID: r.id, MessageDataLen: int32(len(body)), MessageDataWithPadding: body,
	}, &b))
	ok(r.t, r.Send(context.Background(), &b))
	return r.id
}

// read gives the next message, its body.
func (r *raw) read() *bin.Buffer {
	r.t.Helper()
	var b bin.Buffer
	ok(r.t, r.Recv(context.Background(), &b))
	m, err := r.cipher.DecryptFromBuffer(r.key, &b)
	ok(r.t, err)
	return &bin.Buffer{Buf: m.Data()}
}

func encoded(t testing.TB, m bin.Encoder) []byte {
	t.Helper()
	var b bin.Buffer
	ok(t, m.Encode(&b))
	return b.Buf
}

// Containers, packed messages, pings and repeated requests are taken as the protocol
// says.
func TestMessages(t *testing.T) {
	s := start(t, Options{Script: "person @vali id 500"})
	r := rawClient(t, s, alice)
	ping := encoded(t, &mt.PingRequest{PingID: 7})
	r.write(encoded(t, proto.GZIP{Data: ping}))
	if id, _ := r.read().PeekID(); id != mt.NewSessionCreatedTypeID {
		t.Errorf("the first message is %x", id)
	}
	var pong mt.Pong
	ok(t, pong.Decode(r.read()))
	if pong.PingID != 7 {
		t.Errorf("the pong is %+v", pong)
	}
	body := encoded(t, &tg.UsersGetUsersRequest{ID: []tg.InputUserClass{&tg.InputUserSelf{}}})
	r.write(encoded(t, &proto.MessageContainer{Messages: []proto.Message{
		{ID: 41, Bytes: len(ping), Body: ping}, {ID: 45, Bytes: len(body), Body: body},
	}}))
	ok(t, pong.Decode(r.read()))
	if pong.MsgID != 41 {
		t.Errorf("the pong is for %d", pong.MsgID)
	}
	var res proto.Result
	ok(t, res.Decode(r.read()))
	if res.RequestMessageID != 45 {
		t.Errorf("the result is for %d", res.RequestMessageID)
	}
	// The same request again is acknowledged, and not run again.
	r.id -= 4
	r.write(encoded(t, &proto.MessageContainer{Messages: []proto.Message{{ID: 45, Bytes: len(body), Body: body}}}))
	var ack mt.MsgsAck
	ok(t, ack.Decode(r.read()))
	if len(ack.MsgIDs) != 1 || ack.MsgIDs[0] != 45 {
		t.Errorf("acknowledged %v", ack.MsgIDs)
	}
	r.write(encoded(t, &mt.GetFutureSaltsRequest{Num: 1}))
	var salts mt.FutureSalts
	ok(t, salts.Decode(r.read()))
	if len(salts.Salts) != 1 || salts.Salts[0].Salt != mtp.Salt(r.key) {
		t.Errorf("the salts are %+v", salts)
	}
	r.write([]byte{1, 2, 3, 4, 5, 6, 7, 8})
	ok(t, res.Decode(r.read()))
	var refused mt.RPCError
	ok(t, refused.Decode(&bin.Buffer{Buf: res.Result}))
	if refused.ErrorMessage != "INPUT_METHOD_INVALID" {
		t.Errorf("a strange request: %+v", refused)
	}
}

// What strangers send costs them their connection, and nobody else anything.
func TestStrangers(t *testing.T) {
	s := start(t, Options{Limits: mtp.Limits{Handshake: 300 * time.Millisecond, Strangers: 4}})
	good := account(t, s, alice, nil)
	flood := bytes.Repeat([]byte{0xff}, 64)
	for name, b := range map[string][]byte{
		"nothing":            {},
		"one byte":           {0xef},
		"half a header":      {0xee, 0xee},
		"HTTP":               []byte("GET / HTTP/1.1\r\nHost: x\r\n\r\n                                          "),
		"random":             flood,
		"a huge frame":       {0xee, 0xee, 0xee, 0xee, 0xff, 0xff, 0xff, 0x7f},
		"a huge short frame": {0xef, 0x7f, 0xff, 0xff, 0xff},
		"an empty frame":     {0xee, 0xee, 0xee, 0xee, 0, 0, 0, 0},
		"a short frame":      {0xee, 0xee, 0xee, 0xee, 4, 0, 0, 0, 1, 2, 3, 4},
		"half a handshake":   {0xee, 0xee, 0xee, 0xee, 40, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0},
	} {
		c := dial(t, s)
		_, err := c.Write(b)
		ok(t, err)
		if _, err := io.Copy(io.Discard, c); err != nil && name != "HTTP" && name != "random" {
			t.Logf("%s: %v", name, err)
		}
	}
	if _, err := good.Self(good.ctx); err != nil {
		t.Errorf("another client: %v", err)
	}
}

// A key that is not known is told so, in the protocol's own way.
func TestUnknownKey(t *testing.T) {
	s := start(t, Options{})
	c := dial(t, s)
	frame := append([]byte{0xee, 0xee, 0xee, 0xee, 40, 0, 0, 0}, bytes.Repeat([]byte{9}, 40)...)
	_, err := c.Write(frame)
	ok(t, err)
	var answer [8]byte
	_, err = io.ReadFull(c, answer[:])
	ok(t, err)
	if n := int32(binary.LittleEndian.Uint32(answer[4:])); n != -404 {
		t.Errorf("answered with %d", n)
	}
}

// A client that does not read loses its connection, not the server its memory.
func TestSlowReader(t *testing.T) {
	s := start(t, Options{Script: "person @vali", Limits: mtp.Limits{Queue: 64 << 10, Write: time.Second}})
	r := rawClient(t, s, alice)
	r.write(encoded(t, &tg.UpdatesGetStateRequest{}))
	r.read()
	r.read()
	text := string(bytes.Repeat([]byte("a"), 4000))
	for range 20_000 {
		if s.Online(alice) == 0 {
			return
		}
		_, err := s.World().Say("@vali", alice, text)
		ok(t, err)
	}
	t.Error("80 MB wait for a client that does not read")
}

// The key exchange survives a client that asks twice, and refuses another data centre.
func TestExchange(t *testing.T) {
	s := start(t, Options{})
	for dc, want := range map[int]bool{DataCentre: true, 4: false} {
		c, err := transport.Intermediate.Handshake(dial(t, s))
		ok(t, err)
		ctx, cancel := context.WithTimeout(context.Background(), patience)
		_, err = exchange.NewExchanger(c, dc).Client([]exchange.PublicKey{s.PublicKey()}).Run(ctx)
		cancel()
		if (err == nil) != want {
			t.Errorf("data centre %d: %v", dc, err)
		}
	}
}

// FuzzConnection sends a server whatever comes to mind; the server goes on.
func FuzzConnection(f *testing.F) {
	f.Add([]byte{0xee, 0xee, 0xee, 0xee, 40, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 2, 3, 4, 5, 6, 7, 8, 20, 0, 0, 0, 0xf1, 0x8e, 0x7e, 0xbe})
	f.Add([]byte{0xef, 10, 0, 0, 0, 0, 0, 0, 0, 0, 1, 2, 3, 4})
	f.Add(bytes.Repeat([]byte{0xdd}, 80))
	s := start(f, Options{Limits: mtp.Limits{Handshake: 50 * time.Millisecond}})
	f.Fuzz(func(t *testing.T, b []byte) {
		c := dial(t, s)
		if _, err := c.Write(b); err != nil {
			return // refused before the end
		}
		_ = c.(*net.TCPConn).CloseWrite()
		_, _ = io.Copy(io.Discard, c)
	})
}

// FuzzRequest sends a server whatever comes to mind from a client that is signed in.
func FuzzRequest(f *testing.F) {
	for _, q := range []bin.Encoder{
		&tg.MessagesSendMessageRequest{Peer: &tg.InputPeerSelf{}, Message: "x", RandomID: 1},
		&tg.MessagesSendMultiMediaRequest{Peer: &tg.InputPeerSelf{}, MultiMedia: []tg.InputSingleMedia{{Media: &tg.InputMediaPhoto{ID: &tg.InputPhoto{}}, RandomID: 1}}},
		&tg.UploadSaveFilePartRequest{FileID: 1, FilePart: 3, Bytes: []byte("abc")},
		&tg.UploadGetFileRequest{Location: &tg.InputPhotoFileLocation{ID: 1}, Offset: -1, Limit: 10},
		&tg.UpdatesGetDifferenceRequest{Pts: -5}, &tg.MessagesGetHistoryRequest{Peer: &tg.InputPeerSelf{}, AddOffset: -3, Limit: -1},
		&tg.AuthSignInRequest{PhoneNumber: alice, PhoneCodeHash: "x", PhoneCode: "1"},
		&tg.AuthCheckPasswordRequest{Password: &tg.InputCheckPasswordSRP{SRPID: 1, A: []byte{1}, M1: []byte{2}}},
		&proto.MessageContainer{Messages: []proto.Message{{ID: 1, Bytes: 4, Body: []byte{1, 2, 3, 4}}}}, proto.GZIP{Data: []byte("1234")},
	} {
		var b bin.Buffer
		if err := q.Encode(&b); err != nil {
			f.Fatal(err)
		}
		f.Add(b.Buf)
	}
	s := start(f, Options{})
	f.Fuzz(func(t *testing.T, b []byte) {
		if len(b) > 1<<19 {
			return
		}
		r := rawClient(t, s, alice)
		r.write(append(b, make([]byte, (4-len(b)%4)%4)...))
		r2 := rawClient(t, s, bob)
		r2.write(encoded(t, &mt.PingRequest{PingID: 1}))
		r2.read()
		r2.read()
	})
}
