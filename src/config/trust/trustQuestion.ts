import * as vscode from 'vscode';
import { createLimiter } from '../../base/async';
import { DisposableStore, type Disposable } from '../../base/disposable';
import { plainLabel } from '../../base/text/text';
import { launchLine, launchText, launchWarnings, type Launch } from '../launch/launch';
import type { ConfiguredServer } from '../mergeReadings';
import { openConfiguration } from '../places/openConfiguration';

/** A launch that waits for a yes or no; `text` says it without secrets, `before` what was trusted earlier. */
export interface TrustQuestion {
  readonly launch: Launch;
  readonly server: ConfiguredServer;
  readonly text: string;
  readonly before: string | undefined;
}

/** Asks a person whether a launch may run; one question at a time, no when `signal` aborts. */
export type AskTrust = (question: TrustQuestion, signal: AbortSignal) => Promise<boolean>;

/** The scheme of the documents that show a launch. */
const scheme = 'mcp-workbench-launch';

/** Makes {@link AskTrust}: the launch in a document, the difference where there is one, and a quick pick. */
export function createTrustQuestion(): Disposable & { readonly ask: AskTrust } {
  const store = new DisposableStore();
  const oneAtATime = createLimiter(1);
  const texts = new Map<string, string>();
  let count = 0;
  store.add(
    vscode.workspace.registerTextDocumentContentProvider(scheme, {
      provideTextDocumentContent: ({ path }) => texts.get(path) ?? '',
    }),
  );

  const put = (name: string, text: string): vscode.Uri => {
    const uri = vscode.Uri.from({ scheme, path: `/${(count += 1)}/${name.replaceAll('/', '∕')}` });
    texts.set(uri.path, text);
    return uri;
  };

  const show = async ({ launch, text, before }: TrustQuestion): Promise<vscode.Uri[]> => {
    const { serverName } = launch;
    // What was kept is without secrets: only the same of now shows what is different, if that does.
    const isComparable = before !== undefined && before !== text;
    const now = put(serverName, isComparable ? text : launchText(launch));
    const options = { preview: true, preserveFocus: true };
    if (before === undefined) {
      await vscode.window.showTextDocument(now, options);
      return [now];
    }
    const then = put(serverName, before);
    const title = vscode.l10n.t('{0}: trusted before ↔ now', plainLabel(serverName));
    await vscode.commands.executeCommand('vscode.diff', then, now, title, options);
    return [then, now];
  };

  return {
    dispose: () => store.dispose(),
    ask: (question, signal) =>
      oneAtATime(async () => {
        if (signal.aborted) return false;
        const documents = await show(question);
        try {
          return await pick(question, signal);
        } finally {
          await close(documents);
          for (const { path } of documents) texts.delete(path);
        }
      }),
  };
}

interface Choice extends vscode.QuickPickItem {
  readonly choice: 'trust' | 'look' | 'notNow';
}

function pick({ launch, server, before }: TrustQuestion, signal: AbortSignal): Promise<boolean> {
  const name = plainLabel(launch.serverName);
  const quickPick = vscode.window.createQuickPick<Choice>();
  const store = new DisposableStore();
  store.add(quickPick);
  quickPick.title =
    before === undefined
      ? vscode.l10n.t('Start the MCP server {0} for the first time?', name)
      : vscode.l10n.t('The launch configuration of {0} changed. Start it?', name);
  quickPick.placeholder = plainLabel(launch.place);
  quickPick.ignoreFocusOut = true;
  const items: Choice[] = [
    {
      choice: 'trust',
      label: vscode.l10n.t('$(shield) Trust and Start'),
      detail: [launchLine(launch.config), ...launchWarnings(launch.config)]
        .map((line) => plainLabel(line, 1000))
        .join(' — '),
    },
    { choice: 'look', label: vscode.l10n.t('$(go-to-file) Show Configuration') },
    { choice: 'notNow', label: vscode.l10n.t('$(circle-slash) Not Now') },
  ];
  quickPick.items = items;
  // The question may come up while somebody types: Enter must not be a yes.
  quickPick.activeItems = items.filter(({ choice }) => choice === 'notNow');
  return new Promise((resolve) => {
    const end = (trusted: boolean) => {
      signal.removeEventListener('abort', refuse);
      store.dispose();
      resolve(trusted);
    };
    const refuse = () => end(false);
    signal.addEventListener('abort', refuse);
    store.add(quickPick.onDidHide(refuse));
    store.add(
      quickPick.onDidAccept(() => {
        const [selected] = quickPick.selectedItems;
        if (selected?.choice === 'look')
          void openConfiguration(server.reading, server.definition.name);
        else end(selected?.choice === 'trust');
      }),
    );
    quickPick.show();
  });
}

async function close(documents: readonly vscode.Uri[]): Promise<void> {
  const shown = new Set(documents.map(String));
  const tabs = vscode.window.tabGroups.all
    .flatMap(({ tabs: all }) => all)
    .filter(({ input }) =>
      input instanceof vscode.TabInputText
        ? shown.has(String(input.uri))
        : input instanceof vscode.TabInputTextDiff && shown.has(String(input.modified)),
    );
  await vscode.window.tabGroups.close(tabs);
}
