import { cp, mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { built, repositoryRoot } from './paths';

/** A throw-away copy of the sample workspace; `dispose` deletes it. */
export interface SampleWorkspace extends AsyncDisposable {
  /** The folder that holds the workspace file and its two folders, `app` and `docs`. */
  directory: string;
  /** The `.code-workspace` file. */
  file: string;
  dispose(): Promise<void>;
}

/** The extensions of a window of the tests: ours under development, and the one with the demo language model. */
export const windowExtensions = {
  extension: repositoryRoot,
  installed: [built('fixtures', 'demoModel')],
};

/** Variables that the sample workspace's `mcp.json` files lean on. */
export const sampleEnvironment = { MCP_WORKBENCH_DEMO: repositoryRoot };

/** Copies the sample workspace of two folders to a temporary folder. */
export async function copySampleWorkspace(): Promise<SampleWorkspace> {
  const directory = await realpath(await mkdtemp(join(tmpdir(), 'mcp-workbench-sample-')));
  await cp(join(repositoryRoot, 'test', 'fixtures', 'workspace'), directory, { recursive: true });
  const dispose = () => rm(directory, { recursive: true, force: true });
  return {
    directory,
    file: join(directory, 'sample.code-workspace'),
    dispose,
    [Symbol.asyncDispose]: dispose,
  };
}
