import { Alert, Button, Group, Menu, Text } from '@mantine/core';
import { type Column, Confirm, type Filter, List, NotFound, Num, Page, type Schema, showDone, useAction, useGet, When } from '@shell';
import { IconDots, IconPlayerPause, IconPlayerPlay } from '@tabler/icons-react';
import { useParams } from '@tanstack/react-router';
import { useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { taskStates } from './choices';
import { administrators } from './Guard';
import { OrgLink, State, wordOr } from './parts';

type QueueShown = Schema<'AdminQueue'>;
type Task = Schema<'AdminTask'>;

function Queue() {
  const { t } = useTranslation('admin');
  const { name = '' } = useParams({ strict: false });
  const { data } = useGet('/admin/queues', {});
  const queue = data?.data.find((q) => q.name === name);
  if (data && !queue) return <NotFound />;
  return (
    <Page
      title={wordOr(`queue.${name}`, name)}
      lead={t(`queueLead.${name}`)}
      above={[{ label: t('queues.title'), to: '/admin/queues' }]}
      actions={queue && <Actions queue={queue} />}
    >
      {queue?.paused && (
        <Alert color="yellow" mb="md">
          {t('queues.isPaused', { count: queue.pending + queue.retry + queue.scheduled })}
        </Alert>
      )}
      <Tasks name={name} />
    </Page>
  );
}

function Actions({ queue: q }: { queue: QueueShown }) {
  const { t } = useTranslation('admin');
  const [asked, setAsked] = useState<'pause' | 'resume' | 'retry' | 'drop'>();
  const close = () => setAsked(undefined);
  const options = { stale: ['/admin'], then: close };
  const pause = useAction('post', '/admin/queues/{name}/pause', { ...options, done: t('queues.pauseDone') });
  const resume = useAction('post', '/admin/queues/{name}/resume', { ...options, done: t('queues.resumeDone') });
  const counted = (key: 'retryDone' | 'dropDone') => ({
    stale: ['/admin'],
    then: (n: { count: number }) => {
      showDone(t(`queues.${key}`, { count: n.count }));
      close();
    },
  });
  const retry = useAction('post', '/admin/queues/{name}/retry-archived', counted('retryDone'));
  const drop = useAction('post', '/admin/queues/{name}/drop-archived', counted('dropDone'));
  const path = { name: q.name };
  const common = { onClose: close };
  return (
    <>
      {q.archived > 0 && (
        <Button variant="default" onClick={() => setAsked('retry')}>
          {t('queues.retryAll')}
        </Button>
      )}
      {q.archived > 0 && (
        <Button variant="default" onClick={() => setAsked('drop')}>
          {t('queues.dropAll')}
        </Button>
      )}
      {q.paused ? (
        <Button variant="default" leftSection={<IconPlayerPlay size={16} aria-hidden />} onClick={() => setAsked('resume')}>
          {t('queues.resume')}
        </Button>
      ) : (
        <Button variant="default" leftSection={<IconPlayerPause size={16} aria-hidden />} onClick={() => setAsked('pause')}>
          {t('queues.pause')}
        </Button>
      )}
      {asked === 'pause' && (
        <Confirm
          {...common}
          danger
          title={t('queues.pauseTitle', { name: t(`queue.${q.name}`) })}
          act={t('queues.pause')}
          pending={pause.pending}
          consequence={
            <>
              {t(`queueStops.${q.name}`)} {t('queues.pauseText', { count: q.pending + q.retry + q.scheduled })}
            </>
          }
          onConfirm={() => void pause.run({ path })}
        />
      )}
      {asked === 'resume' && (
        <Confirm
          {...common}
          title={t('queues.resumeTitle', { name: t(`queue.${q.name}`) })}
          act={t('queues.resume')}
          pending={resume.pending}
          consequence={t('queues.resumeText', { count: q.pending + q.retry + q.scheduled })}
          onConfirm={() => void resume.run({ path })}
        />
      )}
      {asked === 'retry' && (
        <Confirm
          {...common}
          title={t('queues.retryAll')}
          act={t('queues.retryAll')}
          pending={retry.pending}
          consequence={t('queues.retryText', { count: q.archived })}
          onConfirm={() => void retry.run({ path })}
        />
      )}
      {asked === 'drop' && (
        <Confirm
          {...common}
          danger
          word={t('queues.word')}
          title={t('queues.dropAll')}
          act={t('queues.dropAll')}
          pending={drop.pending}
          consequence={t('queues.dropText', { count: q.archived })}
          onConfirm={() => void drop.run({ path })}
        />
      )}
    </>
  );
}

function Tasks({ name }: { name: string }) {
  const { t } = useTranslation('admin');
  const columns = useMemo<Column<Task>[]>(
    () => [
      { key: 'type', title: t('task.type'), render: (x) => wordOr(`taskType.${x.type.replaceAll('.', '_')}`, x.type) },
      { key: 'state', title: t('column.status'), render: (x) => <State kind="task" state={x.state} /> },
      {
        key: 'organization',
        title: t('column.organization'),
        render: (x) => (x.organization ? <OrgLink of={x.organization} /> : t('task.platform')),
      },
      {
        key: 'tries',
        title: t('task.tries'),
        align: 'right',
        render: (x) => (
          <>
            <Num value={x.attempts} /> / {x.max_attempts > 0 ? <Num value={x.max_attempts} /> : '∞'}
          </>
        ),
      },
      {
        key: 'error',
        title: t('task.error'),
        from: 'md',
        render: (x) =>
          x.last_error ? (
            <Text size="sm" lineClamp={2} style={{ overflowWrap: 'anywhere' }}>
              {x.last_error}
            </Text>
          ) : (
            '–'
          ),
      },
      { key: 'due', title: t('task.due'), render: (x) => <When at={x.run_at} /> },
      { key: 'created', title: t('column.created'), from: 'lg', render: (x) => <When at={x.created_at} /> },
      { key: 'actions', title: '', align: 'right', render: (x) => <TaskMenu queue={name} task={x} /> },
    ],
    [t, name],
  );
  const filters = useMemo<Filter[]>(
    () => [
      {
        kind: 'choice',
        key: 'state',
        label: t('column.status'),
        options: taskStates.map((value) => ({ value, label: t(`state.task.${value}`) })),
      },
    ],
    [t],
  );
  return (
    <List
      path="/admin/queues/{name}/tasks"
      params={{ name }}
      label={t('task.title')}
      columns={columns}
      filters={filters}
      name={(x) => x.type}
      empty={{ title: t('task.empty'), text: t('task.emptyText') }}
    />
  );
}

const retryable = ['archived', 'retry', 'scheduled'];

function TaskMenu({ queue, task }: { queue: string; task: Task }) {
  const { t } = useTranslation('admin');
  const [asked, setAsked] = useState(false);
  const path = { name: queue as QueueShown['name'], task: task.id };
  const retry = useAction('post', '/admin/queues/{name}/tasks/{task}/retry', { stale: ['/admin'], done: t('task.retryDone') });
  const drop = useAction('post', '/admin/queues/{name}/tasks/{task}/drop', {
    stale: ['/admin'],
    done: t('task.dropDone'),
    then: () => setAsked(false),
  });
  if (task.state === 'active') return null;
  return (
    <Group gap={4} justify="flex-end">
      <Menu position="bottom-end">
        <Menu.Target>
          <Button size="compact-xs" variant="subtle" aria-label={t('task.menu', { name: task.type })} loading={retry.pending}>
            <IconDots size={16} aria-hidden />
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          {retryable.includes(task.state) && <Menu.Item onClick={() => void retry.run({ path })}>{t('task.retry')}</Menu.Item>}
          <Menu.Item onClick={() => void navigator.clipboard.writeText(task.resource ?? task.id)}>{t('task.copy')}</Menu.Item>
          <Menu.Item c="var(--mantine-color-error)" onClick={() => setAsked(true)}>
            {t('task.drop')}
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
      {asked && (
        <Confirm
          danger
          title={t('task.drop')}
          act={t('task.drop')}
          pending={drop.pending}
          consequence={t('task.dropText')}
          onConfirm={() => void drop.run({ path })}
          onClose={() => setAsked(false)}
        />
      )}
    </Group>
  );
}

export default administrators(Queue);
