// Signed distance fields: pictures that hold, instead of colours, how far each
// point is from the edge of a shape. A map draws them sharp at any size and in
// any colour.

/** How far the field reaches, in pixels of the map, and where the edge lies in it (as in glyphs). */
const radius = 8;
const cutoff = 0.25;

/**
 * The squared distance of every point of a line to the nearest point with a
 * height, by the lower envelope of parabolas (Felzenszwalb and Huttenlocher,
 * "Distance Transforms of Sampled Functions", 2012). f is read and written.
 */
function transformLine(f, n, stride, offset, v, z, g) {
  v[0] = 0;
  z[0] = -Infinity;
  z[1] = Infinity;
  for (let q = 0; q < n; q++) g[q] = f[offset + q * stride];
  for (let q = 1, k = 0; q < n; q++) {
    let s;
    do {
      const r = v[k];
      s = (g[q] - g[r] + q * q - r * r) / (q - r) / 2;
    } while (s <= z[k] && --k > -1);
    k++;
    v[k] = q;
    z[k] = s;
    z[k + 1] = Infinity;
  }
  for (let q = 0, k = 0; q < n; q++) {
    while (z[k + 1] < q) k++;
    f[offset + q * stride] = g[v[k]] + (q - v[k]) ** 2;
  }
}

/** The distance of every sample to the nearest sample that is inside. */
function distances(width, height, inside) {
  const f = new Float64Array(width * height);
  for (let i = 0; i < f.length; i++) f[i] = inside(i) ? 0 : 1e12; // further than any picture
  const n = Math.max(width, height);
  const v = new Int32Array(n),
    z = new Float64Array(n + 1),
    g = new Float64Array(n);
  for (let x = 0; x < width; x++) transformLine(f, height, width, x, v, z, g);
  for (let y = 0; y < height; y++) transformLine(f, width, 1, y * width, v, z, g);
  return f.map(Math.sqrt);
}

/**
 * The field of a mask of coverage (0 to 255), width by height samples, scale
 * samples to a pixel of the map, as bytes of ratio by ratio points a pixel.
 */
export function signedField(mask, width, height, scale, ratio) {
  const outer = distances(width, height, (i) => mask[i] >= 128);
  const inner = distances(width, height, (i) => mask[i] < 128);
  const step = scale / ratio; // samples a point; its centre falls between samples
  const w = Math.round(width / step),
    h = Math.round(height / step);
  const out = new Uint8Array(w * h);
  for (let y = 0; y < h; y++) {
    for (let x = 0; x < w; x++) {
      let sum = 0;
      for (const dy of [-1, 0]) {
        for (const dx of [-1, 0]) {
          const i = Math.floor((y + 0.5) * step + dy + 0.5) * width + Math.floor((x + 0.5) * step + dx + 0.5);
          sum += outer[i] - inner[i];
        }
      }
      const distance = sum / 4 / scale;
      out[y * w + x] = Math.max(0, Math.min(255, Math.round(255 * (1 - distance / radius - cutoff))));
    }
  }
  return { width: w, height: h, field: out };
}
