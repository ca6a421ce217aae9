// A record that an answer tells by its id: what it is called, and the way to its page.
import { Anchor, Code, Text } from '@mantine/core';
import { useRouter } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { Href, Path } from '../addresses';
import { useGet } from '../api/query';
import { thingWord } from '../codes';
import { Link } from '../link';
import { type Permission, useCan, useMe } from '../session/me';
import { Name, NameComes } from './parts';

/** The page of a record by the prefix of its id. Those that the console has not yet are no links. */
const pages: Readonly<Record<string, Path>> = {
  cmp: '/campaigns/$id',
  acc: '/accounts/$id',
  rcp: '/recipients/$id',
  prx: '/proxies/$id',
  whk: '/webhooks/$id',
  tpl: '/templates/$id',
  lst: '/recipients/lists/$id',
  imp: '/recipients/imports/$id',
  key: '/api-keys',
  usr: '/members',
  cnv: '/inbox/$id',
  aip: '/ai/providers/$id',
  exe: '/ai/executions/$id',
  bgt: '/ai/budgets',
};
const needs: Readonly<Record<string, Permission>> = {
  cmp: 'campaigns:read',
  acc: 'accounts:read',
  rcp: 'recipients:read',
  prx: 'proxies:read',
  whk: 'webhooks:read',
  tpl: 'campaigns:read',
  lst: 'recipients:read',
  imp: 'recipients:read',
  usr: 'members:read',
  key: 'developers:manage',
  cnv: 'ai:read',
  aip: 'ai:read',
  exe: 'ai:read',
  bgt: 'ai:read',
};
const shape = /^([a-z]{3})_[0-9a-z]{26}$/;

/** The beginning that says what an id is of; undefined for what is no id. */
export function prefixOf(id: string): string | undefined {
  return shape.exec(id)?.[1];
}

/** Where the page of a record is; undefined when there is none, or not for this person. */
export function usePageOf(): (id: string) => Href | undefined {
  const { routesByPath } = useRouter();
  const can = useCan();
  return (id) => {
    const prefix = prefixOf(id) ?? '';
    const path = pages[prefix];
    return path && path in routesByPath && can(needs[prefix]) ? (path.replace('$id', id) as Href) : undefined;
  };
}

/**
 * A record that an answer names, as a link to its page; null: nobody may or can say its name. A row
 * of a list shows a record so, and never asks for its name.
 */
export function Thing({ id, name }: { id: string; name: string | null | undefined }) {
  return <To id={id}>{name || <Nameless id={id} />}</To>;
}

/** A record of which an answer tells no more than its id: its name is asked for. Not for rows. */
export function ThingById({ id }: { id: string }) {
  return (
    <To id={id}>
      <Called id={id} />
    </To>
  );
}

/** A record as answers name it, {id, name}; a dash for none. */
export function NamedThing({ of }: { of: { id: string; name: string | null } | null | undefined }) {
  return of ? <Thing id={of.id} name={of.name} /> : '–';
}

function To({ id, children }: { id: string; children: ReactNode }) {
  const to = usePageOf()(id);
  return to ? (
    <Anchor component={Link} to={to} inherit underline="always">
      {children}
    </Anchor>
  ) : (
    children
  );
}

function Called({ id }: { id: string }): ReactNode {
  const can = useCan();
  const prefix = prefixOf(id) ?? '';
  if (!can(needs[prefix])) return <Nameless id={id} />;
  const input = { path: { id } };
  switch (prefix) {
    case 'cmp':
      return <Name path="/campaigns/{id}" input={input} of={(c) => c.name} />;
    case 'acc':
      return <Account id={id} />;
    case 'rcp':
      return (
        <Name
          path="/recipients/{id}"
          input={input}
          of={(r) =>
            [r.first_name, r.last_name].filter(Boolean).join(' ') || (r.username ? `@${r.username}` : String(r.messenger_id ?? '–'))
          }
        />
      );
    case 'prx':
      return <Name path="/proxies/{id}" input={input} of={(p) => p.name || `${p.host}:${p.port}`} />;
    case 'whk':
      return <Name path="/webhooks/{id}" input={input} of={(w) => new URL(w.url).host} />;
    case 'lst':
      return <PeopleList id={id} />;
    case 'usr':
      return <Member id={id} />;
    case 'key':
      return <Key id={id} />;
    case 'tpl':
      return <Template id={id} />;
    case 'imp':
      return <Import id={id} />;
    case 'org':
      return <Here id={id} />;
    default:
      return <Nameless id={id} />;
  }
}

/** Of what is listed in one answer all names are asked for at once. */
const whole = { query: { limit: 500 } };

function Account({ id }: { id: string }) {
  const asked = useGet('/accounts', whole);
  const a = asked.data?.data.find((x) => x.id === id);
  const name = a && (a.label || [a.first_name, a.last_name].filter(Boolean).join(' ') || (a.username ? `@${a.username}` : a.phone_masked));
  return <Listed id={id} name={name} asked={asked} />;
}

function PeopleList({ id }: { id: string }) {
  const asked = useGet('/lists', whole);
  return <Listed id={id} name={asked.data?.data.find((x) => x.id === id)?.name} asked={asked} />;
}

function Member({ id }: { id: string }) {
  const { user: me } = useMe();
  const mine = me?.id === id;
  const asked = useGet('/members', whole, { enabled: !mine });
  const user = mine ? me : asked.data?.data.find((m) => m.user.id === id)?.user;
  return <Listed id={id} name={user && (user.name || user.email)} asked={asked} />;
}

function Key({ id }: { id: string }) {
  const asked = useGet('/api-keys', whole);
  return <Listed id={id} name={asked.data?.data.find((k) => k.id === id)?.name} asked={asked} />;
}

function Template({ id }: { id: string }) {
  const asked = useGet('/templates', whole);
  return <Listed id={id} name={asked.data?.data.find((x) => x.id === id)?.name} asked={asked} />;
}

/** An import by its file; the API lists imports and reads none alone. */
function Import({ id }: { id: string }) {
  const asked = useGet('/recipient-imports', { query: { limit: 100 } });
  return <Listed id={id} name={asked.data?.data.find((i) => i.id === id)?.file_name} asked={asked} />;
}

/** The name out of a list; a link around it has words at any time, also while the list comes. */
function Listed({ id, name, asked }: { id: string; name: string | null | undefined; asked: { data?: unknown; error: unknown } }) {
  if (name) return name;
  return asked.data || asked.error ? <Nameless id={id} /> : <NameComes />;
}

function Here({ id }: { id: string }) {
  const { organization } = useMe();
  return organization?.id === id ? organization.name : <Nameless id={id} />;
}

/** What it is, where nobody knows its name; an id is left to those that only programs know. */
function Nameless({ id }: { id: string }) {
  const word = thingWord(prefixOf(id) ?? '');
  return word ? (
    <Text span inherit c="dimmed" title={id}>
      {word}
    </Text>
  ) : (
    <Code>{id}</Code>
  );
}
