// Parts of the console are loaded when they are first needed, which may be just when
// the server cannot be reached.
import { type ComponentType, lazy, type LazyExoticComponent } from 'react';
import { ApiError } from './error';

/** Whether the server answers at all. */
export async function reachable(): Promise<boolean> {
  try {
    return (await fetch('/console/', { method: 'HEAD', cache: 'no-store' })).ok;
  } catch {
    return false;
  }
}

/** The code of a page. Without the server it fails as a request does: the page that is asked for says so. */
export function page<T>(load: () => Promise<T>): () => Promise<T> {
  return () =>
    load().catch(async (thrown: unknown) => {
      throw (await reachable()) ? thrown : new ApiError({ code: 'page_unreachable', message: 'The server does not answer.' });
    });
}

const wait = 3000;

/** A part of a page, as React.lazy has it, which waits for the server where React would give the page up. */
// biome-ignore lint/suspicious/noExplicitAny: as React.lazy has it
export function late<C extends ComponentType<any>>(load: () => Promise<{ default: C }>): LazyExoticComponent<C> {
  return lazy(async () => {
    for (;;) {
      try {
        return await load();
      } catch (thrown) {
        if (await reachable()) throw thrown; // its code is gone: there is a new version
        await new Promise((go) => setTimeout(go, wait));
      }
    }
  });
}
