import * as vscode from 'vscode';
import { DisposableStore, type Disposable } from '../../base/disposable';
import { UserError } from '../../base/errors';
import { plainLabel } from '../../base/text/text';
import { diagnose } from '../../mcp/doctor/diagnose';
import type { Platform } from '../../mcp/platform';
import type { Server } from '../../mcp/server';
import type { Logs } from '../../ui/logs';
import type { Questions } from '../../ui/questions/questions';
import type { StartServer } from '../../contracts/startServer';
import { KeptFolders } from '../../ui/documents/keptFolders';
import { MemoryFiles } from '../../ui/documents/memoryFiles';
import { reportScheme } from '../../ui/ids';
import { reportText } from './reportText';

/** The diagnosis of what is wrong with a server. */
export interface Doctor extends Disposable {
  /** Starts the server unless it is running, and shows what was found. */
  diagnose(server: Server): Promise<void>;
  /** Copies the report in the active editor to the clipboard; rejects with a `UserError` if there is none. */
  copyReport(): Promise<void>;
}

/** Makes the {@link Doctor}. */
export function createDoctor(deps: {
  readonly platform: Platform;
  readonly startServer: StartServer;
  readonly logs: Logs;
  readonly version: string;
  readonly questions: Pick<Questions, 'turnedAway'>;
}): Doctor {
  const { platform, startServer, logs, version, questions } = deps;
  const { t } = vscode.l10n;
  const store = new DisposableStore();
  const files = store.add(new MemoryFiles(reportScheme));
  const kept = store.add(new KeptFolders(files, 'report'));
  return {
    dispose: () => store.dispose(),
    async diagnose(server) {
      const begunAt = Date.now();
      const name = plainLabel(server.name);
      const title = t('Diagnosing {0}…', name);
      const location = vscode.ProgressLocation.Window;
      const { programs } = platform;
      const start = () => startServer(server.id);
      const findings = await vscode.window.withProgress({ location, title }, () =>
        diagnose(server, { start, programs, t }),
      );
      const facts = [
        t('Configured in: {0}', server.definition.source.label),
        `MCP Workbench ${version}, ${vscode.env.appName} ${vscode.version}, ${platform.name}`,
        new Date().toLocaleString(vscode.env.language),
      ];
      const text = reportText({ name, facts }, findings, t);
      const isAway = questions.turnedAway(begunAt, server.id);
      const file = t('Diagnosis of {0}', name).replaceAll('/', '∕');
      const uri = kept.document(server.id, file, logs.mask(text));
      const plain = await vscode.workspace.openTextDocument(uri);
      // Its lines are as long as what servers say, and this language wraps them.
      const document = await vscode.languages.setTextDocumentLanguage(plain, 'mcp-review');
      await vscode.window.showTextDocument(document, { preview: true, preserveFocus: isAway });
    },
    async copyReport() {
      const document = vscode.window.activeTextEditor?.document;
      if (document?.uri.scheme !== reportScheme)
        throw new UserError(t('No report is open. Run "Diagnose Start and Connection" first.'));
      await vscode.env.clipboard.writeText(document.getText());
      vscode.window.setStatusBarMessage(
        t('Copied the report, without the secrets that are known.'),
        5000,
      );
    },
  };
}
