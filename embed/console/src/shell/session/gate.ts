// Where requests wait while nobody is signed in.

type Listener = () => void;

/**
 * Gate is armed once somebody was signed in: from then on a refused request does not
 * fail but waits behind the sign-in that opens over the page.
 */
export class Gate {
  armed = false;
  private waiting: { open: () => void; give: (why: Error) => void }[] = [];
  private listeners = new Set<Listener>();

  /** Whether somebody must sign in now. */
  get closed(): boolean {
    return this.waiting.length > 0;
  }

  /** Resolves when somebody has signed in again. */
  passed(): Promise<void> {
    return new Promise((open, give) => {
      this.waiting.push({ open, give });
      this.tell();
    });
  }

  /** Somebody signed in: everything that waited goes on. */
  open(): void {
    const waiting = this.waiting;
    this.waiting = [];
    waiting.forEach((w) => w.open());
    this.tell();
  }

  subscribe = (listener: Listener): (() => void) => {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  };

  snapshot = (): boolean => this.closed;

  private tell(): void {
    this.listeners.forEach((l) => l());
  }
}

export const gate = new Gate();
