// The service worker of the console: it says so when there is no connection, and shows what the inbox wants of a
// person. It keeps no page and no answer of the service: what is shown is always asked for.
const offline = '/console/offline.html';
const kept = 'svc-offline-1';

self.addEventListener('install', (e) => {
  e.waitUntil(caches.open(kept).then((c) => c.add(new Request(offline, { cache: 'reload' }))));
  self.skipWaiting();
});

self.addEventListener('activate', (e) => {
  const old = async () => {
    for (const name of await caches.keys()) if (name.startsWith('svc-offline-') && name !== kept) await caches.delete(name);
    await self.clients.claim();
  };
  e.waitUntil(old());
});

self.addEventListener('fetch', (e) => {
  if (e.request.mode !== 'navigate') return;
  e.respondWith(fetch(e.request).catch(async () => (await caches.match(offline)) ?? Response.error()));
});

const words = {
  uz: {
    MESSAGES: 'Yangi xabar',
    HANDOFFS: 'Suhbatga odam kerak',
    MENTIONS: 'Sizni eslatmada tilga olishdi',
    WAITING: 'Mijoz javob kutmoqda',
    text: 'Suhbatni ochish uchun bosing.',
  },
  ru: {
    MESSAGES: 'Новое сообщение',
    HANDOFFS: 'Разговору нужен человек',
    MENTIONS: 'Вас упомянули в заметке',
    WAITING: 'Клиент ждёт ответа',
    text: 'Нажмите, чтобы открыть разговор.',
  },
  en: {
    MESSAGES: 'A new message',
    HANDOFFS: 'A conversation needs a person',
    MENTIONS: 'You were mentioned in a note',
    WAITING: 'A customer waits for an answer',
    text: 'Open the conversation to read it.',
  },
};

function read(e) {
  try {
    return e.data?.json() ?? {};
  } catch {
    return {};
  }
}

self.addEventListener('push', (e) => {
  const said = read(e);
  const of = words[said.language] ?? words.uz;
  const id = /^cnv_[0-9a-z]{26}$/.test(said.conversation_id ?? '') ? said.conversation_id : '';
  const show = self.registration.showNotification(of[said.topic] ?? of.MESSAGES, {
    body: of.text,
    icon: '/console/icons/icon-192.png',
    badge: '/console/icons/icon-192.png',
    tag: `${said.topic} ${id}`, // one of a conversation at a time
    data: { to: id ? `/console/inbox/${id}` : '/console/inbox' },
  });
  e.waitUntil(show);
});

self.addEventListener('notificationclick', (e) => {
  e.notification.close();
  const to = e.notification.data?.to ?? '/console/inbox';
  const open = async () => {
    const tabs = await self.clients.matchAll({ type: 'window', includeUncontrolled: true });
    const tab = tabs.find((x) => x.url.startsWith(`${self.location.origin}/console/`));
    if (!tab) return self.clients.openWindow(to);
    await tab.focus();
    return tab.navigate ? tab.navigate(to) : undefined;
  };
  e.waitUntil(open());
});
