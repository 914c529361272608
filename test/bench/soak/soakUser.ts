import { setTimeout as delay } from 'node:timers/promises';
import { errors, type Locator } from 'playwright-core';
import type { Workbench } from '../../support/workbench/workbench';
import type { Deed } from './soakLog';

/** What the user may be typing when a question comes up: mostly words from its answers. */
const words =
  'allow once always deny start this session for the workspace us not now t al work way all tools edit show'.split(
    ' ',
  );

/** The milliseconds between two keystrokes; a few pauses are as long as a thought. */
const keyMs = { shortest: 15, longest: 110, thought: 600 };
/** Longer than a new question ignores keys. */
const lookMs = 1100;
const clickMs = 500;
const deeds: readonly Deed[] = (['allowed', 'denied'] as const).flatMap((verdict) =>
  (['click', 'key'] as const).map((how) => ({ verdict, how })),
);

/** A user who works in an editor, often without looking, and answers questions now and then. */
export class SoakUser {
  /** What was done with the question about a call, by the number in the call's argument. */
  readonly deeds = new Map<number, Deed>();
  /** How often each action was taken. */
  readonly counts: Record<string, number> = {};
  private readonly workbench: Workbench;
  private readonly random: () => number;
  private readonly question: Locator;

  constructor(workbench: Workbench, random: () => number) {
    this.workbench = workbench;
    this.random = random;
    this.question = workbench.quickPick.widget
      .locator('.quick-input-title')
      .filter({ hasText: /^demo › echo/ });
  }

  /** Does something that a user does, chosen at random. */
  async act(): Promise<void> {
    const acts = {
      write: () => this.write(),
      palette: () => this.palette(),
      quickOpen: () => this.quickOpen(),
      search: () => this.search(),
      find: () => this.find(),
      goToLine: () => this.goToLine(),
      switchTabs: () => this.switchTabs(),
      think: () => delay(500 + this.random() * 7000),
    };
    await this.try('dialog', () => this.closeDialog());
    const name = this.oneOf(Object.keys(acts) as (keyof typeof acts)[]);
    await this.try(name, acts[name]);
  }

  /** Cancels a dialog that the editor shows because the letters ran one of its commands. */
  private async closeDialog(): Promise<void> {
    const dialog = this.workbench.page.locator('.monaco-dialog-box');
    if (await dialog.isVisible()) await dialog.getByRole('button', { name: 'Cancel' }).click();
  }

  /** Tries to do something, and gives up if something else is in the way. */
  private async try(name: string, act: () => Promise<unknown>): Promise<void> {
    this.counts[name] = (this.counts[name] ?? 0) + 1;
    try {
      await act();
    } catch (error) {
      if (!(error instanceof errors.TimeoutError)) throw error;
      this.counts['left'] = (this.counts['left'] ?? 0) + 1;
    }
  }

  /** Answers the question that is waiting, if there is one. */
  answer(): Promise<void> {
    return this.try('answer', () => this.decide());
  }

  private async decide(): Promise<void> {
    const { page, quickPick } = this.workbench;
    if (!(await this.isAsked())) return;
    const row = quickPick.widget.getByText(/^n: \d+$/).first();
    const text = await row.innerText();
    const n = Number(/\d+$/.exec(text)?.[0]);
    // A decision that had no effect before is tried again.
    const deed = this.deeds.get(n) ?? this.oneOf(deeds);
    this.deeds.set(n, deed);
    // Keys go to whatever has the focus, which may be the editor again.
    if (deed.how === 'key') await quickPick.input.click();
    const isAllowed = deed.verdict === 'allowed';
    if (deed.how === 'click') await quickPick.pick(isAllowed ? 'Allow Once' : 'Deny');
    else {
      // A key pressed too early does nothing, and the decision is tried again.
      await delay(lookMs);
      if (isAllowed) await page.keyboard.press('ArrowDown');
      if (isAllowed) await quickPick.waitForActive('Allow Once');
      await page.keyboard.press(isAllowed ? 'Enter' : this.oneOf(['Enter', 'Escape']));
    }
    await row.filter({ hasText: new RegExp(`^n: ${n}$`) }).waitFor({ state: 'hidden' });
  }

  /** True once a question is on the screen; false if none is waiting. */
  private async isAsked(): Promise<boolean> {
    const { page } = this.workbench;
    const item = page.locator('.statusbar').getByText(/waits? for your answer/);
    while (!(await this.question.isVisible())) {
      if (!(await item.isVisible())) return false;
      // The question may come up by itself first.
      await item.click({ timeout: clickMs }).catch((error: unknown) => {
        if (!(error instanceof errors.TimeoutError)) throw error;
      });
      await delay(clickMs);
    }
    return true;
  }

  /** Types lines into an editor, or into whatever has the focus by then. */
  private async write(): Promise<void> {
    const { page, quickPick } = this.workbench;
    if (!(await quickPick.widget.isVisible()))
      await page.locator('.part.editor .editor-group-container.active .view-lines').first().click();
    const lines = 1 + Math.floor(this.random() * 5);
    for (let line = 0; line < lines; line += 1) {
      await this.type(this.line());
      await page.keyboard.press('Enter');
      if (this.random() < 0.2) await page.keyboard.press('Enter');
      if (this.random() < 0.1) await page.keyboard.press('ControlOrMeta+S');
      await this.pause();
    }
  }

  private async palette(): Promise<void> {
    const { page } = this.workbench;
    await page.keyboard.press(this.oneOf(['F1', 'ControlOrMeta+Shift+P']));
    // Nothing else may match, because Enter would run it.
    await this.type(this.oneOf(['view: toggle word wrap', 'fold all', 'allow']));
    await page.keyboard.press('Escape');
  }

  private async quickOpen(): Promise<void> {
    const { page } = this.workbench;
    await page.keyboard.press('ControlOrMeta+P');
    await this.type(this.oneOf(['index', 'hello', 'cart', 'deny']));
    await delay(this.random() * 400);
    await page.keyboard.press(this.oneOf(['Enter', 'Escape']));
  }

  private async search(): Promise<void> {
    const { page } = this.workbench;
    await page.keyboard.press('ControlOrMeta+Shift+F');
    await this.type(this.line());
    await page.keyboard.press('Enter');
  }

  private async find(): Promise<void> {
    const { page } = this.workbench;
    await page.keyboard.press('ControlOrMeta+F');
    await this.type(this.oneOf(words));
    await page.keyboard.press('Enter');
    await page.keyboard.press('Escape');
  }

  private async goToLine(): Promise<void> {
    const { page } = this.workbench;
    await page.keyboard.press('Control+G');
    await this.type(String(1 + Math.floor(this.random() * 9)));
    await page.keyboard.press(this.oneOf(['Enter', 'Escape']));
  }

  private async switchTabs(): Promise<void> {
    const tabs = this.workbench.page.locator('.part.editor .tab .tab-label');
    const count = await tabs.count();
    if (count > 0) await tabs.nth(Math.floor(this.random() * count)).click({ force: true });
  }

  private async type(text: string): Promise<void> {
    for (const letter of text) {
      await this.workbench.page.keyboard.press(letter === ' ' ? 'Space' : letter);
      await this.pause();
    }
  }

  private pause(): Promise<void> {
    const { shortest, longest, thought } = keyMs;
    const isThought = this.random() < 0.03;
    return delay(shortest + this.random() * ((isThought ? thought : longest) - shortest));
  }

  private line(): string {
    const count = 1 + Math.floor(this.random() * 6);
    return Array.from({ length: count }, () => this.oneOf(words)).join(' ');
  }

  private oneOf<T>(all: readonly T[]): T {
    const [first] = all;
    const one = all[Math.floor(this.random() * all.length)] ?? first;
    if (one === undefined) throw new Error('There is nothing to choose from.');
    return one;
  }
}
