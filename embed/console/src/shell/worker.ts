/** Registers the service worker, which says so when there is no connection, and shows what is pushed. */
export function register(): Promise<ServiceWorkerRegistration | undefined> {
  if (!('serviceWorker' in navigator) || !import.meta.env.PROD) return Promise.resolve(undefined);
  return navigator.serviceWorker.register('/console/sw.js', { scope: '/console/' }).catch(() => undefined);
}
