/** A page with our own browser bundle: search, places and ways come with it. */
export function pageSnippet(origin: string, style: string, lang: string): string {
  return `<link rel="stylesheet" href="${origin}/v1/map.css">
<div id="map" style="height: 400px"></div>
<script type="module">
  import { Map } from '${origin}/v1/map.js';
  new Map({ container: 'map', baseUrl: '${origin}', key: 'YOUR_KEY', style: '${style}', lang: '${lang}' });
</script>`;
}

/** The style in a MapLibre map that a site has already. */
export function styleSnippet(url: string): string {
  return `new maplibregl.Map({
  container: 'map',
  style: '${url}',
});`;
}
