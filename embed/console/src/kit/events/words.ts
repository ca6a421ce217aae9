import i18next from 'i18next';
import { useCallback } from 'react';
import { useTranslation } from 'react-i18next';
import type { EventGroup } from './types';

/** What a type means; a type of a later version as it is. */
export function useTypeWord(): (type: string) => string {
  const { t } = useTranslation('kit');
  return useCallback((type) => (i18next.exists(`event.type.${type}`, { ns: 'kit' }) ? t(`event.type.${type}`) : type), [t]);
}

/** The name of a group of types. */
export function useGroupWord(): (group: EventGroup) => string {
  const { t } = useTranslation('kit');
  return useCallback((group) => t(`event.group.${group}`), [t]);
}
