import { Anchor, Button, Skeleton, Stack, Text, Title } from '@mantine/core';
import { Confirm, Failed, Link, type Moment, NamedThing, type Schema, Status, Tag, Timeline, useAction, useCan, useGet } from '@shell';
import i18next from 'i18next';
import { type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import classes from './inbox.module.css';
import { Remembered } from './Remembered';
import type { Opened } from './types';

/** Who the customer is to us: consent, lists, what is known, and what was sent before. */
export function PersonPanel({ of: o }: { of: Opened }) {
  const { t } = useTranslation('inbox');
  const can = useCan();
  const r = o.recipient;
  return (
    <Stack gap="md">
      <div>
        <Title order={2} size="h5">
          {o.contact.name}
        </Title>
        {o.contact.username && <Text size="sm">@{o.contact.username}</Text>}
        {o.contact.language && (
          <Text size="sm" c="dimmed">
            {t('person.language', { language: o.contact.language })}
          </Text>
        )}
      </div>
      {!r && (
        <Text size="sm" c="dimmed">
          {t('person.unknown')}
        </Text>
      )}
      {r && <Status state={r.consent_status} label={t(`consent.${r.consent_status}`)} />}
      {o.business_id && can('ai') && <Remembered conversation={o.id} />}
      {r && can('recipients:read') && <Known id={r.id} />}
    </Stack>
  );
}

function Known({ id }: { id: string }) {
  const { t } = useTranslation('inbox');
  const { data: r, error, refetch } = useGet('/recipients/{id}', { path: { id } });
  if (error && !r) return <Failed error={error} onAgain={() => void refetch()} />;
  if (!r) return <Skeleton h={160} />;
  const attributes = Object.entries(r.attributes ?? {});
  return (
    <>
      <Anchor component={Link} to={`/recipients/${r.id}`} size="sm">
        {t('person.open')}
      </Anchor>
      {(r.tags.length > 0 || r.lists.length > 0) && (
        <Part title={t('person.lists')}>
          <span className={classes.tags}>
            {r.lists.map((l) => (
              <Tag key={l.id}>{l.name}</Tag>
            ))}
            {r.tags.map((x) => (
              <Tag key={x}>{x}</Tag>
            ))}
          </span>
        </Part>
      )}
      {attributes.length > 0 && (
        <Part title={t('person.attributes')}>
          <dl className={classes.attributes}>
            {attributes.map(([k, v]) => (
              <div key={k}>
                <dt>{k}</dt>
                <dd>{String(v)}</dd>
              </div>
            ))}
          </dl>
        </Part>
      )}
      <Past id={r.id} />
      {!r.suppressed && r.consent_status !== 'OPTED_OUT' && <Suppress of={r} />}
      {r.suppressed && <Status state="SUPPRESSED" label={t('person.suppressed')} />}
    </>
  );
}

function Part({ title, children }: { title: string; children: ReactNode }) {
  return (
    <div>
      <Text size="xs" fw={600} c="dimmed" mb={4} component="h3">
        {title}
      </Text>
      {children}
    </div>
  );
}

/** What was sent before the conversation, and what happened: asked for when it is wanted. */
function Past({ id }: { id: string }) {
  const { t } = useTranslation('inbox');
  const [open, setOpen] = useState(false);
  const { data } = useGet('/recipients/{id}/history', { path: { id }, query: { limit: 30 } }, { enabled: open });
  if (!open)
    return (
      <Button variant="default" size="compact-sm" onClick={() => setOpen(true)}>
        {t('person.history')}
      </Button>
    );
  if (!data) return <Skeleton h={80} />;
  const campaigns = new Map(data.data.flatMap((e) => (e.campaign ? [[e.campaign.id, e.campaign] as const] : [])));
  return (
    <>
      <Part title={t('person.campaigns')}>
        {campaigns.size === 0 && (
          <Text size="sm" c="dimmed">
            {t('person.none')}
          </Text>
        )}
        {[...campaigns.values()].map((c) => (
          <Text key={c.id} size="sm">
            <NamedThing of={c} />
          </Text>
        ))}
      </Part>
      <Part title={t('person.history')}>
        <Timeline moments={data.data.map((e, i) => momentOf(e, `${e.at}.${data.total - i}`, t(`history.${e.kind}`)))} />
      </Part>
    </>
  );
}

function momentOf(e: Schema<'RecipientHistory'>, key: string, title: string): Moment {
  const consent = e.consent_status && `consent.${e.consent_status}`;
  const words = consent && i18next.exists(consent, { ns: 'inbox' }) ? (i18next.t(consent as never, { ns: 'inbox' }) as string) : undefined;
  return { key, at: e.at, title, text: e.campaign?.name ?? words ?? undefined };
}

/** Nothing is sent to the person any more. */
function Suppress({ of: r }: { of: Schema<'RecipientShownRecipient'> }) {
  const { t } = useTranslation('inbox');
  const can = useCan()('recipients:manage');
  const [asked, setAsked] = useState(false);
  const name = [r.first_name, r.last_name].filter(Boolean).join(' ') || (r.username ? `@${r.username}` : '–');
  const optOut = useAction('post', '/recipients/{id}/opt-out', {
    stale: ['/recipients', '/suppressions', '/ai/conversations', '/inbox/opened'],
    done: t('suppress.done', { name }),
    then: () => setAsked(false),
  });
  if (!can) return null;
  return (
    <>
      <Button variant="default" size="compact-sm" onClick={() => setAsked(true)}>
        {t('suppress.act')}
      </Button>
      {asked && (
        <Confirm
          danger
          title={t('suppress.title', { name })}
          consequence={t('suppress.consequence', { name })}
          act={t('suppress.act')}
          pending={optOut.pending}
          onConfirm={() => void optOut.run({ path: { id: r.id } })}
          onClose={() => setAsked(false)}
        />
      )}
    </>
  );
}
