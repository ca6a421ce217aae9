import type { App } from './app';
import { number, t, type Key } from './i18n';
import { langs, looks, prefs, themes, type UiLang } from './prefs';
import { h, textButton } from './ui';

const langNames: Record<UiLang, string> = { uz: 'Oʻzbekcha', ru: 'Русский', en: 'English' };

/** openSettings shows language, appearance, the key, and what the server has. */
export function openSettings(app: App): void {
  app.open(() => ({
    title: t('app.settings'),
    body: h(
      'div',
      { class: 'settings' },
      choice(
        t('settings.language'),
        'lang',
        langs.map((l) => [l, langNames[l], l] as const),
        app.lang,
        (l) => app.setLang(l),
      ),
      choice(
        t('settings.theme'),
        'theme',
        themes.map((v) => [v, t(`settings.theme.${v}` as Key), ''] as const),
        app.theme,
        (v) => app.setTheme(v),
      ),
      choice(
        t('settings.look'),
        'look',
        looks.map((v) => [v, t(`settings.look.${v}` as Key), ''] as const),
        app.look,
        (v) => app.setLook(v),
      ),
      h('h3', {}, t('settings.key')),
      textButton('key', prefs.key ? t('settings.keyChange') : t('settings.keyEnter'), () => app.askKey()),
      h('h3', {}, t('settings.api')),
      h(
        'p',
        {},
        h('a', { href: '#api' }, t('api.endpoints')),
        ' · ',
        h('a', { href: '#api-keys' }, t('api.keys')),
        ' · ',
        h('a', { href: '#routing' }, t('api.routing')),
      ),
      ...about(app),
    ),
  }));
}

function choice<T extends string>(
  title: string,
  name: string,
  options: (readonly [value: T, text: string, lang: string])[],
  current: T,
  choose: (v: T) => void,
): HTMLElement {
  return h(
    'fieldset',
    { class: 'segments' },
    h('legend', {}, title),
    ...options.map(([value, text, lang]) => {
      const input = h('input', {
        type: 'radio',
        name,
        value,
        checked: value === current,
        on: { change: () => choose(value) },
      });
      return h('label', lang ? { lang } : {}, input, h('span', {}, text));
    }),
  );
}

function about(app: App): Node[] {
  const s = app.status;
  if (!s) return [];
  const built = s.built_at && new Date(s.built_at);
  const lines = [
    t('settings.docs', { n: s.docs }),
    built && t('settings.built', { date: built.toLocaleDateString(app.lang === 'en' ? 'en-GB' : 'ru') }),
    s.version && `svc ${s.version}`,
    s.attribution,
  ];
  return [
    h('h3', {}, t('settings.about')),
    h('p', { class: 'soft' }, lines.filter(Boolean).join(' · ')),
    ...(s.tiles ? [h('p', { class: 'soft' }, `${t('api.tiles')}: z${number(s.tiles.minzoom)}–z${number(s.tiles.maxzoom)}`)] : []),
  ];
}
