/**
 * Coalescer gathers names and hands them over together: the first at once, then at
 * most once a period. A hundred events a second refresh a page a few times a second.
 */
export class Coalescer {
  private names = new Set<string>();
  private timer: ReturnType<typeof setTimeout> | undefined;

  constructor(private readonly period: number, private readonly flush: (names: string[]) => void) {}

  add(names: Iterable<string>): void {
    for (const n of names) this.names.add(n);
    if (this.timer === undefined && this.names.size > 0) this.go();
  }

  stop(): void {
    clearTimeout(this.timer);
    this.timer = undefined;
    this.names.clear();
  }

  private go(): void {
    const names = [...this.names];
    this.names.clear();
    this.timer = setTimeout(() => {
      this.timer = undefined;
      if (this.names.size > 0) this.go();
    }, this.period);
    this.flush(names);
  }
}
