import type { Client, Map, SearchBox, Status } from 'svc-map';
import type { Address } from './hash';
import type { UiLang, Theme } from './prefs';

/** One thing that the panel shows. */
export interface View {
  title: string;
  body: HTMLElement;
  /** What the address bar says while this is open. */
  address?: Omit<Address, 'map'>;
  /** A press on the map where nothing has a name; true: it was used. */
  onMapClick?(at: { lat: number; lon: number }): boolean;
  /** Stops requests and takes things off the map. */
  dispose?(): void;
  /** A heading inside body says the title already. */
  ownTitle?: boolean;
}

/** What every part of the page may use of the others. */
export interface App {
  readonly map: Map;
  readonly client: Client;
  readonly search: SearchBox;
  status: Status | null;
  lang: UiLang;
  theme: Theme;
  /** Shows a view; make is called again when the language changes. */
  open(make: () => View): void;
  /** Closes the panel. */
  close(): void;
  /** Writes the address of the view that is open, after it learned more. */
  setAddress(address: Omit<Address, 'map'>): void;
  setTitle(title: string): void;
  /** A short sentence that goes away by itself. */
  toast(text: string): void;
  /** Asks for a key; wrong says why again. */
  askKey(wrong?: string): void;
  setLang(lang: UiLang): void;
  setTheme(theme: Theme): void;
  /** Room that the panel leaves free of the map. */
  share(): void;
}
