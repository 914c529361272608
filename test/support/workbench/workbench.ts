import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { errors, type Browser, type Locator, type Page } from 'playwright-core';
import { ChatView } from './chatView';
import type { EditorServer } from '../editor/editorServer';
import { plain, type PageElement } from './pageElement';
import { cacheDirectory } from '../paths';
import { poll } from '../poll';
import { QuickPick } from './quickPick';
import { Tree } from './tree';
import { salient, saveLog } from '../editor/windowLog';
import type { SampleWorkspace } from '../editor/workspace';

const paletteMs = 3000;
const viewMs = 60_000;
const drawnMs = 3000;

function toFileName(name: string): string {
  return name.replaceAll(/[^\w-]+/g, '-');
}

/** What a window consists of; it disposes all of it but the workspace, which goes with the editor. */
export interface WorkbenchParts {
  browser: Browser;
  editor: EditorServer;
  page: Page;
  workspace: SampleWorkspace;
  log: readonly string[];
}

/** A window of the editor as a person has it; every method waits until what it names is there. */
export class Workbench implements AsyncDisposable {
  readonly page: Page;
  readonly editor: EditorServer;
  /** The copy of the sample workspace that is open. */
  readonly workspace: SampleWorkspace;
  readonly quickPick: QuickPick;
  readonly tree: Tree;
  readonly chat: ChatView;
  /** All that the window has logged, each entry led by its level and a colon. */
  readonly log: readonly string[];
  readonly #browser: Browser;
  readonly #notifications: Locator;

  constructor({ browser, editor, page, workspace, log }: WorkbenchParts) {
    this.#browser = browser;
    this.editor = editor;
    this.page = page;
    this.workspace = workspace;
    this.log = log;
    this.quickPick = new QuickPick(page);
    this.tree = new Tree(page);
    this.chat = new ChatView(page);
    this.#notifications = page.locator('.notifications-center.visible');
  }

  /** Runs a command from the palette by its full title, `Category: Title`. */
  async runCommand(title: string): Promise<void> {
    // The palette does not pick up an entry that arrives while it is open.
    while (!(await this.#offers(title))) await this.quickPick.dismiss();
    const row = this.quickPick.item(title);
    await row.click();
    await row.waitFor({ state: 'hidden' });
  }

  /** Shows a container of the activity bar by its title. */
  async openView(title: string): Promise<void> {
    const icon = this.page.locator('.activitybar .action-item').filter({
      has: this.page.locator(`.action-label[aria-label^="${title}"]`),
    });
    const shown = this.page.locator('.part.sidebar .composite.title').getByText(title).first();
    // A click on the shown one hides the sidebar, and a window that has just opened may show it by itself.
    await poll(`the view ${title}`, viewMs, async () => {
      if (!(await icon.and(this.page.locator('.checked')).isVisible())) await icon.click();
      return shown.waitFor({ timeout: drawnMs }).then(
        () => true,
        () => undefined,
      );
    });
  }

  /** The text in view of the active editor, once one whose tab holds this title is active. */
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

  /** Closes the active editor. */
  async closeEditor(): Promise<void> {
    const tab = this.page.locator('.part.editor .tab.active');
    const name = await tab.getAttribute('data-resource-name');
    await tab.locator('.tab-actions .action-label').click();
    await this.page
      .locator(`.part.editor .tab[data-resource-name="${name}"]`)
      .waitFor({ state: 'hidden' });
  }

  /** Waits for a notification that holds this text, in their list: under test the editor shows them nowhere else. */
  async notification(text: string | RegExp): Promise<Locator> {
    if (!(await this.#notifications.isVisible()))
      await this.page.locator('[id="status.notifications"]').click();
    const notification = this.#notifications
      .locator('.notification-list-item')
      .filter({ hasText: text })
      .first();
    await notification.waitFor();
    return notification;
  }

  /** Hides the list of notifications, which covers a part of the window. */
  async hideNotifications(): Promise<void> {
    await this.#notifications.locator('.codicon-notifications-hide').click();
    await this.#notifications.waitFor({ state: 'hidden' });
  }

  /** A button of a modal dialog or a notification, by its text. */
  button(text: string): Locator {
    return this.page.locator('.monaco-dialog-box, .notification-list-item').getByRole('button', {
      name: text,
      exact: true,
    });
  }

  /** Warnings and errors of the window without those that this editor always has. */
  problems(): string[] {
    return salient(this.log);
  }

  /** Saves a picture of the window in the cache folder's `screenshots` and returns its path. */
  async screenshot(name: string): Promise<string> {
    const folder = join(cacheDirectory, 'screenshots');
    await mkdir(folder, { recursive: true });
    const path = join(folder, `${toFileName(name)}.png`);
    await this.leaveHover();
    await this.page.screenshot({ path });
    return path;
  }

  /** Moves the pointer away, so that no tooltip covers what is shown. */
  async leaveHover(): Promise<void> {
    await this.page.mouse.move(0, 0);
    await this.page.locator('.workbench-hover-container').first().waitFor({ state: 'hidden' });
  }

  /** Saves the window's log and the editor's output and returns the path. */
  saveLog(name: string): Promise<string> {
    return saveLog(toFileName(name), [...this.log, this.editor.output()]);
  }

  /** Closes the window and ends every process of the editor. */
  async dispose(): Promise<void> {
    await this.#browser.close();
    await this.editor.dispose();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.dispose();
  }

  async #offers(title: string): Promise<boolean> {
    await this.page.keyboard.press('F1');
    await this.quickPick.type(`>${title}`);
    try {
      await this.quickPick.item(title).waitFor({ timeout: paletteMs });
      return true;
    } catch (error) {
      if (error instanceof errors.TimeoutError) return false;
      throw error;
    }
  }
}
