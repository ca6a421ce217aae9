// A file that one page gives the import to begin with. It is kept until it is taken, in this tab only.
let waiting: File | undefined;

export function handOver(file: File): void {
  waiting = file;
}

export function taken(): File | undefined {
  const file = waiting;
  waiting = undefined;
  return file;
}
