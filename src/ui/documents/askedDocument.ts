import * as vscode from 'vscode';
import { openTextFile } from './readTextFile';
import { deferred, delay } from '../../base/async';
import { utf8 } from '../../base/bytes';
import { DisposableStore } from '../../base/disposable';
import type { Event } from '../../base/event';
import { sanitize } from '../../base/text/fileName';
import type { JsonSchema } from '../../mcp/protocol/types';
import { type Permit, closeTabs, selectIn, showDocument, tabsOf } from '../keyboard';
import type { KeyClock, UserAction } from '../questions/question';
import { strayFactor } from '../questions/typing';
import type { DocumentChoice } from './choiceCommands';
import { addFile, type MemoryFiles, type MemoryFolder } from './memoryFiles';
import { addSchemaLine, removeSchemaLine, schemaFile, withSchemaLine } from './schemaLine';
import { showMessage } from '../messages';

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
  /** Hidden characters are made visible in what is only read; they stay in the text of the answer. */
  readonly readOnly?: boolean;
  /** What is selected in `text` at first, in UTF-16 units. */
  readonly selected?: { readonly offset: number; readonly length: number };
  /** The permit to take the keyboard; without it, the document opens beside what the user works in. */
  readonly permit: Permit;
  /**
   * Files that exist beside the document while it is open; each `name` is one path segment. Texts are to be read, with
   * hidden characters made visible; bytes stay as they are.
   */
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

/** A document that waits for an answer. */
export class AskedDocument {
  readonly uri: vscode.Uri;
  readonly question: DocumentQuestion;
  readonly keys: EarlyKeys;
  /** The line that the editor shows first, 0-based. */
  readonly firstLine: number;
  private readonly folder: MemoryFolder;
  private readonly files: MemoryFiles;
  private readonly clock: KeyClock;
  private readonly document: vscode.TextDocument;
  /** The text as the editor has it, which normalizes line endings. */
  private readonly opened: string;
  private readonly ended = deferred<DocumentAnswer>();
  private readonly store = new DisposableStore();
  /** A closed document reports itself as saved, whatever was typed. */
  private isUnsaved = false;
  private preserveFocus = false;
  private typedAt = -Infinity;
  /** True once it goes away without the user. */
  isWithdrawn = false;

  static async open(
    question: DocumentQuestion,
    files: MemoryFiles,
    clock: KeyClock,
  ): Promise<AskedDocument> {
    const { name, text, schema, readOnly = false } = question;
    const folder = files.createFolder('question');
    for (const file of question.files ?? []) addFile(folder, file);
    // Completion inserts what stands in it.
    if (schema) folder.addBytes(schemaFile, utf8(JSON.stringify(withSchemaLine(schema))));
    const shown = schema ? addSchemaLine(text) : text;
    const uri = folder.add(sanitize(name), shown, { editable: !readOnly });
    const document = await openTextFile(uri);
    return new AskedDocument(question, document, folder, files, clock);
  }

  private constructor(
    question: DocumentQuestion,
    document: vscode.TextDocument,
    folder: MemoryFolder,
    files: MemoryFiles,
    clock: KeyClock,
  ) {
    this.question = question;
    this.uri = document.uri;
    this.document = document;
    this.opened = document.getText();
    this.folder = folder;
    this.files = files;
    this.clock = clock;
    this.keys = new EarlyKeys(clock);
    this.firstLine = firstDifference(question);
    this.watch();
  }

  get answered(): Promise<DocumentAnswer> {
    return this.ended.promise;
  }

  get links(): readonly AskedLink[] {
    const { uri, question } = this;
    const beside = (file: string) => vscode.Uri.joinPath(uri, '..', file);
    return (question.links ?? []).map(({ target, compare = false, ...link }) => ({
      ...link,
      target: typeof target === 'string' ? beside(target) : target,
      compared: typeof compare === 'string' ? beside(compare) : compare ? uri : undefined,
    }));
  }

  /** A text that nobody edited is returned as it came, also where more of it is visible in the editor. */
  private textOf(edited: string): string {
    const { text, schema, readOnly = false } = this.question;
    if (readOnly || edited === this.opened) return text;
    return schema ? removeSchemaLine(edited) : edited;
  }

  private watch(): void {
    const { document, question, store } = this;
    const { workspace, window } = vscode;
    store.add(
      workspace.onDidChangeTextDocument((event) => {
        if (event.document !== document) return;
        this.isUnsaved = document.isDirty;
        this.typedAt = this.clock.now();
      }),
    );
    store.add(
      workspace.onDidSaveTextDocument((saved) => {
        if (saved === document) question.onSave?.(this.textOf(document.getText()));
      }),
    );
    store.add(window.tabGroups.onDidChangeTabs(({ closed }) => this.tabsClosed(closed)));
    const withdraw = () => void this.withdraw();
    question.signal?.addEventListener('abort', withdraw);
    store.add({ dispose: () => question.signal?.removeEventListener('abort', withdraw) });
    if (question.signal?.aborted) withdraw();
  }

  private tabsClosed(closed: readonly vscode.Tab[]): void {
    const isOwn = (other: vscode.Uri) => other.toString() === this.uri.toString();
    // Other tabs change while this one is still opening, or it moves to another group.
    if (tabsOf(isOwn, closed).length === 0 || tabsOf(isOwn).length > 0) return;
    // An editor that saves automatically does not ask about what it has not saved yet.
    const left = this.isUnsaved
      ? this.document.getText()
      : new TextDecoder().decode(this.files.bytesOf(this.uri));
    this.ended.resolve({ choice: undefined, text: this.textOf(left) });
  }

  private async withdraw(): Promise<void> {
    const { document, question, clock } = this;
    this.isWithdrawn = true;
    // What is behind it gets the keys from then on, which were not meant for that.
    for (let quietAt; (quietAt = this.typedAt + strayFactor * clock.quietMs) > clock.now();)
      await delay(quietAt - clock.now());
    // The user may type elsewhere by now, and what was typed here is for nothing that comes to the front.
    this.preserveFocus = true;
    const left = this.textOf(document.getText());
    // By the time the editor reports the save below, nobody is listening anymore.
    if (document.isDirty) question.onSave?.(left);
    // Closing an unsaved document would ask the user about it.
    await document.save();
    this.ended.resolve({ choice: undefined, text: left });
  }

  async show(): Promise<void> {
    const { comparedWith, permit } = this.question;
    await showDocument({ uri: this.uri, comparedWith }, permit);
  }

  select(): void {
    const { selected, text, schema } = this.question;
    // The line that names the schema stands before all of the text.
    const before = schema ? addSchemaLine(text).length - text.length : 0;
    if (selected) selectIn(this.document, selected, before);
  }

  /** Makes a choice, which keeps the document open if its text cannot be accepted. */
  async answer(choice: string, action: UserAction): Promise<void> {
    const { document, question } = this;
    const { act, leadsBack = false } = question.choices.find(({ id }) => id === choice) ?? {};
    const text = this.textOf(document.getText());
    if (act) return act(action, text);
    const problem = await question.check?.(text, choice);
    if (problem !== undefined) {
      void showMessage('error', problem);
      return;
    }
    await document.save();
    // A page that comes to the front takes the keyboard late, away from the question.
    this.preserveFocus = leadsBack;
    this.ended.resolve({ choice, text, action });
  }

  async close(): Promise<void> {
    this.store.dispose();
    if (this.isUnsaved) await openTextFile(this.uri).then((last) => last.save());
    await letGo(this.folder, { preserveFocus: this.preserveFocus });
  }
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
