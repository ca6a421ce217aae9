// Small parts of the pages about the AI engine.
import { Group, Text } from '@mantine/core';
import { refresh, Status, Tag, useFormat } from '@shell';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { money } from '@kit';
import { abilitiesOf, type Provider } from './types';

/** An amount of money. */
export function Money({ usd }: { usd: number }) {
  const f = useFormat();
  return <span style={{ fontVariantNumeric: 'tabular-nums', whiteSpace: 'nowrap' }}>{money(usd, f.locale)}</span>;
}

/** Marks words that come from the demo model. */
export function Demo() {
  const { t } = useTranslation('engine');
  return <Status state="WARN" label={t('demo')} />;
}

/** The seconds that are left until a time; 0 when it has come. */
function useSecondsLeft(at: string | null): number {
  const left = () => (at ? Math.max(0, Math.ceil((Date.parse(at) - Date.now()) / 1000)) : 0);
  const [seconds, setSeconds] = useState(left);
  useEffect(() => {
    setSeconds(left());
    if (!at) return undefined;
    const timer = setInterval(() => setSeconds(left()), 1000);
    return () => clearInterval(timer);
  }, [at]);
  return seconds;
}

/** How a provider does: its state, and how long it is passed over. */
export function Health({ provider: p }: { provider: Provider }) {
  const { t } = useTranslation('engine');
  const left = useSecondsLeft(p.cooldown_until);
  const waited = p.cooldown_until !== null && left === 0;
  useEffect(() => {
    if (waited) void refresh('/ai/providers');
  }, [waited]);
  const clock = `${Math.floor(left / 60)}:${String(left % 60).padStart(2, '0')}`;
  return (
    <div>
      <Group gap={6}>
        <Status state={p.status === 'FAILING' ? 'FAILED' : p.status} label={t(`state.${p.status}`)} />
        {left > 0 && (
          <span role="timer" aria-live="off">
            <Status state="COOLDOWN" label={t('cooling', { clock })} />
          </span>
        )}
        {p.demo && <Demo />}
      </Group>
      {p.last_error_code && (
        <Text size="xs" c="dimmed" mt={2}>
          {t(`fault.${p.last_error_code}`)}
        </Text>
      )}
    </div>
  );
}

/** What tests found that a provider can do. */
export function Abilities({ provider: p }: { provider: Provider }) {
  const { t } = useTranslation('engine');
  const found = abilitiesOf(p.supports as never);
  if (found.length === 0)
    return (
      <Text span size="sm" c="dimmed">
        {t('untested')}
      </Text>
    );
  return (
    <Group gap={4}>
      {found.map((a) => (
        <Tag key={a}>{t(`ability.${a}`)}</Tag>
      ))}
    </Group>
  );
}
