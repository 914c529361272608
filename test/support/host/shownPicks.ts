// Shared by tests inside the extension host, and by unit tests with the double of the editor.
import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { deferred } from '../../../src/base/async';
import { untilEditorCaughtUp } from '../../../src/ui/editorCommands';
import { poll } from '../poll';

const waitMs = 20_000;

type Pick = vscode.QuickPick<vscode.QuickPickItem>;

/** The button that leads to the actions of a step that have none of their own. */
const moreActions = 'More Actions…';

/** Takes the row with this label from the list that is shown next. */
function takeFromMenu(label: string): void {
  const { showQuickPick } = vscode.window;
  vscode.window.showQuickPick = async (rows: unknown) => {
    vscode.window.showQuickPick = showQuickPick;
    const shown = (await rows) as readonly vscode.QuickPickItem[];
    const row = shown.find((one) => one.label === label);
    assert.ok(row, `${label} among ${shown.map((one) => one.label).join(', ')}`);
    return row as never;
  };
}

/** A quick pick that the extension shows, and what a user can do with it. */
export class ShownPick {
  readonly pick: Pick;
  readonly #accept: (() => void)[] = [];
  readonly #press: ((button: vscode.QuickInputButton) => void)[] = [];
  readonly #pressRow: Parameters<Pick['onDidTriggerItemButton']>[0][] = [];
  #isOpen = false;
  #isDrawn = false;
  #shown = deferred<void>();

  constructor(pick: Pick) {
    this.pick = pick;
    const { onDidAccept, onDidTriggerButton, onDidTriggerItemButton } = pick;
    const show = pick.show.bind(pick);
    const dispose = pick.dispose.bind(pick);
    Object.assign(pick, {
      onDidAccept: (listener: () => void) => {
        this.#accept.push(listener);
        return onDidAccept(listener);
      },
      onDidTriggerButton: (listener: (button: vscode.QuickInputButton) => void) => {
        this.#press.push(listener);
        return onDidTriggerButton(listener);
      },
      onDidTriggerItemButton: (listener: Parameters<Pick['onDidTriggerItemButton']>[0]) => {
        this.#pressRow.push(listener);
        return onDidTriggerItemButton(listener);
      },
      show: () => {
        show();
        this.#isOpen = true;
        this.#shown.resolve();
        void untilEditorCaughtUp().then(() => (this.#isDrawn = true));
      },
      dispose: () => {
        this.#isOpen = false;
        dispose();
      },
    });
  }

  /** Resolves when it is shown the next time. */
  whenShown(): Promise<void> {
    this.#shown = deferred();
    return this.#shown.promise;
  }

  get isOpen(): boolean {
    return this.#isOpen;
  }

  /** True once the editor has drawn it and reported which row Enter takes, if any. */
  get isReady(): boolean {
    return this.pick.canSelectMany || this.pick.activeItems.length > 0 || this.#isDrawn;
  }

  get title(): string {
    return this.pick.title ?? '';
  }

  get labels(): string[] {
    return this.pick.items.map(({ label }) => label);
  }

  get buttons(): string[] {
    return this.pick.buttons.map(({ tooltip }) => tooltip ?? '');
  }

  /** Types a text into the box, replacing what is there. */
  async type(text: string): Promise<void> {
    this.pick.value = text;
    // The editor reports what was typed as an event of its own.
    await poll(`“${text}” in the box`, waitMs, () =>
      Promise.resolve(this.labels.includes(text) || text === '' ? true : undefined),
    );
  }

  /** Types a text into the box and presses Enter. */
  async enter(text: string): Promise<void> {
    await this.type(text);
    this.accept();
  }

  /** Chooses the rows with these labels and presses Enter. */
  choose(...labels: string[]): void {
    const rows = labels.map((label) => {
      const row = this.pick.items.find((item) => item.label === label);
      assert.ok(row, `${label} among ${this.labels.join(', ')}`);
      return row;
    });
    if (this.pick.canSelectMany) this.pick.selectedItems = rows;
    else this.pick.activeItems = rows;
    this.accept();
  }

  /** Clicks a row while another one is active, as happens while the rows are being redrawn. */
  click(label: string): void {
    const row = this.pick.items.find((item) => item.label === label);
    assert.ok(row, `${label} among ${this.labels.join(', ')}`);
    this.pick.selectedItems = [row];
    for (const listener of this.#accept) listener();
  }

  /** Presses Enter. */
  accept(): void {
    // As the editor does before it reports Enter; typed text counts even without a row.
    if (!this.pick.canSelectMany && this.pick.value === '')
      this.pick.selectedItems = this.pick.activeItems;
    for (const listener of this.#accept) listener();
  }

  /** Presses the button of the title that has this tooltip, or takes that from the menu behind the last one. */
  press(tooltip: string): void {
    const find = (label: string) => this.pick.buttons.find((one) => one.tooltip === label);
    const button = find(tooltip) ?? find(moreActions);
    assert.ok(button, `${tooltip} among ${this.buttons.join(', ')}`);
    if (button.tooltip !== tooltip) takeFromMenu(tooltip);
    for (const listener of this.#press) listener(button);
  }

  /** Presses the button with this tooltip on the row with this label. */
  pressRow(label: string, tooltip: string): void {
    const item = this.pick.items.find((one) => one.label === label);
    const button = item?.buttons?.find((one) => one.tooltip === tooltip);
    assert.ok(item && button, `${tooltip} on ${label} among ${this.labels.join(', ')}`);
    for (const listener of this.#pressRow) listener({ item, button });
  }

  /** Presses *Back*. */
  back(): void {
    for (const listener of this.#press) listener(vscode.QuickInputButtons.Back);
  }

  /** Presses Escape. */
  escape(): void {
    void vscode.commands.executeCommand('mcpWorkbench.leaveQuestion');
  }

  /**
   * Dismisses it as a click elsewhere does; tries again, because a list that has only just appeared is shown once more.
   */
  async leave(): Promise<void> {
    const pick = this.pick;
    await poll(`the end of “${this.title}”`, waitMs, () => {
      if (this.#isOpen) pick.hide();
      return Promise.resolve(this.#isOpen ? undefined : true);
    });
  }

  /** Resolves once it leaves the keyboard where it goes next; until then, it takes it back from a redrawn tree. */
  async settled(): Promise<void> {
    await poll(`the keyboard in “${this.title}”`, waitMs, () =>
      Promise.resolve(Reflect.get(this.pick, 'valueSelection') ? true : undefined),
    );
    // What is set is sent to the editor later, in a timer.
    await new Promise((resolve) => setTimeout(resolve));
    await untilEditorCaughtUp();
  }

  /** Resolves once the line below the box matches. */
  async says(pattern: RegExp): Promise<void> {
    await poll(`${pattern.source} below the box`, waitMs, () =>
      Promise.resolve(pattern.test(this.pick.prompt ?? '') ? true : undefined),
    );
  }

  /** Resolves once it is closed. */
  async closed(): Promise<void> {
    await poll(`the end of “${this.title}”`, waitMs, () =>
      Promise.resolve(this.isOpen ? undefined : true),
    );
  }
}

/** The quick picks that the extension shows while they are watched. */
export interface WatchedPicks {
  readonly open: readonly ShownPick[];
  /** Waits for an open one whose title matches and that was not returned before; throws if none appears. */
  next(title: RegExp): Promise<ShownPick>;
  dispose(): void;
}

/** Watches every quick pick that the extension shows from now on. */
export function watchPicks(): WatchedPicks {
  const { createQuickPick } = vscode.window;
  const shown: ShownPick[] = [];
  const seen = new Set<ShownPick>();
  vscode.window.createQuickPick = <T extends vscode.QuickPickItem>() => {
    const pick = createQuickPick<T>();
    shown.push(new ShownPick(pick));
    return pick;
  };
  const openPicks = () => shown.filter(({ isOpen }) => isOpen);
  return {
    get open() {
      return openPicks();
    },
    next: async (title) => {
      const find = () =>
        openPicks().find((one) => one.isReady && !seen.has(one) && title.test(one.title));
      const found = await poll(`a quick pick called ${String(title)}`, waitMs, () =>
        Promise.resolve(find()),
      ).catch((error: unknown) => {
        const open = openPicks().map(
          (one) => `“${one.title}”: ${one.pick.prompt}, ${one.labels.join()}`,
        );
        throw new Error(`${String(error)} Open: ${open.join('; ') || 'none'}.`);
      });
      seen.add(found);
      return found;
    },
    dispose: () => {
      vscode.window.createQuickPick = createQuickPick;
    },
  };
}
