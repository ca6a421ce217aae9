import type { Href, Permission, Schema } from '@shell';

export type Dashboard = Schema<'OverviewDashboard'>;

export interface Step {
  key: 'account' | 'people' | 'template' | 'launch';
  to: Href;
  done: boolean;
}

export interface Facts {
  dashboard: Dashboard;
  templates: number;
  /** All campaigns, drafts too. */
  campaigns: number;
  /** Campaigns that were ever launched. */
  launched: number;
}

/** How many campaigns the dashboard knows that were launched. */
export function launchedLately({ campaigns: c }: Dashboard): number {
  return c ? c.running + c.paused + c.scheduled + c.completed_30d : 0;
}

const needs: Record<Step['key'], Permission> = {
  account: 'accounts:manage',
  people: 'recipients:manage',
  template: 'campaigns:manage',
  launch: 'campaigns:execute',
};

/** What a newcomer does first, as far as it is his to do; computed from what exists. */
export function stepsOf(f: Facts, can: (p: Permission) => boolean): Step[] {
  const d = f.dashboard;
  const all: Step[] = [
    { key: 'account', to: '/accounts/new', done: (d.accounts?.total ?? 0) > 0 },
    { key: 'people', to: '/recipients/import', done: (d.recipients?.total ?? 0) > 0 },
    { key: 'template', to: '/templates/new', done: f.templates > 0 || f.launched > 0 },
    { key: 'launch', to: f.campaigns > 0 ? '/campaigns' : '/campaigns/new', done: f.launched > 0 },
  ];
  return all.filter((s) => can(needs[s.key]));
}
