import * as vscode from 'vscode';
import { openTextFile } from '../ui/documents/readTextFile';
import { showText } from '../ui/keyboard';
import { type Disposable, DisposableStore } from '../base/disposable';
import { UserError } from '../base/errors';
import { plainLabel, revealHidden } from '../base/text/text';
import { diagnose } from '../mcp/diagnose';
import type { Finding, Platform } from '../mcp/platform';
import type { Server } from '../mcp/server';
import type { Logs } from '../ui/logs';
import type { Questions } from '../ui/questions/questions';
import type { Starts } from '../contracts/starts';
import { RecentFolders } from '../ui/documents/recentFolders';
import { MemoryFiles } from '../ui/documents/memoryFiles';
import { reportScheme } from '../ui/ids';
import { redactText } from '../base/secrets';
import type { Translate } from '../base/translate';
import type { UserAction } from '../ui/questions/question';
import { tellBriefly, withProgress } from '../ui/messages';
import { copyText } from '../ui/clipboard';

const marks: Readonly<Record<Finding['level'], string>> = { bad: '✗', note: '·', good: '✓' };
const order: readonly Finding['level'][] = ['bad', 'note', 'good'];

/** What a report is about, for the lines at its top. */
interface ReportSubject {
  readonly name: string;
  readonly facts: readonly string[];
}

/**
 * Returns the text of a diagnosis, with what is bad first. What was found is indented, so that what a server
 * wrote cannot pass for one of our headings; what looks like a secret is redacted.
 */
export function reportText(
  { name, facts }: ReportSubject,
  findings: readonly Finding[],
  t: Translate,
): string {
  const sorted = order.flatMap((level) => findings.filter((one) => one.level === level));
  const bad = findings.filter(({ level }) => level === 'bad').length;
  const summary = bad === 0 ? t('No problems found.') : t('Problems found: {0}', String(bad));
  const head = [t('Diagnosis of {0}', name), ...facts, '', summary].map(line).join('\n');
  return `${[head, ...sorted.map((one) => findingText(one))].join('\n\n')}\n`;
}

function findingText({ level, title, detail, next }: Finding): string {
  return [
    `${marks[level]} ${line(title)}`,
    ...(detail ? detail.split(/\r?\n/).map((one) => `      ${line(one)}`.trimEnd()) : []),
    ...(next ? [`   → ${line(next)}`] : []),
  ].join('\n');
}

function line(text: string): string {
  return revealHidden(redactText(text)).replaceAll('\n', '⏎');
}

/** The diagnosis of what is wrong with a server. */
export interface Doctor extends Disposable {
  /** Starts the server unless it is running, and shows what was found. */
  diagnose(server: Server, action: UserAction): Promise<void>;
  /** Copies the report in the active editor to the clipboard; rejects with a `UserError` if there is none. */
  copyReport(): Promise<void>;
}

/** Makes the {@link Doctor}. */
export function createDoctor(deps: {
  readonly platform: Platform;
  readonly starts: Pick<Starts, 'start'>;
  readonly logs: Logs;
  readonly version: string;
  readonly questions: Pick<Questions, 'stillBy'>;
}): Doctor {
  const { platform, starts, logs, version, questions } = deps;
  const { t } = vscode.l10n;
  const store = new DisposableStore();
  const files = store.add(new MemoryFiles(reportScheme));
  const kept = store.add(new RecentFolders(files, 'report'));
  return {
    dispose: () => store.dispose(),
    async diagnose(server, action) {
      const name = plainLabel(server.name);
      const title = t('Diagnosing {0}…', name);
      const location = vscode.ProgressLocation.Window;
      const { programs } = platform;
      const start = () => starts.start(server.id, action);
      const findings = await withProgress({ location, title }, () =>
        diagnose(server, { start, programs, t }),
      );
      const facts = [
        t('Configured in: {0}', server.definition.source.label),
        `MCP Workbench ${version}, ${vscode.env.appName} ${vscode.version}, ${platform.name}`,
        new Date().toLocaleString(vscode.env.language),
      ];
      const text = reportText({ name, facts }, findings, t);
      const file = t('Diagnosis of {0}', name).replaceAll('/', '∕');
      const uri = kept.document(server.id, file, logs.mask(text));
      const plain = await openTextFile(uri);
      // Its lines are as long as what servers say, and this language wraps them.
      const document = await vscode.languages.setTextDocumentLanguage(plain, 'mcp-review');
      await showText(document, questions.stillBy(action, server.id), { preview: true });
    },
    async copyReport() {
      const document = vscode.window.activeTextEditor?.document;
      if (document?.uri.scheme !== reportScheme)
        throw new UserError(t('No report is open. Run "Diagnose Start and Connection" first.'));
      await copyText(document.getText());
      tellBriefly(t('Copied the report, without the secrets that are known.'), 5000);
    },
  };
}
