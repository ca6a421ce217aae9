import { Alert, Button, Group, Menu, Paper, Select, Skeleton, Stack, Text, Title } from '@mantine/core';
import { codeWord, Confirm, Empty, Failed, Link, Page, Status, Tag, useAction, useCan, useGet, useNavigate, When } from '@shell';
import { IconDots, IconListDetails, IconPlus, IconSparkles } from '@tabler/icons-react';
import { useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { CaseDialog } from './CaseDialog';
import { FindDialog } from './FindDialog';
import { MergeDialog } from './MergeDialog';
import { InsightSections } from './sections';
import { type Case, type Dimension, dimensions, nameOf, whole } from './types';

/** The cases of a business, by dimension: written by people, or found by grouping conversations. */
export default function Cases() {
  const { t } = useTranslation('insight');
  const navigate = useNavigate();
  const { business } = useSearch({ strict: false }) as { business?: string };
  const { data, error, refetch } = useGet('/ai/businesses', { query: whole });
  const list = data?.data ?? [];
  const id = list.find((b) => b.id === business)?.id ?? list[0]?.id;
  return (
    <Page title={t('sections.cases')} lead={t('case.lead')}>
      <InsightSections />
      {error && !data && <Failed error={error} onAgain={() => void refetch()} />}
      {data && list.length === 0 && (
        <Paper p={0}>
          <Empty
            icon={<IconListDetails size={32} stroke={1.4} aria-hidden />}
            title={t('case.noBusiness')}
            text={t('case.noBusinessText')}
            action={
              <Button component={Link} to="/ai/businesses">
                {t('case.toBusinesses')}
              </Button>
            }
          />
        </Paper>
      )}
      {list.length > 1 && id && (
        <Select
          mb="md"
          w={240}
          aria-label={t('board.business')}
          allowDeselect={false}
          data={list.map((b) => ({ value: b.id, label: b.name }))}
          value={id}
          onChange={(v) => void navigate({ to: '.', search: { business: v } as never, replace: true })}
        />
      )}
      {id && <OfBusiness key={id} id={id} />}
    </Page>
  );
}

type Asking = { add: Dimension } | { edit: Case } | { merge: Case } | { remove: Case } | 'find';

function OfBusiness({ id }: { id: string }) {
  const { t, i18n } = useTranslation('insight');
  const may = useCan()('ai:manage');
  const [asked, setAsked] = useState<Asking>();
  const close = () => setAsked(undefined);
  const { data, error, refetch } = useGet('/ai/businesses/{id}/cases', { path: { id }, query: whole });
  const stale = ['/ai/businesses/{id}/cases', '/ai/insights/boards'];
  const remove = useAction('delete', '/ai/cases/{id}', { stale, done: t('case.removed'), then: close });
  if (!data) return error ? <Failed error={error} onAgain={() => void refetch()} /> : <Skeleton h={240} />;
  return (
    <Stack>
      <Generation business={id} onFind={may ? () => setAsked('find') : undefined} />
      {dimensions.map((d) => (
        <Paper key={d} component="section" aria-label={t(`dimension.${d}`)} data-dimension={d}>
          <Group justify="space-between" mb="xs">
            <div>
              <Title order={2}>{t(`dimension.${d}`)}</Title>
              <Text size="sm" c="dimmed">
                {t(`dimensionHint.${d}`)}
              </Text>
            </div>
            {may && (
              <Button
                variant="default"
                size="compact-sm"
                leftSection={<IconPlus size={15} aria-hidden />}
                aria-label={`${t('case.add')}: ${t(`dimension.${d}`)}`}
                onClick={() => setAsked({ add: d })}
              >
                {t('case.add')}
              </Button>
            )}
          </Group>
          {data.data
            .filter((k) => k.dimension === d)
            .map((k) => (
              <Row key={k.id} of={k} onAct={may ? setAsked : undefined} business={id} />
            ))}
          {!data.data.some((k) => k.dimension === d) && (
            <Text size="sm" c="dimmed">
              {t('case.none')}
            </Text>
          )}
        </Paper>
      ))}
      {asked === 'find' && <FindDialog business={id} onClose={close} />}
      {typeof asked === 'object' && 'add' in asked && <CaseDialog business={id} dimension={asked.add} onClose={close} />}
      {typeof asked === 'object' && 'edit' in asked && (
        <CaseDialog business={id} of={asked.edit} dimension={asked.edit.dimension} onClose={close} />
      )}
      {typeof asked === 'object' && 'merge' in asked && <MergeDialog of={asked.merge} among={data.data} onClose={close} />}
      {typeof asked === 'object' && 'remove' in asked && (
        <Confirm
          danger
          title={t('case.removeTitle', { name: nameOf(asked.remove, i18n.language) })}
          consequence={t(asked.remove.conversations_count > 0 ? 'case.archiveConsequence' : 'case.removeConsequence')}
          act={t('case.remove')}
          pending={remove.pending}
          onConfirm={() => void remove.run({ path: { id: asked.remove.id } })}
          onClose={close}
        />
      )}
    </Stack>
  );
}

function Row({ of: k, business, onAct }: { of: Case; business: string; onAct?: (a: Asking) => void }) {
  const { t, i18n } = useTranslation('insight');
  const stale = ['/ai/businesses/{id}/cases', '/ai/insights/boards'];
  const change = useAction('patch', '/ai/cases/{id}', { stale });
  const name = nameOf(k, i18n.language);
  const archived = k.status === 'ARCHIVED';
  return (
    <Group justify="space-between" wrap="nowrap" py={6} data-case={k.key} data-business={business}>
      <div style={{ minWidth: 0 }}>
        <Group gap="xs">
          <Text fw={600} c={archived ? 'dimmed' : undefined} style={{ overflowWrap: 'anywhere' }}>
            {name}
          </Text>
          {archived && <Status state="ARCHIVED" label={t(k.merged_into ? 'case.merged' : 'case.archived')} />}
          {k.source === 'GENERATED' && <Tag>{t('case.found')}</Tag>}
        </Group>
        <Text size="sm" c="dimmed">
          {k.merged_into
            ? t('case.countsAs', { name: k.merged_into.name ?? '–' })
            : k.description || t('case.count', { count: k.conversations_count })}
        </Text>
      </div>
      {onAct && (
        <Menu position="bottom-end">
          <Menu.Target>
            <Button variant="subtle" size="compact-sm" aria-label={t('case.acts', { name })}>
              <IconDots size={18} aria-hidden />
            </Button>
          </Menu.Target>
          <Menu.Dropdown>
            <Menu.Item onClick={() => onAct({ edit: k })}>{t('case.edit')}</Menu.Item>
            {!archived && <Menu.Item onClick={() => onAct({ merge: k })}>{t('case.merge')}</Menu.Item>}
            <Menu.Item onClick={() => void change.run({ path: { id: k.id }, body: { status: archived ? 'ACTIVE' : 'ARCHIVED' } })}>
              {t(archived ? 'case.back' : 'case.archive')}
            </Menu.Item>
            <Menu.Item color="red" onClick={() => onAct({ remove: k })}>
              {t('case.remove')}
            </Menu.Item>
          </Menu.Dropdown>
        </Menu>
      )}
    </Group>
  );
}

/** How the last search for cases went. */
function Generation({ business, onFind }: { business: string; onFind?: () => void }) {
  const { t } = useTranslation('insight');
  const { data: g } = useGet('/ai/businesses/{id}/cases/generation', { path: { id: business } });
  const busy = g?.status === 'QUEUED' || g?.status === 'RUNNING';
  return (
    <Group>
      {onFind && (
        <Button leftSection={<IconSparkles size={17} aria-hidden />} loading={busy} onClick={onFind}>
          {t('find.act')}
        </Button>
      )}
      {busy && <Text role="status">{t('find.running')}</Text>}
      {g?.status === 'DONE' && g.finished_at && (
        <Text size="sm" c="dimmed" role="status">
          {t('find.done', { count: g.added })} · <When at={g.finished_at} />
        </Text>
      )}
      {g?.status === 'FAILED' && g.error_code && (
        <Alert color="yellow" p="xs" role="status">
          {g.error_code === 'not_enough_conversations' ? t('find.few') : (codeWord(g.error_code) ?? g.error_code)}
        </Alert>
      )}
    </Group>
  );
}
