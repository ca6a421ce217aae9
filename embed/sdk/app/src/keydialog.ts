import { isSvc, reasonText } from './failure';
import { t } from './i18n';
import { h } from './ui';
import type { Client } from 'svc-map';

/** KeyDialog asks for the key of the server until one works or somebody gives up. */
export class KeyDialog {
  #client: Client;
  #saved: (key: string) => void;
  #dialog: HTMLDialogElement | undefined;

  /** saved is called with a key that the server accepted. */
  constructor(client: Client, saved: (key: string) => void) {
    this.#client = client;
    this.#saved = saved;
  }

  get open(): boolean {
    return Boolean(this.#dialog?.open);
  }

  /** show opens the dialog, once; problem says why again. */
  show(problem = ''): void {
    if (this.open) return;
    const note = h('p', { class: 'problem', id: 'key-note', attrs: { role: 'alert' } }, problem);
    const field = h('input', {
      type: 'password',
      id: 'key-field',
      value: this.#client.key,
      autocomplete: 'off',
      spellcheck: false,
      maxLength: 200,
      attrs: { 'aria-describedby': 'key-note' },
    });
    const button = h('button', { class: 'primary' }, t('key.save'));
    const form = h(
      'form',
      {
        method: 'dialog',
        class: 'dialog',
        on: {
          submit: (e: Event) => {
            e.preventDefault();
            void this.#try(field, note, button);
          },
        },
      },
      h('h2', { id: 'key-title' }, t('key.title')),
      h('p', { class: 'soft' }, t('key.text')),
      h('label', { htmlFor: 'key-field' }, t('key.label')),
      field,
      note,
      h(
        'div',
        { class: 'buttons' },
        h('button', { type: 'button', class: 'plain', on: { click: () => this.close() } }, t('app.close')),
        button,
      ),
    );
    const dialog = h('dialog', { attrs: { 'aria-labelledby': 'key-title' } }, form);
    dialog.addEventListener('close', () => dialog.remove());
    document.body.append(dialog);
    this.#dialog = dialog;
    dialog.showModal();
    field.select();
  }

  close(): void {
    this.#dialog?.close();
  }

  async #try(field: HTMLInputElement, note: HTMLElement, button: HTMLButtonElement): Promise<void> {
    const key = field.value.trim();
    if (!key) {
      note.textContent = t('key.empty');
      field.focus();
      return;
    }
    const before = this.#client.key;
    this.#client.key = key;
    button.disabled = true;
    note.textContent = t('key.checking');
    const problem = await this.#check();
    button.disabled = false;
    if (!problem) {
      this.close();
      this.#saved(key);
      return;
    }
    this.#client.key = before;
    note.textContent = problem;
    field.focus();
    field.select();
  }

  async #check(): Promise<string> {
    try {
      await this.#client.checkKey();
      return '';
    } catch (error) {
      if (!isSvc(error)) return reasonText(error);
      if (error.status === 401) return t('key.wrong');
      if (error.status === 403) return t('key.refused', { why: error.message });
      return reasonText(error);
    }
  }
}
