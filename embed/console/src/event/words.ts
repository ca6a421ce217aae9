import i18next from 'i18next';
import { useCallback } from 'react';
import { useTranslation } from 'react-i18next';

/** What a type means; a type of a later version as it is. */
export function useTypeWord(): (type: string) => string {
  const { t } = useTranslation('event');
  return useCallback((type) => (i18next.exists(`type.${type}`, { ns: 'event' }) ? t(`type.${type}`) : type), [t]);
}
