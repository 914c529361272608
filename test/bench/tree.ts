/* `npm run bench:tree`: the rows of 10,000 and 100,000 resources in a real extension host, beside the goals. */
import { EventEmitter, once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { launchBrowser } from '../support/browser';
import { startEditor } from '../support/editorServer';
import { variables } from '../support/hostProtocol';
import { built } from '../support/paths';
import { copySampleWorkspace, sampleEnvironment, windowExtensions } from '../support/workspace';
import { report, type Row } from './measure';

const benchMs = 5 * 60_000;

async function main(): Promise<void> {
  const results = await mkdtemp(join(tmpdir(), 'mcp-workbench-bench-'));
  const result = join(results, 'rows.json');
  const workspace = await copySampleWorkspace();
  const serverArgs = [
    built('fixtures', 'demoServer', 'main.js'),
    '--resources',
    '10000',
    '--page-size',
    '500',
  ];
  const servers = { bench: { command: process.execPath, args: serverArgs } };
  for (const folder of ['app', 'docs'])
    await writeFile(
      join(workspace.directory, folder, '.vscode', 'mcp.json'),
      JSON.stringify({ servers: folder === 'app' ? servers : {} }),
    );
  await using editor = await startEditor({
    open: workspace.file,
    ...windowExtensions,
    tests: built('bench', 'treeHost'),
    temporary: [workspace.directory],
    env: { ...sampleEnvironment, [variables.result]: result },
  });
  await using browser = await launchBrowser();
  const page = await browser.newPage();
  const window = new EventEmitter();
  await page.exposeFunction('codeAutomationLog', (type: string, args: unknown[]) =>
    console.log(type, JSON.stringify(args).slice(0, 300)),
  );
  await page.exposeFunction('codeAutomationExit', () => window.emit('exit'));
  const exited = once(window, 'exit', { signal: AbortSignal.timeout(benchMs) });
  await Promise.all([page.goto(editor.url), exited]);
  const rows = JSON.parse(await readFile(result, 'utf8')) as Row[];
  await rm(results, { recursive: true, force: true });
  report(rows);
  if (rows.some(({ ratio, goal }) => !(ratio <= goal))) process.exitCode = 1;
}

main().catch((error: unknown) => {
  console.error(error);
  process.exitCode = 1;
});
