import { isAbort, SvcError } from 'svc-map';
import { t } from './i18n';
import { h } from './ui';

export { isAbort };

/** isSvc tells the client's errors from all others. */
export function isSvc(error: unknown): error is SvcError {
  return error instanceof SvcError;
}

/** reasonText is what went wrong, in the language of the page. */
export function reasonText(error: unknown): string {
  if (!isSvc(error)) return t('error.other', { why: error instanceof Error ? error.message : String(error) });
  const why = error.message;
  switch (error.code) {
    case 'network':
      return t('error.network');
    case 'timeout':
      return t('error.timeout');
    case 'missing_key':
    case 'unknown_key':
      return t('error.key');
    case 'forbidden':
      return t('error.forbidden', { why });
    case 'rate_limited':
      return t('error.rate');
    case 'quota':
      return t('error.quota');
    case 'not_found':
      return t('error.notFound');
    case 'upstream':
      return upstream(why);
    default:
      return t('error.other', { why });
  }
}

/** upstream: the engine's words, for the two cases that are answers rather than faults in ours. */
function upstream(why: string): string {
  if (/no route found|no path|no suitable edges/i.test(why)) return t('error.noRoute');
  if (/no reachable area/i.test(why)) return t('error.noArea');
  if (/engine unavailable/i.test(why)) return t('error.engineDown');
  return t('error.upstream', { why });
}

/** failure is a box that says what went wrong, with a button to try again. */
export function failure(error: unknown, again?: () => void): HTMLElement {
  const box = h('div', { class: 'failure', attrs: { role: 'alert' } }, h('p', {}, reasonText(error)));
  if (again) box.append(h('button', { type: 'button', class: 'plain', on: { click: again } }, t('app.retry')));
  return box;
}
