// A standalone program, `node out/support/run/testDesktop.js`: runs the host tests in a desktop editor, the one at VSCODE_PATH or a
// downloaded one. If there is none, it says so and succeeds, unless --editor asked for one: the same tests ran in the
// editor from npm.
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { downloadAndUnzipVSCode, runTests, SilentReporter } from '@vscode/test-electron';
import { format, parseCounts, type Counts } from './counts';
import { variables } from '../editor/hostProtocol';
import manifest from '../../../package.json';
import { built, cacheDirectory } from '../paths';
import {
  copySampleWorkspace,
  developedExtensions,
  sampleEnvironment,
  trustAll,
} from '../editor/workspace';

/** The oldest version that the manifest supports, as downloads name it. */
const oldest = manifest.engines.vscode.replace('^', '');

/**
 * Returns the path of the editor at VSCODE_PATH, or else of a downloaded version: a number, `stable`, or `oldest`;
 * throws if there is no display.
 */
async function findDesktopEditor(version = 'stable'): Promise<string> {
  const chosen = process.env['VSCODE_PATH'];
  if (chosen) return chosen;
  if (process.platform === 'linux' && !process.env['DISPLAY']) {
    throw new Error('there is no display; try xvfb-run');
  }
  return downloadAndUnzipVSCode({
    version: version === 'oldest' ? oldest : version,
    cachePath: cacheDirectory,
    reporter: new SilentReporter(),
  });
}

async function runDesktopTests(editor: string, grep: string | undefined): Promise<Counts> {
  const workspace = await copySampleWorkspace();
  const data = await mkdtemp(join(tmpdir(), 'mcp-workbench-desktop-'));
  const result = join(data, 'counts.json');
  try {
    const settings = join(data, 'user', 'User');
    await mkdir(settings, { recursive: true });
    await writeFile(join(settings, 'settings.json'), JSON.stringify(developedExtensions.settings));
    const code = await runTests({
      vscodeExecutablePath: editor,
      extensionDevelopmentPath: [
        developedExtensions.extension.folder,
        ...developedExtensions.installed,
      ],
      extensionTestsPath: built('host', 'index'),
      extensionTestsEnv: {
        ...sampleEnvironment,
        ...trustAll,
        [variables.result]: result,
        [variables.grep]: grep,
      },
      launchArgs: [
        workspace.file,
        '--disable-workspace-trust',
        '--disable-gpu',
        '--skip-welcome',
        `--user-data-dir=${join(data, 'user')}`,
        `--extensions-dir=${join(data, 'extensions')}`,
        ...(process.getuid?.() === 0 ? ['--no-sandbox'] : []),
      ],
    }).catch((error: unknown) => error);
    return await readFile(result, 'utf8').then(
      (text) => parseCounts(JSON.parse(text)),
      () => {
        console.error('The editor ended before the tests did.', code);
        return { passed: 0, failed: 1, skipped: 0 };
      },
    );
  } finally {
    await rm(data, { recursive: true, force: true });
    await rm(workspace.directory, { recursive: true, force: true });
  }
}

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: { grep: { type: 'string', short: 'g' }, editor: { type: 'string' } },
  });
  let editor: string;
  try {
    editor = await findDesktopEditor(values.editor);
  } catch (error) {
    if (values.editor !== undefined) throw error;
    const reason = error instanceof Error ? error.message : String(error);
    console.log(`The desktop tests were not run: ${reason}. Set VSCODE_PATH to a desktop editor.`);
    return;
  }
  const counts = await runDesktopTests(editor, values.grep);
  console.log(`\n${format(counts)}`);
  if (counts.failed > 0) process.exitCode = 1;
}

main().catch((error: unknown) => {
  console.error(error);
  process.exitCode = 1;
});
