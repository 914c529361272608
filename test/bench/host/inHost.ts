import { EventEmitter, once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdtemp, readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { launchBrowser } from '../../support/editor/browser';
import { startEditor } from '../../support/editor/editorServer';
import { variables } from '../../support/editor/hostProtocol';
import { built } from '../../support/paths';
import { salient } from '../../support/editor/windowLog';
import {
  copySampleWorkspace,
  developedExtensions,
  sampleEnvironment,
  trustAll,
  type SampleWorkspace,
} from '../../support/editor/workspace';
import { report, type Row } from '../measure';

const benchMs = 5 * 60_000;

/** The servers of the workspace to measure: the script and arguments of each, run with the benchmark's own Node. */
export type MeasuredServers = Readonly<Record<string, readonly string[]>>;

/**
 * Runs a script of this folder inside the extension host of a real editor, whose workspace has these servers, and
 * prints its rows; sets the exit code to 1 if a goal was missed.
 */
export async function measureInHost(script: string, servers: MeasuredServers): Promise<void> {
  const results = await mkdtemp(join(tmpdir(), 'mcp-workbench-bench-'));
  const result = join(results, 'rows.json');
  const workspace = await copySampleWorkspace();
  await configure(workspace, servers);
  await using editor = await startEditor({
    open: workspace.file,
    ...developedExtensions,
    driven: true,
    tests: built('bench', 'host', script),
    temporary: [workspace.directory, results],
    env: { ...sampleEnvironment, ...trustAll, [variables.result]: result },
  });
  await using browser = await launchBrowser();
  const page = await browser.newPage();
  const window = new EventEmitter();
  const log: string[] = [];
  await page.exposeFunction('codeAutomationLog', (type: string, args: unknown[]) =>
    log.push(`${type}: ${args.map(String).join(' ')}`),
  );
  await page.exposeFunction('codeAutomationExit', () => window.emit('exit'));
  const exited = once(window, 'exit', { signal: AbortSignal.timeout(benchMs) });
  await Promise.all([page.goto(editor.url), exited]).catch((error: unknown) =>
    log.push(`error: ${String(error)}`),
  );
  if (!existsSync(result)) throw new Error(`Nothing was measured:\n${salient(log).join('\n')}`);
  const rows = JSON.parse(await readFile(result, 'utf8')) as Row[];
  report(rows);
  if (rows.some(({ ratio, goal }) => !(ratio <= goal))) process.exitCode = 1;
}

/** Configures the servers in the first folder of the workspace. */
async function configure({ directory }: SampleWorkspace, servers: MeasuredServers): Promise<void> {
  const entries = Object.entries(servers).map(([name, args]) => [
    name,
    { command: process.execPath, args },
  ]);
  const text = JSON.stringify({ servers: Object.fromEntries(entries) });
  await writeFile(join(directory, 'app', '.vscode', 'mcp.json'), text);
}
