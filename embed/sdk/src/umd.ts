import { loadedFrom } from './client/client';
import './map.css';

// A classic script knows its address only while it runs for the first time.
const script = globalThis.document?.currentScript;
loadedFrom(script instanceof HTMLScriptElement ? script.src : undefined);

export * from './exports';
