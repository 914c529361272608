import * as vscode from 'vscode';
import { deferred } from '../../base/async';
import { type Disposable, DisposableStore } from '../../base/disposable';
import type { Event } from '../../base/event';
import { sanitize } from '../../base/text/fileName';
import { plainMessage } from '../../base/text/text';
import type { JsonSchema } from '../../mcp/protocol/types';
import { setContextKey } from '../commands';
import { Command, ContextKey, choiceKey, firstChoiceKey, resourceScheme } from '../ids';
import type { KeyClock } from '../questions/question';
import { closeTabs, selectIn, tabsOf } from '../tabs';
import { showDocument, type Leave } from '../keyboard';
import { byUser, type UserAction } from '../questions/question';
import { type DocumentChoice, pickChoice } from './choiceCommands';
import type { MemoryFiles, MemoryFolder } from './memoryFiles';
import { addSchemaLine, removeSchemaLine, schemaFile, withSchemaLine } from './schemaLine';

/**
 * Saves and closes everything that the editor shows of a folder that is no longer needed, and removes the folder once
 * the editor has released its documents: one that could not be saved anymore would come back in a tab of its own.
 */
async function letGo(
  folder: MemoryFolder,
  options: { readonly preserveFocus: boolean },
): Promise<void> {
  const open = () => vscode.workspace.textDocuments.filter(({ uri }) => folder.contains(uri));
  const saveAll = () =>
    Promise.all(open().flatMap((document) => (document.isDirty ? [document.save()] : [])));
  await saveAll();
  await closeTabs(folder.contains, options);
  if (open().length === 0) return folder.dispose();
  const store = new DisposableStore();
  store.add(
    vscode.workspace.onDidCloseTextDocument(() => {
      if (open().length > 0) return;
      store.dispose();
      folder.dispose();
    }),
  );
  store.add(
    vscode.window.tabGroups.onDidChangeTabs(async ({ opened }) => {
      if (tabsOf(folder.contains, opened).every(({ isDirty }) => !isDirty)) return;
      await saveAll();
      await closeTabs(folder.contains, { preserveFocus: true });
    }),
  );
}

/** Decides whether keys count in a document yet: the first ones were meant for something else. */
class EarlyKeys {
  private readonly clock: KeyClock;
  private wasFocused = false;
  private readyAt = Infinity;

  constructor(clock: KeyClock) {
    this.clock = clock;
  }

  /** Notes that the document has the keyboard; only the first time matters. */
  focused(): void {
    if (this.wasFocused) return;
    this.wasFocused = true;
    this.clock.whenDrawn(() => {
      this.readyAt = this.clock.now() + this.clock.quietMs;
    });
  }

  get count(): boolean {
    return this.clock.now() >= this.readyAt;
  }
}

/** A link above a line of the document, which opens a file beside the document, by name, or any other document. */
export interface DocumentLink {
  /** 0-based. */
  readonly line: number;
  readonly title: string;
  readonly target: string | vscode.Uri;
  /** Compares the target with the document (`true`) or with the named file beside it, instead of only showing it. */
  readonly compare?: boolean | string;
}

/** A text to edit, or to read and decide on, in an editor of its own. */
export interface DocumentQuestion {
  /** The name of the tab, with an extension that determines the language. */
  readonly name: string;
  readonly text: string;
  readonly readOnly?: boolean;
  /** What is selected in `text` at first, in UTF-16 units. */
  readonly selected?: { readonly offset: number; readonly length: number };
  /** Leave to take the keyboard; without it, the document opens beside what the user works in. */
  readonly leave: Leave;
  /** Files that exist beside the document while it is open; each `name` is one path segment. */
  readonly files?: readonly { readonly name: string; readonly content: Uint8Array | string }[];
  readonly links?: readonly DocumentLink[];
  /** The name of the file in `files` that the document is compared with, in a diff editor. */
  readonly comparedWith?: string;
  /** The schema by which the editor completes and checks a JSON object; the user sees a line that names it. */
  readonly schema?: JsonSchema;
  /** The choices, read again after every change; the first is also the button in the editor's title. */
  readonly choices: readonly DocumentChoice[];
  readonly onDidChangeChoices?: Event<void>;
  /** Returns a sentence saying why a choice cannot accept the text, which keeps the document open; else `undefined`. */
  readonly check?: (
    text: string,
    choice: string,
  ) => string | undefined | Promise<string | undefined>;
  /** Receives the text whenever it is saved, even automatically, because a window that is closed gives no answer. */
  readonly onSave?: (text: string) => void;
  /** Closes the document when the question is withdrawn. */
  readonly signal?: AbortSignal;
}

/**
 * How the editing ended: `choice` is `undefined` if the document was closed or withdrawn; `text` is what was last
 * saved, or what the editor held at the end.
 */
export interface DocumentAnswer {
  readonly choice: string | undefined;
  readonly text: string;
  /** The user's action that made the choice. */
  readonly action?: UserAction;
}

interface AskedLink extends Pick<DocumentLink, 'line' | 'title'> {
  readonly target: vscode.Uri;
  /** What the target is compared with; `undefined` if the target is shown alone. */
  readonly compared: vscode.Uri | undefined;
}

interface Asked {
  readonly uri: vscode.Uri;
  readonly question: DocumentQuestion;
  readonly keys: EarlyKeys;
  /** The line that the editor shows first, 0-based. */
  readonly firstLine: number;
  readonly links: readonly AskedLink[];
  answer(choice: string, action: UserAction): Promise<void>;
}

/** Asks for texts in editors, with the choices above the document. */
export class DocumentInput implements Disposable {
  private readonly store = new DisposableStore();
  private readonly files: MemoryFiles;
  private readonly clock: KeyClock;
  private readonly asked = new Map<string, Asked>();
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

  /** Makes the first choice that `isMeant` accepts, in the given document or else in the one that has the keyboard. */
  async choose(
    action: UserAction,
    uri: vscode.Uri | undefined,
    isMeant: (choice: DocumentChoice) => boolean,
  ): Promise<void> {
    const asked = uri ? this.asked.get(uri.toString()) : this.active;
    // A click names the document; a key does not, and may come too early.
    if (!asked || !(uri || asked.keys.count)) return;
    const chosen = asked.question.choices.find(isMeant);
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
    const { name, text, schema, check, readOnly = false, links = [] } = question;
    const folder = this.files.createFolder('question');
    for (const file of question.files ?? []) folder.add(file.name, file.content);
    if (schema) folder.add(schemaFile, JSON.stringify(withSchemaLine(schema)));
    const shown = schema ? addSchemaLine(text) : text;
    const uri = folder.add(sanitize(name), shown, { editable: !readOnly });
    const key = uri.toString();
    const ended = deferred<DocumentAnswer>();
    let preserveFocus = false;
    const beside = (file: string) => vscode.Uri.joinPath(uri, '..', file);
    const read = (edited: string) => (schema ? removeSchemaLine(edited) : edited);
    const document = await vscode.workspace.openTextDocument(uri);
    const opened = document.getText();
    // The editor normalizes line endings, so a text that nobody edited is returned as it came.
    const present = (edited: string) => (edited === opened ? text : read(edited));
    this.add(key, {
      uri,
      question,
      keys: new EarlyKeys(this.clock),
      firstLine: firstDifference(question),
      links: links.map(({ target, compare = false, ...link }) => ({
        ...link,
        target: typeof target === 'string' ? beside(target) : target,
        compared: typeof compare === 'string' ? beside(compare) : compare ? uri : undefined,
      })),
      answer: async (choice, action) => {
        const { act, leadsBack = false } = question.choices.find(({ id }) => id === choice) ?? {};
        if (act) return act(action);
        const edited = present(document.getText());
        const problem = await check?.(edited, choice);
        if (problem !== undefined) {
          void vscode.window.showErrorMessage(plainMessage(problem));
          return;
        }
        await document.save();
        // A page that comes to the front takes the keyboard late, away from the question.
        preserveFocus = leadsBack;
        ended.resolve({ choice, text: edited, action });
      },
    });
    // A closed document reports itself as saved, whatever was typed.
    let isUnsaved = false;
    const edits = vscode.workspace.onDidChangeTextDocument((event) => {
      if (event.document === document) isUnsaved = document.isDirty;
    });
    const saves = vscode.workspace.onDidSaveTextDocument((saved) => {
      if (saved === document) question.onSave?.(present(document.getText()));
    });
    const isOwn = (other: vscode.Uri) => other.toString() === key;
    const tabs = vscode.window.tabGroups.onDidChangeTabs(({ closed }) => {
      // Other tabs change while this one is still opening, or it moves to another group.
      if (tabsOf(isOwn, closed).length === 0 || tabsOf(isOwn).length > 0) return;
      // An editor that saves automatically does not ask about what it has not saved yet.
      const left = isUnsaved
        ? document.getText()
        : new TextDecoder().decode(this.files.bytesOf(uri));
      ended.resolve({ choice: undefined, text: present(left) });
    });
    const withdraw = () => {
      preserveFocus = question.choices.some(({ leadsBack }) => leadsBack === true);
      const left = present(document.getText());
      // By the time the editor reports the save below, nobody is listening anymore.
      if (document.isDirty) question.onSave?.(left);
      // Closing an unsaved document would ask the user about it.
      void document.save().then(() => ended.resolve({ choice: undefined, text: left }));
    };
    const changes = question.onDidChangeChoices?.(() => this.lensesChanged.fire());
    question.signal?.addEventListener('abort', withdraw);
    if (question.signal?.aborted) withdraw();
    try {
      await showDocument({ uri, comparedWith: question.comparedWith }, question.leave);
      this.active?.keys.focused();
      // The line that names the schema stands before all of the text.
      if (question.selected) selectIn(document, question.selected, shown.length - text.length);
      this.lensesChanged.fire();
      return await ended.promise;
    } finally {
      question.signal?.removeEventListener('abort', withdraw);
      changes?.dispose();
      tabs.dispose();
      edits.dispose();
      saves.dispose();
      this.remove(key);
      if (isUnsaved) await vscode.workspace.openTextDocument(uri).then((last) => last.save());
      await letGo(folder, { preserveFocus });
    }
  }

  dispose(): void {
    this.store.dispose();
  }

  /** The document that has the keyboard, if it waits for an answer. */
  private get active(): Asked | undefined {
    return this.asked.get(String(vscode.window.activeTextEditor?.document.uri));
  }

  private add(key: string, asked: Asked): void {
    this.asked.set(key, asked);
    this.updateContext();
  }

  private remove(key: string): void {
    this.asked.delete(key);
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

/** Returns the line that the diff editor goes to, 0-based; 0 if nothing is compared or nothing differs. */
function firstDifference({ text, files = [], comparedWith }: DocumentQuestion): number {
  const other = files.find(({ name }) => name === comparedWith)?.content;
  if (other === undefined) return 0;
  const before = (typeof other === 'string' ? other : new TextDecoder().decode(other)).split('\n');
  const lines = text.split('\n');
  const at = lines.findIndex((line, index) => line !== before[index]);
  return at < 0 ? 0 : at;
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
