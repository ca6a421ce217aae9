package welcome

// languages are those of the pages, in the order of the matcher.
var languages = []string{"uz", "ru", "en"}

// words are the texts of the pages. A test holds that every language has all.
var words = map[string]map[string]string{
	"uz": {
		"signup": "Birinchi foydalanuvchi", "signupText": "Siz bu serverni boshqaradigan birinchi odamsiz.",
		"invitation": "Taklif", "invitationText": "Sizni tashkilotga taklif qilishdi:",
		"name": "Ismingiz", "email": "Elektron pochta", "password": "Parol", "passwordHint": "kamida 10 ta belgi",
		"organization": "Tashkilot nomi", "submit": "Davom etish", "wait": "Bir oz kuting …",
		"failed": "Bajarilmadi. Tarmoqni tekshiring va qayta urinib koʻring.", "noToken": "Havola toʻliq emas: uni boshidan oxirigacha nusxalang.",
		"existing": "Bu manzil egasi roʻyxatdan oʻtgan: avval tizimga kiring, keyin havolani qayta oching.",
	},
	"ru": {
		"signup": "Первый пользователь", "signupText": "Вы первый, кто управляет этим сервером.",
		"invitation": "Приглашение", "invitationText": "Вас пригласили в организацию:",
		"name": "Ваше имя", "email": "Электронная почта", "password": "Пароль", "passwordHint": "не меньше 10 знаков",
		"organization": "Название организации", "submit": "Продолжить", "wait": "Подождите …",
		"failed": "Не получилось. Проверьте сеть и попробуйте ещё раз.", "noToken": "Ссылка неполная: скопируйте её целиком.",
		"existing": "Владелец этого адреса уже зарегистрирован: сначала войдите, затем откройте ссылку снова.",
	},
	"en": {
		"signup": "The first person", "signupText": "You are the first to administer this server.",
		"invitation": "Invitation", "invitationText": "You are invited to the organization:",
		"name": "Your name", "email": "E-mail", "password": "Password", "passwordHint": "at least 10 characters",
		"organization": "Name of the organization", "submit": "Continue", "wait": "One moment …",
		"failed": "That did not work. Check the network and try again.", "noToken": "The link is not complete: copy all of it.",
		"existing": "The owner of this address is registered: sign in first, then open the link again.",
	},
}
