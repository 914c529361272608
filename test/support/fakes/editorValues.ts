// The classes and enumerations of the double of the editor.
import { EventEmitter as NodeEmitter } from 'node:events';
import { URI, Utils } from 'vscode-uri';

type Listener<T> = (event: T) => unknown;

export class Disposable {
  readonly #end: () => unknown;
  constructor(end: () => unknown) {
    this.#end = end;
  }
  dispose(): void {
    this.#end();
  }
}

export class EventEmitter<T> {
  readonly #emitter = new NodeEmitter().setMaxListeners(0);
  readonly event = (listener: Listener<T>, self?: unknown): Disposable => {
    const call = (event: T) => void listener.call(self, event);
    this.#emitter.on('fire', call);
    return new Disposable(() => this.#emitter.off('fire', call));
  };
  fire(event: T): void {
    this.#emitter.emit('fire', event);
  }
  dispose(): void {
    this.#emitter.removeAllListeners();
  }
}

export class Location {
  readonly uri: URI;
  readonly range: unknown;
  constructor(uri: URI, range: unknown) {
    this.uri = uri;
    this.range = range;
  }
}

/** An event that never happens. */
export const never = () => new Disposable(() => undefined);

export class CancellationTokenSource {
  readonly #cancelled = new EventEmitter<void>();
  readonly token = {
    isCancellationRequested: false,
    onCancellationRequested: this.#cancelled.event,
  };
  cancel(): void {
    if (this.token.isCancellationRequested) return;
    this.token.isCancellationRequested = true;
    this.#cancelled.fire();
  }
  dispose(): void {
    this.#cancelled.dispose();
  }
}

export const Uri = Object.assign(URI, { joinPath: Utils.joinPath });

export class ThemeColor {
  readonly id: string;
  constructor(id: string) {
    this.id = id;
  }
}

export class ThemeIcon {
  static readonly File = new ThemeIcon('file');
  static readonly Folder = new ThemeIcon('folder');
  readonly id: string;
  readonly color: ThemeColor | undefined;
  constructor(id: string, color?: ThemeColor) {
    this.id = id;
    this.color = color;
  }
}

export class TreeItem {
  readonly label: string | undefined;
  readonly resourceUri: URI | undefined;
  collapsibleState: number;
  constructor(shown: string | URI, collapsibleState = TreeItemCollapsibleState.None) {
    if (URI.isUri(shown)) this.resourceUri = shown;
    else this.label = shown;
    this.collapsibleState = collapsibleState;
  }
}

export class MarkdownString {
  isTrusted?: boolean;
  supportThemeIcons?: boolean;
  supportHtml?: boolean;
  value: string;
  constructor(value = '') {
    this.value = value;
  }
  appendText(text: string): this {
    return this.appendMarkdown(text.replaceAll(/[\\`*_{}[\]()#+\-!~]/g, String.raw`\$&`));
  }
  appendMarkdown(text: string): this {
    this.value += text;
    return this;
  }
}

export class LanguageModelTextPart {
  readonly value: string;
  constructor(value: string) {
    this.value = value;
  }
}

export class LanguageModelToolCallPart {
  readonly callId: string;
  readonly name: string;
  readonly input: object;
  constructor(callId: string, name: string, input: object) {
    this.callId = callId;
    this.name = name;
    this.input = input;
  }
}

export class LanguageModelToolResultPart {
  readonly callId: string;
  readonly content: readonly unknown[];
  constructor(callId: string, content: readonly unknown[]) {
    this.callId = callId;
    this.content = content;
  }
}

export class LanguageModelChatMessage {
  readonly role: number;
  readonly content: unknown;
  readonly name: string | undefined;
  constructor(role: number, content: unknown, name?: string) {
    this.role = role;
    this.content = content;
    this.name = name;
  }
  static User = (content: unknown) => new LanguageModelChatMessage(1, content);
  static Assistant = (content: unknown) => new LanguageModelChatMessage(2, content);
}

export class FileSystemError extends Error {
  readonly code: string;
  constructor(message: string, code = 'Unknown') {
    super(message);
    this.code = code;
  }
  static FileNotFound = (uri: URI) => new FileSystemError(uri.toString(), 'FileNotFound');
  static FileNotADirectory = (uri: URI) => new FileSystemError(uri.toString(), 'FileNotADirectory');
  static FileIsADirectory = (uri: URI) => new FileSystemError(uri.toString(), 'FileIsADirectory');
}

export const TreeItemCollapsibleState = { None: 0, Collapsed: 1, Expanded: 2 };
export const TreeItemCheckboxState = { Unchecked: 0, Checked: 1 };
export const QuickPickItemKind = { Separator: -1, Default: 0 };
export const LogLevel = { Off: 0, Trace: 1, Debug: 2, Info: 3, Warning: 4, Error: 5 };

export const QuickInputButtons = { Back: { iconPath: new ThemeIcon('arrow-left') } };
export const InputBoxValidationSeverity = { Info: 1, Warning: 2, Error: 3 };
export const ConfigurationTarget = { Global: 1, Workspace: 2, WorkspaceFolder: 3 };
export const ProgressLocation = { SourceControl: 1, Window: 10, Notification: 15 };
export const StatusBarAlignment = { Left: 1, Right: 2 };
export const UIKind = { Desktop: 1, Web: 2 };
export const FilePermission = { Readonly: 1 };
export const FileType = { Unknown: 0, File: 1, Directory: 2, SymbolicLink: 64 };
export const LanguageModelChatMessageRole = { User: 1, Assistant: 2 };
