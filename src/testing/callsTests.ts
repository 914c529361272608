import * as vscode from 'vscode';
import { type Disposable, DisposableStore } from '../base/disposable';
import { Emitter } from '../base/event';
import { createLimiter } from '../base/async';
import { formatBytes, plainLabel } from '../base/text/text';
import { type CallsFile, maxCallsBytes } from '../calls/format/calls';
import { type ParsedCalls, parseCalls } from '../calls/format/parseCalls';
import { callsGlob, readCalls, toRange } from './callsDocuments';
import { Command } from '../ui/ids';

/** Shows commands above each step in files of saved calls. */
export function createCallsLenses(): Disposable {
  return vscode.languages.registerCodeLensProvider(
    { pattern: callsGlob },
    {
      provideCodeLenses(document) {
        const { t } = vscode.l10n;
        return parseCalls(document.getText()).steps.flatMap(({ name, range }) => {
          const line = new vscode.Range(range.line, 0, range.line, 0);
          const lens = (title: string, command: string) =>
            new vscode.CodeLens(line, { title, command, arguments: [document.uri, name] });
          return [
            lens(t('$(play) Run'), Command.runSavedCall),
            lens(t('Update Expectation'), Command.updateExpectation),
          ];
        });
      },
    },
  );
}

/** A file that was read again, and its current contents. */
interface ChangedCalls {
  readonly uri: vscode.Uri;
  readonly file: CallsFile | undefined;
}

/** What was read of a file, and its item. */
interface ReadCalls {
  readonly item: vscode.TestItem;
  readonly calls: ParsedCalls;
}

/** The files of saved calls and their steps in the Test Explorer, kept up to date with the files. */
export class CallsTests implements Disposable {
  readonly controller: vscode.TestController;
  private readonly store = new DisposableStore();
  private readonly changed = this.store.add(new Emitter<ChangedCalls>());
  /** Fires with a file that has changed, after it was read again. */
  readonly onDidChangeFile = this.changed.event;
  private readonly changedAt = new Map<string, number>();
  private found: Promise<void> | undefined;
  private readonly inTurn = createLimiter(maxReadAtOnce);

  constructor(controller: vscode.TestController) {
    this.controller = controller;
    this.controller.resolveHandler = async (item) => {
      if (!item) await this.findAll();
      else if (item.uri) await this.read(item.uri);
    };
    this.controller.refreshHandler = () => this.findAll();
    const watcher = this.store.add(vscode.workspace.createFileSystemWatcher(callsGlob));
    const forget = (uri: vscode.Uri) => this.forget(uri);
    const changed = (uri: vscode.Uri) => void this.noteChange(uri);
    this.store.add(watcher.onDidCreate(changed));
    this.store.add(watcher.onDidChange(changed));
    this.store.add(watcher.onDidDelete(forget));
    this.store.add(
      vscode.workspace.onDidOpenTextDocument(({ uri }) => {
        if (isCallsFile(uri)) void this.read(uri).catch(() => forget(uri));
      }),
    );
    // Not every file system reports its changes.
    this.store.add(
      vscode.workspace.onDidSaveTextDocument(({ uri }) => {
        if (isCallsFile(uri)) changed(uri);
      }),
    );
  }

  /** Updates the items of a file and of its steps, and returns them with what was read. */
  read(uri: vscode.Uri): Promise<ReadCalls> {
    return this.inTurn(() => this.readNow(uri));
  }

  private async readNow(uri: vscode.Uri): Promise<ReadCalls> {
    const { controller } = this;
    const item = this.itemOf(uri);
    const calls = await readCalls(uri);
    const { steps, problems } = calls;
    item.children.replace(
      steps.map((step) => {
        const child = controller.createTestItem(stepId(uri, step.name), plainLabel(step.name), uri);
        child.range = toRange(step.range);
        return child;
      }),
    );
    const [problem] = problems;
    item.error = problem && plainLabel(`${problem.range.line + 1}: ${problem.message}`, 500);
    controller.items.add(item);
    return { item, calls };
  }

  private itemOf(uri: vscode.Uri): vscode.TestItem {
    const { controller } = this;
    const id = uri.toString();
    const label = vscode.workspace.asRelativePath(uri);
    const item = controller.items.get(id) ?? controller.createTestItem(id, plainLabel(label), uri);
    item.canResolveChildren = true;
    return item;
  }

  /** Resolves when the workspace has been searched for files once, which starts when this is first used. */
  get ready(): Promise<void> {
    // If the search fails, files that were read otherwise are still there; a refresh by the user shows why it failed.
    return (this.found ?? this.findAll()).catch(() => undefined);
  }

  dispose(): void {
    this.store.dispose();
  }

  private async noteChange(uri: vscode.Uri): Promise<void> {
    try {
      const { mtime } = await vscode.workspace.fs.stat(uri);
      const { calls } = await this.read(uri);
      const key = uri.toString();
      // A save is also reported by the file system.
      if (this.changedAt.get(key) === mtime) return;
      this.changedAt.set(key, mtime);
      this.changed.fire({ uri, file: calls.file });
    } catch {
      // A file that can no longer be read has been deleted meanwhile.
      this.forget(uri);
    }
  }

  private forget(uri: vscode.Uri): void {
    this.controller.items.delete(uri.toString());
    this.changedAt.delete(uri.toString());
  }

  private leaveOut(uri: vscode.Uri, why: string): void {
    const item = this.itemOf(uri);
    item.error = plainLabel(why, 500);
    this.controller.items.add(item);
  }

  private findAll(): Promise<void> {
    const find = async () => {
      const { t } = vscode.l10n;
      const { workspace } = vscode;
      // One more than are listed, which says so.
      const most = maxCallsFiles + 1;
      const uris = await workspace.findFiles(callsGlob, '**/node_modules/**', most);
      const tooMany = t(
        'Not read: at most {0} files of saved calls are listed. Those after this one are not.',
        maxCallsFiles,
      );
      const tooMuch = t(
        'Not read: the files of saved calls of this workspace have more than {0} together. Open or run this one to read it.',
        formatBytes(maxFoundBytes),
      );
      let bytes = 0;
      const look = async (uri: vscode.Uri, index: number) => {
        const { size } = await Promise.resolve(workspace.fs.stat(uri)).catch(() => ({ size: 0 }));
        // What is too large is not read in any case.
        if (size <= maxCallsBytes) bytes += size;
        const why = index >= maxCallsFiles ? tooMany : bytes > maxFoundBytes ? tooMuch : undefined;
        if (why === undefined) await this.readNow(uri);
        else this.leaveOut(uri, why);
      };
      await Promise.all(uris.map((uri, index) => this.inTurn(() => look(uri, index))));
    };
    this.found = find();
    return this.found;
  }
}

function isCallsFile(uri: vscode.Uri): boolean {
  return vscode.languages.match({ pattern: callsGlob }, { uri } as vscode.TextDocument) > 0;
}

/** At most this many files of a workspace are listed. */
export const maxCallsFiles = 1000;

/** At most this much of them is read before one is opened or run, in bytes. */
export const maxFoundBytes = 50_000_000;

/** At most this many of them are read at a time. */
export const maxReadAtOnce = 4;

/** Returns the id of a step's item in the Test Explorer. */
export function stepId(uri: vscode.Uri, name: string): string {
  return `${uri.toString()}#${name}`;
}
