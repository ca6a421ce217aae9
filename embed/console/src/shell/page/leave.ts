// Whether the page may be left: a form with something unsaved asks first (Unsaved.tsx).

type Ask = () => Promise<boolean>;
let ask: Ask | undefined;

/** A form asks from now on, until what this gives is called. */
export function askBefore(leaving: Ask): () => void {
  ask = leaving;
  return () => {
    if (ask === leaving) ask = undefined;
  };
}

/** For what leaves the page by another way than the router: true when nobody minds. */
export async function mayLeave(): Promise<boolean> {
  return ask === undefined || ask();
}
