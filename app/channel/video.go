package channel

import (
	"errors"
	"time"

	"svc/app/api"
	"svc/app/api/perm"
	"svc/app/org"
	"svc/messenger/platform"
	"svc/store"
)

// videoEndpoints are the operations of the video network, whose content is read and to which
// nobody writes.
func (s *Service) videoEndpoints() []api.Endpoint {
	manage := perm.AccountsManage
	return []api.Endpoint{
		api.E("POST /channels/youtube/accounts", "channels.add_video", manage, "Add a public channel of the video network by a link to it.", s.addVideo,
			api.Timeout(connectTime), api.Errors(org.ErrPolicyNotAccepted, api.ErrState, api.ErrConflict, api.ErrPlanLimit, errUnreachable)),
		api.E("POST /channels/youtube/connect", "channels.connect_video", manage, "Begin to connect an own channel of the video network: answers its consent page.", s.connect(platform.Video),
			api.Errors(org.ErrPolicyNotAccepted, api.ErrState), api.OneTime("authorization_url")),
		api.E("GET /channels/youtube/callback", "channels.video_callback", perm.Public, "Where the consent page of the video network returns to.", s.callback(platform.Video), api.Timeout(connectTime)),
	}
}

func (s *Service) videoProvider(c *api.Call) Provider {
	p := Provider{
		Platform: string(platform.Video), Kind: "CONTENT", Configured: s.Network(platform.Video) != nil, AppReview: "PENDING",
		Missing: append(append([]string{}, s.o.Missing[platform.Video]...), s.o.MissingSignIn...), Simulated: s.o.Simulated,
	}
	if p.Configured {
		p.AppReview = "APPROVED"
		p.CallbackURL = api.Optional(s.callbackURL(c, platform.Video))
	} else if len(p.Missing) == 0 {
		p.Missing = []string{"youtube-api-key"}
	}
	return p
}

type addVideoIn struct {
	Body struct {
		Link string `json:"url" required:"true" minLength:"1" maxLength:"300" doc:"A link to the channel or to a video of it, or its @handle." example:"https://www.youtube.com/@demo_channel"`
	}
}

func (s *Service) addVideo(c *api.Call, in addVideoIn) (out api.Created[Shown], err error) {
	n := s.Network(platform.Video)
	if n == nil {
		return out, errUnconfigured
	}
	found, err := n.(platform.Finder).Find(c, platform.Access{Spend: s.spend()}, in.Body.Link)
	if err != nil {
		return out, linkError(err)
	}
	err = s.db.Update(c, func(tx *store.Tx) error {
		if ok, err := org.PolicyAccepted(tx, c.Org); err != nil || !ok {
			return errors.Join(err, org.ErrPolicyNotAccepted)
		}
		a, err := s.openToAll(tx, c, &found)
		if err == nil {
			out.Value, err = s.show(tx, c.Org, &a)
		}
		return err
	})
	return out, err
}

// The reasons for which a link leads to no channel, as the client names them.
const (
	reasonNoLink = "no_channel_link"
	reasonCustom = "custom_url"
)

// linkError says what is wrong with a link.
func linkError(err error) error {
	e := platform.As(err)
	switch {
	case e == nil:
		return err
	case e.Reason == reasonCustom:
		return api.Wrong("url", "the network cannot find a channel by a /c/ link; give its @handle")
	case e.Reason == reasonNoLink:
		return api.Wrong("url", "must be a link to a channel or to a video of it, or an @handle")
	case e.Fault == platform.Gone:
		return api.Wrong("url", "the network has no such channel")
	}
	return errUnreachable.WithCause(err)
}

// openToAll adds a channel that everybody may read.
func (s *Service) openToAll(tx *store.Tx, c *api.Call, in *platform.Granted) (a Account, err error) {
	now := tx.DB().Now()
	a, err = known.Find(tx, c.Org, externalKey(platform.Video, in.ExternalID))
	if store.IsNotFound(err) {
		a, err = Account{ID: tx.DB().NewID("cha"), Platform: platform.Video, ExternalID: in.ExternalID, Status: Disconnected, CreatedAt: now}, nil
	}
	if err != nil {
		return a, err
	}
	if a.Status != Disconnected {
		return a, api.ErrConflict.WithMessage("This channel is here already.")
	}
	used, err := Count(tx, c.Org)
	if err != nil {
		return a, err
	}
	if err := org.CheckLimit(tx, c.Org, org.LimitChannelAccounts, used, 1); err != nil {
		return a, err
	}
	a.Open, a.Name, a.Username, a.Scopes, a.LastError = true, in.Name, in.Username, nil, ""
	a.Pending, a.PendingUntil, a.ConnectedAt, a.CheckAt = "", time.Time{}, now, nextCheck(now)
	if a.ConnectedBy = ""; c.Caller.Kind == api.Person {
		a.ConnectedBy = c.Caller.ID
	}
	if err := token.Set(tx, c.Org, &a, nil); err != nil {
		return a, err
	}
	return a, s.apply(tx, c, c.Org, &a, WasOpened, "")
}
