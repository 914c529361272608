import { cp, mkdtemp, realpath } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { built, repositoryRoot } from '../paths';

/** A throw-away copy of the sample workspace. */
export interface SampleWorkspace {
  /** The folder that holds the workspace file and its two folders, `app` and `docs`. */
  directory: string;
  /** The `.code-workspace` file. */
  file: string;
}

/** The extensions of a window of the tests: ours under development, and the one with the demo language model. */
export const windowExtensions = {
  extension: repositoryRoot,
  installed: [built('fixtures', 'demoModel')],
};

/** Variables that the sample workspace's `mcp.json` files lean on, and the trust of its servers. */
export const sampleEnvironment = {
  MCP_WORKBENCH_DEMO: repositoryRoot,
  MCP_WORKBENCH_TRUST_ALL: '1',
};

/** Copies the sample workspace of two folders to a temporary folder, for the caller to delete. */
export async function copySampleWorkspace(): Promise<SampleWorkspace> {
  const directory = await realpath(await mkdtemp(join(tmpdir(), 'mcp-workbench-sample-')));
  await cp(join(repositoryRoot, 'test', 'fixtures', 'workspace'), directory, { recursive: true });
  return { directory, file: join(directory, 'sample.code-workspace') };
}
