import { ActionIcon, Box, Button, Group, List, Paper, Stack, Text, Title, VisuallyHidden } from '@mantine/core';
import { useForm } from '@mantine/form';
import { Confirm, Unsaved, useAction, useCan } from '@shell';
import { IconChevronLeft, IconChevronRight, IconPlus, IconX } from '@tabler/icons-react';
import { type DragEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Wrong } from './parts';
import { StageDialog } from './StageDialog';
import { changeOf, isNothing, moved } from './stages';
import type { Funnel, Stage } from './types';

const mostStages = 30;

/** The stages of a funnel side by side. They are changed here and replaced all at once, behind a question that says what changes. */
export function StageBoard({ funnel }: { funnel: Funnel }) {
  const { t } = useTranslation('business');
  const may = useCan()('ai:manage');
  const form = useForm({ initialValues: { stages: funnel.stages } });
  const { stages } = form.values;
  const [open, setOpen] = useState<Stage | 'new'>();
  const [asking, setAsking] = useState(false);
  const [dragged, setDragged] = useState<number>();
  const [said, setSaid] = useState('');
  const put = useAction('put', '/ai/funnels/{id}/stages', {
    form,
    stale: ['/ai/businesses/{id}/funnels', '/ai/conversations'],
    done: t('stage.replaced'),
    then: () => setAsking(false),
    failed: () => {
      setAsking(false);
      return false;
    },
  });
  const set = (list: Stage[]) => form.setFieldValue('stages', list);
  const move = (from: number, to: number) => {
    if (to < 0 || to >= stages.length || from === to) return;
    set(moved(stages, from, to));
    setSaid(t('stage.moved', { name: stages[from]!.name, place: to + 1, of: stages.length }));
  };
  const over = (e: DragEvent, to: number) => {
    if (dragged === undefined) return;
    e.preventDefault();
    move(dragged, to);
    setDragged(to);
  };
  const keep = (s: Stage) => set(open === 'new' ? [...stages, s] : stages.map((x) => (open && x.key === (open as Stage).key ? s : x)));
  const change = changeOf(funnel.stages, stages);
  return (
    <>
      <Unsaved form={form} />
      <Box
        component="ol"
        p={0}
        m={0}
        className="scrolling"
        aria-label={t('tab.funnel')}
        style={{ listStyle: 'none', display: 'flex', gap: 12, overflowX: 'auto', minWidth: 0 }}
      >
        {stages.map((s, i) => (
          <li
            key={s.key}
            data-stage={s.key}
            draggable={may}
            onDragStart={() => setDragged(i)}
            onDragOver={(e) => over(e, i)}
            onDragEnd={() => setDragged(undefined)}
            style={{ flex: '0 0 220px', opacity: dragged === i ? 0.55 : 1 }}
          >
            <Card
              stage={s}
              at={i}
              last={i === stages.length - 1}
              may={may}
              onOpen={() => setOpen(s)}
              onMove={(to) => move(i, to)}
              onRemove={() => set(stages.filter((_, n) => n !== i))}
            />
          </li>
        ))}
      </Box>
      <VisuallyHidden role="status">{said}</VisuallyHidden>
      {stages.length === 0 && <Text size="sm">{t('stage.empty')}</Text>}
      <Wrong errors={form.errors} shown={() => false} />
      {may && (
        <Group>
          {stages.length < mostStages && (
            <Button variant="default" leftSection={<IconPlus size={16} aria-hidden />} onClick={() => setOpen('new')}>
              {t('stage.add')}
            </Button>
          )}
          <Button disabled={isNothing(change) || stages.length === 0} onClick={() => setAsking(true)}>
            {t('stage.replace')}
          </Button>
          {!isNothing(change) && (
            <Button variant="subtle" color="gray" onClick={() => form.reset()}>
              {t('stage.back')}
            </Button>
          )}
        </Group>
      )}
      {open && (
        <StageDialog
          stage={open === 'new' ? undefined : open}
          taken={stages.map((s) => s.key)}
          onKeep={(s) => {
            keep(s);
            setOpen(undefined);
          }}
          onClose={() => setOpen(undefined)}
        />
      )}
      {asking && (
        <Confirm
          danger={change.removed.length > 0}
          title={t('stage.replaceTitle')}
          consequence={
            <List size="sm" spacing={4}>
              {change.added.map((s) => (
                <List.Item key={s.key}>{t('stage.added', { name: s.name })}</List.Item>
              ))}
              {change.removed.map(({ stage, to }) => (
                <List.Item key={stage.key}>{t('stage.gone', { name: stage.name, to: to?.name ?? '–' })}</List.Item>
              ))}
              {change.changed.map((s) => (
                <List.Item key={s.key}>{t('stage.changed', { name: s.name })}</List.Item>
              ))}
              {change.reordered && <List.Item>{t('stage.reordered')}</List.Item>}
            </List>
          }
          act={t('stage.replace')}
          pending={put.pending}
          onConfirm={() => void put.run({ path: { id: funnel.id }, body: { stages: stages.map((s, order) => ({ ...s, order })) } })}
          onClose={() => setAsking(false)}
        />
      )}
    </>
  );
}

interface CardProps {
  stage: Stage;
  at: number;
  last: boolean;
  may: boolean;
  onOpen: () => void;
  onMove: (to: number) => void;
  onRemove: () => void;
}

function Card({ stage: s, at, last, may, onOpen, onMove, onRemove }: CardProps) {
  const { t } = useTranslation('business');
  return (
    <Paper p="sm" withBorder h="100%">
      <Stack gap={6} h="100%">
        <Title order={3} size="h5" style={{ overflowWrap: 'anywhere' }}>
          {at + 1}. {s.name}
        </Title>
        <Text size="sm" c="dimmed" lineClamp={4} style={{ flex: 1 }}>
          {s.objective}
        </Text>
        <Text size="xs">
          {s.allowed_actions.length === 0 ? t('stage.allActions') : s.allowed_actions.map((a) => t(`action.${a}`)).join(', ')}
        </Text>
        {may && (
          <Group gap={2} justify="space-between" wrap="nowrap">
            <Button variant="light" size="compact-sm" onClick={onOpen} aria-label={t('stage.edit', { name: s.name })}>
              {t('edit')}
            </Button>
            <Group gap={0} wrap="nowrap">
              <ActionIcon
                variant="subtle"
                color="gray"
                disabled={at === 0}
                aria-label={t('stage.earlier', { name: s.name })}
                onClick={() => onMove(at - 1)}
              >
                <IconChevronLeft size={16} aria-hidden />
              </ActionIcon>
              <ActionIcon
                variant="subtle"
                color="gray"
                disabled={last}
                aria-label={t('stage.later', { name: s.name })}
                onClick={() => onMove(at + 1)}
              >
                <IconChevronRight size={16} aria-hidden />
              </ActionIcon>
              <ActionIcon variant="subtle" color="gray" aria-label={t('stage.remove', { name: s.name })} onClick={onRemove}>
                <IconX size={16} aria-hidden />
              </ActionIcon>
            </Group>
          </Group>
        )}
      </Stack>
    </Paper>
  );
}
