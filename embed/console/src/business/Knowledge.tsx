import { Alert, Button, Group, Paper, SegmentedControl, Stack, Text, Textarea, TextInput, Title } from '@mantine/core';
import { useForm } from '@mantine/form';
import { Confirm, Dialog, Empty, Failed, refresh, Status, Tag, useAction, useCan, useFormat, useGet, useNavigate, When } from '@shell';
import { IconBook, IconPlus, IconSearch } from '@tabler/icons-react';
import { useSearch } from '@tanstack/react-router';
import i18next from 'i18next';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { type Gap, Gaps } from './Gaps';
import { Ends } from './parts';
import { Source, stateOf } from './Source';
import { type Business, type KnowledgeSource, whole } from './types';
import { UploadFiles } from './UploadFiles';

/** What the seller knows beside the offers, as it reads it, and what it finds of that. */
export default function Knowledge({ business: b }: { business: Business }) {
  const { t } = useTranslation('business');
  const may = useCan()('ai:manage');
  const navigate = useNavigate();
  const { source } = useSearch({ strict: false }) as { source?: string };
  const [asked, setAsked] = useState<'add' | { answer: Gap } | { remove: KnowledgeSource }>();
  const close = () => setAsked(undefined);
  const { data, error, refetch } = useGet(
    '/ai/knowledge/sources',
    { query: { business_id: b.id, ...whole } },
    { while: (x) => x.data.some((s) => s.status === 'PENDING' || s.status === 'INGESTING') },
  );
  const open = (id?: string) =>
    void navigate({ to: '.', search: { tab: 'knowledge', ...(id ? { source: id } : {}) } as never, replace: true, resetScroll: false });
  const stale = ['/ai/knowledge/sources', '/ai/knowledge/search'];
  const again = useAction('post', '/ai/knowledge/sources/{id}/reindex', { stale, done: t('source.queued') });
  const publish = useAction('patch', '/ai/knowledge/sources/{id}', { stale, done: t('source.published') });
  const remove = useAction('delete', '/ai/knowledge/sources/{id}', { stale, done: t('source.removed'), then: close });
  const reason = (code: string) =>
    i18next.exists(`sourceError.${code}`, { ns: 'business' }) ? t(`sourceError.${code as 'DAMAGED'}`) : t('source.failed');
  const add = may && (
    <Button leftSection={<IconPlus size={17} aria-hidden />} onClick={() => setAsked('add')}>
      {t('source.add')}
    </Button>
  );
  if (!data) return error ? <Failed error={error} onAgain={() => void refetch()} /> : null;
  return (
    <Stack>
      {data.total === 0 && (
        <Paper p={0}>
          <Empty
            icon={<IconBook size={32} stroke={1.4} aria-hidden />}
            title={t('source.empty')}
            text={t('source.emptyText')}
            action={add}
          />
        </Paper>
      )}
      {data.total > 0 && add && <Group>{add}</Group>}
      {data.total > 0 && <Find business={b.id} />}
      {may && <UploadFiles business={b.id} />}
      <Gaps business={b.id} onAnswer={(answer) => setAsked({ answer })} />
      {data.data.map((s) => (
        <Paper key={s.id} component="section" data-source={s.title}>
          <Group justify="space-between" align="flex-start">
            <div style={{ minWidth: 0, flex: 1 }}>
              <Group gap="xs">
                <Title order={3} size="h5" style={{ overflowWrap: 'anywhere' }}>
                  {s.title}
                </Title>
                <Tag>{t(`sourceType.${s.type}`)}</Tag>
                <Status state={stateOf(s)} label={t(`sourceState.${s.status}`)} />
              </Group>
              <Text size="sm" c="dimmed">
                {t('source.chunks', { count: s.chunks_count })} · <When at={s.last_ingested_at} />
              </Text>
            </div>
            <Group gap={4}>
              <Button variant="default" size="compact-sm" onClick={() => open(source === s.id ? undefined : s.id)}>
                {t(source === s.id ? 'source.hide' : 'source.show')}
              </Button>
              {may && (
                <>
                  {s.status === 'DISABLED' ? (
                    <Button
                      variant="light"
                      size="compact-sm"
                      onClick={() => void publish.run({ path: { id: s.id }, body: { status: 'READY' } })}
                    >
                      {t('source.publish')}
                    </Button>
                  ) : (
                    <Button variant="subtle" size="compact-sm" onClick={() => void again.run({ path: { id: s.id } })}>
                      {t('source.again')}
                    </Button>
                  )}
                  <Button variant="subtle" color="red" size="compact-sm" onClick={() => setAsked({ remove: s })}>
                    {t('delete.act')}
                  </Button>
                </>
              )}
            </Group>
          </Group>
          {s.error_code && (
            <Alert color={s.status === 'FAILED' ? 'red' : 'yellow'} mt="xs">
              {reason(s.error_code)} {s.status === 'FAILED' && s.published_version !== null && t('source.kept')}
            </Alert>
          )}
          {source === s.id && <Source id={s.id} />}
        </Paper>
      ))}
      {asked && (asked === 'add' || 'answer' in asked) && (
        <AddSource business={b.id} gap={asked === 'add' ? undefined : asked.answer} onClose={close} />
      )}
      {typeof asked === 'object' && 'remove' in asked && (
        <Confirm
          danger
          title={t('source.removeTitle', { name: asked.remove.title })}
          consequence={t('source.removeConsequence')}
          act={t('delete.act')}
          pending={remove.pending}
          onConfirm={() => void remove.run({ path: { id: asked.remove.id } })}
          onClose={close}
        />
      )}
    </Stack>
  );
}

/** Searches as the seller does, and shows what it would read, with the score of each. */
function Find({ business }: { business: string }) {
  const { t } = useTranslation('business');
  const format = useFormat();
  const form = useForm({ initialValues: { q: '' } });
  const [q, setQ] = useState('');
  const { data } = useGet('/ai/knowledge/search', { query: { business_id: business, q } }, { enabled: q.length > 1 });
  return (
    <Paper component="section">
      <form onSubmit={form.onSubmit((v) => setQ(v.q.trim()))}>
        <Group align="flex-end" gap="xs">
          <TextInput
            style={{ flex: 1 }}
            label={t('source.find')}
            placeholder={t('source.findExample')}
            maxLength={300}
            {...form.getInputProps('q')}
          />
          <Button type="submit" variant="default" leftSection={<IconSearch size={16} aria-hidden />}>
            {t('source.findAct')}
          </Button>
        </Group>
      </form>
      {q && data && (
        <Stack gap="xs" mt="sm" role="status">
          {data.data.length === 0 && <Text size="sm">{t('source.nothing')}</Text>}
          {data.data.length > 0 && !data.relevant && <Alert color="yellow">{t('source.irrelevant')}</Alert>}
          {data.data.map((f) => (
            <div key={`${f.source_id} ${f.chunk}`} data-found={f.title}>
              <Group gap="xs">
                <Text size="sm" fw={600}>
                  {f.title}
                </Text>
                <Tag>{`${t('source.score')} ${format.number(Math.round(f.score * 1000) / 1000)}`}</Tag>
                {f.matched.map((m) => (
                  <Tag key={m}>{t(`matched.${m}`)}</Tag>
                ))}
              </Group>
              <Text size="sm" lineClamp={3} lang={f.language ?? undefined}>
                {f.text}
              </Text>
            </div>
          ))}
        </Stack>
      )}
    </Paper>
  );
}

const kinds = ['TEXT', 'FAQ', 'WEB_PAGE'] as const;
type Kind = (typeof kinds)[number];

/** Adds a source. gap: the question that it answers, which is taken off with it. */
function AddSource({ business, gap, onClose }: { business: string; gap?: Gap; onClose: () => void }) {
  const { t } = useTranslation('business');
  const answered = useAction('delete', '/ai/knowledge/gaps/{id}', { stale: ['/ai/knowledge/gaps'], failed: (e) => e.status === 404 });
  const form = useForm({
    initialValues: { type: (gap ? 'FAQ' : 'TEXT') as Kind, title: '', text: '', question: gap?.question ?? '', answer: '', url: '' },
    validate: (v) => ({
      title: v.type === 'TEXT' && !v.title.trim() ? t('nameMissing') : null,
      text: v.type === 'TEXT' && !v.text.trim() ? t('source.textMissing') : null,
      question: v.type === 'FAQ' && !v.question.trim() ? t('source.textMissing') : null,
      answer: v.type === 'FAQ' && !v.answer.trim() ? t('source.textMissing') : null,
      url: v.type === 'WEB_PAGE' && !v.url.trim() ? t('source.textMissing') : null,
    }),
  });
  const create = useAction('post', '/ai/knowledge/sources', {
    form,
    stale: ['/ai/knowledge/sources'],
    done: t('source.queued'),
    then: () => {
      onClose();
      if (gap) void answered.run({ path: { id: gap.id } });
      void refresh('/ai/knowledge/search');
    },
  });
  const v = form.values;
  const save = form.onSubmit(({ type, title, text, question, answer, url }) => {
    const own = { TEXT: { text }, FAQ: { question, answer }, WEB_PAGE: { url: url.trim() } }[type];
    const body = { business_id: business, type, ...(title.trim() ? { title: title.trim() } : {}), ...own };
    void create.run({ body } as never);
  });
  return (
    <Dialog onClose={onClose} title={t('source.add')} size="lg">
      <form onSubmit={save} noValidate>
        <Stack>
          <SegmentedControl
            aria-label={t('offers.type')}
            data={kinds.map((value) => ({ value, label: t(`sourceType.${value}`) }))}
            {...form.getInputProps('type')}
          />
          {v.type !== 'FAQ' && <TextInput label={t('name')} maxLength={200} {...form.getInputProps('title')} />}
          {v.type === 'TEXT' && (
            <Textarea
              label={t('source.text')}
              description={t('source.textHint')}
              autosize
              minRows={6}
              maxRows={18}
              maxLength={200_000}
              {...form.getInputProps('text')}
            />
          )}
          {v.type === 'FAQ' && (
            <>
              <TextInput label={t('source.question')} maxLength={500} {...form.getInputProps('question')} />
              <Textarea
                label={t('source.answer')}
                description={t('source.answerHint')}
                autosize
                minRows={3}
                maxRows={10}
                maxLength={4000}
                {...form.getInputProps('answer')}
              />
            </>
          )}
          {v.type === 'WEB_PAGE' && (
            <TextInput label={t('source.url')} type="url" maxLength={2048} placeholder="https://" {...form.getInputProps('url')} />
          )}
          <Ends act={t('source.add')} pending={create.pending} onClose={onClose} />
        </Stack>
      </form>
    </Dialog>
  );
}
