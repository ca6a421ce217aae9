import type { Lang } from '../client/types';
import { words } from '../i18n/words';
import { AttributionControl, GeolocateControl, type GlMap, NavigationControl, ScaleControl } from './engine';

/** glLocale is what MapLibre's own buttons say. */
export function glLocale(lang: Lang): Record<string, string> {
  const w = words[lang];
  return {
    'NavigationControl.ZoomIn': w.zoomIn,
    'NavigationControl.ZoomOut': w.zoomOut,
    'NavigationControl.ResetBearing': w.compass,
    'GeolocateControl.FindMyLocation': w.locate,
    'GeolocateControl.LocationNotAvailable': w.noLocation,
    'AttributionControl.ToggleAttribution': w.attribution,
    'Popup.Close': w.close,
    'Map.Title': w.map,
    'ScaleControl.Meters': w.metres,
    'ScaleControl.Kilometers': w.kilometres,
  };
}

/** addControls puts the buttons on the map; the answer takes them away. */
export function addControls(gl: GlMap, all: boolean, lang: Lang): () => void {
  const attribution = new AttributionControl({ compact: true });
  gl.addControl(attribution, 'bottom-right');
  if (!all) return () => gl.removeControl(attribution);
  const navigation = new NavigationControl({ showCompass: true, visualizePitch: true });
  const location = new GeolocateControl({ positionOptions: { enableHighAccuracy: true }, trackUserLocation: true });
  const scale = new ScaleControl({ maxWidth: 90 });
  gl.addControl(location, 'bottom-right');
  gl.addControl(navigation, 'bottom-right');
  gl.addControl(scale, 'bottom-left');
  gl.getCanvas().lang = lang === 'uz-Cyrl' ? 'uz' : lang;
  return () => {
    for (const control of [attribution, navigation, location, scale]) gl.removeControl(control);
  };
}
