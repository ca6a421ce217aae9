// This browser as a device on which the service shows what the inbox wants.
import { call } from '@shell';
import { register } from '@shell/worker';

export const canPush = (): boolean => 'serviceWorker' in navigator && 'PushManager' in globalThis && 'Notification' in globalThis;

/** The subscription of this browser, if it has one. */
export async function current(): Promise<PushSubscription | null> {
  const worker = await register();
  return (await worker?.pushManager.getSubscription()) ?? null;
}

export type Topic = 'MESSAGES' | 'HANDOFFS' | 'MENTIONS' | 'WAITING';

/** Why this browser is no device: the person or the browser refused. */
export class NotSubscribed extends Error {
  constructor(readonly reason: 'refused' | 'failed') {
    super(reason);
  }
}

/** Subscribes this browser, or changes its choice, and answers the id of the device. */
export async function subscribe(publicKey: string, topics: Topic[], language: string, device: string): Promise<string> {
  if ((await Notification.requestPermission()) !== 'granted') throw new NotSubscribed('refused');
  const worker = await register();
  if (!worker) throw new NotSubscribed('failed');
  let made: PushSubscription;
  try {
    made = await worker.pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: publicKey });
  } catch {
    throw new NotSubscribed('failed');
  }
  const keys = made.toJSON().keys ?? {};
  const body = {
    endpoint: made.endpoint,
    keys: { p256dh: keys.p256dh ?? '', auth: keys.auth ?? '' },
    topics,
    language: language as 'uz' | 'ru' | 'en',
    device,
  };
  return (await call('post', '/me/push-subscriptions', { body })).id;
}

/** Takes this browser out of those that are shown anything. */
export async function unsubscribe(): Promise<void> {
  await (await current())?.unsubscribe();
}
