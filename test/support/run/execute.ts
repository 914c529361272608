import { spawn, type SpawnOptions } from 'node:child_process';

/**
 * How a command ended: its exit code (`null` after a signal or a failed start) and its output, both streams in order.
 */
export interface Outcome {
  code: number | null;
  output: string;
}

/** Runs a command to its end without showing its output; resolves even if the command cannot be started. */
export function execute(
  command: string,
  args: readonly string[],
  options: SpawnOptions = {},
): Promise<Outcome> {
  return new Promise((resolve) => {
    const child = spawn(command, args, {
      ...options,
      stdio: ['ignore', 'pipe', 'pipe'],
      windowsHide: true,
    });
    let output = '';
    for (const stream of [child.stdout, child.stderr]) {
      stream?.setEncoding('utf8').on('data', (text: string) => (output += text));
    }
    child.once('error', (error) => resolve({ code: null, output: output + error.message }));
    child.once('close', (code) => resolve({ code, output }));
  });
}

/** Runs npm in a folder; throws with the end of its output if it fails. */
export async function npm(args: readonly string[], cwd: string): Promise<void> {
  const cli = process.env['npm_execpath'];
  const own = cli?.endsWith('npm-cli.js') ? cli : undefined;
  const { code, output } = own
    ? await execute(process.execPath, [own, ...args], { cwd })
    : await execute('npm', args, { cwd, shell: process.platform === 'win32' });
  if (code !== 0) throw new Error(`npm ${args.join(' ')} failed:\n${output.slice(-2000)}`);
}
