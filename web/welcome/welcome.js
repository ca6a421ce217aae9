// The pages behind one-time links: they ask the API and say what it answered.
'use strict';

const form = document.querySelector('form');
const error = form?.querySelector('.error');
const button = form?.querySelector('button');
const label = button?.textContent;
const params = new URLSearchParams(location.search);
const kind = form?.dataset.kind;
const token = params.get(kind === 'first-person' ? 'setup_token' : 'token');
const sayings = JSON.parse(form?.dataset.errors ?? '{}');

for (const link of document.querySelectorAll('[data-lang]')) {
  const q = new URLSearchParams(location.search);
  q.set('lang', link.lang);
  link.href = '?' + q;
}

async function ask(method, path, body) {
  const answer = await fetch('/api/v1' + path, {
    method, credentials: 'same-origin',
    headers: body ? { 'Content-Type': 'application/json' } : {},
    body: body && JSON.stringify(body),
  });
  if (answer.status === 204) return undefined;
  const json = await answer.json();
  if (!answer.ok) throw json.error;
  return json;
}

function show(problem) {
  error.textContent = '';
  for (const input of form.elements) {
    const place = input.nextElementSibling;
    if (!(place instanceof HTMLElement) || place.tagName !== 'EM') continue;
    const what = problem?.details?.[input.name] ?? '';
    place.textContent = what && input.dataset.wrong; // the API says it in English
    input.toggleAttribute('aria-invalid', what !== '');
    if (what !== '') input.setAttribute('aria-invalid', 'true');
  }
  if (problem && !form.querySelector('[aria-invalid]')) error.textContent = sayings[problem.code] ?? problem.message ?? form.dataset.failed;
  form.querySelector('[aria-invalid]')?.focus();
}

function busy(on) {
  button.disabled = on;
  button.textContent = on ? form.dataset.wait : label;
}

// What pressing the key asks the API, by the kind of page.
const submits = {
  'first-person': (fields) => ask('POST', '/auth/signup', { ...fields, timezone: zone(), language: document.documentElement.lang, setup_token: token }),
  signup: (fields) => ask('POST', '/auth/signup', { ...fields, timezone: zone(), language: document.documentElement.lang }),
  'password-reset': (fields) => ask('POST', '/auth/password-reset/confirm', { token, password: fields.password }),
  email: () => ask('POST', '/auth/email/confirm', { token }),
  invitation: (fields) => ask('POST', '/invitations/accept', { token, name: fields.name, password: fields.password, language: document.documentElement.lang }),
};

// What the link was for is done; signing in is up to the person.
function finish() {
  document.getElementById('text').textContent = form.dataset.done;
  history.replaceState(null, '', location.pathname); // the used token does not stay
  form.remove();
}

function zone() {
  return Intl.DateTimeFormat().resolvedOptions().timeZone || 'Asia/Tashkent';
}

form?.addEventListener('submit', async (event) => {
  event.preventDefault();
  if (!token && kind !== 'signup') return show({ message: form.dataset.noToken });
  const fields = Object.fromEntries(new FormData(form));
  busy(true);
  try {
    await submits[kind](fields);
    show();
    if (form.dataset.done) return finish();
    location.replace('/console/'); // signed in; the used token does not stay in the history
  } catch (problem) {
    show(problem?.code ? problem : { message: form.dataset.failed });
  } finally {
    busy(false);
  }
});

if (kind === 'invitation' && token) {
  ask('GET', '/invitations/lookup?token=' + encodeURIComponent(token)).then((found) => {
    document.getElementById('subject').textContent = found.organization.name;
    form.elements.email.value = found.email;
    if (found.existing_user) show({ message: form.dataset.existing });
  }, show);
}

if (kind === 'password-reset' && token) {
  ask('GET', '/auth/password-reset/lookup?token=' + encodeURIComponent(token)).then((found) => {
    form.elements.email.value = found.email;
  }, show);
}
