import { descendants, hasVariable, listProcesses, type ProcessEntry } from './processTree';

const variable = 'MCP_WORKBENCH_TEST_SUITE';

let count = 0;

/** Finds every process of a suite, however far it strayed from its parent. */
export interface ProcessCensus {
  /** To be in the environment of what is started. */
  readonly env: Readonly<Record<string, string>>;
  /** The processes that run now; only Linux tells of those whose parent is gone. */
  running(): Promise<readonly ProcessEntry[]>;
  /** Their command lines. */
  commands(): Promise<readonly string[]>;
}

/** Makes a census with a mark of its own. */
export function createCensus(): ProcessCensus {
  count += 1;
  const value = `${process.pid}-${count}`;
  const running = async () => {
    const all = await listProcesses();
    return process.platform === 'linux'
      ? all.filter(({ pid }) => pid !== process.pid && hasVariable(pid, `${variable}=${value}`))
      : descendants(all, [process.pid]);
  };
  return {
    env: { [variable]: value },
    running,
    commands: async () => (await running()).map(({ command }) => command),
  };
}
