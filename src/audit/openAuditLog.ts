import * as vscode from 'vscode';
import { errorMessage } from '../base/errors';
import { Emitter } from '../base/event';
import { firstWindowFolder } from '../base/uri/fileAddress';
import { PendingWork } from '../base/async';
import type { AuditLog, AuditRecord, AuditRetention } from './auditLog';
import type { PrivateFiles } from '../mcp/platform';
import { Setting } from '../ui/ids';
import type { Logs } from '../ui/logs';
import { readSetting } from '../ui/settings/readSetting';
import { type Disposable, DisposableStore } from '../base/disposable';
import { isRecord } from '../base/json';
import type { ApprovalScope, Decider } from '../contracts/questionOutcome';
import { showMessage } from '../ui/messages';

/** Reads a record of the audit log, even one that an earlier version wrote; `undefined` for anything else. */
export function readAuditRecord(value: unknown): AuditRecord | undefined {
  if (!isRecord(value) || !('kind' in value) || !('id' in value)) return undefined;
  if (value['kind'] !== 'callBegun') return value as unknown as AuditRecord;
  const { by, launchPrint, toolPrint, ...rest } = value;
  return {
    ...rest,
    ...(rest['origin'] === 'person' && { origin: 'user' }),
    ...(launchPrint !== undefined && { launchFingerprint: launchPrint }),
    ...(toolPrint !== undefined && { toolFingerprint: toolPrint }),
    ...(!('decidedBy' in rest) && { decidedBy: deciderOf(String(by)) }),
  } as unknown as AuditRecord;
}

/** Reads who decided from its first format: `person: session, tool`, `approval`, `schema`, or a rule. */
function deciderOf(by: string): Decider {
  const [who = '', scope = ''] = by.split(': ');
  const [duration, coverage] = scope.split(', ');
  switch (who) {
    case 'person':
      return coverage
        ? { kind: 'user', approved: { duration, coverage } as ApprovalScope }
        : { kind: 'user' };
    case 'approval':
    case 'schema':
      return { kind: who };
    case 'readOnlyHint':
      return { kind: 'rule', setting: 'mcpWorkbench.tools.trustReadOnlyHint' };
    default:
      return { kind: 'rule', setting: `mcpWorkbench.tools.${who}` };
  }
}

/** Calls `changed` when any window may have written to the logs in a folder, until disposed. */
function watchLogs(
  folder: vscode.Uri,
  files: Pick<PrivateFiles, 'makeFolder'>,
  changed: () => void,
): Disposable {
  const store = new DisposableStore();
  const watch = () => {
    const pattern = new vscode.RelativePattern(folder, '*.jsonl');
    const watcher = store.add(vscode.workspace.createFileSystemWatcher(pattern));
    for (const event of [watcher.onDidCreate, watcher.onDidChange]) store.add(event(changed));
  };
  // A folder that does not exist cannot be watched; if it cannot be made, nothing is logged either.
  void files.makeFolder(folder).then(watch, () => undefined);
  // Not every file system reports its changes.
  store.add(
    vscode.window.onDidChangeWindowState(({ focused }) => {
      if (focused) changed();
    }),
  );
  return store;
}

const maxCallBytes = 10_000_000;
const maxRequestBytes = 2_000_000;

/**
 * Opens the audit log in the extension's storage: one for all windows of this workspace, or for all windows without a
 * workspace. What servers ask has a file of its own, so that the calls are kept however much servers ask.
 *
 * @param administrator gets each record as well; where it rejects, a call is not begun
 */
export function openAuditLog(
  context: vscode.ExtensionContext,
  files: PrivateFiles,
  logs: Logs,
  administrator: { log(record: AuditRecord): Promise<void> },
): AuditLog {
  const { storageUri, globalStorageUri } = context;
  const folder = storageUri?.with({ path: firstWindowFolder(storageUri.path) }) ?? globalStorageUri;
  const open = (name: string, maxBytes: number) =>
    files.openJsonLines(vscode.Uri.joinPath(folder, name), maxBytes);
  const calls = open('audit.jsonl', maxCallBytes);
  const requests = open('requests.jsonl', maxRequestBytes);
  const written = new Emitter<AuditRecord>();
  let told = false;
  return {
    // In a browser, the editor's own id is the same for all windows.
    session: crypto.randomUUID(),
    onDidWrite: written.event,
    watch: (changed) => watchLogs(folder, files, changed),
    pending: new PendingWork(),
    async write(record) {
      // A call that cannot be logged is not sent; what follows one is of one that was.
      const logged = administrator.log(record);
      await (record.kind === 'callBegun' ? logged : logged.catch(() => {}));
      try {
        await (record.kind === 'requestAnswered' ? requests : calls).append(record);
        written.fire(record);
      } catch (error) {
        logs.extension.error(`The audit log could not be written: ${errorMessage(error)}`);
        if (!told)
          void showMessage(
            'warning',
            vscode.l10n.t(
              'The audit log of tools cannot be written: {0}',
              errorMessage(error, vscode.l10n.t),
            ),
          );
        told = true;
      }
    },
    async read() {
      const read = await Promise.all([calls.read(), requests.read()]);
      const values = read.flatMap((file) => file.values);
      const records = values.flatMap((value) => readAuditRecord(value) ?? []).toSorted(byTime);
      return { records, lost: read.reduce((sum, { broken }) => sum + broken, 0) };
    },
  };
}

function byTime(a: AuditRecord, b: AuditRecord): number {
  return a.time < b.time ? -1 : Number(a.time > b.time);
}

/** Returns how this window's audit log keeps values: as the user wants, and without the secrets that the window knows. */
export function windowRetention(logs: Pick<Logs, 'mask'>): AuditRetention {
  return {
    keep: () => readSetting(Setting.toolLogArguments),
    mask: (text) => logs.mask(text),
  };
}
