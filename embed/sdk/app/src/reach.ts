import type { Mode } from 'svc-map';
import type { App } from './app';
import { modeButton, type Stop } from './directions';
import { failure, isAbort, isSvc } from './failure';
import { number, t } from './i18n';
import { skeleton } from './loading';
import { noRouting } from './setup';
import { h } from './ui';

const choices = [5, 10, 15, 20, 30, 45, 60];
/** Contours of one request (map contract 53). */
const most = 6;
const modes: Mode[] = ['car', 'bike', 'foot'];

const wish = { mode: 'foot' as Mode, minutes: new Set([5, 10, 15]) };

/** openReach shows what can be reached from a point within some minutes. */
export function openReach(app: App, from: Stop): void {
  app.open(() => {
    const answer = h('div', { class: 'answer', attrs: { 'aria-live': 'polite' } });
    let asking = new AbortController();
    const ask = () => {
      asking.abort();
      const mine = (asking = new AbortController());
      if (!ready(app, answer)) return;
      void app.engineMissing().then((missing) => {
        if (!missing || mine.signal.aborted) return;
        mine.abort();
        answer.replaceChildren(noRouting());
      });
      answer.replaceChildren(skeleton());
      app.map
        .isochrone({
          point: from,
          mode: wish.mode,
          minutes: [...wish.minutes].sort((a, b) => a - b),
          fit: false,
          signal: mine.signal,
        })
        .then(
          (drawn) => {
            if (mine.signal.aborted) return;
            answer.replaceChildren(legend(drawn.legend));
            app.settle(); // the answer has made the panel larger
            drawn.fit();
          },
          (error: unknown) => {
            if (mine.signal.aborted || isAbort(error)) return;
            app.map.clearIsochrone();
            if (isSvc(error) && error.status === 401) app.askKey();
            answer.replaceChildren(isSvc(error) && error.code === 'unavailable' ? noRouting() : failure(error, ask));
          },
        );
    };
    app.map.setPin(from);
    ask();
    return {
      title: t('reach.title'),
      address: { at: { lat: from.lat, lon: from.lon } },
      body: h(
        'div',
        { class: 'directions' },
        h('p', { class: 'soft' }, from.name),
        h(
          'div',
          { class: 'modes', attrs: { role: 'radiogroup', 'aria-label': t('directions.mode') } },
          ...modes.map((m) =>
            modeButton('reach', m, wish.mode === m, () => {
              wish.mode = m;
              ask();
            }),
          ),
        ),
        minutes(app, ask),
        answer,
      ),
      dispose: () => {
        asking.abort();
        app.map.clearIsochrone();
        app.map.setPin(null);
      },
    };
  });
}

/** ready says what is missing before anything is asked. */
function ready(app: App, answer: HTMLElement): boolean {
  if (wish.minutes.size === 0) answer.replaceChildren(h('p', { class: 'soft' }, t('reach.choose')));
  else return true;
  app.map.clearIsochrone();
  return false;
}

function minutes(app: App, changed: () => void): HTMLElement {
  return h(
    'fieldset',
    { class: 'minutes' },
    h('legend', {}, t('reach.minutes')),
    ...choices.map((m) =>
      h(
        'label',
        { class: 'pick' },
        h('input', {
          type: 'checkbox',
          checked: wish.minutes.has(m),
          on: {
            change: (e) => {
              const box = e.target as HTMLInputElement;
              if (box.checked && wish.minutes.size >= most) {
                box.checked = false;
                app.toast(t('reach.most'));
                return;
              }
              if (box.checked) wish.minutes.add(m);
              else wish.minutes.delete(m);
              changed();
            },
          },
        }),
        h('span', {}, number(m)),
      ),
    ),
  );
}

function legend(rows: readonly { value: number; color: string }[]): HTMLElement {
  return h(
    'div',
    {},
    h('h3', {}, t('reach.legend')),
    h(
      'ul',
      { class: 'legend' },
      ...rows.map((r) => {
        const swatch = h('i');
        swatch.style.background = r.color;
        return h('li', {}, swatch, t('time.minutes', { n: r.value }));
      }),
    ),
  );
}
