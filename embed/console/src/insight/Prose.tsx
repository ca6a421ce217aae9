import { Alert, Button, Group, List, Paper, Stack, Text, Title, UnstyledButton } from '@mantine/core';
import { codeWord, Status, Tag, useAction, useCan, When } from '@shell';
import { useTranslation } from 'react-i18next';
import classes from './insight.module.css';
import { type Asked, type Board, firstDay, type Narrative, pieces, type Span } from './types';

/** Prose about a board. Every number of it was proven, and leads to its metric. */
export function Prose({ board: b, asked, onSelect }: { board: Board; asked: Asked; onSelect: (metric: string) => void }) {
  const n = b.narrative;
  const write = useAction('post', '/ai/insights/boards/{board}/narrative', { stale: ['/ai/insights/boards'] });
  const ask = () =>
    void write.run({
      path: { board: b.board },
      body: { from: firstDay(asked.days, b.timezone), locale: b.locale, channel: b.channel, business_id: b.business_id },
    });
  return <ProseCard narrative={n} writing={write.pending} onWrite={ask} onSelect={onSelect} />;
}

interface Card {
  narrative: Narrative | null;
  writing: boolean;
  onWrite: () => void;
  onSelect: (metric: string) => void;
}

/** Prose about figures of any kind, and the key that asks for it. */
export function ProseCard({ narrative: n, writing, onWrite: ask, onSelect }: Card) {
  const { t } = useTranslation('insight');
  const may = useCan()('ai:operate');
  const pending = n?.status === 'PENDING';
  return (
    <Paper component="section" aria-label={t('prose.title')} data-narrative={n?.status ?? 'NONE'}>
      <Group justify="space-between" mb="sm">
        <Group gap="xs">
          <Title order={2}>{t('prose.title')}</Title>
          {n && n.status !== 'READY' && <Status state={n.status} label={t(`prose.state.${n.status}`)} />}
          {n?.demo && <Tag>{t('demo')}</Tag>}
        </Group>
        {may && n?.status !== 'DISABLED' && n?.status !== 'READY' && (
          <Button variant="default" loading={writing || pending} onClick={ask}>
            {t(n?.headline ? 'prose.again' : 'prose.write')}
          </Button>
        )}
      </Group>
      {n?.error_code && (
        <Alert color="yellow" mb="sm">
          {refusal(n.error_code, t(`prose.refused.${n.error_code}` as 'prose.refused.ungrounded', { defaultValue: '' }))}
        </Alert>
      )}
      {!n?.headline && !pending && (
        <Text size="sm" c="dimmed">
          {t(n?.status === 'DISABLED' ? 'prose.disabled' : 'prose.none')}
        </Text>
      )}
      {pending && (
        <Text size="sm" c="dimmed" role="status">
          {t('prose.pending')}
        </Text>
      )}
      {n?.headline && <Written of={n} onSelect={onSelect} />}
    </Paper>
  );
}

/** Why there is no newer text. */
function refusal(code: string, own: string): string {
  return own || codeWord(code) || code;
}

function Written({ of: n, onSelect }: { of: Narrative; onSelect: (metric: string) => void }) {
  const { t } = useTranslation('insight');
  return (
    <Stack gap="sm" lang={n.locale}>
      <Title order={3} size="h4">
        <Numbers text={n.headline ?? ''} links={n.headline_links} onSelect={onSelect} />
      </Title>
      {n.paragraphs.map((p) => (
        <Text key={p.text}>
          <Numbers text={p.text} links={p.links} onSelect={onSelect} />
        </Text>
      ))}
      {n.actions.length > 0 && (
        <div>
          <Text fw={600}>{t('prose.actions')}</Text>
          <List>
            {n.actions.map((a) => (
              <List.Item key={a}>{a}</List.Item>
            ))}
          </List>
        </div>
      )}
      <Text size="xs" c="dimmed">
        {t('prose.proven')} <When at={n.generated_at} />
      </Text>
    </Stack>
  );
}

/** A text whose numbers are keys to their metrics. */
function Numbers({ text, links, onSelect }: { text: string; links: readonly Span[]; onSelect: (metric: string) => void }) {
  return pieces(text, links).map((p, i) => {
    const { metric } = p;
    return metric ? (
      <UnstyledButton key={i} className={classes.number} data-of={metric} onClick={() => onSelect(metric)}>
        {p.text}
      </UnstyledButton>
    ) : (
      <span key={i}>{p.text}</span>
    );
  });
}
