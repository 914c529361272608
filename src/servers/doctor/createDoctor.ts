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
import { ReportDocuments } from './reportDocuments';
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
  const documents = store.add(new ReportDocuments());
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
      await documents.show(t('Diagnosis of {0}', name), logs.mask(text), isAway);
    },
    async copyReport() {
      if (!(await documents.copyActive()))
        throw new UserError(t('No report is open. Run "Diagnose Server" first.'));
      vscode.window.setStatusBarMessage(
        t('Copied the report, without the secrets that are known.'),
        5000,
      );
    },
  };
}
