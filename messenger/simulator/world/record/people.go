package record

import (
	"fmt"
	"strconv"
	"strings"
	"time"
)

var (
	firstNames = []string{
		"Aziz", "Dilnoza", "Rustam", "Malika", "Jasur", "Nodira", "Sardor", "Gulnora", "Bekzod", "Shahnoza", "Otabek",
		"Kamola", "Timur", "Zarina", "Farrux", "Lola", "Anna", "Ivan", "Olga", "Sherzod", "Madina", "Ulugbek", "Sevara",
	}
	lastNames = []string{
		"Karimov", "Rahimova", "Yusupov", "Ismoilova", "Tursunov", "Abdullayeva", "Nazarov", "Saidova", "Ergashev",
		"Kim", "Ivanova", "Qodirov", "Umarova", "Xolmatov", "Mirzayeva", "Tashkentov", "Jo‘rayev", "Alimova", "Petrov",
	}
)

// Person is somebody on the platform.
type Person struct {
	ID       int64  `json:"id"`
	Username string `json:"username,omitempty"`
	First    string `json:"first,omitempty"`
	Last     string `json:"last,omitempty"`
	Phone    string `json:"phone,omitempty"` // of an account of this world
	Premium  bool   `json:"premium,omitempty"`
	Bot      bool   `json:"bot,omitempty"`
	Deleted  bool   `json:"deleted,omitempty"`
	// Refuses is the platform's answer to who writes to this person, as in
	// USER_IS_BLOCKED; "" takes messages.
	Refuses string `json:"refuses,omitempty"`
	// Does is what the person does after each message that is received.
	Does []Reaction `json:"does,omitempty"`
}

// Reaction is what a person does some time after a message: read it, react to it, write
// or send something back, change or delete what they wrote last, in this order.
type Reaction struct {
	After  time.Duration `json:"after"`
	Read   bool          `json:"read,omitempty"`
	React  string        `json:"react,omitempty"` // an emoji
	Say    string        `json:"say,omitempty"`
	Send   string        `json:"send,omitempty"` // the kind of a file, as Attachment.Kind
	Edit   string        `json:"edit,omitempty"` // the new text
	Delete bool          `json:"delete,omitempty"`
}

// Range is people that are not stored: they come into being when they are asked for.
type Range struct {
	// Prefix and a number without leading zeros are the username.
	Prefix  string
	From    int
	To      int
	FirstID int64 // of number From; the others follow
	// Person fills in how number n behaves; nil for people who take every message
	// and do nothing.
	Person func(n int, p *Person)
}

// At is person number n; nil for a number outside of the range.
func (r *Range) At(n int) *Person {
	if n < r.From || n > r.To {
		return nil
	}
	p := &Person{
		ID: r.FirstID + int64(n-r.From), Username: r.Prefix + strconv.Itoa(n),
		First: firstNames[n%len(firstNames)], Last: lastNames[n/len(firstNames)%len(lastNames)],
	}
	if r.Person != nil {
		r.Person(n, p)
	}
	return p
}

// ByName is who has a username, in small letters; nil for nobody of the range.
func (r *Range) ByName(name string) *Person {
	digits, ok := strings.CutPrefix(name, strings.ToLower(r.Prefix))
	if !ok || strings.HasPrefix(digits, "0") {
		return nil
	}
	n, err := strconv.Atoi(digits)
	if err != nil {
		return nil
	}
	return r.At(n)
}

// The types of a sign-in code, as Phone.CodeType names them.
const (
	CodeApp        = "app"
	CodeSMS        = "sms"
	CodeSMSWord    = "sms_word"
	CodeFragment   = "fragment_sms"
	CodeCall       = "call"
	CodeFlashCall  = "flash_call"
	CodeMissedCall = "missed_call"
	CodeEmail      = "email"
	CodeEmailSetUp = "email_setup" // an e-mail address must be set first
	CodePayment    = "payment"     // the number must pay for its code
)

// DefaultCode signs in wherever no other code is set.
const DefaultCode = "12345"

// Phone is a number that can, or cannot, sign in.
type Phone struct {
	// Number is in international form with a plus.
	Number string `json:"number"`
	// Code is the code that is sent, DefaultCode for "".
	Code string `json:"code,omitempty"`
	// CodeType says how it is sent, CodeApp for "".
	CodeType string `json:"code_type,omitempty"`
	// CodeLife is how long a code can be used, 5 minutes for 0.
	CodeLife time.Duration `json:"code_life,omitempty"`
	// Password is the two-step password, "" for none; Hint its hint.
	Password string `json:"password,omitempty"`
	Hint     string `json:"hint,omitempty"`
	// DC is the data centre that the number belongs to, 0 for the one where clients
	// begin. Others send the client there.
	DC int `json:"dc,omitempty"`
	// Refuse is the platform's answer to who asks for a code, as in
	// PHONE_NUMBER_BANNED; "" sends one.
	Refuse string `json:"refuse,omitempty"`
	// Unregistered numbers get a code and have no account.
	Unregistered bool `json:"unregistered,omitempty"`
	// Person is who has the number; an id of 0 is chosen from the number.
	Person Person `json:"person,omitzero"`
}

// EffectiveCode is the code that signs in.
func (p *Phone) EffectiveCode() string {
	if p.Code == "" {
		return DefaultCode
	}
	return p.Code
}

// EffectiveCodeType is how the code is sent: one of the types above.
func (p *Phone) EffectiveCodeType() string {
	if p.CodeType == "" {
		return CodeApp
	}
	return p.CodeType
}

// FoldUsername is a username as it is compared: without its @, in small letters.
func FoldUsername(s string) string { return strings.ToLower(strings.TrimPrefix(s, "@")) }

// NormalNumber checks a number; the platform takes it with or without its plus.
func NormalNumber(number string) (string, error) {
	digits := strings.TrimPrefix(number, "+")
	if len(digits) < 7 || len(digits) > 15 || strings.Trim(digits, "0123456789") != "" {
		return "", fmt.Errorf("the number %q is not in international form", number)
	}
	return "+" + digits, nil
}
