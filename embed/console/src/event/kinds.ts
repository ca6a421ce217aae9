// What is in an event.
import { meant } from '@kit';

/** An event as the list, a webhook and the stream have it. */
export interface Envelope {
  id: string;
  type: string;
  timestamp: string;
  data: Record<string, unknown>;
}

/** The stream hands over what it read; this makes sure that it is an event. */
export function envelopeOf(data: unknown): Envelope | undefined {
  const e = data as Partial<Envelope> | null | undefined;
  return e && typeof e.id === 'string' && typeof e.type === 'string' && typeof e.timestamp === 'string'
    ? { id: e.id, type: e.type, timestamp: e.timestamp, data: e.data ?? {} }
    : undefined;
}

const named = ['campaign_id', 'recipient_id', 'import_id', 'account_id', 'webhook_id'] as const;

/** The records that an event is about, those that tell most first. */
export function aboutOf(data: unknown): string[] {
  const fields = (data ?? {}) as Record<string, unknown>;
  return named.map((k) => fields[k]).filter((v): v is string => typeof v === 'string');
}

/** Whether an event of the stream is what the person asked for. */
export function matches(e: Envelope, types: readonly string[], resource: string): boolean {
  const wanted = types.length === 0 || meant(e.type, types);
  return wanted && (resource === '' || Object.values(e.data).includes(resource));
}
