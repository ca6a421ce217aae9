package mail

import (
	_ "embed"
	"encoding/json"
	"fmt"
	"strings"
	"unicode"

	"maragu.dev/gomponents"
	"maragu.dev/gomponents/html"
)

// The languages of mails.
const (
	uzbek   = "uz"
	russian = "ru"
	english = "en"
)

// mailText is the words of a mail; {name} stands for a value of Message.Vars.
type mailText struct{ subject, text, button string }

// words are the words of each kind but notices. Values: organization, inviter, email,
// hours, link.
var words = map[string]map[Kind]mailText{
	uzbek: {
		Invitation:        {"{organization}: taklif", "{inviter} sizni {organization} tashkilotiga taklif qildi. Havola 7 kun davomida bir marta ishlaydi.", "Taklifni qabul qilish"},
		PasswordReset:     {"Yangi parol", "Kimdir, ehtimol siz, ushbu manzil uchun yangi parol soʻradi. Havola bir soat davomida bir marta ishlaydi. Buni siz soʻramagan boʻlsangiz, xatga eʼtibor bermang: parolingiz oʻzgarmaydi.", "Yangi parol tanlash"},
		EmailConfirmation: {"Yangi manzilni tasdiqlang", "Ushbu manzil hisobingizning yangi elektron pochtasi boʻlishi uchun havolani oching. U 24 soat davomida bir marta ishlaydi. Buni siz soʻramagan boʻlsangiz, xatga eʼtibor bermang.", "Manzilni tasdiqlash"},
		EmailChanging:     {"Manzilni almashtirish soʻraldi", "Hisobingizning elektron pochtasini {email} manziliga almashtirish soʻraldi. U tasdiqlangach, tizimga shu manzil bilan kiriladi. Buni siz soʻramagan boʻlsangiz, darhol parolingizni almashtiring.", "Profilni ochish"},
	},
	russian: {
		Invitation:        {"{organization}: приглашение", "{inviter} приглашает вас в организацию {organization}. Ссылка действует 7 дней, один раз.", "Принять приглашение"},
		PasswordReset:     {"Новый пароль", "Кто-то, вероятно вы, запросил новый пароль для этого адреса. Ссылка действует один час, один раз. Если это были не вы, ничего не делайте: пароль останется прежним.", "Выбрать новый пароль"},
		EmailConfirmation: {"Подтвердите новый адрес", "Откройте ссылку, чтобы этот адрес стал адресом вашей учётной записи. Она действует 24 часа, один раз. Если вы этого не просили, ничего не делайте.", "Подтвердить адрес"},
		EmailChanging:     {"Запрошена смена адреса", "Адрес вашей учётной записи просят сменить на {email}. После подтверждения входить нужно будет с ним. Если это были не вы, сразу смените пароль.", "Открыть профиль"},
	},
	english: {
		Invitation:        {"Invitation to {organization}", "{inviter} invites you to the organization {organization}. The link works for 7 days, once.", "Accept the invitation"},
		PasswordReset:     {"A new password", "Somebody, probably you, asked for a new password for this address. The link works for one hour, once. If it was not you, do nothing: your password stays as it is.", "Choose a new password"},
		EmailConfirmation: {"Confirm your new address", "Open the link to make this the address of your account. It works for 24 hours, once. If you did not ask for this, do nothing.", "Confirm the address"},
		EmailChanging:     {"A change of your address was asked for", "The address of your account is to become {email}. Once it is confirmed, you sign in with it. If this was not you, change your password at once.", "Open your profile"},
	},
}

// closing stands at the end of every mail; open is the button of a notice.
var (
	closing = map[string]string{
		uzbek:   "Bu xat avtomatik yuborildi; unga javob yozmang.",
		russian: "Это письмо отправлено автоматически; не отвечайте на него.",
		english: "This mail was sent automatically; do not answer it.",
	}
	openButton = map[string]string{uzbek: "Konsolda ochish", russian: "Открыть в консоли", english: "Open in the console"}
)

//go:embed notices.json
var noticesFile []byte

// notices are the words of notifications, by kind and language.
var notices = func() (out map[string]map[string]struct {
	Title string `json:"title"`
	Text  string `json:"text"`
}) {
	if err := json.Unmarshal(noticesFile, &out); err != nil {
		panic("mail: notices.json: " + err.Error())
	}
	return out
}()

// HasNotice says whether a kind of notification has words of its own in every
// language; one without is told in its own sentences.
func HasNotice(kind string) bool {
	for _, lang := range []string{uzbek, russian, english} {
		if notices[kind][lang].Title == "" || notices[kind][lang].Text == "" {
			return false
		}
	}
	return true
}

// sayingOf is the words of a mail. A notice has its kind in the value notice, and
// title and text for kinds without words.
func sayingOf(kind Kind, lang string, vars map[string]string) mailText {
	if kind != Notice {
		return words[lang][kind]
	}
	out := mailText{"{title}", "{text}", openButton[lang]}
	if HasNotice(vars["notice"]) {
		n := notices[vars["notice"]][lang]
		out.subject, out.text = n.Title, n.Text
	}
	if vars["organization"] != "" {
		out.subject = "{organization}: " + out.subject
	}
	return out
}

// maxSubject bounds a subject, in characters.
const maxSubject = 150

// letter makes the mail that is sent.
func letter(id string, kind Kind, c content) Letter {
	lang := c.Language
	if _, known := words[lang]; !known {
		lang = uzbek
	}
	said := sayingOf(kind, lang, c.Vars)
	l := Letter{ID: id, To: c.To, Language: lang, Subject: cut(oneLine(fill(said.subject, c.Vars)), maxSubject)}
	text, link := fill(said.text, c.Vars), c.Vars["link"]
	if n := c.Vars["count"]; n != "" {
		text += " (×" + n + ")"
	}
	var plain strings.Builder
	fmt.Fprintf(&plain, "%s\n\n", text)
	if link != "" {
		fmt.Fprintf(&plain, "%s:\n%s\n\n", said.button, link)
	}
	fmt.Fprintf(&plain, "-- \n%s\n", closing[lang])
	l.Text = plain.String()
	l.HTML = page(lang, l.Subject, text, link, said.button)
	return l
}

// page is the HTML of a mail. It loads nothing.
func page(lang, subject, text, link, button string) string {
	const key = "display:inline-block;padding:.6em 1em;background:#1d6b57;color:#fff;text-decoration:none;border-radius:6px"
	var to gomponents.Node
	if link != "" {
		to = gomponents.Group{
			html.P(html.A(html.Href(link), html.Style(key), gomponents.Text(button))),
			html.P(html.Style("font-size:.85em;word-break:break-all"), gomponents.Text(link)),
		}
	}
	var out strings.Builder
	err := html.Doctype(html.HTML(html.Lang(lang),
		html.Head(html.Meta(html.Charset("utf-8")), html.TitleEl(gomponents.Text(subject))),
		html.Body(html.Style("font-family:sans-serif;line-height:1.5;max-width:36em;margin:1em"),
			html.H1(html.Style("font-size:1.2em"), gomponents.Text(subject)),
			html.P(gomponents.Text(text)),
			to,
			html.P(html.Style("font-size:.85em;color:#56605c"), gomponents.Text(closing[lang])),
		),
	)).Render(&out)
	if err != nil {
		panic(err) // a builder takes everything
	}
	return out.String()
}

// fill puts values in the place of their names; what a value says is not read again.
func fill(s string, vars map[string]string) string {
	pairs := make([]string, 0, 2*len(vars))
	for name, value := range vars {
		pairs = append(pairs, "{"+name+"}", value)
	}
	return strings.NewReplacer(pairs...).Replace(s)
}

// oneLine makes what can stand in a header: no line break and no other control
// character, whatever a person called an organization.
func oneLine(s string) string {
	s = strings.Map(func(r rune) rune {
		if unicode.IsControl(r) || r == '\u2028' || r == '\u2029' {
			return ' '
		}
		return r
	}, strings.ToValidUTF8(s, ""))
	return strings.Join(strings.Fields(s), " ")
}

func cut(s string, most int) string {
	if r := []rune(s); len(r) > most {
		return string(r[:most-1]) + "…"
	}
	return s
}
