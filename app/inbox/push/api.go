package push

import (
	"time"

	"svc/app/api"
	"svc/app/api/perm"
	"svc/app/hook"
	"svc/app/inbox/push/webpush"
	"svc/store"
)

// Endpoints are the operations of the package.
func (s *Service) Endpoints() []api.Endpoint {
	people := api.ForPersons(api.ErrNotApplicable)
	return []api.Endpoint{
		api.E("GET /me/push-subscriptions", "me.push_subscriptions", perm.AIOperate, "List the devices on which you are shown what the inbox wants of you, and the key with which a browser subscribes.", s.list, people),
		api.E("POST /me/push-subscriptions", "me.subscribe_push", perm.AIOperate, "Let this device show what the inbox wants of you; sent again, it changes the choice.", s.add, people, api.Errors(api.ErrConflict)),
		api.E("DELETE /me/push-subscriptions", "me.unsubscribe_push", perm.AIOperate, "Show nothing more on a device of yours.", s.remove, people, api.Errors(api.ErrNotFound)),
	}
}

// Shown is a device as its person sees it.
type Shown struct {
	ID        string    `json:"id"`
	Device    *string   `json:"device"`
	Language  string    `json:"language" enum:"uz,ru,en"`
	Topics    []Topic   `json:"topics" enum:"MESSAGES,HANDOFFS,MENTIONS,WAITING"`
	Current   bool      `json:"current" doc:"It subscribed in this session."`
	CreatedAt time.Time `json:"created_at"`
}

func show(c *api.Call, s *Subscription) Shown {
	return Shown{
		ID: s.ID, Device: api.Optional(s.Device), Language: s.Language, Topics: s.Topics, Current: s.Session == c.Caller.Session, CreatedAt: s.CreatedAt,
	}
}

// Listed are the devices of the caller.
type Listed struct {
	PublicKey string  `json:"public_key" doc:"The applicationServerKey, in base64url."`
	Data      []Shown `json:"data"`
}

func (s *Service) list(c *api.Call, _ struct{}) (out Listed, err error) {
	err = s.db.View(c, func(tx *store.Tx) error {
		if out.PublicKey, err = publicKey(tx); err != nil {
			return err
		}
		list, err := of(tx, c.Caller.ID)
		out.Data = make([]Shown, len(list))
		for i := range list {
			out.Data[i] = show(c, &list[i])
		}
		return err
	})
	return out, err
}

type addIn struct {
	Body struct {
		Endpoint string `json:"endpoint" required:"true" maxLength:"2048" doc:"Of the PushSubscription of the browser." example:"https://push.example.com/send/abc"`
		Keys     struct {
			P256dh string `json:"p256dh" required:"true" maxLength:"128" example:"BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4"`
			Auth   string `json:"auth" required:"true" maxLength:"64" example:"BTBZMqHH6r4Tts7J_aSIgg"`
		} `json:"keys" required:"true"`
		Topics   []Topic `json:"topics" required:"true" minItems:"1" maxItems:"4" enum:"MESSAGES,HANDOFFS,MENTIONS,WAITING"`
		Language string  `json:"language,omitempty" enum:"uz,ru,en" default:"uz"`
		Device   *string `json:"device" maxLength:"80" doc:"What you call it." example:"Telefon"`
	}
}

func (s *Service) add(c *api.Call, in addIn) (out api.Created[Shown], err error) {
	b := &in.Body
	if err := hook.CheckURL("endpoint", b.Endpoint, "https://push.example.com/send/abc", true, s.o.AllowPrivate); err != nil {
		return out, err
	}
	if _, err := webpush.ReadDevice(b.Keys.P256dh, b.Keys.Auth); err != nil {
		return out, api.Wrong("keys", "must be p256dh and auth of a PushSubscription, in base64url")
	}
	device := ""
	if b.Device != nil {
		device = *b.Device
	}
	err = s.db.Update(c, func(tx *store.Tx) error {
		x, err := s.subscribe(tx, c, subscribing{deviceKeys{b.Endpoint, b.Keys.P256dh, b.Keys.Auth}, device, b.Language, b.Topics})
		out = api.New(show(c, &x))
		return err
	})
	return out, err
}

type removeIn struct {
	ID string `query:"id" required:"true" maxLength:"64" doc:"Of the device."`
}

func (s *Service) remove(c *api.Call, in removeIn) (out api.NoContent, err error) {
	return out, s.db.Update(c, func(tx *store.Tx) error { return s.unsubscribe(tx, c, in.ID) })
}
