import 'maplibre-gl/dist/maplibre-gl.css';
import { loadedFrom } from './client/client';
import './map.css';

loadedFrom(import.meta.url);

export * from './exports';
