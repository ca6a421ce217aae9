// Who may do what: the matrix of the API (a story holds it equal to that of the server).

export const roles = ['OWNER', 'ADMIN', 'MANAGER', 'OPERATOR', 'ANALYST'] as const;
export type Role = (typeof roles)[number];

const everybody = [...roles, 'API_CLIENT'] as const;
export type Column = (typeof everybody)[number];

const row = (marks: string): readonly Column[] => everybody.filter((_, i) => marks[i] === 'x');

/** The roles that have each permission: OWNER, ADMIN, MANAGER, OPERATOR, ANALYST, API_CLIENT. */
export const matrix: readonly (readonly [permission: string, roles: readonly Column[]])[] = [
  ['org:read', row('xxxxxx')],
  ['org:manage', row('xx...x')],
  ['members:read', row('xxxxxx')],
  ['members:manage', row('xx....')],
  ['accounts:read', row('xxxxxx')],
  ['accounts:manage', row('xx...x')],
  ['proxies:read', row('xxx..x')],
  ['proxies:manage', row('xx...x')],
  ['recipients:read', row('xxxxxx')],
  ['recipients:manage', row('xxx..x')],
  ['campaigns:read', row('xxxxxx')],
  ['campaigns:manage', row('xxx..x')],
  ['campaigns:execute', row('xxx..x')],
  ['analytics:read', row('xxxxxx')],
  ['audit:read', row('xx..xx')],
  ['developers:manage', row('xx....')],
  ['webhooks:read', row('xxx.xx')],
  ['webhooks:manage', row('xx...x')],
  ['billing:read', row('xx..xx')],
];

/** The roles that somebody may give, take away or invite. */
export function givable(mine: string | null): readonly Role[] {
  return mine === 'OWNER' ? roles : roles.filter((r) => r !== 'OWNER');
}
