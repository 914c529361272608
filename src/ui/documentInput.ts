import * as vscode from 'vscode';
import { deferred } from '../base/async';
import { DisposableStore, type Disposable } from '../base/disposable';
import { sanitize } from '../base/fileName';
import type { JsonSchema } from '../mcp/protocol';
import { Command } from './ids';
import type { MemoryFiles } from './memoryFiles';
import { addSchemaLine, removeSchemaLine, schemaFile } from './schemaLine';
import { closeTabs, tabsOf } from './tabs';

/** One way to end the editing of a document. */
export interface DocumentChoice {
  readonly id: string;
  /** Shown above the document; may begin with an icon, so it is never a server's text. */
  readonly title: string;
}

/** A text to edit in an editor of its own. */
export interface DocumentQuestion {
  /** The name of the tab, with an extension that says the language. */
  readonly name: string;
  readonly text: string;
  /** What completes and checks a JSON object; the person sees a line that names it. */
  readonly schema?: JsonSchema;
  /** The first is also the button in the editor's title. */
  readonly choices: readonly DocumentChoice[];
  /** Says in one sentence why the text cannot be taken with a choice; the document stays open. */
  readonly check?: (text: string, choice: string) => string | undefined;
}

/** How the editing ended: `choice` is `undefined` when the document was closed, `text` as last saved. */
export interface DocumentAnswer {
  readonly choice: string | undefined;
  readonly text: string;
}

interface Asked {
  readonly choices: readonly DocumentChoice[];
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
          const chosen = typeof choice === 'string' ? choice : asked?.choices[0]?.id;
          if (chosen !== undefined) await asked?.answer(chosen);
        },
      ),
    );
  }

  /** Opens the document and waits until a choice was made or it was closed. */
  async ask({ name, text, schema, choices, check }: DocumentQuestion): Promise<DocumentAnswer> {
    const folder = this.files.createFolder();
    if (schema) folder.add(schemaFile, JSON.stringify(schema));
    const shown = schema ? addSchemaLine(text) : text;
    const uri = folder.add(sanitize(name), shown, { editable: true });
    const key = uri.toString();
    const ended = deferred<DocumentAnswer>();
    const read = (edited: string) => (schema ? removeSchemaLine(edited) : edited);
    const document = await vscode.workspace.openTextDocument(uri);
    const opened = document.getText();
    // The editor unifies line ends, so a text that nobody edited is given back as it came.
    const present = (edited: string) => (edited === opened ? text : read(edited));
    this.asked.set(key, {
      choices,
      answer: async (choice) => {
        const edited = present(document.getText());
        const problem = check?.(edited, choice);
        if (problem !== undefined) {
          void vscode.window.showErrorMessage(problem);
          return;
        }
        await document.save();
        ended.resolve({ choice, text: edited });
      },
    });
    const tabs = vscode.window.tabGroups.onDidChangeTabs(() => {
      if (tabsOf((other) => other.toString() === key).length > 0) return;
      const saved = new TextDecoder().decode(this.files.readFile(uri));
      ended.resolve({ choice: undefined, text: present(saved) });
    });
    try {
      await vscode.window.showTextDocument(document, { preview: false });
      this.lensesChanged.fire();
      return await ended.promise;
    } finally {
      tabs.dispose();
      this.asked.delete(key);
      await closeTabs((other) => other.toString() === key);
      folder.dispose();
    }
  }

  dispose(): void {
    this.store.dispose();
  }

  private lenses(uri: vscode.Uri): vscode.CodeLens[] {
    const top = new vscode.Range(0, 0, 0, 0);
    return (this.asked.get(uri.toString())?.choices ?? []).map(
      ({ id, title }) =>
        new vscode.CodeLens(top, { command: Command.answerDocument, title, arguments: [uri, id] }),
    );
  }
}
