// What pausing and resuming make of an account, shown before the server has answered.
import type { Cache } from '@shell/first';
import type { Account } from './name';

/** Changes the status of an account on its page and in every list. */
export function changeStatus(cache: Cache, id: string, status: Account['status']): void {
  const change = <A extends Pick<Account, 'id' | 'status'>>(a: A): A => (a.id === id ? { ...a, status } : a);
  cache.change('/accounts/{id}', change);
  cache.change('/accounts', (page) => ({ ...page, data: page.data.map(change) }));
}
