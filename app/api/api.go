// Package api is the vocabulary of every operation of the messaging service:
// the endpoint line, who calls (Call), what may be asked (perm), how a refusal
// looks (Error), pages, partial changes (Patch) and the table of a thing's life.
//
// It promises that one line makes an operation: its route, its permission, its
// description in the OpenAPI document and its checks come from that line and
// from the types of its handler. A handler knows no HTTP and is tested as a
// function. It refuses to know what any operation means, and to serve: package
// web mounts what slices list.
package api

import (
	"context"
	"fmt"
	"net/url"
	"reflect"
	"strconv"
	"strings"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"svc/app/api/perm"
	"svc/app/api/schema"
)

// Endpoint is one operation. Make it with E.
type Endpoint struct {
	Method  string
	Path    string // below /api/v1, with {name} for parameters
	ID      string // as in "campaigns.create"; the audit log and the typed client use it
	Perm    perm.Perm
	Summary string

	status               int
	personOnly           *Error
	orWith               perm.Set // any of these does as well as Perm
	beforeMFA, inSupport bool
	inMaintenance        bool
	withoutAI            bool
	asksMaintenance      bool
	changesNothing       bool
	timeout              time.Duration
	maxBody              int64
	errors               []*Error
	ofAnswer             []*Error // refusals that come with the kind of its answer
	hasBody, hasInput    bool
	readsItself          bool // its body
	secrets              []string
	textType             string
	asText               *Error     // the refusal that may be of textType, nil for none
	names                NameReader // of records that its answers mention; nil for none
	mount                func(huma.API, huma.Operation)
}

// Option is a rule of one endpoint beside its permission.
type Option func(*Endpoint)

// WithoutAI are operations that ask for permissions about AI and work while it is switched off
// (contract 2): those with which people answer.
func WithoutAI(list []Endpoint) []Endpoint {
	for i := range list {
		list[i].withoutAI = true
	}
	return list
}

// ForPersons refuses API keys with that error: ErrPersonRequired or
// ErrNotApplicable. A key that lacks the permission hears that first.
func ForPersons(refusal *Error) Option { return func(e *Endpoint) { e.personOnly = refusal } }

// OrWith lets callers with another permission do it too.
func OrWith(other ...perm.Perm) Option {
	return func(e *Endpoint) { e.orWith = perm.Of(other...) }
}

// BeforeMFA lets a session call that still waits for its two-factor code.
func BeforeMFA() Option { return func(e *Endpoint) { e.beforeMFA = true } }

// InSupport lets a support session call although it changes something.
func InSupport() Option { return func(e *Endpoint) { e.inSupport = true } }

// InMaintenance keeps a change working in maintenance mode: signing in and out,
// two-factor verification, opt-outs (contract 46).
func InMaintenance() Option { return func(e *Endpoint) { e.inMaintenance = true } }

// AsksMaintenance lets an operation that does more than opt people out run in
// maintenance mode: it asks Call.Maintained whether to refuse everything else.
func AsksMaintenance() Option { return func(e *Endpoint) { e.asksMaintenance = true } }

// ChangesNothing says of a POST that it only looks: a preview, a check. No answer of it is
// kept for an Idempotency-Key, since it may as well run again.
func ChangesNothing() Option { return func(e *Endpoint) { e.changesNothing = true } }

// Status is the status of success when it is not 200.
func Status(code int) Option { return func(e *Endpoint) { e.status = code } }

// Timeout is how long the operation may take when not 30 seconds; 0 is forever,
// for streams and long uploads.
func Timeout(d time.Duration) Option { return func(e *Endpoint) { e.timeout = d } }

// MaxBody is how large the body may be in bytes when not 2 MB, or 64 KiB for what is public.
func MaxBody(bytes int64) Option { return func(e *Endpoint) { e.maxBody = bytes } }

// OneTime names the fields of the answer that are shown once: an answer that is
// repeated for its Idempotency-Key leaves them out.
func OneTime(fields ...string) Option {
	return func(e *Endpoint) { e.secrets = append(e.secrets, fields...) }
}

// TextType is what a Text answer of this operation is, for its description, when it
// is neither plain nor CSV.
func TextType(mediaType string) Option { return func(e *Endpoint) { e.textType = mediaType } }

// AlsoAsText says that this refusal, one of its Errors, is a text of TextType for callers
// who ask for one: a page that a person opened.
func AlsoAsText(refusal *Error) Option { return func(e *Endpoint) { e.asText = refusal } }

// Errors are the refusals of this operation beside the general ones, for its
// description.
func Errors(errs ...*Error) Option {
	return func(e *Endpoint) { e.errors = append(e.errors, errs...) }
}

// Bounds of every operation that says nothing else (contract 47 and 18).
const (
	DefaultTimeout = 30 * time.Second
	DefaultMaxBody = 2 << 20
	// PublicMaxBody bounds what anybody may send without a name (contract
	// 21.3, Public bodies).
	PublicMaxBody = 64 << 10
)

// E is one operation in one line: route ("POST /campaigns"), id
// ("campaigns.create"), permission, one sentence, handler. It panics on a line
// that is not whole, which every test of the registry finds.
//
// In is a struct as huma reads it: fields tagged path, query or header, and a
// field Body. Out is the body of the answer, or one of Created, MaybeCreated,
// NoContent, Either, Text, Blob, Redirect and Stream.
func E[In, Out any](route, id string, p perm.Perm, summary string, h func(*Call, In) (Out, error), opts ...Option) Endpoint {
	method, path, found := strings.Cut(route, " ")
	if !found || !strings.HasPrefix(path, "/") || id == "" || summary == "" {
		panic(fmt.Sprintf("api: the endpoint %q (%s) is not whole", route, id))
	}
	for _, t := range []reflect.Type{typeOf[In](), typeOf[Out]()} {
		if at := schema.Unread(t, typeOf[Endpoint]().PkgPath()); at != "" {
			panic(fmt.Sprintf("api: %s: %s embeds a type that is not exported, which huma does not read", id, at))
		}
	}
	e := Endpoint{
		Method: method, Path: path, ID: id, Perm: p, Summary: summary,
		status: ok, timeout: DefaultTimeout, maxBody: DefaultMaxBody,
	}
	if p == perm.Public {
		e.maxBody = PublicMaxBody
	}
	var out Out
	if s, ok := any(out).(interface{ status() int }); ok {
		e.status = s.status()
	}
	if s, ok := any(out).(interface{ refusals() []*Error }); ok {
		e.ofAnswer = s.refusals()
	}
	e.reads(typeOf[In]())
	for _, o := range opts {
		o(&e)
	}
	e.mount = func(a huma.API, op huma.Operation) {
		register(a, op, descriptionOf[Out](), e.textType, func(ctx context.Context, in *In) (*answer, error) { return run(ctx, in, h) })
	}
	return e
}

// reads notes what of a request the operation looks at.
func (e *Endpoint) reads(in reflect.Type) {
	e.hasInput = in.NumField() > 0
	_, decoded := in.FieldByName("Body")
	e.readsItself = in.Implements(typeOf[takes]())
	e.hasBody = decoded || e.readsItself
}

// Methods that change nothing. The names of net/http are for packages that serve.
const (
	get  = "GET"
	head = "HEAD"
	post = "POST"
)

// Keyed reports whether it heeds an Idempotency-Key: whether it may change something
// (contract 1.2; 21.3, Kept answers).
func (e *Endpoint) Keyed() bool {
	return e.Method == post && e.Perm != perm.Public && !e.changesNothing && !strings.HasPrefix(e.Path, "/auth/")
}

// Reads says whether the operation changes nothing.
func (e *Endpoint) Reads() bool { return e.Method == get || e.Method == head }

// AsksMaintenance says whether the operation itself asks for maintenance mode.
func (e *Endpoint) AsksMaintenance() bool { return e.asksMaintenance }

// WorksInMaintenance says whether maintenance mode leaves it alone.
func (e *Endpoint) WorksInMaintenance() bool { return e.Reads() || e.inMaintenance }

// TimeLimit is how long it may take; 0 is forever.
func (e *Endpoint) TimeLimit() time.Duration { return e.timeout }

// Late is the refusal of a call that took longer.
func (e *Endpoint) Late() *Error {
	return ErrTimeout.WithMessage("The request took longer than %g seconds.", e.timeout.Seconds())
}

// BodyLimit is how many bytes its body may have.
func (e *Endpoint) BodyLimit() int64 { return e.maxBody }

// HasBody says whether it reads a body.
func (e *Endpoint) HasBody() bool { return e.hasBody }

// Fits refuses a body of that many bytes, -1 for unknown, and of that media type, before
// any of it is read. JSON must say that it is: what says nothing any page may send from
// anywhere, without asking (contract 21.3, Elevation).
func (e *Endpoint) Fits(bytes int64, contentType string) error {
	switch {
	case !e.hasBody:
		return nil
	case bytes > e.maxBody:
		return ErrBodyTooLarge
	case bytes != 0 && !e.readsItself && contentType == "":
		return ErrMediaType.WithMessage("Say what the body is: send the header Content-Type: application/json.")
	case bytes != 0 && !e.readsItself && !isJSON(contentType):
		return ErrMediaType.WithMessage("Send the body as application/json, and say so in the header Content-Type.")
	}
	return nil
}

// Unreadable is the refusal of a body that is not written as it should be.
func (e *Endpoint) Unreadable() *Error {
	if e.readsItself {
		return ErrInvalidUpload
	}
	return ErrInvalidJSON
}

// Secrets are the fields of its answer that are shown once.
func (e *Endpoint) Secrets() []string { return e.secrets }

// Guard establishes the call of a request before its operation runs: it puts a
// Call into the context or answers a refusal itself.
type Guard func(e *Endpoint) func(ctx huma.Context, next func(huma.Context))

// Mount registers endpoints, each behind guard.
func Mount(a huma.API, guard Guard, endpoints []Endpoint) {
	for i := range endpoints {
		e := &endpoints[i]
		op := huma.Operation{
			Method: e.Method, Path: e.Path, OperationID: e.ID, Summary: strings.TrimSuffix(e.Summary, "."), Description: e.Summary,
			Tags: []string{group(e.ID)}, DefaultStatus: e.status,
			MaxBodyBytes: e.maxBody + 1, // huma refuses a body that reaches it
			Middlewares:  huma.Middlewares{guard(e), ignoredFields(a)},
			Extensions:   map[string]any{"x-svc-permission": e.Perm.String(), "x-svc-errors": e.AllCodes()},
			Errors:       e.statuses(),
		}
		if e.Perm == perm.Public {
			op.Security = []map[string][]string{{}} // nothing is needed
		}
		schema.NowRegistering(a, e.ID)
		e.mount(a, op)
		if e.asText != nil {
			refusal := operation(a.OpenAPI().Paths[e.Path], e.Method).Responses[strconv.Itoa(int(e.asText.Kind))]
			refusal.Content[e.textType] = &huma.MediaType{Schema: &huma.Schema{Type: huma.TypeString}}
		}
	}
	addExamples(a, endpoints)
}

func group(id string) string {
	g, _, _ := strings.Cut(id, ".")
	return g
}

// answer is what huma is given of every operation: it writes itself. It is one type for all of
// them, since huma's Register is compiled anew for each pair of types that it is called with.
type answer struct{ Body func(huma.Context) }

// writer is an answer that is not just a JSON body.
type writer interface{ write(*Call, huma.Context) }

// register registers an operation whose answers are as d describes them.
func register[In any](a huma.API, op huma.Operation, d described, textType string, h func(context.Context, *In) (*answer, error)) {
	schemas := a.OpenAPI().Components.Schemas
	var in In
	if t, ok := any(in).(takes); ok {
		op.SkipValidateBody = true
		// Described when it is registered: the router reads a body that it knows of.
		defer func() {
			known := operation(a.OpenAPI().Paths[op.Path], op.Method)
			known.RequestBody = &huma.RequestBody{Required: true, Content: t.bodies(schemas)}
		}()
	}
	if p, ok := d.(interface{ parameters() []*huma.Param }); ok {
		op.Parameters = p.parameters()
	}
	op.Responses = describe(d, schemas, op.DefaultStatus, textType)
	huma.Register(a, op, h)
}

// run runs a handler for a request that huma read. What the handler gives writes itself.
func run[In, Out any](ctx context.Context, in *In, h func(*Call, In) (Out, error)) (*answer, error) {
	c := callOf(ctx)
	out, err := h(c, *in)
	if err == nil {
		err = c.fillNames(reflect.ValueOf(&out))
	}
	if err != nil {
		return nil, c.refuse(err)
	}
	return c.answer(out), nil
}

// answer is what huma sends of a handler's result.
func (c *Call) answer(out any) *answer {
	return &answer{func(hc huma.Context) {
		if w, ok := out.(writer); ok {
			w.write(c, hc)
			return
		}
		writeJSON(hc, hc.Operation().DefaultStatus, out)
	}}
}

// refuse makes the error of a handler one that can be sent.
func (c *Call) refuse(err error) error {
	e := c.Failed(err)
	if e.Kind >= Internal && c.Report != nil {
		c.Report(e)
	}
	if e.RetryAfter > 0 {
		c.SetHeader("Retry-After", RetryAfter(e.RetryAfter))
	}
	return &sendable{e}
}

// RetryAfter is the value of that header: whole seconds, at least one.
func RetryAfter(d time.Duration) string {
	return strconv.FormatInt(max(1, int64((d+time.Second-1)/time.Second)), 10)
}

// safeRedirect says whether an address may stand in a Location header.
func safeRedirect(address string) bool {
	u, err := url.Parse(address)
	return err == nil && !strings.ContainsAny(address, "\r\n") && (u.Scheme == "" || u.Scheme == "https" || u.Scheme == "http")
}
