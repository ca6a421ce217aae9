import i18next from 'i18next';

/** Why something did not go: a fault of a provider, a reason of the router, or a code of the service. */
export function reasonWord(code: string): string {
  for (const key of [`fault.${code}`, `reason.${code}`])
    if (i18next.exists(key, { ns: 'engine' })) return i18next.t(key as never, { ns: 'engine' });
  return i18next.exists(`errors.${code}`, { ns: 'shell/codes' }) ? i18next.t(`errors.${code}` as never, { ns: 'shell/codes' }) : code;
}
