import type { Client, Status } from 'svc-map';
import { isSvc } from './failure';
import { t, type Key } from './i18n';
import { h } from './ui';

/** noRouting says how to get directions where there is no engine. */
export function noRouting(): HTMLElement {
  return h(
    'div',
    { class: 'failure', attrs: { role: 'note' } },
    h('p', {}, t('setup.noRouting')),
    h('a', { href: '#routing' }, t('setup.routingLink')),
  );
}

/** noEngine asks whether there is no engine at all: the status says no too while one is down. */
export async function noEngine(client: Client): Promise<boolean> {
  try {
    await client.matrix({}); // is refused, by whom is the question
  } catch (error) {
    return isSvc(error) && error.code === 'unavailable';
  }
  return false;
}

/** What a server lacks, and the commands that mend it. */
export interface Lack {
  key: Key;
  commands: string;
}

export const noStyle: Lack = { key: 'setup.noStyle', commands: 'make assets\nmake build' };

/** lacks finds what keeps the map from being a map. */
export function lacks(s: Status): Lack | null {
  if (s.docs === 0) {
    return {
      key: 'setup.noIndex',
      commands: 'svc map build country.osm.pbf --out country.svcmap\nsvc serve --map country.svcmap',
    };
  }
  if (!s.sources['tiles']) {
    return { key: 'setup.noTiles', commands: 'svc map build country.osm.pbf --out country.svcmap' };
  }
  return null;
}

/** lackBox shows it. */
export function lackBox(lack: Lack): HTMLElement {
  return h('div', { class: 'lack', attrs: { role: 'note' } }, h('p', {}, t(lack.key)), h('pre', {}, lack.commands));
}
