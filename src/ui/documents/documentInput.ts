import * as vscode from 'vscode';
import { deferred } from '../../base/async';
import { DisposableStore, type Disposable } from '../../base/disposable';
import type { Event } from '../../base/event';
import { sanitize } from '../../base/text/fileName';
import { plainMessage } from '../../base/text/text';
import type { JsonSchema } from '../../mcp/protocol/types';
import { Command, ContextKey } from '../ids';
import type { MemoryFiles } from './memoryFiles';
import { addSchemaLine, removeSchemaLine, schemaFile } from '../steps/schemaLine';
import { closeTabs, tabsOf } from '../tabs';

/** One way to end the editing of a document. */
export interface DocumentChoice {
  readonly id: string;
  /** Shown above the document; may begin with an icon, so it is never a server's text. */
  readonly title: string;
  readonly tooltip?: string;
  /** The line to stand above, 0-based; the first one when left out. */
  readonly line?: number;
  /** Runs instead of ending the editing. */
  readonly act?: () => void | Promise<void>;
}

/** Something that opens from a line of the document: a file beside it by name, or any document. */
export interface DocumentLink {
  /** 0-based. */
  readonly line: number;
  readonly title: string;
  readonly target: string | vscode.Uri;
  /** Shows where the document differs from the target, instead of the target alone. */
  readonly compare?: boolean;
}

/** A text to edit, or to read and decide on, in an editor of its own. */
export interface DocumentQuestion {
  /** The name of the tab, with an extension that says the language. */
  readonly name: string;
  readonly text: string;
  readonly readOnly?: boolean;
  /** Leaves the focus where it is: with the question that this is about. */
  readonly beside?: boolean;
  /** Files that lie beside the document while it is open; each `name` is one path segment. */
  readonly files?: readonly { readonly name: string; readonly content: Uint8Array | string }[];
  readonly links?: readonly DocumentLink[];
  /** The one of `files` that the document is shown beside, with what differs marked. */
  readonly comparedWith?: string;
  /** What completes and checks a JSON object; the person sees a line that names it. */
  readonly schema?: JsonSchema;
  /** The first is also the button in the editor's title; read anew with every change. */
  readonly choices: readonly DocumentChoice[];
  readonly onDidChangeChoices?: Event<void>;
  /** Says in one sentence why the text cannot be taken with a choice; the document stays open. */
  readonly check?: (
    text: string,
    choice: string,
  ) => string | undefined | Promise<string | undefined>;
  /** Closes the document when the question is withdrawn. */
  readonly signal?: AbortSignal;
}

/** How the editing ended: `choice` is `undefined` when the document was closed, `text` as last saved. */
export interface DocumentAnswer {
  readonly choice: string | undefined;
  readonly text: string;
}

interface Asked {
  readonly question: DocumentQuestion;
  readonly links: readonly (DocumentLink & { readonly target: vscode.Uri })[];
  answer(choice: string): Promise<void>;
}

/** Asks for texts in editors; the choices stand above the document. */
export class DocumentInput implements Disposable {
  private readonly store = new DisposableStore();
  private readonly files: MemoryFiles;
  private readonly asked = new Map<string, Asked>();
  private readonly lensesChanged = this.store.add(new vscode.EventEmitter<void>());

  constructor(files: MemoryFiles) {
    this.files = files;
    // What an earlier session left open has nobody waiting for it; edited texts stay to be copied.
    void closeTabs((uri, { isDirty }) => uri.scheme === files.scheme && !isDirty);
    this.store.add(
      vscode.languages.registerCodeLensProvider(
        { scheme: files.scheme },
        {
          onDidChangeCodeLenses: this.lensesChanged.event,
          provideCodeLenses: ({ uri }) => this.lenses(uri),
        },
      ),
    );
    this.store.add(
      vscode.commands.registerCommand(
        Command.answerDocument,
        async (uri?: vscode.Uri, choice?: string) => {
          const asked = this.asked.get(String(uri ?? vscode.window.activeTextEditor?.document.uri));
          const chosen = typeof choice === 'string' ? choice : asked?.question.choices[0]?.id;
          if (chosen !== undefined) await asked?.answer(chosen);
        },
      ),
    );
  }

  /** Opens the document and waits until a choice was made or it was closed. */
  async ask(question: DocumentQuestion): Promise<DocumentAnswer> {
    const { name, text, schema, check, readOnly = false, links = [] } = question;
    const folder = this.files.createFolder();
    for (const file of question.files ?? []) folder.add(file.name, file.content);
    if (schema) folder.add(schemaFile, JSON.stringify(schema));
    const shown = schema ? addSchemaLine(text) : text;
    const uri = folder.add(sanitize(name), shown, { editable: !readOnly });
    const key = uri.toString();
    const ended = deferred<DocumentAnswer>();
    const read = (edited: string) => (schema ? removeSchemaLine(edited) : edited);
    const document = await vscode.workspace.openTextDocument(uri);
    const opened = document.getText();
    // The editor unifies line ends, so a text that nobody edited is given back as it came.
    const present = (edited: string) => (edited === opened ? text : read(edited));
    this.add(key, {
      question,
      links: links.map(({ target, ...link }) => ({
        ...link,
        target: typeof target === 'string' ? vscode.Uri.joinPath(uri, '..', target) : target,
      })),
      answer: async (choice) => {
        const { act } = question.choices.find(({ id }) => id === choice) ?? {};
        if (act) return act();
        const edited = present(document.getText());
        const problem = await check?.(edited, choice);
        if (problem !== undefined) {
          void vscode.window.showErrorMessage(plainMessage(problem));
          return;
        }
        await document.save();
        ended.resolve({ choice, text: edited });
      },
    });
    const isOwn = (other: vscode.Uri) => other.toString() === key;
    const tabs = vscode.window.tabGroups.onDidChangeTabs(({ closed }) => {
      // Others change while this one is still on its way, or it moves to another group.
      if (tabsOf(isOwn, closed).length === 0 || tabsOf(isOwn).length > 0) return;
      const saved = new TextDecoder().decode(this.files.bytesOf(uri));
      ended.resolve({ choice: undefined, text: present(saved) });
    });
    const withdraw = () => {
      // Closing an unsaved document would ask the person about it.
      void document.save().then(() => ended.resolve({ choice: undefined, text }));
    };
    const changes = question.onDidChangeChoices?.(() => this.lensesChanged.fire());
    question.signal?.addEventListener('abort', withdraw);
    if (question.signal?.aborted) withdraw();
    try {
      await open(uri, question);
      this.lensesChanged.fire();
      return await ended.promise;
    } finally {
      question.signal?.removeEventListener('abort', withdraw);
      changes?.dispose();
      tabs.dispose();
      this.remove(key);
      // The editor would ask about what was typed since.
      if (document.isDirty) await document.save();
      await closeTabs(folder.contains);
      folder.dispose();
    }
  }

  dispose(): void {
    this.store.dispose();
  }

  private add(key: string, asked: Asked): void {
    this.asked.set(key, asked);
    this.updateContext();
  }

  private remove(key: string): void {
    this.asked.delete(key);
    this.updateContext();
  }

  /** Other documents of the scheme wait for no answer. */
  private updateContext(): void {
    const waiting = [...this.asked.keys()];
    void vscode.commands.executeCommand('setContext', ContextKey.askedDocuments, waiting);
  }

  private lenses(uri: vscode.Uri): vscode.CodeLens[] {
    const asked = this.asked.get(uri.toString());
    const choices = (asked?.question.choices ?? []).map(({ id, line = 0, title, tooltip }) =>
      lens(line, {
        title,
        ...(tooltip && { tooltip }),
        command: Command.answerDocument,
        arguments: [uri, id],
      }),
    );
    const links = (asked?.links ?? []).map(({ line, title, target, compare = false }) =>
      lens(
        line,
        compare
          ? { command: 'vscode.diff', title, arguments: [target, uri, title] }
          : { command: 'vscode.open', title, arguments: [target] },
      ),
    );
    return [...choices, ...links];
  }
}

function lens(line: number, { title, ...command }: vscode.Command): vscode.CodeLens {
  // A blank behind an icon is not drawn.
  const spaced = title.replace(/^(\$\([\w-]+\)) /, '$1\u00a0');
  return new vscode.CodeLens(new vscode.Range(line, 0, line, 0), { ...command, title: spaced });
}

async function open(
  uri: vscode.Uri,
  { comparedWith, beside = false }: DocumentQuestion,
): Promise<void> {
  const options = { preview: false, preserveFocus: beside };
  if (comparedWith === undefined) {
    await vscode.window.showTextDocument(uri, options);
    return;
  }
  const other = vscode.Uri.joinPath(uri, '..', comparedWith);
  const title = `${comparedWith} ↔ ${uri.path.slice(1)}`;
  await vscode.commands.executeCommand('vscode.diff', other, uri, title, options);
}
