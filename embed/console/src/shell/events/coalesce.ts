/** A flush that has no end within so many periods no longer holds up the next one. */
const patience = 15;

/**
 * Coalescer gathers names and hands them over together: the first at once, then at
 * most once a period, and not before the last flush has ended. A hundred events a
 * second refresh a page once a second, and on a line that is slower than that as
 * often as its answers arrive.
 */
export class Coalescer {
  private names = new Set<string>();
  /** Ends the wait that goes on; undefined: the next name is handed over at once. */
  private waiting: (() => void) | undefined;

  constructor(
    private readonly period: number,
    private readonly flush: (names: string[]) => unknown,
  ) {}

  add(names: Iterable<string>): void {
    for (const n of names) this.names.add(n);
    if (this.waiting === undefined && this.names.size > 0) this.go();
  }

  stop(): void {
    this.waiting?.();
    this.waiting = undefined;
    this.names.clear();
  }

  private go(): void {
    const names = [...this.names];
    this.names.clear();
    let left = 2; // the period, and the flush
    const over = (): void => {
      if (--left > 0) return;
      clearTimeout(longest);
      this.waiting = undefined;
      if (this.names.size > 0) this.go();
    };
    const shortest = setTimeout(over, this.period);
    let ended = false;
    const end = (): void => {
      if (!ended) over();
      ended = true;
    };
    const longest = setTimeout(end, this.period * patience);
    this.waiting = () => {
      left = Infinity;
      clearTimeout(shortest);
      clearTimeout(longest);
    };
    void Promise.resolve(this.flush(names)).then(end, end);
  }
}
