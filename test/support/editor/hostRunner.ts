import { EventEmitter, once } from 'node:events';
import { mkdtemp, readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import type { Page } from 'playwright-core';
import { launchBrowser } from './browser';
import { parseCounts, type Counts } from '../run/counts';
import { chosenVersion, type EditorChoice } from './editor';
import { startEditor } from './editorServer';
import { outputMark, variables, type HostCounts } from './hostProtocol';
import { foldersLost, maxReloads } from './lostFolders';
import { built } from '../paths';
import { salient, saveLog } from './windowLog';
import { copySampleWorkspace, developedExtensions, sampleEnvironment, trustAll } from './workspace';

/** How long a window may tell of no test, in milliseconds: several times what one may take. A whole run ends with its total. */
const silentMs = 5 * 60_000;

/** Which tests a window runs, and where its report goes. */
export interface HostRun {
  /** The name of the window's log. */
  readonly name: string;
  /** Compiled files. */
  readonly files: readonly string[];
  /** A folder in which windows that share the files claim each; without it, this one runs all of them. */
  readonly claims?: string | undefined;
  /** A pattern for the full titles of tests. */
  readonly grep?: string | undefined;
  readonly print: (text: string) => void;
  /** The editor of the window; the version that is chosen for all tests, if left out. */
  readonly editor?: EditorChoice;
}

/** Opens the window and waits until the extension host has run the suite. Prints the report; returns the editor's own log. */
async function runSuite(page: Page, url: string, print: HostRun['print']): Promise<string[]> {
  const log: string[] = [];
  const window = new EventEmitter();
  const fail = (what: string) => window.emit('error', new Error(what));
  const timer = setTimeout(fail, silentMs, `No test ended for ${silentMs / 60_000} minutes.`);
  await page.exposeFunction('codeAutomationLog', (type: string, args: unknown[]) => {
    const text = args.map((arg) => (typeof arg === 'string' ? arg : JSON.stringify(arg))).join(' ');
    if (!text.startsWith(outputMark)) return void log.push(`${type}: ${text}`);
    timer.refresh();
    print(text.slice(outputMark.length));
  });
  window.on('error', (error) => log.push(String(error)));
  await page.exposeFunction('codeAutomationExit', () => window.emit('exit'));
  page.once('crash', () => fail('The page of the editor crashed.'));
  page.once('close', () => fail('The page of the editor was closed.'));
  for (let again = 0; ; again += 1) {
    const exited = once(window, 'exit');
    await Promise.all([page.goto(url), exited]).catch((error: unknown) => log.push(String(error)));
    if (again === maxReloads || !log.some((line) => line.includes(foldersLost))) break;
    log.length = 0;
    timer.refresh();
  }
  clearTimeout(timer);
  return log;
}

/** Runs tests of `out/host` inside the extension host of the editor from npm. */
export async function runHostTests({
  name,
  files,
  claims,
  grep,
  print,
  editor: choice = chosenVersion(),
}: HostRun): Promise<Counts> {
  const results = await mkdtemp(join(tmpdir(), 'mcp-workbench-host-'));
  const result = join(results, 'counts.json');
  const workspace = await copySampleWorkspace();
  await using editor = await startEditor({
    editor: choice,
    open: workspace.file,
    ...developedExtensions,
    driven: true,
    tests: built('host', 'index'),
    temporary: [workspace.directory, results],
    env: {
      ...sampleEnvironment,
      ...trustAll,
      [variables.result]: result,
      [variables.files]: JSON.stringify(files.map((file) => relative(built('host'), file))),
      ...(claims && { [variables.claims]: claims }),
      ...(grep && { [variables.grep]: grep }),
    },
  });
  await using browser = await launchBrowser();
  const log = await runSuite(await browser.newPage(), editor.url, print);
  const file = await saveLog(name, [...log, editor.output()]);
  const counts = await readFile(result, 'utf8').then(
    (text) => endedCounts(name, JSON.parse(text)),
    () => ({ passed: 0, failed: 1, skipped: 0, remarks: [`failed: ${name} did not finish`] }),
  );
  if (counts.failed > 0)
    print([...salient(log), `The whole log of the window: ${file}`].join('\n'));
  return counts;
}

/** Counts the file in which a window ended early as failed. */
function endedCounts(name: string, value: unknown): Counts {
  const counts = parseCounts(value);
  const { running } = value as HostCounts;
  if (running === undefined) return counts;
  const remark = `failed: ${name} did not finish: it ended in ${running}`;
  return { ...counts, failed: counts.failed + 1, remarks: [...(counts.remarks ?? []), remark] };
}
