package welcome

// languages are those of the pages, in the order of the matcher.
var languages = []string{"uz", "ru", "en"}

// words are the texts of the pages. A test holds that every language has all.
var words = map[string]map[string]string{
	"uz": {
		"signup": "Roʻyxatdan oʻtish", "signupText": "Siz bu yerda birinchi odamsiz: serverni va quyida nomlaydigan tashkilotingizni siz boshqarasiz.",
		"invitation": "Taklif", "invitationText": "Sizni tashkilotga taklif qilishdi:",
		"name": "Ismingiz", "email": "Elektron pochta", "password": "Parol", "passwordHint": "kamida 10 ta belgi",
		"organization": "Tashkilot nomi", "submit": "Davom etish", "wait": "Bir oz kuting …",
		"wrongName": "Ismingizni yozing.", "wrongEmail": "Elektron pochtani olga@example.uz kabi yozing.", "wrongPassword": "Kamida 10 ta belgidan iborat parol tanlang.", "wrongOrganization": "Tashkilot nomini yozing.",
		"failed": "Bajarilmadi. Tarmoqni tekshiring va qayta urinib koʻring.", "noToken": "Havola toʻliq emas: uni boshidan oxirigacha nusxalang.",
		"existing": "Bu manzil egasi roʻyxatdan oʻtgan: avval tizimga kiring, keyin havolani qayta oching.",
	},
	"ru": {
		"signup": "Регистрация", "signupText": "Вы здесь первый человек: вы будете управлять сервером и организацией, которую назовёте ниже.",
		"invitation": "Приглашение", "invitationText": "Вас пригласили в организацию:",
		"name": "Ваше имя", "email": "Электронная почта", "password": "Пароль", "passwordHint": "не меньше 10 знаков",
		"organization": "Название организации", "submit": "Продолжить", "wait": "Подождите …",
		"wrongName": "Напишите своё имя.", "wrongEmail": "Напишите адрес вида olga@example.uz.", "wrongPassword": "Придумайте пароль не короче 10 знаков.", "wrongOrganization": "Напишите название организации.",
		"failed": "Не получилось. Проверьте сеть и попробуйте ещё раз.", "noToken": "Ссылка неполная: скопируйте её целиком.",
		"existing": "Владелец этого адреса уже зарегистрирован: сначала войдите, затем откройте ссылку снова.",
	},
	"en": {
		"signup": "Sign up", "signupText": "You are the first person here: you will administer this server, and own the organization that you name below.",
		"invitation": "Invitation", "invitationText": "You are invited to the organization:",
		"name": "Your name", "email": "E-mail", "password": "Password", "passwordHint": "at least 10 characters",
		"organization": "Name of the organization", "submit": "Continue", "wait": "One moment …",
		"wrongName": "Write your name.", "wrongEmail": "Write an address such as olga@example.uz.", "wrongPassword": "Choose a password of at least 10 characters.", "wrongOrganization": "Write the name of the organization.",
		"failed": "That did not work. Check the network and try again.", "noToken": "The link is not complete: copy all of it.",
		"existing": "The owner of this address is registered: sign in first, then open the link again.",
	},
}
