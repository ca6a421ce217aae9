package welcome

// languages are those of the pages, in the order of the matcher.
var languages = []string{"uz", "ru", "en"}

// words are the texts of the pages. A test holds that every language has all.
var words = map[string]map[string]string{
	"uz": {
		"signup": "Roʻyxatdan oʻtish", "firstText": "Siz bu yerda birinchi odamsiz: serverni va quyida nomlaydigan tashkilotingizni siz boshqarasiz.",
		"openText": "Hisob va oʻzingiz boshqaradigan tashkilot oching.", "closedText": "Roʻyxatdan oʻtish yopiq. Tashkilotingiz egasi yoki administratoridan taklif soʻrang.",
		"firstLinkText": "Bu serverni hali hech kim boshqarmaydi. Server ishga tushganda chiqargan havolani oching.", "signin": "Tizimga kirish",
		"reset": "Yangi parol", "resetText": "Yangi parol tanlang: barcha qurilmalarda tizimdan chiqasiz.", "resetDone": "Parol almashtirildi. Endi yangi parol bilan kiring.", "newPassword": "Yangi parol",
		"confirmEmail": "Yangi manzilni tasdiqlash", "confirmEmailText": "Shundan keyin tizimga yangi elektron pochta manzili bilan kirasiz.", "confirmEmailDone": "Manzil tasdiqlandi. Endi shu manzil bilan kiring.",
		"invitation": "Taklif", "invitationText": "Sizni tashkilotga taklif qilishdi:",
		"name": "Ismingiz", "email": "Elektron pochta", "password": "Parol", "passwordHint": "kamida 10 ta belgi",
		"organization": "Tashkilot nomi", "submit": "Davom etish", "wait": "Bir oz kuting …",
		"wrongName": "Ismingizni yozing.", "wrongEmail": "Elektron pochtani olga@example.uz kabi yozing.", "wrongPassword": "Kamida 10 ta belgidan iborat parol tanlang.", "wrongOrganization": "Tashkilot nomini yozing.",
		"failed": "Bajarilmadi. Tarmoqni tekshiring va qayta urinib koʻring.", "noToken": "Havola toʻliq emas: uni boshidan oxirigacha nusxalang.",
		"existing": "Bu manzil egasi roʻyxatdan oʻtgan: avval tizimga kiring, keyin havolani qayta oching.",
	},
	"ru": {
		"signup": "Регистрация", "firstText": "Вы здесь первый человек: вы будете управлять сервером и организацией, которую назовёте ниже.",
		"openText": "Создайте учётную запись и организацию, которой будете управлять.", "closedText": "Регистрация закрыта. Попросите приглашение у владельца или администратора организации.",
		"firstLinkText": "Этим сервером ещё никто не управляет. Откройте ссылку, которую сервер напечатал при запуске.", "signin": "Войти",
		"reset": "Новый пароль", "resetText": "Выберите новый пароль: на всех устройствах вы выйдете из системы.", "resetDone": "Пароль изменён. Теперь войдите с новым.", "newPassword": "Новый пароль",
		"confirmEmail": "Подтверждение нового адреса", "confirmEmailText": "После этого для входа нужен новый адрес электронной почты.", "confirmEmailDone": "Адрес подтверждён. Теперь входите с ним.",
		"invitation": "Приглашение", "invitationText": "Вас пригласили в организацию:",
		"name": "Ваше имя", "email": "Электронная почта", "password": "Пароль", "passwordHint": "не меньше 10 знаков",
		"organization": "Название организации", "submit": "Продолжить", "wait": "Подождите …",
		"wrongName": "Напишите своё имя.", "wrongEmail": "Напишите адрес вида olga@example.uz.", "wrongPassword": "Придумайте пароль не короче 10 знаков.", "wrongOrganization": "Напишите название организации.",
		"failed": "Не получилось. Проверьте сеть и попробуйте ещё раз.", "noToken": "Ссылка неполная: скопируйте её целиком.",
		"existing": "Владелец этого адреса уже зарегистрирован: сначала войдите, затем откройте ссылку снова.",
	},
	"en": {
		"signup": "Sign up", "firstText": "You are the first person here: you will administer this server, and own the organization that you name below.",
		"openText": "Make an account, and an organization that you own.", "closedText": "Sign-up is closed. Ask the owner or an administrator of your organization for an invitation.",
		"firstLinkText": "Nobody administers this server yet. Open the link that the server printed when it started.", "signin": "Sign in",
		"reset": "A new password", "resetText": "Choose a new password: you are signed out everywhere.", "resetDone": "The password is changed. Sign in with the new one.", "newPassword": "New password",
		"confirmEmail": "Confirm your new address", "confirmEmailText": "From then on you sign in with the new e-mail address.", "confirmEmailDone": "The address is confirmed. Sign in with it from now on.",
		"invitation": "Invitation", "invitationText": "You are invited to the organization:",
		"name": "Your name", "email": "E-mail", "password": "Password", "passwordHint": "at least 10 characters",
		"organization": "Name of the organization", "submit": "Continue", "wait": "One moment …",
		"wrongName": "Write your name.", "wrongEmail": "Write an address such as olga@example.uz.", "wrongPassword": "Choose a password of at least 10 characters.", "wrongOrganization": "Write the name of the organization.",
		"failed": "That did not work. Check the network and try again.", "noToken": "The link is not complete: copy all of it.",
		"existing": "The owner of this address is registered: sign in first, then open the link again.",
	},
}

// errorWords say what the API refuses with, by its code. A test holds that every
// language has all.
var errorWords = map[string]map[string]string{
	"uz": {
		"conflict": "Bu manzil egasi roʻyxatdan oʻtgan: tizimga kiring.", "signups_closed": "Roʻyxatdan oʻtish yopiq. Taklif soʻrang.",
		"rate_limited": "Urinishlar juda koʻp. Bir ozdan keyin qayta urinib koʻring.", "maintenance_mode": "Texnik ishlar olib borilmoqda. Keyinroq urinib koʻring.",
		"link_invalid": "Havola eskirgan yoki ishlatilgan. Yangisini soʻrang.", "invalid_invitation": "Havola yaroqsiz.", "invitation_used": "Taklif allaqachon qabul qilingan.", "invitation_revoked": "Taklif qaytarib olingan. Yangisini soʻrang.", "invitation_expired": "Taklif muddati tugagan. Yangisini soʻrang.",
	},
	"ru": {
		"conflict": "Владелец этого адреса уже зарегистрирован: войдите.", "signups_closed": "Регистрация закрыта. Попросите приглашение.",
		"rate_limited": "Слишком много попыток. Попробуйте чуть позже.", "maintenance_mode": "Идут технические работы. Попробуйте позже.",
		"link_invalid": "Ссылка устарела или уже использована. Запросите новую.", "invalid_invitation": "Ссылка недействительна.", "invitation_used": "Приглашение уже принято.", "invitation_revoked": "Приглашение отозвано. Попросите новое.", "invitation_expired": "Срок приглашения истёк. Попросите новое.",
	},
	"en": {
		"conflict": "The owner of this address is registered: sign in.", "signups_closed": "Sign-up is closed. Ask for an invitation.",
		"rate_limited": "Too many attempts. Try again a little later.", "maintenance_mode": "The service is in maintenance. Try again later.",
		"link_invalid": "The link was used or is too old. Ask for a new one.", "invalid_invitation": "The link is not valid.", "invitation_used": "The invitation was accepted already.", "invitation_revoked": "The invitation was withdrawn. Ask for a new one.", "invitation_expired": "The invitation has expired. Ask for a new one.",
	},
}
