import type { MantineColor } from '@mantine/core';

// The colours of states: the only table. Green goes well, blue is on its way, grey
// rests, yellow wants an eye, red needs a hand.
const colors: Record<string, MantineColor> = {};
const give = (color: MantineColor, ...states: string[]) => states.forEach((s) => (colors[s] = color));

give(
  'green',
  'ACTIVE',
  'ONLINE',
  'HEALTHY',
  'COMPLETED',
  'DELIVERED',
  'SENT',
  'ACCEPTED',
  'OPTED_IN',
  'AUTHORIZED',
  'EXISTING_RELATIONSHIP',
  'OK',
  'PASS',
  'READY',
  'SUCCEEDED',
  'IMPORTED',
  'READ',
  'REPLIED',
  'VERIFIED',
);
give(
  'blue',
  'RUNNING',
  'SENDING',
  'QUEUED',
  'PROCESSING',
  'CONNECTING',
  'PENDING',
  'SCHEDULED',
  'PLANNED',
  'RETRYING',
  'ROTATING',
  'VALIDATING',
  'IN_PROGRESS',
);
give('gray', 'DRAFT', 'UNKNOWN', 'CANCELLED', 'ENDED', 'EXPIRED', 'REVOKED', 'DISABLED', 'DISCONNECTED', 'SKIPPED', 'ARCHIVED', 'OFFLINE');
give('yellow', 'PAUSED', 'COOLDOWN', 'WARN', 'WARMING', 'DEGRADED', 'PARTIAL', 'AUTH_REQUIRED', 'WAITING', 'UNCERTAIN');
give('red', 'FAILED', 'RESTRICTED', 'BANNED', 'OPTED_OUT', 'SUPPRESSED', 'SUSPENDED', 'FAIL', 'ERROR', 'BLOCKED', 'DEAD');

/** The colour of a state; grey for one that nobody has thought of. */
export function colorOf(state: string): MantineColor {
  return colors[state] ?? 'gray';
}
