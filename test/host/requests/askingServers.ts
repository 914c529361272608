import assert from 'node:assert/strict';
import { mkdtemp, readFile, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as vscode from 'vscode';
import { activateWorkbench, serverNamed, until } from '../../support/host/hostApi';
import { built, repositoryRoot } from '../../support/paths';
import { poll } from '../../support/poll';
import { wholeLines } from '../../support/wholeLines';
import { watchPicks, type WatchedPicks } from '../../support/host/shownPicks';

const waitMs = 20_000;

/** How a server asks: with its own request, or in the result of a call that it cannot complete yet. */
export type Era = '2025' | '2026';

/** How each of our servers asks. */
export const eras: readonly Era[] = ['2025', '2026'];

/** One of our servers, named by how it asks, or a third-party server that asks. */
export type Asker = Era | 'everything';

type Fields = Readonly<Record<string, unknown>>;

/** A client's answer to one question: the result or error of a request, or part of a repeated call. */
export interface WireAnswer {
  readonly result?: Fields;
  readonly error?: { readonly code: number; readonly message: string };
}

type Side = 'client' | 'server';

/** A call of a tool that asks. */
export interface Asking {
  /** The text of its result; a sentence if it failed. */
  readonly text: Promise<string>;
  cancel(): void;
}

/** A notification with buttons that the extension has shown. */
export interface Notice {
  readonly message: string;
  /** Presses one of its buttons. */
  press(button: string): void;
}

/** Servers of both eras with a tap on their wire, and the quick picks that they lead to. */
export interface AskingServers {
  readonly picks: WatchedPicks;
  /** The messages of notifications, oldest first. */
  readonly told: readonly string[];
  /** Waits for the notification whose message contains this text. */
  notice(text: string): Promise<Notice>;
  nameOf(asker: Asker): string;
  call(asker: Asker, tool: string, args?: object): Asking;
  /** Returns the client's answers to questions since the test began. */
  answers(era: Era): Promise<readonly WireAnswer[]>;
  /** Waits until there are this many answers. */
  untilAnswers(era: Era, count: number): Promise<readonly WireAnswer[]>;
  /** Returns every message of one side since the test began. */
  said(era: Era, from: Side): Promise<readonly Fields[]>;
  /** Resolves when no document is waiting for a decision. */
  noDocument(): Promise<unknown>;
  /** Waits for the next document that needs a decision. */
  document(): Promise<vscode.TextDocument>;
  /** Selects a choice above a document. */
  choose(document: vscode.TextDocument, choice: string): Promise<void>;
}

const everything = ['@modelcontextprotocol', 'server-everything', 'dist', 'index.js'];
const programs: Readonly<Record<Asker, readonly string[]>> = {
  '2025': [built('fixtures', 'demoServer', 'main.js')],
  '2026': [built('fixtures', 'modernServer', 'main.js')],
  everything: [join(repositoryRoot, 'node_modules', ...everything), 'stdio'],
};
const askers: readonly Asker[] = [...eras, 'everything'];
const settings = vscode.workspace.getConfiguration.bind(undefined, 'mcpWorkbench');
const set = async (key: string, value: unknown) =>
  settings().update(key, value, vscode.ConfigurationTarget.Global);

/**
 * Starts the servers for the tests of a `describe`. Unless `areHeld` is set, a server that asked too much in the last
 * minute may continue immediately, because those tests are not about that.
 */
export function useAskingServers({ prefix = 'asks', areHeld = false } = {}): AskingServers {
  const nameOf = (asker: Asker) => prefix + asker;
  const notices = ['showInformationMessage', 'showWarningMessage', 'showErrorMessage'] as const;
  const shown = notices.map((name) => [name, vscode.window[name]] as const);
  const notified: Notice[] = [];
  const seen = new Set<string>();
  /** The number of lines that each tap had written when the test began. */
  const begins = new Map<Era, number>();
  let picks: WatchedPicks | undefined;
  let directory = '';

  const lines = async (era: Era) => wholeLines(await readFile(join(directory, era), 'utf8'));
  const said = async (era: Era, side: Side) =>
    (await lines(era))
      .slice(begins.get(era))
      .map((line) => JSON.parse(line) as { readonly from: string; readonly said: string })
      .filter(({ from }) => from === side)
      .map((line) => JSON.parse(line.said) as Fields);
  const answers = async (era: Era) =>
    (await said(era, 'client')).flatMap((message): readonly WireAnswer[] => {
      const { method, params, result, error } = message;
      if (method === undefined) return [(error ? { error } : { result }) as WireAnswer];
      const { inputResponses = {} } = (params ?? {}) as Fields;
      return Object.values(inputResponses as Fields).map((each) => ({ result: each as Fields }));
    });

  before('start the servers that ask', async function () {
    // Six processes one after another, which on a busy machine take seconds each.
    this.timeout(120_000);
    directory = await realpath(await mkdtemp(join(tmpdir(), 'mcp-workbench-asks-')));
    const tap = built('fixtures', 'tap', 'main.js');
    const entries = askers.map((asker) => {
      const args = [tap, join(directory, asker), ...programs[asker]];
      return [nameOf(asker), { command: process.execPath, args }] as const;
    });
    const allowed = askers.map((asker) => [nameOf(asker), 'allow'] as const);
    const api = await activateWorkbench();
    await set('tools.serverPolicy', Object.fromEntries(allowed));
    await set('tools.maxCallsPerMinute', 10_000);
    // Typing in an editor shortly before must not delay the questions of these tests.
    await set('questions.show', 'always');
    await set('servers', Object.fromEntries(entries));
    for (const name of askers.map(nameOf)) {
      await until(api.onDidChangeServers, () => api.servers.some((one) => one.name === name));
      assert.deepEqual(await api.startServer(name), [{ kind: 'running' }]);
    }
  });

  beforeEach(async () => {
    notified.length = 0;
    picks = watchPicks();
    for (const era of eras) begins.set(era, (await lines(era)).length);
    for (const [name] of shown)
      Object.assign(vscode.window, {
        [name]: (message: string, ...buttons: unknown[]) =>
          new Promise((resolve) => {
            if (!areHeld && buttons.includes('Resume')) return resolve('Resume');
            const press = (button: string) => {
              assert.ok(buttons.includes(button), `${button} among ${buttons.join(', ')}`);
              resolve(button);
            };
            notified.push({ message, press });
          }),
      });
  });

  afterEach(async () => {
    for (const open of picks?.open ?? []) open.escape();
    picks?.dispose();
    for (const [name, show] of shown) Object.assign(vscode.window, { [name]: show });
    await vscode.commands.executeCommand('workbench.action.revertAndCloseActiveEditor');
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    // A server that died during a test restarts automatically.
    const api = await activateWorkbench();
    for (const era of eras)
      await until(api.onDidChangeServers, () => serverNamed(api, nameOf(era)).state === 'running');
  });

  after('stop the servers that ask', async () => {
    const keys = ['servers', 'tools.serverPolicy', 'tools.maxCallsPerMinute', 'questions.show'];
    for (const key of keys) await set(key, undefined);
    await rm(directory, { recursive: true, force: true });
  });

  return {
    get picks() {
      assert.ok(picks);
      return picks;
    },
    get told() {
      return notified.map(({ message }) => message);
    },
    notice: (text) =>
      poll(`a notification with “${text}”`, waitMs, () =>
        Promise.resolve(notified.find(({ message }) => message.includes(text))),
      ),
    nameOf,
    said,
    answers,
    untilAnswers: (era, count) =>
      poll(`${count} answers of the client`, waitMs, async () => {
        const found = await answers(era);
        return found.length >= count ? found : undefined;
      }),
    call: (asker, tool, args = {}) => {
      const cancellation = new vscode.CancellationTokenSource();
      const input = { name: `${nameOf(asker)}__${tool}`, arguments: args };
      const invoked = vscode.lm.invokeTool(
        'mcpWorkbench_callTool',
        { input, toolInvocationToken: undefined },
        cancellation.token,
      );
      return { text: textOf(invoked), cancel: () => cancellation.cancel() };
    },
    document: () =>
      poll('a document that wants a decision', waitMs, async () => {
        // A document that opens on its own does not take the focus, so it may not be active.
        const documents = vscode.window.visibleTextEditors.map(({ document }) => document);
        const next = documents.find(
          ({ uri }) => uri.scheme === 'mcp-workbench-input' && !seen.has(uri.toString()),
        );
        if (next) seen.add(next.uri.toString());
        return Promise.resolve(next);
      }),
    noDocument: () =>
      poll('the end of all documents', waitMs, () =>
        Promise.resolve(inputTabs().length === 0 || undefined),
      ),
    choose: async (document, choice) =>
      vscode.commands.executeCommand('mcpWorkbench.answerDocument', document.uri, choice),
  };
}

function inputTabs(): readonly vscode.Tab[] {
  const tabs = vscode.window.tabGroups.all.flatMap((group) => group.tabs);
  return tabs.filter(
    ({ input }) =>
      input instanceof vscode.TabInputText && input.uri.scheme === 'mcp-workbench-input',
  );
}

async function textOf(result: Thenable<vscode.LanguageModelToolResult>): Promise<string> {
  try {
    return (await result).content
      .map((part) => (part instanceof vscode.LanguageModelTextPart ? part.value : ''))
      .join('\n');
  } catch (error) {
    return String(error);
  }
}

/** Replaces the first occurrence of a text in a document. */
export async function replace(
  document: vscode.TextDocument,
  from: string,
  to: string,
): Promise<void> {
  const at = document.getText().indexOf(from);
  assert.ok(at >= 0, `${from} in ${document.getText()}`);
  const edit = new vscode.WorkspaceEdit();
  const range = new vscode.Range(document.positionAt(at), document.positionAt(at + from.length));
  edit.replace(document.uri, range, to);
  assert.ok(await vscode.workspace.applyEdit(edit));
}
