import { spawn, type ChildProcess } from 'node:child_process';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { editorPath, installEditor, serverLine, type Editor, type EditorChoice } from './editor';
import {
  createData,
  developed,
  extensionsIn,
  linkOwnExtensions,
  type DataOptions,
} from './editorData';
import { built, repositoryRoot } from '../paths';
import {
  descendants,
  hasVariable,
  listProcesses,
  type ProcessEntry,
} from '../processes/processTree';
import { makeDrives } from '../windows/wine';

const startMs = 60_000;
/** How often the editor in Wine looks for changes of files, in milliseconds. */
const pollingMs = 500;
/**
 * Has the editor start no host for agents of others, which costs each window half a second of the processor: no test uses
 * those, who need an account.
 */
const withoutAgentHost = { VSCODE_AGENT_HOST_BRIDGE_CONNECTION_TOKEN: 'none' };
/** The login shell of a window that a program drives: the profile of whoever runs the tests may take any time. */
const plainShell = '/bin/sh';

/** How an editor is started. */
export interface EditorOptions extends DataOptions {
  /** Where it runs; the version that is chosen for all tests, if left out. */
  editor?: EditorChoice;
  /** The folder or `.code-workspace` file to open. */
  open: string;
  /** The module whose `run()` the extension host calls, as a path without `.js`. */
  tests?: string;
  /** Environment variables of the editor, its extension hosts and their children. */
  env?: NodeJS.ProcessEnv;
  /** Folders to delete once the editor has ended. */
  temporary?: readonly string[];
  /** True if a program drives the window; a user's window shows a bit more. */
  driven: boolean;
  /** True if Workspace Trust is on, so that a fresh window is untrusted; off by default. */
  trust?: boolean;
}

/** A running editor; `dispose` ends every process that it or its extensions started. */
export interface EditorServer extends AsyncDisposable {
  /** The URL that opens a window on the workspace. */
  url: string;
  /** The folder where the editor and its extensions keep their data. */
  data: string;
  /** Returns what the server wrote. */
  output(): string;
  /** Lists the processes that run under it: extension hosts, MCP servers. */
  processes(): Promise<ProcessEntry[]>;
  /** Settles when the editor has ended, on its own or because it was disposed. */
  ended: Promise<unknown>;
  dispose(): Promise<void>;
}

function listening(server: ChildProcess, output: () => string): Promise<number> {
  return new Promise((resolve, reject) => {
    const fail = (what: string) => reject(new Error(`The editor ${what}.\n${output()}`));
    const timer = setTimeout(() => fail(`did not start in ${startMs / 1000} s`), startMs);
    server.once('exit', (code) => {
      clearTimeout(timer);
      fail(`ended with code ${code}`);
    });
    server.stdout?.on('data', () => {
      const port = /listening on (\d+)/.exec(output())?.[1];
      if (!port) return;
      clearTimeout(timer);
      resolve(Number(port));
    });
  });
}

function windowUrl(editor: Editor, port: number, data: string, options: EditorOptions): string {
  const origin = `127.0.0.1:${port}`;
  // The editor writes the letter of a drive in lower case.
  const written = (path: string) =>
    editorPath(editor, path)
      .replaceAll('\\', '/')
      .replace(/^[A-Z]:/, (drive) => `/${drive.toLowerCase()}`);
  // Tests have the extension's own objects of the editor if they lie in its folder, which Wine does not see behind a link.
  const testsOf = (path: string) =>
    editor.windows ? path.replace(repositoryRoot, developed(data)) : path;
  const remote = (path: string) => `vscode-remote://${origin}${encodeURI(written(path))}`;
  const payload = [
    ...('folder' in options.extension
      ? [['extensionDevelopmentPath', remote(developed(data))]]
      : []),
    ...(options.tests ? [['extensionTestsPath', remote(testsOf(options.tests))]] : []),
    ['skipWelcome', 'true'],
  ];
  const url = new URL(`http://${origin}/`);
  const kind = options.open.endsWith('.code-workspace') ? 'workspace' : 'folder';
  url.searchParams.set(kind, written(options.open));
  url.searchParams.set('payload', JSON.stringify(payload));
  return url.href;
}

/** Starts the editor on a free loopback port with fresh data, downloading it first if needed. */
export async function startEditor(options: EditorOptions): Promise<EditorServer> {
  const installed = await installEditor(options.editor);
  const data = await createData(installed, options);
  const ownExtensions = await linkOwnExtensions(installed, data);
  const { windows } = installed;
  const drives = join(data, 'drives');
  const editor = windows ? { ...installed, windows: await makeDrives(windows, drives) } : installed;
  const temporary = [data, ...(options.temporary ?? [])];
  const args = [
    '--host=127.0.0.1',
    '--port=0',
    `--server-data-dir=${editorPath(editor, data)}`,
    `--extensions-dir=${editorPath(editor, extensionsIn(data))}`,
    ...(ownExtensions === undefined ? [] : [`--builtin-extensions-dir=${ownExtensions}`]),
    '--without-connection-token',
    '--accept-server-license-terms',
    '--disable-telemetry',
    // A page that is reloaded does not always disconnect from its extension host, which then waits for it: hours by
    // default.
    '--reconnection-grace-time=15',
    // Wine tells of what changes in a folder, but not below it.
    ...(windows ? [`--file-watcher-polling=${pollingMs}`] : []),
    // Without this a built workbench silently ignores the extension under development; it also hides toasts.
    ...(options.driven ? ['--enable-smoke-test-driver'] : []),
    ...(options.trust ? [] : ['--disable-workspace-trust']),
  ];
  const line = serverLine(editor, args, {
    ...(options.driven ? { ...withoutAgentHost, SHELL: plainShell } : {}),
    ...options.env,
  });
  const keeper = spawn(
    process.execPath,
    [
      built('support', 'editor', 'keeper.js'),
      JSON.stringify(temporary),
      line.command,
      ...line.args,
    ],
    {
      // Its own process group: Ctrl-C reaches only this process, which then ends the tree in order.
      detached: process.platform !== 'win32',
      stdio: ['pipe', 'pipe', 'pipe'],
      windowsHide: true,
      env: line.env,
    },
  );
  let text = '';
  for (const stream of [keeper.stdout, keeper.stderr]) {
    stream.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
  }
  const ended = new Promise((resolve) => keeper.once('exit', resolve));
  const dispose = async () => {
    keeper.stdin.end();
    await ended;
    // The keeper has done this, if it could start at all.
    await Promise.all(temporary.map((path) => rm(path, { recursive: true, force: true })));
  };
  try {
    const port = await listening(keeper, () => text);
    return {
      url: windowUrl(editor, port, data, options),
      data,
      output: () => text,
      processes: async () => {
        const all = await listProcesses();
        // In Wine, no program is below the one that started it.
        if (windows) return all.filter(({ pid }) => hasVariable(pid, `WINEPREFIX=${drives}`));
        return descendants(all, keeper.pid === undefined ? [] : [keeper.pid]);
      },
      ended,
      dispose,
      [Symbol.asyncDispose]: dispose,
    };
  } catch (error) {
    await dispose();
    throw error;
  }
}
