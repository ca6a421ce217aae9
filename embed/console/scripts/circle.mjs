// Built files that need each other.

/**
 * Files of which each is imported by the one before it and the first by the last, or null: what runs
 * first in a circle finds nothing in the others yet, and the page does not open.
 */
export function circle(manifest) {
  const done = new Set();
  const walk = (name, way) => {
    if (way.includes(name)) return way.slice(way.indexOf(name));
    if (done.has(name)) return null;
    for (const next of manifest[name]?.imports ?? []) {
      const found = walk(next, [...way, name]);
      if (found) return found;
    }
    done.add(name);
    return null;
  };
  for (const name of Object.keys(manifest)) {
    const found = walk(name, []);
    if (found) return found.map((n) => manifest[n].file);
  }
  return null;
}

/** refuseCircles refuses files that need each other. */
export function refuseCircles(manifest) {
  const found = circle(manifest);
  if (!found) return;
  console.error(`These files of the console need each other: ${found.join(', ')}. Let fewer be merged (entriesAwareMergeThreshold).`);
  process.exitCode = 1;
}
