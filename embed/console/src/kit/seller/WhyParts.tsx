import { Group, Stack, Text, Title } from '@mantine/core';
import { IconCheck, IconX } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Decision } from './Decision';
import { Knowledge, Memory, Offers } from './Read';
import { type Execution, triesOf, usedOf } from './turn';
import classes from './why.module.css';
import { checkWord } from './words';

/** What the seller understood, read and remembered in one turn, and what the checks said of its reply. */
export function WhyParts({ of: e }: { of: Execution }) {
  const { t } = useTranslation('kit');
  const steps = e.steps ?? [];
  const used = usedOf(steps);
  return (
    <>
      <Part title={t('why.decision')}>
        <Decision of={e.decision} business={e.business_id} />
      </Part>
      <Part title={t('why.knowledge')}>
        <Knowledge of={e.knowledge ?? []} used={used.chunks} />
      </Part>
      {used.offers.length > 0 && e.business_id && (
        <Part title={t('why.offers')}>
          <Offers ids={used.offers} business={e.business_id} />
        </Part>
      )}
      {(e.memory ?? []).length > 0 && e.conversation_id && (
        <Part title={t('why.memory')}>
          <Memory ids={e.memory ?? []} conversation={e.conversation_id} />
        </Part>
      )}
      <Part title={t('why.checks')}>
        <Checks of={e} />
      </Part>
    </>
  );
}

export function Part({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section aria-label={title}>
      <Title order={3} size="h5" mb={6}>
        {title}
      </Title>
      {children}
    </section>
  );
}

function Checks({ of: e }: { of: Execution }) {
  const { t } = useTranslation('kit');
  const tries = triesOf(e.steps ?? []);
  const last = e.validators ?? [];
  if (tries.length === 0 && last.length === 0)
    return (
      <Text size="sm" c="dimmed">
        {t('why.noChecks')}
      </Text>
    );
  return (
    <Stack gap={6}>
      {tries.map((x, i) => (
        <Group key={x.id} gap={6} wrap="nowrap" align="flex-start" data-try={i + 1} data-passed={!x.refused || undefined}>
          <Mark passed={!x.refused} />
          <Text size="sm">
            {t('why.try', { n: i + 1 })}: {x.refused ? t('why.refused', { why: checkWord(x.refused) }) : t('why.passed')}
          </Text>
        </Group>
      ))}
      {last.length > 0 && (
        <details>
          <Text component="summary" size="sm" style={{ cursor: 'pointer' }}>
            {t('why.every')}
          </Text>
          <ul className={classes.list} style={{ marginTop: 6, gap: 2 }}>
            {last.map((v) => (
              <li key={v.code}>
                <Group gap={6} wrap="nowrap" align="flex-start">
                  <Mark passed={v.passed} />
                  <Text size="sm">
                    {checkWord(v.code)}
                    {v.detail && `: ${v.detail}`}
                  </Text>
                </Group>
              </li>
            ))}
          </ul>
        </details>
      )}
    </Stack>
  );
}

/** The words of a check say what is wrong; beside them stands whether it was found. */
function Mark({ passed }: { passed: boolean }) {
  const { t } = useTranslation('kit');
  const Icon = passed ? IconCheck : IconX;
  return (
    <Icon
      size={16}
      role="img"
      aria-label={t(passed ? 'why.checkOk' : 'why.checkBad')}
      color={`var(--mantine-color-${passed ? 'teal' : 'red'}-text)`}
      style={{ flex: 'none', marginTop: 2 }}
    />
  );
}
