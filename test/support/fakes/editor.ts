// The module `vscode` of unit tests: as much of the editor as code asks for that is given the rest. What happens in the
// real one once a message was answered happens here a turn later. Whoever wants to see what the editor makes of it
// writes a host test.
import { lstat, mkdir, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import type * as vscode from 'vscode';
import { Utils, type URI } from 'vscode-uri';
import manifest from '../../../package.json';
import {
  CancellationTokenSource,
  ConfigurationTarget,
  Disposable,
  EventEmitter,
  FileSystemError,
  FileType,
  never,
  QuickPickItemKind,
  UIKind,
} from './editorValues';

export * from './editorValues';

type Argument = string | number | boolean;

function translate(
  text: string | { message: string; args?: Record<string, Argument> | Argument[] },
  ...rest: (Argument | Record<string, Argument>)[]
): string {
  const message = typeof text === 'string' ? text : text.message;
  const [first] = rest;
  const args =
    typeof text === 'object' ? (text.args ?? []) : typeof first === 'object' ? first : rest;
  return message.replaceAll(/\{(\w+)\}/g, (all, key: string) => {
    const value = Reflect.get(args, key) as Argument | undefined;
    return value === undefined ? all : String(value);
  });
}

export const ViewColumn = { Active: -1, Beside: -2 };
export const l10n = { t: translate, bundle: undefined, uri: undefined };

const registered = new Map<string, (...args: never[]) => unknown>();
/** The commands of the editor itself do nothing. */
const ofEditor = /^(?:workbench|editor|vscode|setContext$|noop$|_)/;

export const commands = {
  registerCommand(id: string, handler: (...args: never[]) => unknown) {
    registered.set(id, handler);
    return new Disposable(() => registered.delete(id));
  },
  executeCommand: async (id: string, ...args: never[]): Promise<unknown> => {
    if (id === 'workbench.action.acceptSelectedQuickOpenItem') QuickInput.shown?.accept();
    const handler = registered.get(id);
    if (!handler && !ofEditor.test(id)) throw new Error(`command '${id}' not found`);
    return handler?.(...args);
  },
  getCommands: () => Promise.resolve([...registered.keys()]),
};

/** A quick pick or an input box: what is common to both. */
class QuickInput {
  static shown: QuickInput | undefined;
  title?: string;
  step?: number;
  totalSteps?: number;
  enabled = true;
  busy = false;
  ignoreFocusOut = false;
  placeholder?: string;
  prompt?: string;
  buttons: readonly unknown[] = [];
  #value = '';
  readonly accepted = new EventEmitter<void>();
  readonly changed = new EventEmitter<string>();
  readonly hidden = new EventEmitter<{ reason: number }>();
  readonly pressed = new EventEmitter<unknown>();
  readonly onDidAccept = this.accepted.event;
  readonly onDidChangeValue = this.changed.event;
  readonly onDidHide = this.hidden.event;
  readonly onDidTriggerButton = this.pressed.event;

  get value(): string {
    return this.#value;
  }
  set value(value: string) {
    this.#value = value;
    setImmediate(() => this.changed.fire(value));
  }
  show(): void {
    if (QuickInput.shown !== this) QuickInput.shown?.hide();
    QuickInput.shown = this;
  }
  accept(): void {
    this.accepted.fire();
  }
  hide(): void {
    if (QuickInput.shown !== this) return;
    QuickInput.shown = undefined;
    setImmediate(() => this.hidden.fire({ reason: 2 }));
  }
  dispose(): void {
    this.hide();
  }
}

class QuickPick extends QuickInput {
  canSelectMany = false;
  matchOnDescription = false;
  matchOnDetail = false;
  sortByLabel = true;
  keepScrollPosition = false;
  #items: readonly vscode.QuickPickItem[] = [];
  #active: readonly vscode.QuickPickItem[] = [];
  selectedItems: readonly vscode.QuickPickItem[] = [];
  readonly activeChanged = new EventEmitter<readonly vscode.QuickPickItem[]>();
  readonly selectionChanged = new EventEmitter<readonly vscode.QuickPickItem[]>();
  readonly rowPressed = new EventEmitter<unknown>();
  readonly onDidChangeActive = this.activeChanged.event;
  readonly onDidChangeSelection = this.selectionChanged.event;
  readonly onDidTriggerItemButton = this.rowPressed.event;

  get items(): readonly vscode.QuickPickItem[] {
    return this.#items;
  }
  set items(items: readonly vscode.QuickPickItem[]) {
    this.#items = [...items];
    this.#draw();
  }
  get activeItems(): readonly vscode.QuickPickItem[] {
    return this.#active;
  }
  set activeItems(items: readonly vscode.QuickPickItem[]) {
    this.#active = items;
    setImmediate(() => this.activeChanged.fire(items));
  }
  override show(): void {
    super.show();
    this.#draw();
  }
  override accept(): void {
    this.selectedItems = this.#active;
    this.selectionChanged.fire(this.#active);
    super.accept();
  }
  /** The first row is active once the rows are drawn, unless one of them was already. */
  #draw(): void {
    if (QuickInput.shown !== this) return;
    setImmediate(() => {
      if (this.#active.some((item) => this.#items.includes(item))) return;
      const first = this.#items.find((item) => Number(item.kind) !== QuickPickItemKind.Separator);
      this.#active = first ? [first] : [];
      this.activeChanged.fire(this.#active);
    });
  }
}

class InputBox extends QuickInput {
  password = false;
  validationMessage: unknown;
  valueSelection: readonly [number, number] | undefined;
}

const nothing = () => Promise.resolve(undefined);

const logMethods = ['show', 'dispose', 'trace', 'debug', 'info', 'warn', 'error'];

export const window = {
  activeTextEditor: undefined,
  activeTerminal: undefined,
  createQuickPick: () => new QuickPick(),
  createInputBox: () => new InputBox(),
  createOutputChannel: (name: string) => ({
    name,
    onDidChangeLogLevel: never,
    ...Object.fromEntries(logMethods.map((method) => [method, () => undefined])),
  }),
  registerFileDecorationProvider: never,
  createStatusBarItem: () => ({ show() {}, hide() {}, dispose() {} }),
  setStatusBarMessage: never,
  showInformationMessage: nothing,
  showWarningMessage: nothing,
  showErrorMessage: nothing,
  showQuickPick: nothing,
  withProgress: (
    _options: unknown,
    work: (progress: { report(): void }, token: unknown) => Promise<unknown>,
  ) => work({ report() {} }, new CancellationTokenSource().token),
};

type Scope = 'globalValue' | 'workspaceValue';
const changedSettings = new EventEmitter<{ affectsConfiguration(key: string): boolean }>();
const set = new Map<string, Partial<Record<Scope, unknown>>>();
const defaults = new Map<string, unknown>(
  Object.entries(
    manifest.contributes.configuration.flatMap(({ properties }) => Object.entries(properties)),
  ).map(([, [key, { default: value }]]) => [key, value]),
);

function getConfiguration(section?: string) {
  const nameOf = (key: string) => (section ? `${section}.${key}` : key);
  const inspect = (key: string) => ({
    key: nameOf(key),
    defaultValue: defaults.get(nameOf(key)),
    ...set.get(nameOf(key)),
  });
  return {
    inspect,
    get: (key: string, otherwise?: unknown) => {
      const { defaultValue, globalValue, workspaceValue } = inspect(key) as Record<string, unknown>;
      return workspaceValue ?? globalValue ?? defaultValue ?? otherwise;
    },
    has: (key: string) => defaults.has(nameOf(key)),
    update: (key: string, value: unknown, target: number | boolean = true) => {
      const scope: Scope =
        target === true || target === ConfigurationTarget.Global ? 'globalValue' : 'workspaceValue';
      const { [scope]: _old, ...others } = set.get(nameOf(key)) ?? {};
      set.set(nameOf(key), value === undefined ? others : { ...others, [scope]: value });
      changedSettings.fire({ affectsConfiguration: (name) => nameOf(key).startsWith(name) });
      return Promise.resolve();
    },
  };
}

const typeOf = (entry: { isDirectory(): boolean; isFile(): boolean }) => {
  if (entry.isDirectory()) return FileType.Directory;
  return entry.isFile() ? FileType.File : FileType.Unknown;
};

/** Does something with a file; fails as the file system of the editor does. */
async function onDisk<T>(uri: URI, work: (path: string) => Promise<T>): Promise<T> {
  try {
    return await work(uri.fsPath);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT') throw FileSystemError.FileNotFound(uri);
    throw code === 'ENOTDIR' ? FileSystemError.FileNotADirectory(uri) : error;
  }
}

export const FileChangeType = { Changed: 1, Created: 2, Deleted: 3 };

export const languages = { registerCodeLensProvider: never };

export const workspace = {
  registerFileSystemProvider: never,
  isTrusted: true,
  workspaceFolders: undefined,
  textDocuments: [] as readonly vscode.TextDocument[],
  getWorkspaceFolder: () => undefined,
  asRelativePath: (path: string | URI) => (typeof path === 'string' ? path : path.fsPath),
  getConfiguration,
  onDidChangeConfiguration: changedSettings.event,
  fs: {
    readFile: (uri: URI) => onDisk(uri, readFile),
    writeFile: async (uri: URI, content: Uint8Array) => {
      await mkdir(Utils.dirname(uri).fsPath, { recursive: true });
      await onDisk(uri, (path) => writeFile(path, content));
    },
    createDirectory: (uri: URI) => onDisk(uri, (path) => mkdir(path, { recursive: true })),
    delete: (uri: URI) => onDisk(uri, (path) => rm(path, { recursive: true })),
    stat: (uri: URI) =>
      onDisk(uri, async (path) => {
        const link = await lstat(path);
        const isLink = link.isSymbolicLink();
        const entry = isLink ? await stat(path).catch(() => link) : link;
        return {
          type: typeOf(entry) | (isLink ? FileType.SymbolicLink : 0),
          mtime: entry.mtimeMs,
          ctime: entry.ctimeMs,
          size: entry.size,
        };
      }),
    readDirectory: (uri: URI) =>
      onDisk(uri, async (path) => {
        const entries = await readdir(path, { withFileTypes: true });
        return entries.map((entry) => [entry.name, typeOf(entry)] as const);
      }),
  },
};

let clipboard = '';
export const env = {
  language: 'en',
  uiKind: UIKind.Desktop,
  clipboard: {
    readText: () => Promise.resolve(clipboard),
    writeText: (text: string) => Promise.resolve(void (clipboard = text)),
  },
};

/** Knows no account; a test puts its own in its place. */
export const authentication = { getSession: () => Promise.resolve(undefined) };

export const extensions = { getExtension: () => undefined, onDidChange: never };
