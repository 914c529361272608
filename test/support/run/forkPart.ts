import { fork } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { parseCounts, type Counts } from './counts';
import { built } from '../paths';
import { resultVariable } from '../windows/inWine';

/** How a part runs. */
export interface PartOptions {
  /** True if the output is kept for the caller to show; otherwise it is shown at once. */
  readonly isHeld?: boolean;
  /** Environment variables in addition to those of this process. */
  readonly env?: NodeJS.ProcessEnv | undefined;
}

/** How a part ended, and its output if that was kept. */
export interface EndedPart {
  readonly counts: Counts;
  readonly output: string;
}

/**
 * Runs a script of `out` as a child process that reports its counts through `runAsPart`. A child that ends without
 * reporting them counts as one failure.
 */
export async function forkPart(
  script: string,
  args: readonly string[],
  { isHeld = false, env }: PartOptions = {},
): Promise<EndedPart> {
  const child = fork(built(`${script}.js`), args, {
    silent: isHeld,
    env: { ...process.env, ...env },
  });
  let counts: Counts | undefined;
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream?.setEncoding('utf8').on('data', (text: string) => (output += text));
  child.on('message', (message) => (counts = parseCounts(message)));
  // Whatever ends this process ends the child, too; Ctrl-C reaches both anyway.
  const end = () => void child.kill();
  process.once('exit', end);
  const ended = await new Promise<string>((resolve) => {
    child.once('error', (error) => resolve(error.message));
    child.once('close', (code, signal) => resolve(signal ?? `code ${code}`));
  });
  process.off('exit', end);
  if (counts) return { counts, output };
  const remark = `failed: ${script} ended early (${ended})`;
  return { counts: { passed: 0, failed: 1, skipped: 0, remarks: [remark] }, output };
}

function handUp(counts: Counts): void {
  const file = process.env[resultVariable];
  if (file) writeFileSync(file, JSON.stringify(counts));
  if (process.send) process.send(counts, () => process.exit());
  else process.exit(counts.failed > 0 ? 1 : 0);
}

/**
 * Does everything that a child of `forkPart` has to do: runs, reports the counts and ends the process, whatever a test
 * left open.
 */
export function runAsPart(run: () => Promise<Counts>): void {
  process.once('disconnect', () => process.exit(1));
  run().then(handUp, (error: unknown) => {
    console.error(error);
    process.exit(1);
  });
}
