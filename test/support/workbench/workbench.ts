import { mkdir } from 'node:fs/promises';
import { basename, join } from 'node:path';
import type { Browser, Locator, Page } from 'playwright-core';
import { ChatView } from './chatView';
import type { EditorServer } from '../editor/editorServer';
import { clickWithin, plain, within, type PageElement } from './pageElement';
import { cacheDirectory } from '../paths';
import { poll } from '../poll';
import { QuickPick } from './quickPick';
import { Tree } from './tree';
import { ownProblems, salient, saveLog } from '../editor/windowLog';
import type { SampleWorkspace } from '../editor/workspace';

/** Matches what the editor says about an extension host that was killed, once it has had time to notice. */
export const hostKilled = /Extension host \(Remote\) terminated unexpectedly/;

const paletteMs = 3000;
const fileMs = 60_000;
const viewMs = 60_000;
const notificationMs = 60_000;
const drawnMs = 3000;
const answerMs = 30_000;
const hoverMs = 2000;
/** Places without a tooltip, in pixels: the corner and the line between title bar and editors. */
const restingPlaces = [
  [0, 0],
  [700, 35],
  [0, 0],
] as const;
/** How long to wait for the effect of a key; doubled before each try. */
const keyMs = 1000;
/** How long a command may take to appear in the palette. */
const commandMs = 90_000;
const keptMs = 30_000;
/** A script that reads, in a page, everything that the editor has stored there. */
const readKept = `(async () => {
  const done = (request) =>
    new Promise((resolve, reject) => {
      request.onsuccess = () => resolve(request.result);
      request.onerror = () => reject(request.error);
    });
  const texts = [];
  for (const { name } of await indexedDB.databases()) {
    const database = await done(indexedDB.open(name));
    for (const store of database.objectStoreNames)
      texts.push(...(await done(database.transaction(store).objectStore(store).getAll())));
    database.close();
  }
  return texts.join('\\n');
})()`;
/** Selects what says most about how far a window has come. */
const tellingParts =
  '.quick-input-widget:visible, .statusbar, .monaco-dialog-box, .interactive-item-container, .pane-body .monaco-list';
/** Limits on what is printed about a failure. */
const lastLines = 12;
const lastLetters = 400;

/** The button behind which a window with little room keeps the icons that its activity bar does not show. */
export const hiddenIcons = '.activitybar .action-label[aria-label="Additional Views"]';

/** Returns the selector of a container's icon inside the activity bar, by the container's title. */
export function iconOf(title: string): string {
  return `.action-label[aria-label^="${title}"]`;
}

function toFileName(name: string): string {
  return name.replaceAll(/[^\w-]+/g, '-');
}

/** Resolves with true if `what` reaches this state in time. */
function comes(
  what: Locator,
  state: 'attached' | 'visible' | 'hidden',
  timeout: number,
): Promise<boolean> {
  return within(what.waitFor({ state, timeout }));
}

/**
 * What a window consists of; disposing the window disposes everything but the workspace, which is removed with the
 * editor.
 */
export interface WorkbenchParts {
  browser: Browser;
  editor: EditorServer;
  page: Page;
  workspace: SampleWorkspace;
  log: readonly string[];
}

let lastWindow = '';

/** Returns what was last seen of the window that was closed last. */
export function lastClosed(): string {
  return lastWindow;
}

/** A window of the editor as a user sees it; every method waits until what it names is there. */
export class Workbench implements AsyncDisposable {
  readonly page: Page;
  readonly editor: EditorServer;
  /** The copy of the sample workspace that is open. */
  readonly workspace: SampleWorkspace;
  readonly quickPick: QuickPick;
  readonly tree: Tree;
  readonly chat: ChatView;
  /** The chat in the active editor. */
  readonly chatEditor: ChatView;
  /** Everything that the window has logged, each entry preceded by its level and a colon. */
  readonly log: readonly string[];
  /** The parts that another window on the same workspace shares. */
  readonly parts: WorkbenchParts;
  readonly #notifications: Locator;
  readonly #expected: RegExp[] = [];

  constructor(parts: WorkbenchParts) {
    const { editor, page, workspace, log } = parts;
    this.parts = parts;
    this.editor = editor;
    this.page = page;
    this.workspace = workspace;
    this.log = log;
    this.quickPick = new QuickPick(page);
    this.tree = new Tree(page);
    this.chat = new ChatView(page, 'auxiliarybar');
    this.chatEditor = new ChatView(page, 'editor');
    this.#notifications = page.locator('.notifications-center.visible');
  }

  /**
   * Reloads the window as its user would; a page that is merely loaded again may leave its extension host waiting for
   * it to come back.
   */
  async reload(): Promise<void> {
    const loaded = this.page.waitForEvent('load');
    await this.runCommand('Developer: Reload Window');
    await loaded;
  }

  /**
   * Waits until the editor has stored what an extension asked it to keep: it does that some seconds later, and not at
   * all if the window is closed before.
   */
  async untilKept(text: string): Promise<void> {
    await poll(`${text} to be written down`, keptMs, async () =>
      String(await this.page.evaluate(readKept)).includes(text) ? true : undefined,
    );
  }

  /** Tells the window what it is told when the user goes to another window and comes back. */
  async comeBack(): Promise<void> {
    for (const [event, focused] of [
      ['blur', false],
      ['focus', true],
    ] as const)
      await this.page.evaluate(
        `document.hasFocus = () => ${focused}; window.dispatchEvent(new Event('${event}'))`,
      );
  }

  /** Runs a command from the palette by its full title, `Category: Title`. */
  async runCommand(title: string): Promise<void> {
    const row = this.quickPick.item(title);
    // The palette does not show an entry that arrives while it is open, and closes if something else takes the
    // keyboard.
    let seen = '';
    const run = poll(`the palette to offer ${title}`, commandMs, async () => {
      if (!(await this.#offers(title))) {
        seen = (await this.quickPick.widget.allInnerTexts()).join(' ');
        await this.quickPick.dismiss();
        return undefined;
      }
      return (await within(clickWithin(row, paletteMs))) || undefined;
    });
    await run.catch(async (cause: unknown) => {
      // What our view says tells whether the extension runs at all, and what it knows.
      await within(this.page.locator(iconOf('MCP Workbench')).first().click());
      const message = `The palette does not offer ${title}, but: ${seen}. ${await this.sidebarText()}`;
      throw new Error(message, { cause });
    });
    await row.waitFor({ state: 'hidden' });
  }

  /** Opens a file by its path, or by the end of its path, like a user who knows its name. */
  async openFile(path: string): Promise<void> {
    const name = basename(path);
    // What a menu or a tree does with the keyboard focus as it closes may close this list again.
    await poll(`the file ${path}`, fileMs, async () => {
      await this.page.keyboard.press('ControlOrMeta+P');
      if (!(await within(this.quickPick.input.fill(path, { timeout: paletteMs }))))
        return undefined;
      return (await within(clickWithin(this.quickPick.item(name), paletteMs))) || undefined;
    });
    await this.editorText(name);
  }

  /**
   * Waits until the active editor has the keyboard, which comes after its text. A file that is opened although it is
   * shown already gets its old cursor back even later, after the next keys.
   */
  async waitForEditorKeyboard(): Promise<void> {
    const focused = this.page.locator('.editor-group-container.active .editor-instance :focus');
    await focused.waitFor({ state: 'attached' });
  }

  /** Shows a container of the activity bar by its title. */
  async openView(title: string): Promise<void> {
    const icon = this.page
      .locator('.activitybar .action-item')
      .filter({ has: this.page.locator(iconOf(title)) });
    const shown = this.page.locator('.part.sidebar .composite.title').getByText(title).first();
    // A click on the icon of the container that is shown hides the sidebar, and a new window may show it by itself.
    await poll(`the view ${title}`, viewMs, async () => {
      if (!(await icon.isVisible()) && (await this.page.locator(hiddenIcons).isVisible()))
        await this.runCommand(`View: Show ${title}`);
      else if (!(await icon.and(this.page.locator('.checked')).isVisible())) await icon.click();
      return shown.waitFor({ timeout: drawnMs }).then(
        () => true,
        () => undefined,
      );
    });
  }

  /** Returns the visible text of the active editor, once one whose tab contains this title is active. */
  async editorText(tab: string): Promise<string> {
    await this.page.locator('.part.editor .tab.active').filter({ hasText: tab }).first().waitFor();
    const lines = this.page.locator('.editor-group-container.active .editor-instance .view-line');
    await lines.first().waitFor();
    // The order of the elements is not that of the lines.
    const drawn = await lines.evaluateAll((elements: PageElement[]) =>
      elements.map((line) => ({
        top: line.getBoundingClientRect().top,
        text: line.textContent ?? '',
      })),
    );
    drawn.sort((a, b) => a.top - b.top);
    return plain(drawn.map(({ text }) => text).join('\n'));
  }

  /**
   * Answers the active document, which has this name, with its first choice, by the key for that, which counts only
   * after a while.
   */
  async answerDocument(name: string): Promise<void> {
    const tab = this.page.locator(`.part.editor .tab[data-resource-name="${name}"]`);
    await tab.and(this.page.locator('.active')).waitFor();
    await this.#pressUntil(`the end of ${name}`, tab, 'hidden');
  }

  /** Presses the same key in a document that does not accept the answer, until a notification gives this reason. */
  async answerInVain(reason: string): Promise<void> {
    // The text that screen readers get for a notification, which is not shown anywhere yet.
    const told = this.page.locator('.monaco-alert').filter({ hasText: reason });
    await this.#pressUntil(`the notification ${reason}`, told.first(), 'attached');
  }

  async #pressUntil(what: string, seen: Locator, state: 'hidden' | 'attached'): Promise<void> {
    // A key that takes effect late, and was pressed again, would go to what comes next.
    let waitMs = keyMs;
    await poll(what, answerMs, async () => {
      await this.page.keyboard.press('ControlOrMeta+Enter');
      waitMs *= 2;
      return (await comes(seen, state, waitMs)) || undefined;
    });
  }

  /** Closes the active editor. */
  async closeEditor(): Promise<void> {
    const tab = this.page.locator('.part.editor .tab.active');
    const name = await tab.getAttribute('data-resource-name');
    await tab.locator('.tab-actions .action-label').click();
    await this.page
      .locator(`.part.editor .tab[data-resource-name="${name}"]`)
      .waitFor({ state: 'hidden' });
  }

  /**
   * Waits for a notification that contains this text, in the list of notifications: under test, the editor shows them
   * nowhere else.
   */
  async notification(text: string | RegExp): Promise<Locator> {
    const notification = this.#notifications
      .locator('.notification-list-item')
      .filter({ hasText: text })
      .first();
    // A list that was opened while it was empty may close again.
    await poll(`the notification ${text}`, notificationMs, async () => {
      if (!(await this.#notifications.isVisible()))
        await this.page.locator('[id="status.notifications"]').click();
      return (await notification.isVisible()) || undefined;
    });
    // The tooltip of what opened the list may cover it.
    await this.leaveHover();
    return notification;
  }

  /** Hides the list of notifications, which covers a part of the window. */
  async hideNotifications(): Promise<void> {
    await this.#notifications.locator('.codicon-notifications-hide').click();
    await this.#notifications.waitFor({ state: 'hidden' });
  }

  /** Locates a button of a modal dialog or a notification, by its text. */
  button(text: string): Locator {
    return this.page.locator('.monaco-dialog-box, .notification-list-item').getByRole('button', {
      name: text,
      exact: true,
    });
  }

  /**
   * Describes what is shown, what has the keyboard and what was logged last, for readers who have neither the picture
   * nor the log of a failure.
   */
  async lastSeen(): Promise<string> {
    const focused = await this.page
      .locator(':focus')
      .evaluateAll((elements: PageElement[]) => elements.map(({ outerHTML }) => outerHTML));
    const shown = await this.page.locator(tellingParts).allInnerTexts();
    return [...shown, ...focused, ...this.log.slice(-lastLines)]
      .map((line) => `  | ${plain(line).replaceAll(/\s+/g, ' ').slice(0, lastLetters)}`)
      .join('\n');
  }

  /** Returns what the sidebar shows, for messages whose readers see nothing else. */
  async sidebarText(): Promise<string> {
    const texts = await this.page.locator('.part.sidebar:visible').allInnerTexts();
    return `Sidebar: ${plain(texts.join(' ')).replaceAll(/\s+/g, ' ').slice(0, lastLetters)}`;
  }

  /** Returns the last warnings and errors of the window, without those that this editor always has. */
  problems(): string[] {
    return salient(this.log);
  }

  /**
   * Saves a picture of the window without a tooltip over it, for developers who run the journeys to look at; in CI,
   * saves none.
   */
  async screenshot(name: string): Promise<void> {
    await this.leaveHover();
    if (!process.env['CI']) await this.savePicture(name);
  }

  /** Saves a picture of the window as it is, in the cache folder's `screenshots`, and returns its path. */
  async savePicture(name: string): Promise<string> {
    const folder = join(cacheDirectory, 'screenshots');
    await mkdir(folder, { recursive: true });
    const path = join(folder, `${toFileName(name)}.png`);
    await this.page.screenshot({ path });
    return path;
  }

  /** Moves the pointer away, so that no tooltip covers what is shown; the tooltip of what has the keyboard may stay. */
  async leaveHover(): Promise<void> {
    const hover = this.page.locator('.workbench-hover-container').first();
    // A tooltip that was about to appear when the pointer left still appears, and disappears with the next move.
    for (const [x, y] of restingPlaces) {
      await this.page.mouse.move(x, y);
      if (await comes(hover, 'hidden', hoverMs)) return;
    }
  }

  /** Saves the window's log and the editor's output and returns the path. */
  saveLog(name: string): Promise<string> {
    return saveLog(toFileName(name), [...this.log, this.editor.output()]);
  }

  /** Accepts lines like this in the window's log, because the journey causes them. */
  expectProblem(pattern: RegExp): void {
    this.#expected.push(pattern);
  }

  /**
   * Closes the window and ends every process of the editor; throws if the log, which the extension host writes to, has
   * an unexpected warning or error of ours.
   */
  async dispose(): Promise<void> {
    if (!this.page.isClosed()) lastWindow = await this.lastSeen();
    await this.parts.browser.close();
    await this.editor.dispose();
    const problems = ownProblems(this.log).filter(
      (problem) => !this.#expected.some((pattern) => pattern.test(problem)),
    );
    if (problems.length > 0) throw new Error(`The log has:\n${problems.join('\n')}`);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.dispose();
  }

  async #offers(title: string): Promise<boolean> {
    await this.page.keyboard.press('F1');
    // It closes again if something else takes the keyboard meanwhile.
    const typed = this.quickPick.input.fill(`>${title}`, { timeout: paletteMs });
    if (!(await within(typed))) return false;
    return comes(this.quickPick.item(title), 'visible', paletteMs);
  }
}
