import type { Bounds, Client, Map, SearchBox, Status } from 'svc-map';
import type { Address } from './hash';
import type { Look, Theme, UiLang } from './prefs';

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
  /** The place that is open: where a way asked for now leads. */
  here?: { lat: number; lon: number; name: string };
}

/** What every part of the page may use of the others. */
export interface App {
  readonly map: Map;
  readonly client: Client;
  readonly search: SearchBox;
  status: Status | null;
  /** Whether the server has no routing engine at all; one that does not answer now is an error of the moment. */
  engineMissing(): Promise<boolean>;
  /** Whether ways can be asked for: false hides what asks for them. */
  readonly canRoute: boolean;
  lang: UiLang;
  theme: Theme;
  /** How the map is drawn; each in light and dark. */
  look: Look;
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
  setLook(look: Look): void;
  /** Moves the map only when a point is covered or outside. */
  reveal(at: { lat: number; lon: number }): void;
  /** Takes the size that the panel has now into account, before the map moves. */
  settle(): void;
  /** What of the map nothing lies on. */
  view(): Bounds;
  /** Moves the map out, not in, when some of the points are covered or outside. */
  revealAll(points: readonly { lat: number; lon: number }[]): void;
  /** Hands out the address of what is on the screen. */
  share(): void;
}
