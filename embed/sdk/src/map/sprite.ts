import type { Client } from '../client/client';
import { element } from './dom';

interface Image {
  x: number;
  y: number;
  width: number;
  height: number;
  pixelRatio: number;
}

/** The icons of the sheet `places`, for lists beside the map. */
export class Icons {
  #client: Client;
  #sheet: Promise<{ images: Record<string, Image>; url: string } | null> | undefined;
  #key = '';

  constructor(client: Client) {
    this.#client = client;
  }

  /**
   * An icon that is filled in when the sheet has arrived. Without a sheet, or
   * for an image that it does not have, a plain dot stands there.
   */
  icon(name: string): HTMLElement {
    const e = element('span', 'svc-icon');
    e.setAttribute('aria-hidden', 'true');
    void this.#load().then((sheet) => {
      const image = sheet && (sheet.images[name] ?? sheet.images['poi']);
      if (!image) return;
      const scale = 1 / image.pixelRatio;
      e.classList.add('svc-icon-image');
      e.style.width = `${image.width * scale}px`;
      e.style.height = `${image.height * scale}px`;
      e.style.backgroundImage = `url("${sheet.url.replace(/["\\\n]/g, encodeURIComponent)}")`;
      e.style.backgroundPosition = `${-image.x * scale}px ${-image.y * scale}px`;
      void sizeOf(sheet.url).then((w) => {
        if (w) e.style.backgroundSize = `${w * scale}px auto`;
      });
    });
    return e;
  }

  #load() {
    if (!this.#sheet || this.#key !== this.#client.key) {
      this.#key = this.#client.key;
      this.#sheet = this.#fetch();
    }
    return this.#sheet;
  }

  async #fetch() {
    const sheet = `/sprites/places${globalThis.devicePixelRatio > 1 ? '@2x' : ''}`;
    try {
      const answer = await fetch(this.#client.url(`${sheet}.json`));
      if (!answer.ok) return null;
      const images = (await answer.json()) as Record<string, Image>;
      return { images, url: this.#client.url(`${sheet}.png`) };
    } catch {
      this.#sheet = undefined; // the network may come back
      return null;
    }
  }
}

const sizes = new Map<string, Promise<number>>();

/** sizeOf is the width of a sheet in its own pixels, which scales it. */
function sizeOf(url: string): Promise<number> {
  let size = sizes.get(url);
  if (!size) {
    size = new Promise((resolve) => {
      const image = new Image();
      image.onload = () => resolve(image.naturalWidth);
      image.onerror = () => resolve(0);
      image.src = url;
    });
    sizes.set(url, size);
  }
  return size;
}
