import * as vscode from 'vscode';
import { DisposableStore } from '../base/disposable';
import { formatBytes, plainLabel } from '../base/text';
import type { StepAnswer, StepPlace } from './multiStep';
import { Suggestions, type Suggest } from './suggestions';
import { describeText, fitsBox, textChoices, type TextChoice } from './textChoices';

/** A button that brings a text from elsewhere; `read` gets the present text and may show UI. */
export interface TextSource {
  readonly icon: vscode.ThemeIcon;
  readonly label: string;
  read(current: string): Promise<string | undefined>;
}

/** One question for a text. Texts that a server wrote are passed as they are. */
export interface TextQuestion {
  readonly title: string;
  readonly name: string;
  readonly description?: string;
  readonly required: boolean;
  /** The value of the last time, offered as a choice. */
  readonly last?: string;
  readonly suggest?: Suggest;
  readonly sources?: readonly TextSource[];
  /** A button that ends the series in favour of another way to give the values. */
  readonly leave?: { readonly icon: vscode.ThemeIcon; readonly label: string };
  /** Says in one sentence why a text cannot be taken. */
  readonly validate?: (text: string) => string | undefined;
}

type ChoiceItem = vscode.QuickPickItem & { readonly choice?: TextChoice };

/** Asks for one text, beginning with `value`, with suggestions and sources; never loses what was typed. */
export function askText(
  question: TextQuestion,
  place: StepPlace<string>,
  value?: string,
): Promise<StepAnswer<string>> {
  return new TextStep(question, place, value).ask();
}

class TextStep {
  private readonly pick = vscode.window.createQuickPick<ChoiceItem>();
  private readonly store = new DisposableStore();
  private readonly suggestions: Suggestions | undefined;
  private readonly question: TextQuestion;
  private readonly sourceButtons = new Map<vscode.QuickInputButton, TextSource>();
  private readonly editButton: vscode.QuickInputButton = {
    iconPath: new vscode.ThemeIcon('edit'),
    tooltip: vscode.l10n.t('Put Into the Box'),
  };
  private leaveButton: vscode.QuickInputButton | undefined;
  private held: string | undefined;
  private problem: string | undefined;
  private reading = false;

  constructor(question: TextQuestion, place: StepPlace<string>, value: string | undefined) {
    this.question = question;
    this.store.add(this.pick);
    const { pick } = this;
    pick.title = plainLabel(`${question.title}: ${question.name}`);
    pick.step = place.number;
    pick.totalSteps = place.count;
    pick.ignoreFocusOut = true;
    pick.placeholder = question.required
      ? vscode.l10n.t('{0} (required)', plainLabel(question.name))
      : vscode.l10n.t('{0} (optional: leave empty to leave it out)', plainLabel(question.name));
    pick.buttons = this.buttons(place.canGoBack);
    if (question.suggest) {
      this.suggestions = this.store.add(new Suggestions(question.suggest));
      this.store.add(this.suggestions.onDidChange(() => this.show()));
    }
    this.set(value);
  }

  ask(): Promise<StepAnswer<string>> {
    const { pick, store } = this;
    return new Promise((resolve) => {
      const end = (kind: StepAnswer<string>['kind'], value = this.value) => {
        store.dispose();
        resolve({ kind, value });
      };
      store.add(
        pick.onDidChangeValue(() => {
          this.problem = undefined;
          this.suggestions?.update(pick.value);
          this.show();
        }),
      );
      store.add(
        pick.onDidAccept(() => {
          const choice = this.chosen();
          this.problem = this.check(choice);
          if (this.problem !== undefined) return this.show();
          // Left out on purpose: a held text does not count any longer.
          if (choice?.kind === 'skip') this.set(undefined);
          end('next', choice?.value);
        }),
      );
      store.add(
        pick.onDidTriggerItemButton(({ item }) => {
          if (item.choice) this.set(item.choice.value);
          this.show();
        }),
      );
      store.add(
        pick.onDidTriggerButton((button) => {
          if (button === vscode.QuickInputButtons.Back) return end('back');
          if (button === this.leaveButton) return end('leave');
          const source = this.sourceButtons.get(button);
          if (source) void this.read(source);
        }),
      );
      store.add(
        pick.onDidHide(() => {
          if (!this.reading) end('cancel');
        }),
      );
      this.suggestions?.update(pick.value);
      this.show();
      pick.show();
    });
  }

  private get value(): string | undefined {
    return this.pick.value || this.held;
  }

  private set(value: string | undefined): void {
    const boxed = value === undefined || fitsBox(value);
    this.held = boxed ? undefined : value;
    this.pick.value = boxed ? (value ?? '') : '';
    this.suggestions?.update(this.pick.value);
  }

  private buttons(canGoBack: boolean): readonly vscode.QuickInputButton[] {
    const buttons: vscode.QuickInputButton[] = canGoBack ? [vscode.QuickInputButtons.Back] : [];
    for (const source of this.question.sources ?? []) {
      const button = { iconPath: source.icon, tooltip: source.label };
      this.sourceButtons.set(button, source);
      buttons.push(button);
    }
    const { leave } = this.question;
    if (leave) {
      this.leaveButton = { iconPath: leave.icon, tooltip: leave.label };
      buttons.push(this.leaveButton);
    }
    return buttons;
  }

  private async read(source: TextSource): Promise<void> {
    // A source may show another quick pick or an editor, which hides this one.
    this.reading = true;
    this.pick.busy = true;
    try {
      const text = await source.read(this.value ?? '');
      if (text !== undefined) this.set(text);
      this.problem = undefined;
    } catch (error) {
      this.problem = error instanceof Error ? error.message : String(error);
    } finally {
      this.reading = false;
      this.show();
      this.pick.show();
    }
  }

  private chosen(): TextChoice | undefined {
    const typed = this.pick.value;
    const choice = this.pick.selectedItems[0]?.choice;
    // Enter may come before the editor has drawn the choices for the last keys.
    if (typed && (!choice || choice.kind === 'typed')) return { kind: 'typed', value: typed };
    return choice;
  }

  private check(choice: TextChoice | undefined): string | undefined {
    const { name, validate } = this.question;
    if (!choice || choice.kind === 'missing')
      return vscode.l10n.t('{0} is required: type a value.', plainLabel(name));
    return choice.value === undefined ? undefined : validate?.(choice.value);
  }

  private show(): void {
    const { pick, question, suggestions } = this;
    pick.busy = suggestions?.busy ?? false;
    const failed = suggestions?.error;
    const notes = [
      this.problem ?? question.description ?? '',
      failed === undefined ? '' : vscode.l10n.t('No suggestions: {0}', failed),
    ];
    pick.prompt = plainLabel(notes.filter(Boolean).join(' · '), 400);
    pick.items = this.items();
  }

  private items(): readonly ChoiceItem[] {
    const suggested = this.suggestions?.values ?? { values: [] };
    const choices = textChoices({
      typed: this.pick.value,
      held: this.held,
      last: this.question.last,
      required: this.question.required,
      suggested,
    });
    const items = choices.map((choice) => this.item(choice));
    const first = choices.findIndex(({ kind }) => kind === 'suggested');
    if (first >= 0) {
      const shown = choices.filter(({ kind }) => kind === 'suggested').length;
      items.splice(first, 0, {
        label: countLabel(shown, suggested),
        kind: vscode.QuickPickItemKind.Separator,
      });
    }
    return items;
  }

  private item(choice: TextChoice): ChoiceItem {
    const { kind, value } = choice;
    if (value === undefined) {
      const label = kind === 'skip' ? vscode.l10n.t('Leave out') : vscode.l10n.t('Type a value');
      const iconPath = new vscode.ThemeIcon(kind === 'skip' ? 'circle-slash' : 'edit');
      return { label, iconPath, alwaysShow: true, choice };
    }
    const { label, lines, bytes } = describeText(value);
    const notes = [
      ...(kind === 'typed' ? [vscode.l10n.t('as typed')] : []),
      ...(kind === 'last' ? [vscode.l10n.t('last time')] : []),
      ...(fitsBox(value) ? [] : [vscode.l10n.t('{0} lines, {1}', lines, formatBytes(bytes))]),
    ];
    return {
      label,
      description: notes.join(' · '),
      alwaysShow: true,
      choice,
      ...(kind !== 'typed' && fitsBox(value) && { buttons: [this.editButton] }),
    };
  }
}

function countLabel(shown: number, { total, hasMore }: { total?: number; hasMore?: boolean }) {
  if (total !== undefined && total > shown)
    return vscode.l10n.t('{0} of {1} suggestions', String(shown), String(total));
  return hasMore
    ? vscode.l10n.t('first {0} suggestions, more exist', String(shown))
    : vscode.l10n.t('suggestions');
}
