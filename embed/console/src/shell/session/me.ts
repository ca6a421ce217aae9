// Who is here, where, and what that person may do.
import { useQuery } from '@tanstack/react-query';
import { createContext, useCallback, useContext, useSyncExternalStore } from 'react';
import { type Answer, call, type Schema } from '../api/client';
import type { ApiError } from '../api/error';
import { get, queries } from '../api/query';
import { refusedAsSupport } from './support';
import { tellTabs } from './tabs';

export type Me = Schema<'SessionPayload'>;

/** The permissions of the API (its matrix), what administrators of the platform have, and ai: to see more of AI than the inbox. */
export type Permission =
  | `${'org' | 'members' | 'accounts' | 'proxies' | 'recipients' | 'campaigns' | 'webhooks' | 'ai'}:${'read' | 'manage'}`
  | 'campaigns:execute'
  | 'analytics:read'
  | 'audit:read'
  | 'developers:manage'
  | 'billing:read'
  | 'ai:operate'
  | 'ai'
  | 'platform';

const meOptions = { ...get('/me', {}), staleTime: 5 * 60_000 };

/** Who is here, for everything below Session: hundreds of parts ask, and one watches the answer. */
export const MeContext = createContext<Me | undefined>(undefined);

export function useMe(): Me {
  const me = useContext(MeContext);
  if (!me) throw new Error('useMe is for pages that are shown when somebody is signed in');
  return me;
}

/** The answer to "who am I" while it may still be nobody. */
export function useMaybeMe() {
  return useQuery({ ...maybe, retryOnMount: false });
}

const maybe = { ...meOptions, retry: (tries: number, e: ApiError) => e.passing && tries < 3 };

/** Asks before anything is drawn. It gives nobody when nobody is signed in, or nothing answers. */
export async function askMe(): Promise<Me | undefined> {
  await queries.prefetchQuery(maybe);
  return queries.getQueryData(meOptions.queryKey);
}

export function waitsForCode(me: Me): boolean {
  return Boolean(me.user?.mfa_enabled && !me.mfa_verified);
}

/** Takes a new answer to "who am I" over, and has the other tabs ask again. */
export function adoptMe(me: Me): void {
  refusedAsSupport.forget();
  queries.setQueryData(meOptions.queryKey, me);
  tellTabs();
}

/**
 * Whether this is a look of support: the session says so, the API has refused something as such meanwhile, or the
 * person looks at an organization without being its member.
 */
export function inSupport(me: Me, refused: boolean): boolean {
  const org = me.organization?.id;
  if (!org || !me.user?.is_platform_admin) return false;
  return refused || me.support || !me.organizations.some((m) => m.organization.id === org);
}

export function useSupport(): boolean {
  const me = useMe();
  return inSupport(me, useSyncExternalStore(refusedAsSupport.subscribe, refusedAsSupport.snapshot));
}

const changes = (p: Permission) => /:(manage|execute|operate)$/.test(p);

/** Whether an operation that asks for p would be refused; pure, for tests. */
export function may(me: Me, p: Permission, support: boolean): boolean {
  if (p === 'platform') return Boolean(me.user?.is_platform_admin) && !support;
  if (changes(p) && (support || me.organization?.status === 'SUSPENDED')) return false;
  if (p === 'ai') return me.organization?.ai_enabled === true && me.permissions.includes('ai:read');
  return me.permissions.includes(p);
}

/** Whether the person may do that. Nobody sees a button that would be refused. */
export function useCan(): (p: Permission | undefined) => boolean {
  const me = useMe();
  const support = useSupport();
  return useCallback((p) => p === undefined || may(me, p, support), [me, support]);
}

/** Ends the session, here and in the other tabs. */
export async function signOut(): Promise<void> {
  await call('post', '/auth/logout', {} as never);
  tellTabs();
  location.assign('/console/');
}

export type Organization = Answer<'/me', 'get'>['organizations'][number];

/** Makes another organization the active one; every page begins anew. */
export async function switchOrganization(id: string): Promise<void> {
  const me = await call('post', '/me/switch-organization', { body: { organization_id: id } });
  startAnew(me);
}

/** Forgets what was read and shows what there is for me. The question "who am I" stays: the page watches it. */
export function startAnew(me: Me): void {
  queries.removeQueries({ predicate: (q) => q.queryKey[0] !== '/me' });
  adoptMe(me);
}
