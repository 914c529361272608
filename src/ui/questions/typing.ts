import type { KeyClock } from './question';
import { plainLabel } from '../../base/text/text';
import * as vscode from 'vscode';
import type { InputBox } from 'vscode';
import type { Environment } from '../../mcp/platform';
import { whenEditorCaughtUp } from '../editorCommands';

/** Keeps text out of a form that was typed for something else, such as a terminal, when the form came up by itself. */
export class StrayText {
  private readonly input: Pick<InputBox, 'value' | 'placeholder'>;
  private readonly quiet: QuietTime;
  private readonly note: string;
  private kept = '';
  /** The placeholder that the note replaces, while it does. */
  private covered: { readonly placeholder: string | undefined } | undefined;

  /** `note` is shown in the empty box to say that something was not taken. */
  constructor(input: StrayText['input'], clock: KeyClock, note: string) {
    this.input = input;
    this.quiet = new QuietTime(clock);
    this.note = note;
  }

  /** Notes that the form comes up or comes back with what its box contains; `isUnsolicited` if the user did not cause it. */
  shown(isUnsolicited: boolean): void {
    if (!isUnsolicited) return;
    this.kept = this.input.value;
    this.quiet.shown();
  }

  /** True while keys are ignored. */
  get isQuiet(): boolean {
    return this.quiet.isOn;
  }

  /** Restores the box if its new value was not typed for it; true if that was the case. */
  takesBack(value: string): boolean {
    const { input, covered } = this;
    // Restoring the box is reported as a change, too.
    const isStray = this.isQuiet && value !== this.kept;
    if (isStray) {
      this.quiet.strayed();
      this.covered ??= { placeholder: input.placeholder };
      input.placeholder = plainLabel(this.note);
      input.value = this.kept;
    } else if (covered && !this.isQuiet) {
      this.covered = undefined;
      input.placeholder = covered.placeholder && plainLabel(covered.placeholder);
    }
    return isStray;
  }
}

/** How long keys decide nothing after a question comes up: they were meant for something else. */
const quietMs = 700;

/** The same after a document gets the keyboard, in which the user may go on typing. */
const documentQuietMs = 1000;

/** The environment variable by which keys count at once: `1` in windows that develop or test the extension. */
const noQuietVariable = 'MCP_WORKBENCH_NO_QUIET';

/** Returns the clocks for this window's questions, and for its documents that wait for an answer. */
export function readKeyClocks(
  { extensionMode }: Pick<vscode.ExtensionContext, 'extensionMode'>,
  env: Environment,
): { readonly questions: KeyClock; readonly documents: KeyClock } {
  const isProduct = extensionMode === vscode.ExtensionMode.Production;
  const isQuiet = isProduct || env[noQuietVariable] !== '1';
  if (!isQuiet) return { questions: promptKeys, documents: promptKeys };
  const clock = (quiet: number): KeyClock => ({
    now: Date.now,
    quietMs: quiet,
    whenDrawn: whenEditorCaughtUp,
  });
  return { questions: clock(quietMs), documents: clock(documentQuietMs) };
}

/** Stray typing has pauses: after a letter, keys are ignored for this many times the initial period. */
export const strayFactor = 3;

/** The period after something comes up in which keys are assumed to be meant for what the user was doing before. */
export class QuietTime {
  private readonly clock: KeyClock;
  private endsAt = 0;
  private shows = 0;

  constructor(clock: KeyClock) {
    this.clock = clock;
  }

  /** Starts the period because something comes up or comes back; it is counted from when the user sees it. */
  shown(): void {
    const show = (this.shows += 1);
    // A busy editor draws late.
    this.endsAt = Infinity;
    this.clock.whenDrawn(() => {
      if (show === this.shows) this.endsAt = this.clock.now() + this.clock.quietMs;
    });
  }

  /** Extends the period because a letter was meant for something else, and others may follow it. */
  strayed(): void {
    // Whatever is typed into has been drawn.
    this.shows += 1;
    this.endsAt = this.clock.now() + strayFactor * this.clock.quietMs;
  }

  /** True while keys are ignored. */
  get isOn(): boolean {
    return this.clock.now() < this.endsAt;
  }
}

/**
 * Tells the clicks on a question from those that were meant for another one at the same place: the second click of a
 * double click, and one that was on its way when the other went away without the user's answer.
 */
export class StrayClicks<T> {
  private readonly clock: KeyClock;
  private last: { readonly one: T; readonly at: number } | undefined;
  private gone: { readonly one: T; readonly at: number } | undefined;
  private replacing: { readonly one: T; readonly quiet: QuietTime } | undefined;

  constructor(clock: KeyClock) {
    this.clock = clock;
  }

  /** Notes that the user has clicked on a question. */
  clicked(one: T): void {
    this.last = { one, at: this.clock.now() };
  }

  /** Notes that a question that the user saw is about to go away, which they did not cause by an answer. */
  lost(one: T): void {
    this.gone = { one, at: this.clock.now() };
  }

  /** Notes that the user has just called up the question that is shown or about to be. */
  calledUp(): void {
    this.gone = undefined;
    this.replacing = undefined;
  }

  /** Notes that a question comes up or comes back. */
  shown(one: T): void {
    const { gone, clock } = this;
    if (!gone || gone.one === one || clock.now() - gone.at >= clock.quietMs) return;
    const quiet = new QuietTime(clock);
    quiet.shown();
    this.replacing = { one, quiet };
  }

  /** True if a click on this question is meant for it. */
  areFor(one: T): boolean {
    const { last, replacing, clock } = this;
    if (replacing?.one === one && replacing.quiet.isOn) return false;
    return !last || last.one === one || clock.now() - last.at >= clock.quietMs / 2;
  }
}

/** A clock by which keys count at once, for UI that the user asked for and that decides nothing. */
export const promptKeys: KeyClock = {
  now: Date.now,
  quietMs: 0,
  whenDrawn: (then) => then(),
};

/**
 * Decides which row a key takes in a question: typed text takes none; Enter takes the default, or the row that the user
 * moved to. With every letter, the editor moves to the first row and reports that before it reports the letter, so a
 * move counts only while the box is empty.
 */
export class Typing<T> {
  private readonly quiet: QuietTime;
  private readonly isDefault: (row: T) => boolean;
  private isEmpty = true;
  private moved = false;

  constructor(clock: KeyClock, isDefault: (row: T) => boolean) {
    this.quiet = new QuietTime(clock);
    this.isDefault = isDefault;
  }

  /** Notes that the question comes up or comes back: at first, keys are still meant for something else. */
  shown(): void {
    this.moved = false;
    this.quiet.shown();
  }

  /** True while keys are ignored. */
  get isQuiet(): boolean {
    return this.quiet.isOn;
  }

  /** Notes what the box contains now; true if it must be emptied and the default made active again. */
  changeValue(value: string): boolean {
    this.isEmpty = value === '';
    if (this.isEmpty) return false;
    this.moved = false;
    this.quiet.strayed();
    return true;
  }

  /** Notes which row is active now. */
  changeActive(row: T | undefined): void {
    this.moved = row !== undefined && !this.isDefault(row) && this.isEmpty && !this.isQuiet;
  }

  /** True if Enter takes the active row; otherwise the default must be made active again. */
  takesOnEnter(active: T): boolean {
    return !this.isQuiet && this.isEmpty && (this.moved || this.isDefault(active));
  }

  /** True if a click can take a row: nobody is typing. */
  get takesOnClick(): boolean {
    return this.isEmpty;
  }
}
