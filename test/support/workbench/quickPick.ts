import { delay } from '../../../src/base/async';
import type { Locator, Page } from 'playwright-core';
import { poll } from '../poll';
import { exactly, plain, within, type PageElement, type PageEvent } from './pageElement';

const keysMs = 60_000;
const shownMs = 60_000;
const keyboardMs = 20_000;
/** How long the effect of a key may take to show. */
const drawnMs = 300;
const offeredMs = 5000;
/** Longer than a form ignores input after something was typed too soon. */
const strayMs = 2500;
/** How far a turn of the wheel moves a list: by less than a small window shows. */
const wheelPixels = 60;
/** Within this many milliseconds, a second click belongs to the first. */
const doubleClickMs = 400;
/** At most this many milliseconds after a click, even a busy editor may take the next one for its second click. */
const seriesMs = 10_000;

/** One row of a quick pick, as a user reads it. */
export interface QuickPickItem {
  label: string;
  description: string;
  detail: string;
}

/**
 * Lets keys reach nothing but a quick input, with this title if one is given, until the result is aborted. A busy editor
 * is late to hide one, and a key that is pressed again would go to the chat.
 */
function aimKeys(body: PageElement, title?: string): AbortController {
  const aimed = new AbortController();
  const aim = (event: PageEvent) => {
    const widget = event.target.closest('.quick-input-widget');
    const shown = widget?.querySelector('.quick-input-title')?.textContent;
    if (widget && (title === undefined || shown === title)) return;
    event.preventDefault();
    event.stopImmediatePropagation();
  };
  body.addEventListener('keydown', aim, { capture: true, signal: aimed.signal });
  return aimed;
}

/** The quick pick or input box that is open in the editor. */
export class QuickPick {
  /** The whole widget. */
  readonly widget: Locator;
  /** Its text field. */
  readonly input: Locator;
  readonly #page: Page;
  #clickedAt = -Infinity;

  constructor(page: Page) {
    this.#page = page;
    this.widget = page.locator('.quick-input-widget:visible');
    this.input = this.widget.locator('.quick-input-box input');
  }

  /** Locates the row with exactly this label; a long list draws only the rows in view. */
  item(label: string): Locator {
    const name = this.#page.locator('.quick-input-list-row:first-child .label-name');
    return this.widget
      .locator('.monaco-list-row')
      .filter({ has: name.filter({ hasText: exactly(label) }) })
      .first();
  }

  /** Waits until what is typed goes to its field. */
  async waitForKeyboard(): Promise<void> {
    await this.widget.locator('input:focus').waitFor({ timeout: keyboardMs });
  }

  /** Waits until Enter would take the row with exactly this label. */
  async waitForActive(label: string): Promise<void> {
    await this.#active(label).waitFor();
  }

  #active(label: string): Locator {
    return this.item(label).and(this.#page.locator('.focused'));
  }

  /** Returns the rows in view, once there is one. */
  async items(): Promise<QuickPickItem[]> {
    const rows = this.widget.locator('.quick-input-list .monaco-list-row');
    await rows.first().waitFor();
    return rows.evaluateAll((elements: PageElement[]) =>
      elements.map((row) => {
        const text = (selector: string) => row.querySelector(selector)?.textContent ?? '';
        return {
          label: text('.quick-input-list-row:first-child .label-name'),
          description: text('.label-description'),
          detail: text('.quick-input-list-label-meta .label-name'),
        };
      }),
    );
  }

  /** True if a quick pick or input box with this title appears within some seconds. */
  async isTitled(title: string): Promise<boolean> {
    const shown = this.widget.locator('.quick-input-title').filter({ hasText: title });
    return within(shown.waitFor({ timeout: offeredMs }));
  }

  /** Waits until a quick pick or input box with this title is open. */
  async waitForTitle(title: string | RegExp): Promise<void> {
    await this.widget.locator('.quick-input-title').filter({ hasText: title }).waitFor();
  }

  /** Waits until a quick pick or input box is open whose title begins with one of these, and returns that one. */
  async titleAmong(titles: ReadonlySet<string>): Promise<string> {
    const shown = this.widget.locator('.quick-input-title');
    return poll(`one of ${[...titles].join(', ')}`, shownMs, async () => {
      const [text = ''] = (await shown.allInnerTexts()).map(plain);
      return [...titles].find((title) => text.startsWith(title));
    });
  }

  /** Returns the text below the field: the prompt of an input box, or what is wrong with its value. */
  async message(): Promise<string> {
    return (await this.widget.locator('.quick-input-message').textContent()) ?? '';
  }

  /** Waits until the text below the field matches; the editor checks a value some time after it was typed. */
  async waitForMessage(pattern: RegExp): Promise<void> {
    await this.widget.locator('.quick-input-message').filter({ hasText: pattern }).waitFor();
  }

  /** True if a row with exactly this label appears within some seconds. */
  async isOffered(label: string): Promise<boolean> {
    return within(this.item(label).waitFor({ timeout: offeredMs }));
  }

  /** Clicks the row with exactly this label. */
  async pick(label: string): Promise<void> {
    await this.#click(this.item(label));
  }

  /** Clicks like somebody who reads what is shown first: a click right after another one is a double click. */
  async #click(target: Locator): Promise<void> {
    await target.waitFor();
    // Not counted from the previous click: a busy editor may have handled that only just before it drew this one.
    if (performance.now() - this.#clickedAt < seriesMs) await delay(doubleClickMs);
    await target.click();
    this.#clickedAt = performance.now();
  }

  /** Scrolls until the row with exactly this label is in view, as small windows show few rows, and picks it. */
  async scrollAndPick(label: string): Promise<void> {
    const row = this.item(label);
    await poll(`the row ${label}`, shownMs, async () => {
      if (await row.isVisible()) return true;
      await this.widget.locator('.quick-input-list').hover();
      await this.#page.mouse.wheel(0, wheelPixels);
      return undefined;
    });
    await this.pick(label);
  }

  /** Replaces what is in the field. */
  async type(text: string): Promise<void> {
    await this.input.fill(text);
  }

  /** Types into a form that appeared by itself and presses Enter; tries again after a pause if that was too soon. */
  async fillIn(text: string): Promise<void> {
    const { title, open } = await this.#opened();
    await poll(`${text} to be taken`, keysMs, async () => {
      await this.type(text);
      const isTaken = await this.#press('Enter', open, title);
      return isTaken ?? (await this.#isGone(open, strayMs));
    });
  }

  /** Does the same where the form comes back with a text that matches below the field. */
  async fillInUntil(text: string, pattern: RegExp): Promise<void> {
    const said = this.widget.locator('.quick-input-message').filter({ hasText: pattern });
    await poll(`${text} to be answered`, keysMs, async () => {
      await this.type(text);
      await this.accept();
      return (await within(said.waitFor({ timeout: strayMs }))) || undefined;
    });
  }

  /** Presses Enter: accepts the value or the focused row. */
  async accept(): Promise<void> {
    await this.input.press('Enter');
  }

  /** Presses a key until what is open is gone: in a question, keys count only after a while. */
  async pressUntilGone(key: string): Promise<void> {
    const { title, open } = await this.#opened();
    await poll(`${key} to be taken`, keysMs, () => this.#press(key, open, title));
  }

  /**
   * Moves from the row that Enter takes to the one below it and takes that. In a question, keys count only after a
   * while; one that came too early, or while rows were being redrawn, leads back to the start.
   */
  async takeNext(from: string, to: string): Promise<void> {
    const next = this.item(to);
    let isEntered = false;
    await poll(`the keys to take ${to}`, keysMs, async () => {
      if (!(await within(this.#active(from).waitFor({ timeout: offeredMs }))))
        // A busy editor is late to hide what the previous Enter took.
        return isEntered && !(await next.isVisible()) ? true : undefined;
      await this.#aim('ArrowDown');
      isEntered = await within(this.#active(to).waitFor({ timeout: offeredMs }));
      return isEntered ? this.#press('Enter', next) : undefined;
    });
  }

  /** Clicks a button of the title bar or beside the field, by its tooltip, or takes that from the menu behind the last. */
  async button(label: string): Promise<void> {
    const own = this.widget.locator(`.action-label[aria-label="${label}"]`).first();
    const more = this.widget.locator('.action-label[aria-label="More Actions…"]').first();
    await own.or(more).first().waitFor();
    if (await own.isVisible()) return this.#click(own);
    await this.#click(more);
    await this.pick(label);
  }

  /** Clicks the arrow that leads to the previous step. */
  async back(): Promise<void> {
    await this.#click(this.widget.locator('.quick-input-left-action-bar .action-label').first());
  }

  /** Presses Escape until the widget is gone. */
  async dismiss(): Promise<void> {
    await poll('Escape to be taken', keysMs, () => this.#press('Escape', this.widget));
  }

  /** Returns the title of what is open, and the element that shows it for as long as that is open. */
  async #opened(): Promise<{ title: string; open: Locator }> {
    const shown = this.widget.locator('.quick-input-title');
    const title = (await shown.textContent()) ?? '';
    return { title, open: shown.filter({ hasText: exactly(title) }) };
  }

  /** Presses a key and returns true if what was open is gone soon after; see {@link aimKeys} for the title. */
  async #press(key: string, open: Locator, title?: string): Promise<true | undefined> {
    await this.#aim(key, title);
    return this.#isGone(open, drawnMs);
  }

  async #aim(key: string, title?: string): Promise<void> {
    const aimed = await this.#page.locator('body').evaluateHandle(aimKeys, title);
    await this.#page.keyboard.press(key);
    // Not after the first key: one that went to a frame was not seen here.
    await aimed.evaluate((aim) => aim.abort());
    await aimed.dispose();
  }

  async #isGone(open: Locator, limitMs: number): Promise<true | undefined> {
    return (await within(open.waitFor({ state: 'hidden', timeout: limitMs }))) || undefined;
  }
}
