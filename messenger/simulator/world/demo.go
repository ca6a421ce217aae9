package world

import (
	"strings"
	"time"

	"svc/messenger/simulator/world/record"
	"svc/messenger/simulator/world/scene"
)

// DemoPrefix begins every number of the demonstration; four digits follow.
const DemoPrefix = "+99890000"

// DemoPassword is the two-step password of the demonstration's numbers that have one.
const DemoPassword = "demo"

// DemoRule says what people and numbers of the demonstration do, for whoever shows it to
// a person.
type DemoRule struct {
	Pattern string // x is any digit
	Does    string
}

// Demo are the rules of the demonstration: numbers by their digits, people by the end of
// their usernames demo_user_1 to demo_user_1000000.
var Demo = []DemoRule{
	{DemoPrefix + "xxxx", "signs in with the code " + record.DefaultCode},
	{DemoPrefix + "90xx", "also asks for the two-step password " + DemoPassword},
	{DemoPrefix + "91xx", "is banned by the platform"},
	{DemoPrefix + "92xx", "has no account"},
	{DemoPrefix + "93xx", "has asked for too many codes"},
	{DemoPrefix + "94xx", "gets codes that have expired"},
	{DemoPrefix + "95xx", "has to set an e-mail address first"},
	{DemoPrefix + "96xx", "has to pay for its code"},
	{DemoPrefix + "97xx", "must wait 20 seconds at every 25th message"},
	{DemoPrefix + "98xx", "is restricted after 50 messages"},
	{DemoPrefix + "99x0, 99x1, 99x2, 99x3", "gets its code by SMS, by call, by flash call, by e-mail"},
	{"demo_user_…x0", "reads and writes back"},
	{"demo_user_…x1, x2, x4, x6, x8", "reads"},
	{"demo_user_…03", "has blocked the account"},
	{"demo_user_…13", "lets only contacts write"},
	{"demo_user_…23", "deleted the account"},
	{"demo_user_…33", "wants to be paid"},
	{"demo_user_…43", "lets only premium accounts write"},
	{"demo_user_…53", "is a bot"},
	{"demo_user_…73", "writes back: stop"},
	{"any other demo_user_", "takes messages and does nothing"},
}

// The rules of numbers that act while messages are sent.
var demoScenes = []struct {
	kind string
	rule scene.Rule
}{
	{"97", scene.Rule{When: scene.Every, N: 25, What: scene.Sends, Does: scene.Effect{Seconds: 20}}},
	{"98", scene.Rule{When: scene.After, N: 50, What: scene.Sends, Does: scene.Effect{Restrict: "PEER_FLOOD"}}},
}

// demoKind is the two digits by which a number of the demonstration behaves.
func demoKind(number string) (kind string, ok bool) {
	rest, ok := strings.CutPrefix(number, DemoPrefix)
	if !ok || len(rest) < 2 {
		return "", false
	}
	return rest[:2], true
}

func demoPhone(number string) (record.Phone, bool) {
	kind, ok := demoKind(number)
	p := record.Phone{Number: number}
	switch kind {
	case "90":
		p.Password, p.Hint = DemoPassword, "the word "+DemoPassword
	case "91":
		p.Refuse = "PHONE_NUMBER_BANNED"
	case "92":
		p.Unregistered = true
	case "93":
		p.Refuse = "PHONE_NUMBER_FLOOD"
	case "94":
		p.CodeLife = time.Nanosecond
	case "95":
		p.CodeType = record.CodeEmailSetUp
	case "96":
		p.CodeType = record.CodePayment
	case "99":
		p.CodeType = map[byte]string{'0': record.CodeSMS, '1': record.CodeCall, '2': record.CodeFlashCall, '3': record.CodeEmail}[number[len(number)-1]]
	}
	return p, ok
}

// DemoPeople are the people of the demonstration.
func DemoPeople() record.Range {
	return record.Range{Prefix: "demo_user_", From: 1, To: 1_000_000, FirstID: 1_000_000_001, Person: demoPerson}
}

var demoAnswers = []string{
	"Rahmat! Batafsil yozib yuboring.", "Qancha turadi?", "Здравствуйте, расскажите подробнее", "Thank you, not now",
	"Manzilingiz qayerda?", "А доставка есть?", "Ok", "Can I pick it up today?",
}

func demoPerson(n int, p *record.Person) {
	switch n % 100 {
	case 3:
		p.Refuses = "USER_IS_BLOCKED"
	case 13:
		p.Refuses = "USER_PRIVACY_RESTRICTED"
	case 23:
		p.Deleted, p.First, p.Last = true, "", ""
	case 33:
		p.Refuses = "ALLOW_PAYMENT_REQUIRED_30"
	case 43:
		p.Refuses = "PRIVACY_PREMIUM_REQUIRED"
	case 53:
		p.Bot = true
	case 73:
		p.Does = []record.Reaction{{After: 4 * time.Second, Read: true, Say: "stop"}}
	default:
		seconds := time.Duration(2+n/10%7) * time.Second
		switch n % 10 {
		case 0:
			p.Does = []record.Reaction{{After: seconds, Read: true}, {After: 2 * seconds, Say: demoAnswers[n/10%len(demoAnswers)]}}
		case 1, 2, 4, 6, 8:
			p.Does = []record.Reaction{{After: seconds, Read: true}}
		}
	}
}
