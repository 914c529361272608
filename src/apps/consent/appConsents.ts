import * as vscode from 'vscode';
import { isRecord } from '../../base/json';
import { StoredList, type Memento } from '../../base/memento';
import type { PrivateFiles } from '../../mcp/platform';
import type { Server } from '../../mcp/server';
import { readFileInUtf8 } from '../../ui/documents/readTextFile';
import type { App } from '../page/app';
import { permissions, type Permission } from '../page/permissions';

/** The user's consent to show an app, bound to what the app was at that time. */
export interface AppConsent {
  readonly serverId: string;
  readonly launchFingerprint: string;
  readonly uri: string;
  readonly fingerprint: string;
  readonly granted: readonly Permission[];
}

/** What is known about an app: it may be shown, it has changed since it was allowed, or it is new. */
export type AppConsentStatus =
  | { readonly kind: 'allowed'; readonly granted: readonly Permission[] }
  | { readonly kind: 'changed'; readonly fingerprint: string }
  | { readonly kind: 'new' };

/** At most this many apps are remembered; the oldest are discarded. */
export const maxConsents = 200;

/** The apps that may be shown, each bound to the launch of its server and to its own fingerprint. */
export class AppConsents {
  private readonly kept: StoredList<AppConsent>;
  /** Those of apps whose scripts can change unseen. */
  private session: readonly AppConsent[] = [];

  constructor(store: Memento) {
    this.kept = new StoredList(store, 'apps', { max: maxConsents, isEntry: isConsent });
  }

  get all(): readonly AppConsent[] {
    return [...this.session, ...this.kept.all];
  }

  async find(server: Server, { uri, fingerprint }: App): Promise<AppConsentStatus> {
    const launch = await server.launchFingerprint();
    const known = this.all.find((one) => isOf(one, server.id, launch, uri));
    if (!known) return { kind: 'new' };
    return known.fingerprint === fingerprint
      ? { kind: 'allowed', granted: permissions.filter((one) => known.granted.includes(one)) }
      : { kind: 'changed', fingerprint: known.fingerprint };
  }

  /** Remembers an app that the user allowed, for this session alone if its scripts can change. */
  async remember(server: Server, app: App, granted: readonly Permission[]): Promise<void> {
    const launchFingerprint = await server.launchFingerprint();
    const { uri, fingerprint } = app;
    const own = { serverId: server.id, launchFingerprint, uri, fingerprint, granted };
    const isSame = (one: AppConsent) => isOf(one, server.id, launchFingerprint, uri);
    this.session = this.session.filter((one) => !isSame(one));
    if (!app.canChange) return this.kept.put(own, isSame);
    this.session = [own, ...this.session].slice(0, maxConsents);
    await this.kept.remove(isSame);
  }

  async forgetAll(): Promise<void> {
    this.session = [];
    await this.kept.remove(() => true);
  }
}

function isOf(one: AppConsent, serverId: string, launch: string, uri: string): boolean {
  return one.serverId === serverId && one.launchFingerprint === launch && one.uri === uri;
}

function isConsent(value: unknown): value is AppConsent {
  return (
    isRecord(value) &&
    ['serverId', 'launchFingerprint', 'uri', 'fingerprint'].every(
      (name) => typeof value[name] === 'string',
    ) &&
    Array.isArray(value['granted'])
  );
}

/** The largest HTML of an app that is kept to show later how the app has changed, in bytes. */
const maxKeptBytes = 2_000_000;

/** The HTML of allowed apps by fingerprint, in files of the extension's own. */
export class AllowedSources {
  private readonly folder: vscode.Uri;
  private readonly files: Pick<PrivateFiles, 'makeFolder' | 'write'>;

  constructor(storage: vscode.Uri, files: Pick<PrivateFiles, 'makeFolder' | 'write'>) {
    this.files = files;
    this.folder = vscode.Uri.joinPath(storage, 'apps');
  }

  async keep({ fingerprint, html, bytes }: App, wanted: ReadonlySet<string>): Promise<void> {
    await this.files.makeFolder(this.folder);
    if (bytes <= maxKeptBytes) await this.files.write(this.file(fingerprint), html);
    for (const [name] of await vscode.workspace.fs.readDirectory(this.folder))
      if (!wanted.has(name.replace('.html', '')))
        await vscode.workspace.fs.delete(vscode.Uri.joinPath(this.folder, name));
  }

  /** Reads the HTML as it was allowed; `undefined` if it was too large to keep. */
  async read(fingerprint: string): Promise<string | undefined> {
    try {
      return await readFileInUtf8(this.file(fingerprint), maxKeptBytes);
    } catch {
      return undefined;
    }
  }

  private file(fingerprint: string): vscode.Uri {
    return vscode.Uri.joinPath(this.folder, `${fingerprint}.html`);
  }
}
