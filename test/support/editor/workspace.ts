import { cp, mkdir, mkdtemp, realpath } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { packExtension } from '../../../tools/build/packExtension';
import { built, repositoryRoot } from '../paths';
import type { DataOptions } from './editorData';

/** A throw-away copy of the sample workspace. */
export interface SampleWorkspace {
  /** The folder that contains everything: for the sample, the workspace file and its two folders, `app` and `docs`. */
  directory: string;
  /** What to open: the `.code-workspace` file, or the only folder. */
  file: string;
}

/** Our extension under development, whose windows accept {@link trustAll}, and the one with the demo language model. */
export const developedExtensions = {
  extension: { folder: repositoryRoot },
  installed: [built('fixtures', 'demoModel')],
  settings: {
    // The sample workspace has more tools than a model is shown by default.
    'mcpWorkbench.chat.maxTools': 200,
    // Nobody is there to answer whether the editor's own client may have the servers.
    'mcpWorkbench.provideToEditor': false,
  },
};

/** Returns our extension as a user installs it, and the one with the demo language model. */
export async function shippedExtensions(): Promise<DataOptions> {
  return { ...developedExtensions, extension: { vsix: await packExtension() } };
}

/** Environment variables that the `mcp.json` files of the sample workspace use. */
export const sampleEnvironment = { MCP_WORKBENCH_DEMO: repositoryRoot };

/**
 * Environment variables that trust every server and make keys count at once, only in windows that develop or test the
 * extension.
 */
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

/** Options for a window on an empty folder beside the sample, such as any user may have. */
export const emptyFolder = {
  prepare: async ({ directory }: SampleWorkspace): Promise<void> => {
    await mkdir(join(directory, 'empty'));
  },
  open: 'empty',
};
