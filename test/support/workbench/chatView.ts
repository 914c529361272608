import type { Locator, Page } from 'playwright-core';
import { clickWithin, exactly, plain, within, type PageElement } from './pageElement';
import { poll } from '../poll';
import { selectors } from './selectors';

const sendMs = 60_000;
const stepMs = 2000;
const keysMs = 10_000;

/** The chat view, or a chat that is open as an editor. */
export class ChatView {
  /** The requests and responses, in order. */
  readonly items: Locator;
  /** The latest response. */
  readonly answer: Locator;
  /** The button that sends a message; hidden while one is being answered. */
  readonly submit: Locator;
  readonly #page: Page;
  readonly #view: Locator;
  readonly #input: Locator;
  /** What the keys go to in the input. */
  readonly #cursor: Locator;

  constructor(page: Page, part: 'auxiliarybar' | 'editor') {
    this.#page = page;
    this.#view = page.locator(`.part.${part} .interactive-session`);
    this.#input = this.#view.locator('.interactive-input-editor .view-lines');
    this.#cursor = this.#view.locator('.interactive-input-editor .native-edit-context');
    this.submit = this.#view.locator(selectors.send);
    this.items = this.#view.locator('.interactive-item-container');
    this.answer = this.#view.locator('.interactive-item-container.interactive-response').last();
  }

  /** Puts the cursor into the input, opening the view if it is hidden. */
  async focus(): Promise<void> {
    if (!(await this.#view.isVisible())) await this.#page.keyboard.press('ControlOrMeta+Alt+I');
    await this.#cursor.focus();
  }

  /** True if the cursor is in the input. */
  isFocused(): Promise<boolean> {
    return this.#cursor.and(this.#page.locator(':focus')).isVisible();
  }

  /** Waits until the model with this name is selected, in editors that show it. */
  async waitForModel(name: string): Promise<void> {
    if (selectors.model)
      await this.#view.locator(selectors.model).filter({ hasText: name }).waitFor();
  }

  /** Writes a message into the input, replacing what is there, and sends it with the button. */
  async send(text: string): Promise<void> {
    // A suggestion could take Enter. While files are being attached, the editor may lose the click.
    await this.#send(text, stepMs, () => within(clickWithin(this.submit, stepMs)));
  }

  /** Writes a message into the input, replacing what is there, and sends it with the keyboard. */
  async sendWithKeys(text: string): Promise<void> {
    // Not again soon: the keys would go to a question about a call that the message has led to.
    await this.#send(text, keysMs, () => this.press());
  }

  async #send(text: string, ms: number, press: () => Promise<unknown>): Promise<void> {
    await this.focus();
    await this.waitForModel('Demo Model');
    // Not key by key: a suggestion could take a space.
    await this.#page.keyboard.press('ControlOrMeta+A');
    await this.#page.keyboard.insertText(text);
    const drafted = this.#input.filter({ hasText: exactly(text) });
    await drafted.waitFor();
    const before = await this.#length();
    await poll('the message to leave the input', sendMs, async () => {
      if ((await drafted.count()) === 0) return true;
      await press();
      return (await within(drafted.waitFor({ state: 'detached', timeout: ms }))) || undefined;
    });
    // Until then, the latest response is still the one to the previous message.
    await poll('the message in the conversation', sendMs, async () =>
      (await this.#length()) >= before + 2 ? true : undefined,
    );
  }

  /** Sends what is in the input with the keyboard. */
  async press(): Promise<void> {
    await this.focus();
    // Escape closes the suggestions, which would use up the Enter.
    await this.#page.keyboard.press('Escape');
    await this.#page.keyboard.press('Enter');
  }

  /** Cancels the request that is being answered, if there is one. */
  async cancel(): Promise<void> {
    const button = this.#view.locator('.chat-execute-toolbar .codicon-stop-circle');
    // The answer may end by itself before the click comes.
    if (await button.isVisible()) await within(clickWithin(button, stepMs));
  }

  /** Returns what is in the input but not sent yet. */
  async draft(): Promise<string> {
    return plain(await this.#input.innerText());
  }

  /** Waits until the latest response is complete and returns its text. */
  async completed(): Promise<string> {
    await this.answer.locator(selectors.completed).waitFor();
    return plain(await this.answer.locator('.value').innerText());
  }

  /** Waits until a text appears in the conversation. */
  async waitFor(text: string | RegExp): Promise<void> {
    // The chat draws some spaces as no-break spaces.
    const drawn =
      typeof text === 'string' ? text : new RegExp(text.source.replaceAll(' ', '\\s'), text.flags);
    await this.items.filter({ hasText: drawn }).first().waitFor();
  }

  /** Returns the text of the drawn part of the conversation. */
  async text(): Promise<string> {
    return plain((await this.items.locator('.value').allInnerTexts()).join('\n'));
  }

  /** Counts the requests and responses, drawn or not. */
  async #length(): Promise<number> {
    const rows = this.#view.locator('.interactive-list .monaco-list-row');
    return rows.evaluateAll((elements: PageElement[]) =>
      Math.max(0, ...elements.map((row) => Number(row.getAttribute('data-index')) + 1)),
    );
  }
}
