import { descendants, hasVariable, listProcesses, type ProcessEntry } from './processTree';

const variable = 'MCP_WORKBENCH_TEST_SUITE';

let count = 0;

/** Finds every process of a suite, even one that outlived its parent. */
export interface ProcessCensus {
  /** Variables that must be in the environment of every process that is started. */
  readonly env: Readonly<Record<string, string>>;
  /** Returns the processes that run now; those whose parents have ended are found only on Linux. */
  running(): Promise<readonly ProcessEntry[]>;
  /** Returns the command lines of these processes. */
  commands(): Promise<readonly string[]>;
}

/** Creates a census with a unique mark. */
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
