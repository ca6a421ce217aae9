// The settings of the platform as a form: their kinds, their bounds, and which of them
// reach far.
import type { Body, Schema } from '@shell';

type Values = Schema<'Settings'>;
export type SettingKey = keyof Values;

/** In the order of the page. */
export const groups: readonly (readonly [string, readonly SettingKey[]])[] = [
  ['service', ['maintenance_mode', 'maintenance_message', 'signups_open', 'default_plan']],
  [
    'sending',
    [
      'default_daily_limit',
      'max_daily_limit',
      'default_min_interval_seconds',
      'min_interval_seconds_floor',
      'max_flood_wait_seconds',
      'allow_unknown_consent',
    ],
  ],
  ['ai', ['ai_enabled', 'conversation_intelligence_enabled', 'jev_available']],
  ['inbox', ['inbox_max_file_mb']],
  ['policy', ['aup_version', 'aup_text']],
  ['sessions', ['session_ttl_hours', 'support_session_minutes']],
];

const kinds: Partial<Record<SettingKey, 'switch' | 'plan' | 'text' | 'long'>> = {
  maintenance_mode: 'switch',
  signups_open: 'switch',
  allow_unknown_consent: 'switch',
  ai_enabled: 'switch',
  conversation_intelligence_enabled: 'switch',
  jev_available: 'switch',
  default_plan: 'plan',
  aup_version: 'text',
  aup_text: 'long',
  maintenance_message: 'long',
};
export const kindOf = (key: SettingKey): 'switch' | 'plan' | 'text' | 'long' | 'number' => kinds[key] ?? 'number';

/** The bounds of a setting; those of some depend on others. */
export function boundsOf(v: Values, key: SettingKey): readonly [number, number] | undefined {
  switch (key) {
    case 'max_daily_limit':
      return [1, 100_000];
    case 'default_daily_limit':
      return [1, v.max_daily_limit];
    case 'min_interval_seconds_floor':
      return [0, 3600];
    case 'default_min_interval_seconds':
      return [v.min_interval_seconds_floor, 86_400];
    case 'max_flood_wait_seconds':
      return [1, 86_400];
    case 'inbox_max_file_mb':
      return [1, 2000];
    case 'session_ttl_hours':
      return [1, 8760];
    case 'support_session_minutes':
      return [1, 240];
    case 'aup_version':
      return [1, 40];
    default:
      return undefined;
  }
}

/** What is out of its bounds, with them; without an upper one it is empty. */
export function check(v: Values): Partial<Record<SettingKey, readonly [number, number?]>> {
  const out: Partial<Record<SettingKey, readonly [number, number?]>> = {};
  for (const key of groups.flatMap(([, keys]) => keys)) {
    const bounds = boundsOf(v, key);
    if (!bounds) continue;
    if (key === 'aup_version') {
      if (v.aup_version.trim() === '') out[key] = [1];
    } else {
      const n: unknown = v[key];
      if (typeof n !== 'number' || n < bounds[0] || n > bounds[1]) out[key] = bounds;
    }
  }
  return out;
}

/** Only what was changed is sent. */
export function changes(before: Values, after: Values): Body<'/admin/settings', 'put'> {
  const out: Record<string, unknown> = {};
  for (const key of groups.flatMap(([, keys]) => keys)) {
    const was = before[key] ?? '';
    const now = after[key] ?? '';
    const is = typeof now === 'string' ? now.trim() : now;
    if (was !== is) out[key] = key === 'maintenance_message' && is === '' ? null : is;
  }
  return out as Body<'/admin/settings', 'put'>;
}

/** The changes that everybody feels: they are asked about, each with what it does. */
export function farReaching(
  before: Values,
  after: Values,
): ('maintenanceOn' | 'unknownConsent' | 'policy' | 'signups' | 'aiOff' | 'analysisOff' | 'jevOff')[] {
  return [
    ...(!before.maintenance_mode && after.maintenance_mode ? ['maintenanceOn' as const] : []),
    ...(!before.allow_unknown_consent && after.allow_unknown_consent ? ['unknownConsent' as const] : []),
    ...(before.aup_version !== after.aup_version.trim() ? ['policy' as const] : []),
    ...(before.signups_open && !after.signups_open ? ['signups' as const] : []),
    ...(before.ai_enabled && !after.ai_enabled ? ['aiOff' as const] : []),
    ...(before.conversation_intelligence_enabled && !after.conversation_intelligence_enabled ? ['analysisOff' as const] : []),
    ...(before.jev_available && !after.jev_available ? ['jevOff' as const] : []),
  ];
}
