import { Alert, Anchor, Button, Group, Paper, Skeleton, Stack, Text, Title } from '@mantine/core';
import { money, SellerSections } from '@kit';
import { type Answer, codeWord, Empty, Failed, Link, NamedThing, Page, Status, useAction, useCan, useFormat, useGet, When } from '@shell';
import { IconPlus, IconWorldSearch } from '@tabler/icons-react';
import i18next from 'i18next';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { NewResearch } from './NewResearch';

type Found = Answer<'/ai/research', 'get'>['data'][number];

const few = 10;
const most = 100;
const colours = { QUEUED: 'blue', RUNNING: 'blue', DONE: 'teal', FAILED: 'red' } as const;

/** What was looked up in the web: sentences with the page that each stands on. A person makes knowledge of them. */
export default function Research() {
  const { t } = useTranslation('business');
  const may = useCan()('ai:manage');
  const [adding, setAdding] = useState(false);
  const [all, setAll] = useState(false);
  const { data, error, refetch } = useGet('/ai/research', { query: { limit: all ? most : few } }, { keep: true });
  const add = may && (
    <Button leftSection={<IconPlus size={17} aria-hidden />} onClick={() => setAdding(true)}>
      {t('research.add')}
    </Button>
  );
  return (
    <Page title={t('research.title')} lead={t('research.lead')} actions={data && data.total > 0 && add}>
      <SellerSections />
      {error && !data && <Failed error={error} onAgain={() => void refetch()} />}
      {!data && !error && <Skeleton h={200} />}
      {data?.total === 0 && (
        <Paper p={0}>
          <Empty
            icon={<IconWorldSearch size={32} stroke={1.4} aria-hidden />}
            title={t('research.empty')}
            text={t('research.emptyText')}
            action={add}
          />
        </Paper>
      )}
      <Stack>
        {data?.data.map((r, i) => (
          <One key={r.id} of={r} may={may} first={i === 0} />
        ))}
        {data && data.total > few && !all && (
          <Group>
            <Button variant="default" onClick={() => setAll(true)}>
              {t('research.more', { count: Math.min(data.total, most) - few })}
            </Button>
          </Group>
        )}
      </Stack>
      {adding && <NewResearch onClose={() => setAdding(false)} />}
    </Page>
  );
}

/** Why it found nothing, in words. */
function failed(code: string): string {
  const own = `research.failed.${code}`;
  return i18next.exists(own, { ns: 'business' }) ? i18next.t(own as never, { ns: 'business' }) : codeWord(code);
}

function One({ of: r, may, first }: { of: Found; may: boolean; first: boolean }) {
  const { t } = useTranslation('business');
  const f = useFormat();
  const [open, setOpen] = useState(first);
  return (
    <Paper component="section" aria-label={r.topic} data-research={r.status}>
      <Group justify="space-between" align="flex-start">
        <div style={{ minWidth: 0, flex: '1 1 240px' }}>
          <Group gap="xs">
            <Title order={2} size="h5" style={{ overflowWrap: 'anywhere' }}>
              {r.topic}
            </Title>
            <Status state={r.status} color={colours[r.status]} label={t(`research.state.${r.status}`)} />
          </Group>
          <Text size="sm" c="dimmed" component="div">
            <NamedThing of={r.business} /> · {t('research.pages', { count: r.pages_count })}
            {r.cost_usd > 0 && ` · ${money(r.cost_usd, f.locale)}`} · <When at={r.finished_at ?? r.created_at} />
          </Text>
        </div>
        {r.findings.length > 0 && (
          <Button variant="default" size="compact-sm" aria-expanded={open} onClick={() => setOpen(!open)}>
            {t(open ? 'source.hide' : 'research.show', { count: r.findings.length })}
          </Button>
        )}
      </Group>
      {r.error_code && (
        <Alert color="yellow" mt="sm">
          {failed(r.error_code)}
        </Alert>
      )}
      {open && (r.summary || r.findings.length > 0) && <Findings of={r} may={may} />}
    </Paper>
  );
}

function Findings({ of: r, may }: { of: Found; may: boolean }) {
  const { t } = useTranslation('business');
  return (
    <Stack gap="sm" mt="sm">
      {r.summary && <Text style={{ overflowWrap: 'anywhere' }}>{r.summary}</Text>}
      {r.findings.map((x, i) => (
        <div key={`${i} ${x.url}`} data-finding>
          <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
            {x.text}
          </Text>
          {x.quote !== x.text && (
            <Text size="sm" c="dimmed" component="blockquote" m={0} style={{ overflowWrap: 'anywhere' }}>
              {t('research.quote', { quote: x.quote })}
            </Text>
          )}
          <Anchor href={x.url} target="_blank" rel="noopener noreferrer" size="xs" style={{ overflowWrap: 'anywhere' }}>
            {x.title || x.url}
          </Anchor>
        </div>
      ))}
      {r.status === 'DONE' && <Keep of={r} may={may} />}
    </Stack>
  );
}

/** From what was found to knowledge: kept first, and read by the seller when a person publishes it. */
function Keep({ of: r, may }: { of: Found; may: boolean }) {
  const { t } = useTranslation('business');
  const stale = ['/ai/research', '/ai/knowledge/sources'];
  const save = useAction('post', '/ai/research/{id}/save-to-knowledge', { stale, done: t('research.saved') });
  const path = { id: r.id };
  if (r.source_id)
    return (
      <Group>
        <Button
          component={Link}
          to={`/ai/businesses/${r.business_id}`}
          search={{ tab: 'knowledge', source: r.source_id } as never}
          variant="default"
          size="compact-sm"
        >
          {t('research.open')}
        </Button>
      </Group>
    );
  if (!may) return null;
  return (
    <Group gap="xs">
      <Button variant="default" size="compact-sm" loading={save.pending} onClick={() => void save.run({ path })}>
        {t('research.save')}
      </Button>
      <Text size="xs" c="dimmed">
        {t('research.saveHint')}
      </Text>
    </Group>
  );
}
