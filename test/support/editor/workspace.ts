import { cp, mkdir, mkdtemp, realpath } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { packExtension } from '../build/packExtension';
import { built, repositoryRoot } from '../paths';
import type { DataOptions } from './editorData';

/** A throw-away copy of the sample workspace. */
export interface SampleWorkspace {
  /** The folder that holds all of it: of the sample the workspace file and its two folders, `app` and `docs`. */
  directory: string;
  /** What is opened: the `.code-workspace` file, or the only folder. */
  file: string;
}

/** Ours under development, whose class of window trusts what it is told to, beside the one with the demo language model. */
export const developedExtensions = {
  extension: { folder: repositoryRoot },
  installed: [built('fixtures', 'demoModel')],
  settings: {
    // The sample workspace has more tools than a model is shown unless the user wants it.
    'mcpWorkbench.chat.maxTools': 200,
    // Nobody is there for the question whether the editor's own client shall have the servers.
    'mcpWorkbench.provideToEditor': false,
  },
};

/** Ours as a user installs it, beside the one with the demo language model. */
export async function shippedExtensions(): Promise<DataOptions> {
  return { ...developedExtensions, extension: { vsix: await packExtension() } };
}

/** Variables that the sample workspace's `mcp.json` files lean on. */
export const sampleEnvironment = { MCP_WORKBENCH_DEMO: repositoryRoot };

/** Stands for a user who trusts every server, in windows that develop or test the extension and in no other. */
export const trustAll = { MCP_WORKBENCH_TRUST_ALL: '1', MCP_WORKBENCH_NO_QUIET: '1' };

/** Copies the workspace that `npm start` opens to a temporary folder, for the caller to delete. */
export async function copyDemoWorkspace(): Promise<SampleWorkspace> {
  const directory = await realpath(await mkdtemp(join(tmpdir(), 'mcp-workbench-demo-')));
  const file = join(directory, 'demo');
  await cp(join(repositoryRoot, 'demo', 'workspace'), file, { recursive: true });
  return { directory, file };
}

/** Copies the sample workspace of two folders to a temporary folder, for the caller to delete. */
export async function copySampleWorkspace(): Promise<SampleWorkspace> {
  const directory = await realpath(await mkdtemp(join(tmpdir(), 'mcp-workbench-sample-')));
  await cp(join(repositoryRoot, 'test', 'fixtures', 'workspace'), directory, { recursive: true });
  return { directory, file: join(directory, 'sample.code-workspace') };
}

/** Opens an empty folder beside the sample, as the window of a stranger may have it. */
export const emptyFolder = {
  prepare: async ({ directory }: SampleWorkspace): Promise<void> => {
    await mkdir(join(directory, 'empty'));
  },
  open: 'empty',
};
