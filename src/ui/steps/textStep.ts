import * as vscode from 'vscode';
import { type Disposable, DisposableHolder, DisposableStore } from '../../base/disposable';
import { formatBytes, plainLabel, plainMessage } from '../../base/text/text';
import type { StepAnswer, StepLink, StepPosition } from './multiStep';
import { createPastedLines } from '../sources/pastedLines';
import { type FieldQuestion, askedFor, promptLine } from './promptLine';
import { type ShownStep, type StepAction, activateResting, frameOf, frameStep } from './stepFrame';
import { whenEditorCaughtUp } from '../editorCommands';
import { type PickRow } from '../rows/picks';
import { byUser, type UserAction } from '../questions/question';
import { type Suggest, type SuggestedValues, Suggestions } from './suggestions';
import {
  type TextChoice,
  type TextStepState,
  describeText,
  fitsBox,
  maxSuggestions,
  meantChoice,
  textChoices,
} from '../sources/textChoices';
import { createPick, forgetClick, safeRows, separator } from '../rows/picks';

/** A line of a text step; separators have no choice. */
type ChoiceItem = StepLink & { readonly choice?: TextChoice };

/** Returns the lines of a text step, with the number of suggestions above the first of them. */
function choiceItems(state: TextStepState): readonly ChoiceItem[] {
  const choices = textChoices(state);
  const items = choices.map((choice) => choiceItem(choice, state));
  const first = choices.findIndex(({ kind }) => kind === 'suggested');
  if (first >= 0) {
    const kind = vscode.QuickPickItemKind.Separator;
    items.splice(first, 0, { label: countLabel(choices.length - first, state.suggested), kind });
  }
  return items;
}

function choiceItem(
  choice: TextChoice,
  { put, last, source = '', rest = '' }: TextStepState,
): ChoiceItem {
  const { kind, value } = choice;
  if (kind === 'rest')
    return { label: rest, iconPath: new vscode.ThemeIcon('run-all'), alwaysShow: true, choice };
  if (kind === 'source')
    return { label: source, iconPath: new vscode.ThemeIcon('edit'), alwaysShow: true, choice };
  if (value === undefined) {
    // Nothing to choose, but it keeps the place of what is typed, so that no row moves with the first letter.
    if (kind === 'missing') return separator(vscode.l10n.t('Enter a value'));
    const iconPath = new vscode.ThemeIcon('circle-slash');
    return { label: vscode.l10n.t('Skip'), iconPath, alwaysShow: true, choice };
  }
  const { label, lines, bytes } = describeText(value);
  const notes = [
    ...(kind === 'typed' && value !== put ? [vscode.l10n.t('as typed')] : []),
    ...(kind === 'last' || (value === put && value === last) ? [vscode.l10n.t('last time')] : []),
    ...(fitsBox(value) ? [] : [vscode.l10n.t('{0} lines, {1}', lines, formatBytes(bytes))]),
  ];
  const edit: vscode.QuickInputButton = {
    iconPath: new vscode.ThemeIcon('edit'),
    tooltip: vscode.l10n.t('Use as Value'),
  };
  return {
    label,
    description: notes.join(' · '),
    alwaysShow: true,
    choice,
    ...(kind !== 'typed' && fitsBox(value) && { buttons: [edit] }),
  };
}

function countLabel(shown: number, { values, total: told, hasMore }: SuggestedValues): string {
  const total = values.length > maxSuggestions ? Math.max(values.length, told ?? 0) : told;
  if (total !== undefined && total > shown)
    return vscode.l10n.t('{0} of {1} suggestions', shown, total);
  return hasMore
    ? vscode.l10n.t('first {0} suggestions; there are more', shown)
    : vscode.l10n.t('suggestions');
}

/**
 * What a source of text gets from its step: `signal` aborts with it, `keep` receives a text that is not finished yet.
 */
export interface TextReading {
  /** The user's action that wants the text. */
  readonly action: UserAction;
  readonly signal: AbortSignal | undefined;
  readonly keep: (text: string) => void;
}

/** The position of a step for a text, and what receives a text that is not finished yet. */
interface TextPlace extends StepPosition {
  readonly keep: (text: string) => void;
}

/** A button that gets a text from elsewhere; `read` receives the current text and may show UI. */
export interface TextSource {
  readonly icon: vscode.ThemeIcon;
  readonly label: string;
  /** True if it opens an editor, during which other questions may be shown. */
  readonly inEditor?: boolean;
  /** True for one of several ways to get a text, which can share a menu. */
  readonly isMinor?: boolean;
  read(current: string, reading: TextReading): Promise<string | undefined>;
}

/** One question for a text; texts that a server wrote are passed as they are. */
export interface TextQuestion extends FieldQuestion {
  /** The value from last time, offered as a choice. */
  readonly last?: string;
  readonly suggest?: Suggest;
  readonly sources?: readonly TextSource[];
  /** A source that is offered as the first row: its text is the answer, once it is accepted. */
  readonly first?: TextSource;
  /** Says what an answer leads to; it may change while the step is shown. */
  readonly next?: () => string;
  /** Returns one sentence saying why a text cannot be accepted, `undefined` if it can; called while typing, too. */
  readonly validate?: (text: string) => Promise<string | undefined>;
  /** Returns what is odd about a text, if anything, for the first Enter; only the next Enter accepts it. */
  readonly doubt?: (text: string) => Promise<string | undefined>;
}

/** Asks for one text, starting with `value`, with suggestions and sources; never loses what was typed. */
export function askText(
  question: TextQuestion,
  place: TextPlace,
  value?: string,
): Promise<StepAnswer<string>> {
  return new TextStep(question, place, value).ask();
}

class TextStep {
  private readonly canGoBack: boolean;
  private readonly keep: (text: string) => void;
  private readonly rest: string | undefined;
  private readonly links: readonly StepLink[];
  private readonly pick: vscode.QuickPick<PickRow<ChoiceItem>>;
  private readonly store = new DisposableStore();
  private readonly settled = this.store.add(new DisposableHolder<Disposable>());
  private readonly suggestions: Suggestions | undefined;
  private readonly question: TextQuestion;
  private held: string | undefined;
  private put: string | undefined;
  private problem: string | undefined;
  private doubted: string | undefined;
  private checking = false;
  /** The row that the user moved to since the box last changed. */
  private moved: TextChoice | undefined;
  /** The step of that row, if it leads to one. */
  private movedTo: string | undefined;
  private settling: object | undefined;
  private shownStep: ShownStep | undefined;
  private readonly pasted = createPastedLines();

  constructor(question: TextQuestion, place: TextPlace, value: string | undefined) {
    this.question = question;
    this.canGoBack = place.canGoBack;
    this.keep = place.keep;
    this.rest = place.rest;
    this.links = place.links ?? [];
    this.pick = this.store.add(createPick<ChoiceItem>(frameOf(question.title).context));
    const { pick } = this;
    pick.step = place.number;
    pick.totalSteps = place.count;
    pick.ignoreFocusOut = true;
    pick.placeholder = question.suggest
      ? vscode.l10n.t('Type a value, or choose one')
      : vscode.l10n.t('Type a value');
    if (question.suggest) {
      this.suggestions = this.store.add(
        new Suggestions(question.suggest, undefined, vscode.l10n.t),
      );
      this.store.add(this.suggestions.onDidChange(() => this.show()));
    }
    this.set(value);
  }

  ask(): Promise<StepAnswer<string>> {
    const { pick, store, question } = this;
    return new Promise((resolve) => {
      const end = (kind: StepAnswer<string>['kind'], value = this.value, to?: string) => {
        store.dispose();
        resolve({ kind, value, ...(to !== undefined && { to }) });
      };
      store.add(
        pick.onDidTriggerItemButton(({ item }) => {
          if (item.choice) this.set(item.choice.value);
          this.show();
        }),
      );
      this.suggestions?.update(pick.value);
      this.show();
      this.shownStep = store.add(
        frameStep(pick, {
          name: question.name,
          frame: frameOf(question.title),
          actions: this.actions(),
          canGoBack: this.canGoBack,
          end: (kind) => end(kind),
          text: {
            changed: (value) => {
              this.doubted = undefined;
              this.moved = undefined;
              this.movedTo = undefined;
              void this.keepLineBreaks(value);
              void this.checkTyped();
              this.suggestions?.update(value);
              this.show();
            },
            accepted: async () => {
              const { movedTo } = this;
              const isLink = movedTo !== undefined && pick.selectedItems[0]?.to === movedTo;
              if (isLink) return end('back', this.value, movedTo);
              const choice = this.chosen();
              if (choice?.kind === 'source') return void this.takeFrom(question.first, end);
              const isRest = choice?.kind === 'rest';
              this.problem = isRest ? await this.checkText(this.value) : await this.check(choice);
              if (this.problem !== undefined) {
                forgetClick(pick);
                return this.show();
              }
              if (isRest) return end('rest');
              // Left out on purpose: a held text no longer counts.
              if (choice?.kind === 'skip') this.set(undefined);
              end('next', choice?.value);
            },
            resting: () => this.restingRows(),
          },
        }),
      );
      store.add(
        pick.onDidChangeActive(([row]) => {
          if (this.settling) return;
          this.moved = row?.choice;
          this.movedTo = row?.to;
        }),
      );
    });
  }

  /** Returns the row that Enter takes: the one that the user moved to, or else the one that is meant without that. */
  private restingRows(): readonly PickRow<ChoiceItem>[] {
    const { items } = this.pick;
    const find = (wanted: TextChoice | undefined) =>
      wanted && items.find(({ choice }) => isSame(choice, wanted));
    const row = find(this.moved) ?? find(meantChoice(this.state));
    return row ? [row] : [];
  }

  /** Makes the row active that Enter takes; until the editor has reported that, it moves, and not the user. */
  private activate(): void {
    const settling = {};
    this.settling = settling;
    this.settled.value = activateResting(this.pick, { resting: () => this.restingRows() });
    setTimeout(() =>
      whenEditorCaughtUp(() => {
        if (this.settling === settling) this.settling = undefined;
      }),
    );
  }

  /** Takes a pasted text from the clipboard if the box has flattened it. */
  private async keepLineBreaks(value: string): Promise<void> {
    const whole = await this.pasted.meant(value);
    if (whole === undefined || this.pick.value !== value) return;
    this.set(whole);
    this.show();
  }

  private get value(): string | undefined {
    return this.pick.value || this.held;
  }

  private set(value: string | undefined): void {
    const boxed = value === undefined || fitsBox(value);
    this.held = boxed ? undefined : value;
    this.put = value;
    this.pick.value = boxed ? (value ?? '') : '';
    this.pasted.put(this.pick.value);
    this.suggestions?.update(this.pick.value);
  }

  /** Checks what is in the box, and again if it has changed in the meantime. */
  private async checkTyped(): Promise<void> {
    if (this.checking) return;
    this.checking = true;
    for (let checked: string | undefined; checked !== this.pick.value;) {
      checked = this.pick.value;
      this.problem = checked ? await this.question.validate?.(checked) : undefined;
    }
    this.checking = false;
    this.show();
  }

  private actions(): readonly StepAction[] {
    const { sources = [], leave } = this.question;
    return [
      // `read` makes room for what a source shows, as it needs the result, too.
      ...sources.map((source) => {
        const { icon, label, isMinor = false } = source;
        return { icon, label, isMinor, run: (action: UserAction) => this.read(source, action) };
      }),
      ...(leave ? [{ ...leave, ends: 'leave' } as const] : []),
    ];
  }

  /** Gets the answer from a source; if it cannot be accepted, or none came, the step goes on. */
  private async takeFrom(
    source: TextSource | undefined,
    end: (kind: 'next', value: string) => void,
  ): Promise<void> {
    forgetClick(this.pick);
    const before = this.value;
    if (source) await this.read(source, byUser());
    const { value } = this;
    if (value === undefined || value === before || this.problem !== undefined) return;
    this.problem = await this.checkText(value);
    if (this.problem === undefined) end('next', value);
    else this.show();
  }

  private async read(source: TextSource, action: UserAction): Promise<void> {
    this.pick.busy = true;
    await this.shownStep?.away(async () => {
      try {
        const { context } = frameOf(this.question.title);
        const keep = (text: string) => {
          // If the step ends in the meantime, it ends with this text.
          this.set(text);
          this.keep(text);
        };
        const text = await source.read(this.value ?? '', { action, signal: context?.signal, keep });
        if (text !== undefined) this.set(text);
        this.problem = undefined;
      } catch (error) {
        this.problem = error instanceof Error ? error.message : String(error);
      }
      this.show();
    }, source.inEditor ?? false);
  }

  private chosen(): TextChoice | undefined {
    const typed = this.pick.value;
    const choice = this.pick.selectedItems[0]?.choice;
    if (typed && choice?.kind === 'typed') return { kind: 'typed', value: typed };
    // Enter may come before the editor has drawn the choices.
    return choice ?? (typed ? { kind: 'typed', value: typed } : meantChoice(this.state));
  }

  private get state(): TextStepState {
    const { pick, held, put, question, rest, suggestions } = this;
    const { first, last, required } = question;
    const suggested = suggestions?.values ?? { values: [] };
    return { typed: pick.value, held, put, last, required, source: first?.label, rest, suggested };
  }

  private async check(choice: TextChoice | undefined): Promise<string | undefined> {
    const { name } = this.question;
    if (!choice) return vscode.l10n.t('"{0}" is required. Enter a value.', plainLabel(name));
    return this.checkText(choice.value);
  }

  private async checkText(text: string | undefined): Promise<string | undefined> {
    if (text === undefined) return undefined;
    const { validate, doubt } = this.question;
    const problem = await validate?.(text);
    if (problem !== undefined || text === this.doubted) return problem;
    const said = await doubt?.(text);
    this.doubted = said === undefined ? undefined : text;
    return said;
  }

  private show(): void {
    const { pick, question, suggestions } = this;
    pick.busy = suggestions?.busy ?? false;
    const failed = suggestions?.error;
    const { problem } = this;
    const notes = [
      problem ?? question.description ?? '',
      failed === undefined ? '' : vscode.l10n.t('No suggestions: {0}', failed),
    ];
    const line = promptLine(notes.filter(Boolean).join(' · '), frameOf(question.title).more);
    // This part is never cut, however long the other texts are.
    const parts = [problem === undefined ? askedFor(question) : '', line, question.next?.()];
    pick.prompt = plainMessage(parts.filter(Boolean).join(' · '));
    pick.items = safeRows([...choiceItems(this.state), ...this.links]);
    this.activate();
  }
}

function isSame(one: TextChoice | undefined, other: TextChoice): boolean {
  return one?.kind === other.kind && one.value === other.value;
}
