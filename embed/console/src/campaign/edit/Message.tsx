import { Button, Grid, Group, Paper, Select, SegmentedControl, Stack, Switch, Text, Textarea, TextInput } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useGet } from '@shell';
import { useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { type Campaign, mayChange } from '../model';
import { Attachments } from './Attachments';
import type { StepProps } from './draft';
import { Preview } from './Preview';

const formats = ['PLAIN', 'MARKDOWN', 'HTML'] as const;
const optOut = 'opt_out_url';
/** Fields that every recipient has; others come from what people carry. */
const ownVariables = ['first_name', 'last_name', 'username'];
const typing = 400;

/** What is written: a template or a text, with variables, and how one person reads it. */
export function Message({ campaign: c, draft }: StepProps) {
  const { t } = useTranslation(['campaign', 'shell']);
  const [name, setName] = useState(c.name);
  const [message, setMessage] = useState<Campaign['message']>(c.message);
  const [shown] = useDebouncedValue(message, typing);
  const area = useRef<HTMLTextAreaElement>(null);
  /** Where variables go: where the person last was, else behind the text. */
  const cursor = useRef<[number, number]>(undefined);
  const all = mayChange(c, 'message');
  const text = all || mayChange(c, 'message.text');
  const change = (m: Partial<Campaign['message']>) => {
    setMessage((before) => ({ ...before, ...m }));
    draft.change({ message: m });
  };
  const insert = (variable: string) => {
    const [at, end] = cursor.current ?? [message.text.length, message.text.length];
    const before = message.text.slice(0, at);
    const put = `${before && !/\s$/.test(before) ? ' ' : ''}{{${variable}}}`;
    change({ text: before + put + message.text.slice(end) });
    cursor.current = [at + put.length, at + put.length];
    area.current?.focus();
  };
  return (
    <Grid>
      <Grid.Col span={{ base: 12, md: 7 }}>
        <Paper>
          <Stack>
            <TextInput
              label={t('field.name')}
              value={name}
              maxLength={120}
              error={draft.errors.name ?? (!name.trim() && t('new.nameMissing'))}
              onChange={(e) => {
                setName(e.currentTarget.value);
                if (e.currentTarget.value.trim()) draft.change({ name: e.currentTarget.value.trim() });
              }}
            />
            {all && <Templates message={message} onTake={(m) => change(m)} />}
            <Group justify="space-between" align="flex-end">
              <SegmentedControl
                size="xs"
                value={message.format}
                disabled={!all}
                data={formats.map((value) => ({ value, label: t(`format.${value}`) }))}
                onChange={(v) => change({ format: v as Campaign['message']['format'] })}
                aria-label={t('field.format')}
              />
              <Switch
                size="sm"
                label={t('field.linkPreview')}
                checked={message.link_preview}
                disabled={!all}
                onChange={(e) => change({ link_preview: e.currentTarget.checked })}
              />
            </Group>
            <Textarea
              ref={area}
              label={t('field.text')}
              description={text ? t('field.textHint', { variable: '{{first_name}}' }) : t('field.textLocked')}
              autosize
              minRows={7}
              maxRows={18}
              value={message.text}
              disabled={!text}
              onSelect={(e) => {
                cursor.current = [e.currentTarget.selectionStart, e.currentTarget.selectionEnd];
              }}
              error={draft.errors['message.text'] ?? draft.errors.message}
              onChange={(e) => change({ text: e.currentTarget.value })}
            />
            {text && <Variables text={message.text} onInsert={insert} />}
            <Attachments
              ids={message.attachment_ids}
              error={draft.errors['message.attachment_ids']}
              disabled={!all}
              onChange={(attachment_ids) => change({ attachment_ids })}
            />
          </Stack>
        </Paper>
      </Grid.Col>
      <Grid.Col span={{ base: 12, md: 5 }}>
        <Preview campaign={c} message={shown} />
      </Grid.Col>
    </Grid>
  );
}

function Templates({ message, onTake }: { message: Campaign['message']; onTake: (m: Partial<Campaign['message']>) => void }) {
  const { t } = useTranslation(['campaign', 'shell']);
  const { data } = useGet('/templates', { query: { limit: 500, sort: 'name' } });
  if (!data || data.data.length === 0) return null;
  const take = (id: string | null) => {
    const found = data.data.find((x) => x.id === id);
    if (!found) return onTake({ template_id: null });
    onTake({
      template_id: found.id,
      text: found.text,
      format: found.format as Campaign['message']['format'],
      attachment_ids: found.attachment_ids,
    });
  };
  return (
    <Select
      label={t('field.template')}
      description={t('field.templateHint')}
      placeholder={t('field.noTemplate')}
      data={data.data.map((x) => ({ value: x.id, label: x.name }))}
      value={message.template_id}
      onChange={take}
      searchable
      clearable
      clearButtonProps={{ 'aria-label': t('shell:list.clearSearch') }}
    />
  );
}

/** Variables to put where the cursor is; the opt-out link, which every message needs, first. */
function Variables({ text, onInsert }: { text: string; onInsert: (v: string) => void }) {
  const { t, i18n } = useTranslation('campaign');
  const { data } = useGet('/recipients', { query: { limit: 20 } });
  const fields = new Set(ownVariables);
  for (const r of data?.data ?? []) for (const key of Object.keys(r.attributes ?? {})) fields.add(key);
  const missing = !text.includes(`{{${optOut}}}`);
  return (
    <Group gap={6} role="group" aria-label={t('field.variables')}>
      <Button size="compact-xs" variant={missing ? 'filled' : 'default'} onClick={() => onInsert(optOut)}>
        {t('field.optOut')}
      </Button>
      {[...fields].map((v) => (
        <Button key={v} size="compact-xs" variant="default" onClick={() => onInsert(v)}>
          {i18n.exists(`field.variable.${v}`, { ns: 'campaign' }) ? t(`field.variable.${v}` as never) : v}
        </Button>
      ))}
      {missing && (
        <Text size="xs" c="dimmed">
          {t('field.optOutWhy')}
        </Text>
      )}
    </Group>
  );
}
