import * as vscode from 'vscode';
import { type Disposable, DisposableStore } from '../../base/disposable';
import { setContextKey } from '../commands';
import { Command, ContextKey, choiceKey, firstChoiceKey, resourceScheme } from '../ids';
import { showDocument } from '../keyboard';
import { byUser, type KeyClock, type UserAction } from '../questions/question';
import { AskedDocument, type DocumentAnswer, type DocumentQuestion } from './askedDocument';
import { type DocumentChoice, pickChoice } from './choiceCommands';
import type { MemoryFiles } from './memoryFiles';

/** Asks for texts in editors, with the choices above the document. */
export class DocumentInput implements Disposable {
  private readonly store = new DisposableStore();
  private readonly files: MemoryFiles;
  private readonly clock: KeyClock;
  private readonly asked = new Map<string, AskedDocument>();
  /** When a document in view was last withdrawn: a click may still be on its way to it. */
  private lostAt = -Infinity;
  /** The commands of all choices so far, whose context keys are kept up to date. */
  private readonly commands = new Set<string>();
  private readonly lensesChanged = this.store.add(new vscode.EventEmitter<void>());

  constructor(files: MemoryFiles, clock: KeyClock) {
    this.files = files;
    this.clock = clock;
    this.store.add(
      vscode.languages.registerCodeLensProvider(
        { scheme: files.scheme },
        {
          onDidChangeCodeLenses: this.lensesChanged.event,
          provideCodeLenses: ({ uri }) => this.lenses(uri),
        },
      ),
    );
    this.store.add(vscode.window.onDidChangeActiveTextEditor(() => this.active?.keys.focused()));
    this.store.add(
      vscode.commands.registerCommand(
        Command.answerDocument,
        (uri?: vscode.Uri, choice?: unknown) => {
          const isMeant = ({ id }: DocumentChoice) => typeof choice !== 'string' || id === choice;
          return this.choose(byUser(), uri, isMeant);
        },
      ),
    );
  }

  /** Makes the first choice that `isChosen` accepts, in the given document or else in the one that has the keyboard. */
  async choose(
    action: UserAction,
    uri: vscode.Uri | undefined,
    isChosen: (choice: DocumentChoice) => boolean,
  ): Promise<void> {
    const asked = uri ? this.asked.get(uri.toString()) : this.active;
    // A click names the document; a key does not, and may come too early.
    const isMeant = uri ? this.takesClicks : asked?.keys.count;
    if (!asked || !isMeant) return;
    const chosen = asked.question.choices.find(isChosen);
    if (chosen) await asked.answer(chosen.id, action);
  }

  /** Lets the user make one of the choices that have no command, even if nothing is shown above the lines. */
  async offerChoices(action: UserAction, uri: vscode.Uri | undefined): Promise<void> {
    const asked = uri ? this.asked.get(uri.toString()) : this.active;
    if (!asked) return;
    const chosen = await pickChoice(action, asked.question, othersOf(asked.question.choices));
    if (chosen !== undefined) await asked.answer(chosen, action);
  }

  /**
   * Brings the document that has waited the longest to the front, or the one after the document that is there already;
   * false if there is none.
   */
  async showNext(action: UserAction): Promise<boolean> {
    const all = [...this.asked.values()];
    const { active } = this;
    const next = all[active ? (all.indexOf(active) + 1) % all.length : 0];
    const { uri, question } = next ?? {};
    if (uri) await showDocument({ uri, comparedWith: question?.comparedWith }, action);
    return next !== undefined;
  }

  /** Opens the document and waits until a choice is made or it is closed. */
  async ask(question: DocumentQuestion): Promise<DocumentAnswer> {
    const asked = await AskedDocument.open(question, this.files, this.clock);
    this.add(asked);
    const changes = question.onDidChangeChoices?.(() => this.lensesChanged.fire());
    try {
      await asked.show();
      this.active?.keys.focused();
      asked.select();
      this.lensesChanged.fire();
      return await asked.answered;
    } finally {
      changes?.dispose();
      this.remove(asked);
      await asked.close();
      if (asked.isWithdrawn) this.lostAt = this.clock.now();
    }
  }

  dispose(): void {
    this.store.dispose();
  }

  /** False while a click may be meant for a document that went away: another one is in its place. */
  private get takesClicks(): boolean {
    return this.clock.now() - this.lostAt >= this.clock.quietMs;
  }

  /** The document that has the keyboard, if it waits for an answer. */
  private get active(): AskedDocument | undefined {
    return this.asked.get(String(vscode.window.activeTextEditor?.document.uri));
  }

  private add(asked: AskedDocument): void {
    this.asked.set(asked.uri.toString(), asked);
    this.updateContext();
  }

  private remove(asked: AskedDocument): void {
    this.asked.delete(asked.uri.toString());
    this.updateContext();
  }

  /** Names the documents that wait for an answer in context keys, because others of the scheme do not. */
  private updateContext(): void {
    const all = [...this.asked].map(([key, { question }]) => ({ key, choices: question.choices }));
    const set = (name: string, those: (choices: readonly DocumentChoice[]) => boolean) => {
      const keys = all.flatMap(({ key, choices }) => (those(choices) ? [key] : []));
      void setContextKey(name, keys);
    };
    set(ContextKey.askedDocuments, () => true);
    set(ContextKey.titledDocuments, ([first]) => first?.command !== undefined);
    set(ContextKey.choiceDocuments, (choices) => othersOf(choices).length > 0);
    for (const { choices } of all)
      for (const { command } of choices) if (command) this.commands.add(command);
    for (const command of this.commands) {
      set(choiceKey(command), (choices) => choices.some((one) => one.command === command));
      set(firstChoiceKey(command), ([first]) => first?.command === command);
    }
  }

  private lenses(uri: vscode.Uri): vscode.CodeLens[] {
    const asked = this.asked.get(uri.toString());
    const choices = (asked?.question.choices ?? []).map(({ id, line, title, tooltip }) =>
      lens(line ?? asked?.firstLine ?? 0, {
        title,
        ...(tooltip && { tooltip }),
        command: Command.answerDocument,
        arguments: [uri, id],
      }),
    );
    const links = (asked?.links ?? []).map(({ line, title, target, compared }) =>
      lens(
        line,
        compared
          ? { command: 'vscode.diff', title, arguments: [target, compared, title] }
          : { command: openerOf(target), title, arguments: [target] },
      ),
    );
    return [...choices, ...links];
  }
}

/** Returns the choices that have no command, except for the first choice, which has a button. */
function othersOf([, ...others]: readonly DocumentChoice[]): readonly DocumentChoice[] {
  return others.filter(({ command }) => command === undefined);
}

/**
 * Returns the command that opens a target: for resources our own, as the editor does not say why one cannot be read.
 */
function openerOf({ scheme }: vscode.Uri): string {
  return scheme === resourceScheme ? Command.openResource : 'vscode.open';
}

function lens(line: number, { title, ...command }: vscode.Command): vscode.CodeLens {
  // The editor does not draw an ordinary space after an icon.
  const spaced = title.replace(/^(\$\([\w-]+\)) /, '$1\u00a0');
  return new vscode.CodeLens(new vscode.Range(line, 0, line, 0), { ...command, title: spaced });
}
