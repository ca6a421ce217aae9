/** Loads the words for what the API tells by codes and in sentences. They are not in the first load; every page waits for them. */
export const loadCodes = (): Promise<void> => import('./index').then((m) => m.ready());
