/* `npm run bench:tree`: resources by the thousand in a real extension host, beside the goals. */
import { EventEmitter, once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdtemp, readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { launchBrowser } from '../support/editor/browser';
import { startEditor } from '../support/editor/editorServer';
import { variables } from '../support/editor/hostProtocol';
import { built } from '../support/paths';
import { salient } from '../support/editor/windowLog';
import {
  copySampleWorkspace,
  developedExtensions,
  sampleEnvironment,
  trustAll,
  type SampleWorkspace,
} from '../support/editor/workspace';
import { report, type Row } from './measure';

const benchMs = 5 * 60_000;

/** Lets the first folder of the workspace configure demo servers of 10,000 and 100,000 resources. */
async function configureServers({ directory }: SampleWorkspace): Promise<void> {
  const program = built('fixtures', 'demoServer', 'main.js');
  const server = (resources: string, page: string) => ({
    command: process.execPath,
    args: [program, '--resources', resources, '--page-size', page],
  });
  const servers = { ten: server('10000', '500'), hundred: server('100000', '1000') };
  await writeFile(join(directory, 'app', '.vscode', 'mcp.json'), JSON.stringify({ servers }));
}

async function main(): Promise<void> {
  const results = await mkdtemp(join(tmpdir(), 'mcp-workbench-bench-'));
  const result = join(results, 'rows.json');
  const workspace = await copySampleWorkspace();
  await configureServers(workspace);
  await using editor = await startEditor({
    open: workspace.file,
    ...developedExtensions,
    driven: true,
    tests: built('bench', 'treeHost'),
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
  await Promise.all([page.goto(editor.url), exited]);
  if (!existsSync(result)) throw new Error(`Nothing was measured:\n${salient(log).join('\n')}`);
  const rows = JSON.parse(await readFile(result, 'utf8')) as Row[];
  report(rows);
  if (rows.some(({ ratio, goal }) => !(ratio <= goal))) process.exitCode = 1;
}

main().catch((error: unknown) => {
  console.error(error);
  process.exitCode = 1;
});
