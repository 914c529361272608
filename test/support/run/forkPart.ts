import { fork } from 'node:child_process';
import { parseCounts, type Counts } from './counts';
import { built } from '../paths';

/**
 * Runs a script of `out` as a child that hands its counts up through `runAsPart`.
 * A child that ends without them counts as one failure.
 */
export function forkPart(script: string, args: readonly string[]): Promise<Counts> {
  return new Promise((resolve) => {
    let counts: Counts | undefined;
    const child = fork(built(`${script}.js`), args);
    child.on('message', (message) => (counts = parseCounts(message)));
    child.once('error', (error) => console.error(error.message));
    child.once('close', (code, signal) => {
      if (!counts) console.error(`${script} ended early (${signal ?? `code ${code}`}).`);
      resolve(counts ?? { passed: 0, failed: 1, skipped: 0 });
    });
    // Whatever ends this process takes the child with it; Ctrl-C reaches both anyway.
    process.once('exit', () => child.kill());
  });
}

function handUp(counts: Counts): void {
  if (process.send) process.send(counts, () => process.exit());
  else process.exit(counts.failed > 0 ? 1 : 0);
}

/** The whole life of a child of `forkPart`: runs, hands the counts up and ends the process, whatever a test left open. */
export function runAsPart(run: () => Promise<Counts>): void {
  process.once('disconnect', () => process.exit(1));
  run().then(handUp, (error: unknown) => {
    console.error(error);
    process.exit(1);
  });
}
