import * as vscode from 'vscode';
import { type Disposable, DisposableStore } from '../../base/disposable';
import { UserError, errorMessage } from '../../base/errors';
import { asRecord, canonicalJson, isRecord, parseJson } from '../../base/json';
import { Emitter } from '../../base/event';
import type { LocalizableMessage } from '../../base/translate';
import type { AdministratorFiles, Platform } from '../../mcp/platform';
import { reportError } from '../../ui/commands';
import type { Logs } from '../../ui/logs';
import { holdSettings } from '../../ui/settings/readSetting';
import { type SettingKey, type SettingRule, settingRules } from '../../ui/settings/settingRules';

/** The keys of the file for the folder that all calls are logged to as well, and for the collector of traces. */
const [logKey, tracesKey] = ['log', 'traces'] as const;

/** What an administrator's file says; `problem` if it cannot be read, which forbids all calls. */
export interface AdministratorFile {
  readonly settings: Readonly<Record<string, unknown>>;
  readonly logFolder?: string;
  /** The collector that the traces of all users go to. */
  readonly traces?: {
    readonly endpoint: string;
    readonly headers: Readonly<Record<string, string>>;
  };
  readonly problem?: LocalizableMessage;
}

/**
 * The rules in a file that only an administrator of the machine writes. They tighten settings as a workspace does, on
 * top of it, and can have all calls logged to a folder. The file is read as the window opens and comes to the front.
 */
export class AdministratorRules implements Disposable {
  private readonly files: AdministratorFiles | undefined;
  private readonly logs: Logs;
  private readonly store = new DisposableStore();
  private known: KnownFile | undefined;
  private unlogged: LocalizableMessage | undefined;
  private readonly changed = this.store.add(new Emitter<void>());
  /** Fires when the file says something else. */
  readonly onDidChange = this.changed.event;

  constructor(files: Platform['administrator'], logs: Logs) {
    this.files = files;
    this.logs = logs;
    if (!files) return;
    this.read();
    this.store.add(
      vscode.window.onDidChangeWindowState(({ focused }) => {
        if (focused) this.read();
      }),
    );
  }

  /** Where the file is; `undefined` where there can be none. */
  get path(): string | undefined {
    return this.files?.path;
  }

  /** What it says; `undefined` if there is none. */
  get file(): AdministratorFile | undefined {
    return this.known?.file;
  }

  /** Why no tool may be called: the file cannot be read, or the log that it wants not be written. */
  get problem(): LocalizableMessage | undefined {
    return this.known?.file.problem ?? this.unlogged;
  }

  /**
   * Appends a record to the log that the administrator wants, if any; rejects if that fails, and no tool may be called
   * until it works again.
   */
  async log(record: unknown): Promise<void> {
    const folder = this.known?.file.logFolder;
    if (!this.files || folder === undefined) return;
    try {
      await this.files.append(folder, `${JSON.stringify(record)}\n`);
      this.unlogged = undefined;
    } catch (error) {
      const problem: LocalizableMessage = (t) =>
        t('The log in {0} cannot be written: {1}', folder, errorMessage(error, t));
      this.tell(problem);
      throw new UserError(problem, { cause: error });
    }
  }

  dispose(): void {
    this.store.dispose();
    holdSettings({});
  }

  private read(): void {
    const found = this.find();
    if (found?.content === this.known?.content) {
      if (this.unlogged) this.tryLog();
      return;
    }
    const before = this.known?.file.problem;
    const file = found?.file;
    this.known = found;
    this.unlogged = undefined;
    holdSettings(file?.settings ?? {});
    this.changed.fire();
    if (file?.problem && !before) this.report(file.problem);
    if (file?.logFolder !== undefined) this.tryLog();
  }

  private find(): KnownFile | undefined {
    try {
      const text = this.files?.read();
      return text === undefined
        ? undefined
        : { content: `read: ${text}`, file: readAdministratorFile(text) };
    } catch (error) {
      return { content: `failed: ${String(error)}`, file: broken(error) };
    }
  }

  /** Shows now, and not with the next call, whether the log can be written. */
  private tryLog(): void {
    this.log({ kind: 'opened', time: new Date().toISOString() }).catch(() => {});
  }

  private tell(problem: LocalizableMessage): void {
    if (!this.unlogged) this.report(problem);
    this.unlogged = problem;
  }

  private report(problem: LocalizableMessage): void {
    const error = new UserError((t) =>
      t(
        'No tool is called, because the rules of your administrator in {0} cannot be kept. {1}',
        this.path ?? '',
        problem(t),
      ),
    );
    this.logs.extension.error(error.message);
    reportError(error, this.logs);
  }
}

/** The file as it was found. */
interface KnownFile {
  /** What tells it from another one: its text, or why that cannot be read. */
  readonly content: string;
  readonly file: AdministratorFile;
}

function broken(error: unknown): AdministratorFile {
  return { settings: {}, problem: (t) => errorMessage(error, t) };
}

/** Reads an administrator's file: a JSON object of settings that a workspace can tighten, and `log`. */
export function readAdministratorFile(text: string): AdministratorFile {
  const value = parseJson(text);
  if (!isRecord(value)) return broken(new UserError((t) => t('It is not a JSON object.')));
  const { [logKey]: log, [tracesKey]: collector, $schema: _schema, ...settings } = value;
  const wrong = Object.entries(settings).find(([key, set]) => !isTightening(key, set));
  if (wrong)
    return broken(
      new UserError((t) =>
        t('"{0}" is no setting that it can make stricter, or has no such value.', wrong[0]),
      ),
    );
  const traces = collector === undefined ? undefined : readCollector(collector);
  if (collector !== undefined && !traces)
    return broken(
      new UserError((t) =>
        t('"traces" must have an "endpoint", and can have "headers" that HTTP can send.'),
      ),
    );
  const known = { settings, ...(traces && { traces }) };
  if (log === undefined) return known;
  const folder = isRecord(log) && Object.keys(log).length === 1 ? log['folder'] : undefined;
  if (typeof folder !== 'string' || !/^(?:\/|[A-Za-z]:[\\/]|\\\\[^\\]+\\)/.test(folder))
    return broken(new UserError((t) => t('"log" must name a "folder" by its whole path.')));
  return { ...known, logFolder: folder };
}

function readCollector(value: unknown): AdministratorFile['traces'] {
  const { endpoint, headers = {}, ...others } = asRecord(value);
  const isWhole = Object.keys(others).length === 0 && isRecord(headers);
  if (typeof endpoint !== 'string' || !URL.canParse(endpoint) || !isWhole) return undefined;
  const texts = Object.entries(headers).flatMap(([key, text]) =>
    typeof text === 'string' && isSendableHeader(key, text) ? [[key, text] as const] : [],
  );
  if (texts.length < Object.keys(headers).length) return undefined;
  return { endpoint, headers: Object.fromEntries(texts) };
}

/** True if HTTP has such a header: another one would fail with each request, with its value in what is said. */
export function isSendableHeader(name: string, value: string): boolean {
  return /^[\w!#$%&'*+.^`|~-]{1,200}$/.test(name) && /^[\t\x20-\x7e\x80-\xff]*$/.test(value);
}

function isTightening(key: string, value: unknown): boolean {
  if (!Object.hasOwn(settingRules, key)) return false;
  const rule = settingRules[key as SettingKey] as unknown as SettingRule<unknown>;
  return rule.reach === 'tightens' && canonicalJson(rule.read(value)) === canonicalJson(value);
}
