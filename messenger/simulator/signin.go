package simulator

import (
	"github.com/gotd/td/bin"
	"github.com/gotd/td/tg"
	"github.com/gotd/td/tgerr"

	"svc/messenger/simulator/world"
	"svc/messenger/simulator/world/record"
)

func (s *Simulator) signInMethods() map[uint32]method {
	return map[uint32]method{
		tg.HelpGetConfigRequestTypeID:       public(s.config),
		tg.HelpGetNearestDCRequestTypeID:    public(s.nearest),
		tg.AuthSendCodeRequestTypeID:        public(s.sendCode),
		tg.AuthResendCodeRequestTypeID:      public(s.resendCode),
		tg.AuthCancelCodeRequestTypeID:      public(done[tg.AuthCancelCodeRequest]),
		tg.AuthSignInRequestTypeID:          public(s.signIn),
		tg.AccountGetPasswordRequestTypeID:  public(s.password),
		tg.AuthCheckPasswordRequestTypeID:   public(s.checkPassword),
		tg.AuthLogOutRequestTypeID:          on(s.logOut),
		tg.AccountUpdateStatusRequestTypeID: on(done[tg.AccountUpdateStatusRequest]),
	}
}

// config tells clients where the data centre is: they forget what they knew before.
func (s *Simulator) config(c *call, _ *tg.HelpGetConfigRequest) (bin.Encoder, error) {
	now := int(s.world.Now().Unix())
	return &tg.Config{
		Date: now, Expires: now + 3600, ThisDC: c.dc, DCOptions: s.options(c), DCTxtDomainName: "",
		ChatSizeMax: 200, MegagroupSizeMax: 200000, ForwardedCountMax: 100, OnlineUpdatePeriodMs: 210000, OfflineBlurTimeoutMs: 5000,
		OfflineIdleTimeoutMs: 30000, OnlineCloudTimeoutMs: 300000, NotifyCloudDelayMs: 30000, NotifyDefaultDelayMs: 1500,
		PushChatPeriodMs: 60000, PushChatLimit: 2, EditTimeLimit: 172800, RevokeTimeLimit: 1 << 30, RevokePmTimeLimit: 1 << 30,
		CallReceiveTimeoutMs: 20000, CallRingTimeoutMs: 90000, CallConnectTimeoutMs: 30000, CallPacketTimeoutMs: 10000,
		CaptionLengthMax: 1024, MessageLengthMax: 4096, WebfileDCID: DataCentre,
	}, nil
}

func (s *Simulator) nearest(c *call, _ *tg.HelpGetNearestDCRequest) (bin.Encoder, error) {
	return &tg.NearestDC{Country: "UZ", ThisDC: c.dc, NearestDC: DataCentre}, nil
}

func (s *Simulator) sendCode(c *call, q *tg.AuthSendCodeRequest) (bin.Encoder, error) {
	return s.code(c, q.PhoneNumber)
}

func (s *Simulator) resendCode(c *call, q *tg.AuthResendCodeRequest) (bin.Encoder, error) {
	return s.code(c, q.PhoneNumber)
}

func (s *Simulator) code(c *call, number string) (bin.Encoder, error) {
	if err := s.elsewhere("PHONE_MIGRATE_", c.dc, s.world.HomeOfNumber(number)); err != nil {
		return nil, err
	}
	sent, err := s.world.SendCode(number)
	if err != nil {
		return nil, err
	}
	if sent.Type == record.CodePayment {
		return &tg.AuthSentCodePaymentRequired{StoreProduct: "code", PhoneCodeHash: sent.Hash, Currency: "USD", Amount: 100}, nil
	}
	out := &tg.AuthSentCode{Type: codeType(sent), PhoneCodeHash: sent.Hash}
	out.SetTimeout(60)
	return out, nil
}

func codeType(c world.SentCode) tg.AuthSentCodeTypeClass {
	switch c.Type {
	case record.CodeSMS:
		return &tg.AuthSentCodeTypeSMS{Length: c.Length}
	case record.CodeSMSWord:
		return &tg.AuthSentCodeTypeSMSWord{}
	case record.CodeFragment:
		return &tg.AuthSentCodeTypeFragmentSMS{URL: "https://example.com/code", Length: c.Length}
	case record.CodeCall:
		return &tg.AuthSentCodeTypeCall{Length: c.Length}
	case record.CodeFlashCall:
		return &tg.AuthSentCodeTypeFlashCall{Pattern: "*"}
	case record.CodeMissedCall:
		return &tg.AuthSentCodeTypeMissedCall{Prefix: "+9987", Length: c.Length}
	case record.CodeEmail:
		return &tg.AuthSentCodeTypeEmailCode{EmailPattern: "d***@example.com", Length: c.Length}
	case record.CodeEmailSetUp:
		return &tg.AuthSentCodeTypeSetUpEmailRequired{}
	}
	return &tg.AuthSentCodeTypeApp{Length: c.Length}
}

func (s *Simulator) signIn(c *call, q *tg.AuthSignInRequest) (bin.Encoder, error) {
	if err := s.elsewhere("PHONE_MIGRATE_", c.dc, s.world.HomeOfNumber(q.PhoneNumber)); err != nil {
		return nil, err
	}
	code, _ := q.GetPhoneCode()
	id, err := s.world.SignIn(c.Session.Key, q.PhoneNumber, q.PhoneCodeHash, code)
	if err == world.ErrSignUp { //nolint:errorlint // the very value
		return &tg.AuthAuthorizationSignUpRequired{}, nil
	}
	if err != nil {
		return nil, err
	}
	return s.signedIn(c, id)
}

// signedIn answers a sign-in with who it is.
func (s *Simulator) signedIn(c *call, id int64) (bin.Encoder, error) {
	c.account = id
	s.live.here(c.Session, id, !c.NoUpdates)
	self := s.world.People(id, id)
	if len(self) == 0 {
		return nil, tgerr.New(500, "INTERNAL")
	}
	return &tg.AuthAuthorization{User: user(self[0])}, nil
}

func (s *Simulator) password(c *call, _ *tg.AccountGetPasswordRequest) (bin.Encoder, error) {
	p, err := s.world.PasswordOf(c.key())
	if err != nil {
		return nil, err
	}
	out := &tg.AccountPassword{
		HasPassword: p.Set, SecureRandom: []byte{},
		NewAlgo:       &tg.PasswordKdfAlgoUnknown{},
		NewSecureAlgo: &tg.SecurePasswordKdfAlgoUnknown{},
	}
	if p.Set {
		out.SetCurrentAlgo(&tg.PasswordKdfAlgoSHA256SHA256PBKDF2HMACSHA512iter100000SHA256ModPow{Salt1: p.Salt1, Salt2: p.Salt2, G: p.G, P: p.P})
		out.SetSRPB(p.B)
		out.SetSRPID(p.ID)
	}
	if p.Hint != "" {
		out.SetHint(p.Hint)
	}
	return out, nil
}

func (s *Simulator) checkPassword(c *call, q *tg.AuthCheckPasswordRequest) (bin.Encoder, error) {
	p, ok := q.Password.(*tg.InputCheckPasswordSRP)
	if !ok {
		return nil, tgerr.New(400, "PASSWORD_HASH_INVALID")
	}
	id, err := s.world.CheckPassword(c.Session.Key, p.SRPID, p.A, p.M1)
	if err != nil {
		return nil, err
	}
	return s.signedIn(c, id)
}

func (s *Simulator) logOut(c *call, _ *tg.AuthLogOutRequest) (bin.Encoder, error) {
	s.world.LogOut(c.Session.Key)
	s.live.gone(c.Session)
	return &tg.AuthLoggedOut{}, nil
}
