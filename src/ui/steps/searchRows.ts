import * as vscode from 'vscode';
import { deferred, Timer } from '../../base/async';
import { DisposableStore } from '../../base/disposable';
import { errorMessage } from '../../base/errors';
import { plainLabel, plainMessage } from '../../base/text/text';
import {
  createPick,
  forgetClick,
  safeRows,
  takenRow,
  type PickLook,
  type PickRow,
} from '../rows/picks';
import { frameStep, type StepFrame, type StepText } from './stepFrame';

/** A search waits for a pause of this many milliseconds in the typing. */
const pauseMs = 350;

/** Rows that were found, what to say about them in a plain message, and how to find more, if there is more. */
export interface FoundRows<T extends PickLook> {
  readonly rows: readonly T[];
  readonly prompt: string;
  readonly more?: ((signal: AbortSignal) => Promise<FoundRows<T>>) | undefined;
}

interface Row<T extends PickLook> extends PickLook {
  readonly found?: T;
  /** Called in place of taking a row. */
  readonly act?: () => unknown;
}

interface SearchOptions<T extends PickLook> {
  readonly frame: StepFrame;
  readonly placeholder: string;
  readonly prompt: string;
  readonly search: (text: string, signal: AbortSignal) => Promise<FoundRows<T>>;
}

type Look<T extends PickLook> = (signal: AbortSignal) => Promise<FoundRows<T>>;

/**
 * Lets the user type what to look for and pick one of the rows that are found elsewhere, such as over the network;
 * `undefined` if they dismissed the list. Nothing is looked for before something was typed; a failure is said below the
 * box and can be tried again.
 */
export function searchRows<T extends PickLook>(options: SearchOptions<T>): Promise<T | undefined> {
  return new SearchList(options).answer;
}

class SearchList<T extends PickLook> {
  private readonly options: SearchOptions<T>;
  private readonly store = new DisposableStore();
  private readonly pick: vscode.QuickPick<PickRow<Row<T>>>;
  /** Searches for what was typed, once the user pauses. */
  private readonly timer: Timer;
  /** Ends the search that is under way. */
  private asking: AbortController | undefined;
  private readonly answered = deferred<T | undefined>();

  constructor(options: SearchOptions<T>) {
    this.options = options;
    const { frame, placeholder, prompt, search } = options;
    const pick = this.store.add(createPick<Row<T>>(frame.context));
    this.pick = pick;
    pick.ignoreFocusOut = true;
    pick.placeholder = plainLabel(placeholder);
    pick.prompt = plainMessage(prompt);
    this.store.add({ dispose: () => this.asking?.abort() });
    this.timer = this.store.add(
      new Timer(() => {
        const typed = pick.value.trim();
        void this.find((signal) => search(typed, signal));
      }),
    );
    const text: StepText = {
      changed: (value) => this.typed(value),
      accepted: () => this.accepted(),
    };
    const end = () => this.end(undefined);
    this.store.add(frameStep(pick, { name: '', frame, canGoBack: false, end, text }));
  }

  get answer(): Promise<T | undefined> {
    return this.answered.promise;
  }

  private async find(look: Look<T>, before: readonly Row<T>[] = []): Promise<void> {
    const { pick } = this;
    this.asking?.abort();
    const current = new AbortController();
    this.asking = current;
    pick.busy = true;
    try {
      const found = await look(current.signal);
      if (this.asking !== current) return;
      this.showFound(found, before);
    } catch (error) {
      if (this.asking !== current) return;
      this.showFailure(error, look, before);
    }
    pick.busy = false;
  }

  private showFound({ rows, prompt, more }: FoundRows<T>, before: readonly Row<T>[]): void {
    const all = [...before, ...rows.map((row) => ({ ...row, found: row }))];
    const next: Row<T> = {
      label: vscode.l10n.t('More Results'),
      iconPath: new vscode.ThemeIcon('ellipsis'),
      act: () => more && this.find(more, all),
    };
    this.setRows(more ? [...all, next] : all, before.length);
    this.pick.prompt = plainMessage(prompt);
  }

  private showFailure(error: unknown, look: Look<T>, before: readonly Row<T>[]): void {
    const { t } = vscode.l10n;
    const again: Row<T> = {
      label: t('Try Again'),
      iconPath: new vscode.ThemeIcon('refresh'),
      act: () => this.find(look, before),
    };
    this.setRows([...before, again], before.length);
    this.pick.prompt = plainMessage(errorMessage(error, t));
  }

  private setRows(rows: readonly Row<T>[], active = 0): void {
    const { pick } = this;
    // What was found need not contain what was typed: the other side has searched.
    const shown = safeRows(rows.map((row) => ({ ...row, alwaysShow: true })));
    pick.items = shown;
    const first = shown[active];
    // The editor takes an active row only after the rows themselves.
    if (first && active > 0)
      setTimeout(() => {
        if (pick.items.includes(first)) pick.activeItems = [first];
      });
  }

  private typed(value: string): void {
    const { pick, timer } = this;
    this.asking?.abort();
    this.asking = undefined;
    // Enter takes nothing that was found for something else.
    this.setRows([]);
    pick.prompt = plainMessage(this.options.prompt);
    pick.busy = value.trim() !== '';
    if (pick.busy) timer.start(pauseMs);
    else timer.dispose();
  }

  private accepted(): unknown {
    const row = takenRow(this.pick);
    this.options.frame.context?.acted('click');
    if (row?.found) return this.end(row.found);
    forgetClick(this.pick);
    return row?.act?.();
  }

  private end(found: T | undefined): void {
    this.store.dispose();
    this.asking = undefined;
    this.answered.resolve(found);
  }
}
