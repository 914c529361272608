import * as vscode from 'vscode';
import { errorMessage } from '../base/errors';
import { Emitter } from '../base/event';
import { isRecord } from '../base/json';
import type { AuditLog, AuditRecord } from './auditLog';
import { openJsonLines } from '../mcp/node/jsonLines';
import type { Logs } from '../ui/logs';

const maxBytes = 10_000_000;

/** Opens the audit log of this workspace, or of windows without one, in the extension's storage. */
export function openAuditLog(context: vscode.ExtensionContext, logs: Logs): AuditLog {
  const folder = context.storageUri ?? context.globalStorageUri;
  const lines = openJsonLines(vscode.Uri.joinPath(folder, 'audit.jsonl').fsPath, maxBytes);
  const written = new Emitter<void>();
  let told = false;
  return {
    onDidWrite: written.event,
    async write(record) {
      try {
        await lines.append(record);
        written.fire();
      } catch (error) {
        logs.extension.error(`The audit log could not be written: ${errorMessage(error)}`);
        if (!told)
          void vscode.window.showWarningMessage(
            vscode.l10n.t('The audit log of tools cannot be written: {0}', errorMessage(error)),
          );
        told = true;
      }
    },
    async read() {
      return (await lines.read()).filter(isAuditRecord);
    },
  };
}

function isAuditRecord(value: unknown): value is AuditRecord {
  return isRecord(value) && 'kind' in value && 'id' in value;
}
