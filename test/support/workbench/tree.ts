import type { Locator, Page } from 'playwright-core';
import { clickWithin, exactly, plain, within, type PageElement } from './pageElement';
import { poll } from '../poll';
import { followPath, inOrder, type PlacedRow, type TreeRow } from './treeRow';

const waitMs = 60_000;
const stepMs = 2000;

interface DrawnRow extends PlacedRow {
  /** True if keys go to it. */
  isFocused: boolean;
}

function readRows(elements: PageElement[]): DrawnRow[] {
  const lists: (PageElement | null)[] = [];
  return elements.map((row) => {
    const text = (selector: string) => row.querySelector(selector)?.textContent ?? '';
    const expanded = row.getAttribute('aria-expanded');
    const list = row.closest('.monaco-list');
    if (!lists.includes(list)) lists.push(list);
    return {
      list: lists.indexOf(list),
      index: Number(row.getAttribute('data-index')),
      isFocused: /\bfocused\b/.test(row.getAttribute('class') ?? ''),
      label: text('.label-name'),
      description: text('.label-description'),
      level: Number(row.getAttribute('aria-level')),
      ...(expanded === null ? {} : { expanded: expanded === 'true' }),
    };
  });
}

const pressedRow = 'data-pressed-row';

/** Keeps the label of the row under each press of the mouse as an attribute; a list draws other rows with old elements. */
function notePressedRow(sidebar: PageElement, attribute: string): void {
  if (sidebar.getAttribute(attribute) !== null) return;
  sidebar.setAttribute(attribute, '');
  const note = ({ target }: { target: PageElement }) => {
    const label = target.closest('[role="treeitem"]')?.querySelector('.label-name');
    sidebar.setAttribute(attribute, label?.textContent ?? '');
  };
  sidebar.addEventListener('mousedown', note, { capture: true });
}

/**
 * The tree in the sidebar. A path is the list of labels from the root down; rows far out of view are not drawn and not
 * found.
 */
export class Tree {
  readonly #page: Page;
  readonly #rows: Locator;

  constructor(page: Page) {
    this.#page = page;
    this.#rows = page.locator('.part.sidebar [role="treeitem"]');
  }

  /** Returns the rows in view, from top to bottom, one view after the other. */
  async rows(): Promise<TreeRow[]> {
    const rows = await this.#drawnRows();
    return rows.map(({ label, description, level, expanded }) => ({
      label,
      description,
      level,
      ...(expanded === undefined ? {} : { expanded }),
    }));
  }

  /** Waits for a row, expanding those above it, and returns it. */
  item(...path: string[]): Promise<Locator> {
    return poll(`the row ${path.join(' › ')}`, waitMs, async () => {
      const rows = await this.#drawnRows();
      const end = followPath(rows, path);
      if (!end) return undefined;
      const { index, label = '' } = rows[end.at] ?? {};
      // The label too, because rows that appear above move the others.
      const row = this.#rows
        .and(this.#page.locator(`[data-index="${index}"]`))
        .filter({ has: this.#page.locator('.label-name').filter({ hasText: exactly(label) }) });
      if (end.complete) return row;
      await within(this.#expand(row));
      return undefined;
    });
  }

  /** Clicks a row once it is there, again if another row had moved under the pointer by then. */
  async click(...path: string[]): Promise<void> {
    const sidebar = this.#page.locator('.part.sidebar');
    await poll(`a click on ${path.join(' › ')}`, waitMs, async () => {
      await sidebar.evaluate(notePressedRow, pressedRow);
      await this.#onRow(path, (row) => clickWithin(row, stepMs));
      return (await sidebar.getAttribute(pressedRow)) === path.at(-1) || undefined;
    });
  }

  /** Waits for a row and opens it, so that the rows below it are drawn. */
  async expand(...path: string[]): Promise<void> {
    await poll(`the row ${path.join(' › ')} to open`, waitMs, async () => {
      const row = await this.item(...path);
      if ((await row.getAttribute('aria-expanded')) !== 'false') return true;
      // The click is lost if the row is just being redrawn.
      return (await within(this.#expand(row))) || undefined;
    });
  }

  /** Moves to a row with the arrow keys, expanding those above it; the tree must have the keyboard focus. */
  async goTo(...path: string[]): Promise<void> {
    await poll(`the keys to lead to ${path.join(' › ')}`, waitMs, async () => {
      const rows = await this.#drawnRows();
      const end = followPath(rows, path);
      if (!end) return undefined;
      const at = rows.findIndex(({ isFocused }) => isFocused);
      if (at === end.at && end.complete) return true;
      const along = at < end.at ? 'ArrowDown' : 'ArrowUp';
      await this.#page.keyboard.press(at === end.at ? 'ArrowRight' : along);
      return undefined;
    });
  }

  /** Clicks the button with this tooltip, which appears while the pointer is over the row. */
  async action(title: string, ...path: string[]): Promise<void> {
    await this.#onRow(path, async (row) => {
      await row.hover({ timeout: stepMs });
      await clickWithin(row.locator(`.action-label[aria-label^="${title}"]`), stepMs);
    });
  }

  /** Returns the entries of a row's context menu, which is closed again. */
  async entries(...path: string[]): Promise<readonly string[]> {
    const menu = await this.#openMenu(path);
    const entries = menu.locator('.action-item .action-label:not(.separator)');
    await entries.first().waitFor();
    const texts = await entries.allInnerTexts();
    await this.#page.keyboard.press('Escape');
    await menu.waitFor({ state: 'hidden' });
    return texts.map(plain);
  }

  /** Chooses an entry of a row's context menu. */
  async menu(entry: string, ...path: string[]): Promise<void> {
    await poll(`${entry} in the menu of ${path.join(' › ')}`, waitMs, async () => {
      const menu = await this.#openMenu(path);
      const item = menu
        .locator('.action-item')
        .filter({ has: this.#page.getByText(entry, { exact: true }) });
      const pointed = item
        .hover({ timeout: stepMs })
        .then(() => item.and(this.#page.locator('.focused')).waitFor({ timeout: stepMs }));
      const isThere = await within(pointed);
      // Not a click: a menu ignores clicks in its first tenth of a second. While a list is being redrawn, its rows have
      // no menu.
      await this.#page.keyboard.press(isThere ? 'Enter' : 'Escape');
      await menu.waitFor({ state: 'hidden' });
      return isThere || undefined;
    });
  }

  async #drawnRows(): Promise<readonly DrawnRow[]> {
    return inOrder(await this.#rows.evaluateAll(readRows));
  }

  async #openMenu(path: readonly string[]): Promise<Locator> {
    await this.#onRow(path, (row) => clickWithin(row, stepMs, 'right'));
    return this.#page.locator('.monaco-menu');
  }

  /** Does something with a row once it is there, even if rows that appear above keep moving it. */
  async #onRow(path: readonly string[], act: (row: Locator) => Promise<void>): Promise<void> {
    let obstacle = '';
    const acted = poll(`the row ${path.join(' › ')} under the pointer`, waitMs, async () => {
      const row = await this.item(...path);
      const acting = act(row).catch((error: unknown) => {
        obstacle = String(error);
        throw error;
      });
      return (await within(acting)) || undefined;
    });
    await acted.catch((error: unknown) => {
      throw new Error(`${String(error)} ${obstacle}`);
    });
  }

  async #expand(row: Locator): Promise<void> {
    // Not the label: a click there would run the row's command.
    await clickWithin(row.locator('.monaco-tl-twistie'), stepMs);
    await row.and(this.#page.locator('[aria-expanded="true"]')).waitFor({ timeout: stepMs });
  }
}
