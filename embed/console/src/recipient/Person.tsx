import { Button, Grid, Menu, Paper, Skeleton, Title } from '@mantine/core';
import { type Above, Confirm, Failed, Link, NotFound, Page, Status, useAction, useCan, useGet, useNavigate } from '@shell';
import { IconDots, IconLink, IconPencil, IconUserOff } from '@tabler/icons-react';
import { useParams } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Details } from './Details';
import { History } from './History';
import { nameOf, type Recipient } from './name';
import { OptOutLink } from './OptOutLink';
import { Reach } from './Reach';

/** One person: who it is, whether a message would arrive, and everything that happened. */
export default function Person() {
  const { t } = useTranslation('recipient');
  const { id = '' } = useParams({ strict: false });
  const { data: r, error, refetch } = useGet('/recipients/{id}', { path: { id } });
  const above: Above[] = [{ label: t('title'), to: '/recipients' }];
  if (error?.status === 404) return <NotFound />;
  if (error && !r)
    return (
      <Page title={t('person')} above={above}>
        <Failed error={error} onAgain={() => void refetch()} />
      </Page>
    );
  if (!r)
    return (
      <Page title={t('person')} above={above}>
        <Skeleton h={240} />
      </Page>
    );
  const badge = (
    <>
      <Status state={r.consent_status} label={t(`consent.${r.consent_status}`)} />
      {r.suppressed && <Status state="SUPPRESSED" label={t('suppressed')} />}
    </>
  );
  return (
    <Page title={nameOf(r)} above={above} badge={badge} actions={<Actions recipient={r} />}>
      <Grid>
        <Grid.Col span={{ base: 12, md: 5 }}>
          <Details recipient={r} />
          <Reach recipient={r} />
        </Grid.Col>
        <Grid.Col span={{ base: 12, md: 7 }}>
          <Paper>
            <Title order={2} mb="md">
              {t('history.title')}
            </Title>
            <History id={r.id} />
          </Paper>
        </Grid.Col>
      </Grid>
    </Page>
  );
}

function Actions({ recipient: r }: { recipient: Recipient }) {
  const { t } = useTranslation('recipient');
  const can = useCan();
  const [asked, setAsked] = useState<'optOut' | 'delete' | 'link'>();
  if (!can('recipients:manage')) return null;
  const close = () => setAsked(undefined);
  return (
    <>
      <Button variant="default" component={Link} to={`/recipients/${r.id}/edit`} leftSection={<IconPencil size={16} aria-hidden />}>
        {t('edit.open')}
      </Button>
      {r.consent_status !== 'OPTED_OUT' && (
        <Button variant="default" leftSection={<IconUserOff size={16} aria-hidden />} onClick={() => setAsked('optOut')}>
          {t('optOut.act')}
        </Button>
      )}
      <Menu position="bottom-end">
        <Menu.Target>
          <Button variant="default" px="xs" aria-label={t('more')}>
            <IconDots size={17} aria-hidden />
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          {can('campaigns:manage') && (
            <Menu.Item leftSection={<IconLink size={16} aria-hidden />} onClick={() => setAsked('link')}>
              {t('optOutLink.act')}
            </Menu.Item>
          )}
          <Menu.Item c="var(--mantine-color-error)" onClick={() => setAsked('delete')}>
            {t('delete.act')}
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
      {asked === 'optOut' && <OptOut recipient={r} onClose={close} />}
      {asked === 'link' && <OptOutLink recipient={r} onClose={close} />}
      {asked === 'delete' && <Delete recipient={r} onClose={close} />}
    </>
  );
}

function OptOut({ recipient: r, onClose }: { recipient: Recipient; onClose: () => void }) {
  const { t } = useTranslation('recipient');
  const optOut = useAction('post', '/recipients/{id}/opt-out', {
    stale: ['/recipients', '/suppressions', '/dashboard'],
    done: t('optOut.done', { name: nameOf(r) }),
    then: onClose,
  });
  return (
    <Confirm
      danger
      title={t('optOut.title', { name: nameOf(r) })}
      consequence={t('optOut.consequence', { name: nameOf(r) })}
      act={t('optOut.act')}
      pending={optOut.pending}
      onConfirm={() => void optOut.run({ path: { id: r.id } })}
      onClose={onClose}
    />
  );
}

function Delete({ recipient: r, onClose }: { recipient: Recipient; onClose: () => void }) {
  const { t } = useTranslation('recipient');
  const navigate = useNavigate();
  const remove = useAction('delete', '/recipients/{id}', {
    done: t('delete.done', { name: nameOf(r) }),
    stale: ['/lists', '/dashboard', '/recipients'],
    then: () => void navigate({ to: '/recipients' }),
  });
  return (
    <Confirm
      danger
      word={t('delete.word')}
      title={t('delete.title', { name: nameOf(r) })}
      consequence={t('delete.consequence', { name: nameOf(r) })}
      act={t('delete.act')}
      pending={remove.pending}
      onConfirm={() => void remove.run({ path: { id: r.id } })}
      onClose={onClose}
    />
  );
}
