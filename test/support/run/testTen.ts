// A standalone program, `npm run test:ten [-- --runs 10] [parts]`: runs all tests, or these parts, again and again
// while other processes use half of the cores. A test that fails even once is a defect.
import { spawn } from 'node:child_process';
import { availableParallelism } from 'node:os';
import { parseArgs } from 'node:util';
import { built } from '../paths';

/** A program that keeps a core busy for as long as its parent runs. */
const load = `process.once('disconnect', () => process.exit());
setInterval(() => { for (const end = Date.now() + 100; Date.now() < end; ); });`;

/** Keeps half of the cores busy until it is disposed. */
function takeCores(): Disposable {
  const count = Math.max(1, Math.floor(availableParallelism() / 2));
  const busy = Array.from({ length: count }, () =>
    spawn(process.execPath, ['-e', load], { stdio: ['ignore', 'ignore', 'ignore', 'ipc'] }),
  );
  return {
    [Symbol.dispose]: () => {
      for (const child of busy) child.kill();
    },
  };
}

function runTests(parts: readonly string[]): Promise<boolean> {
  const script = built('support', 'run', 'testAll.js');
  const child = spawn(process.execPath, [script, ...parts], { stdio: 'inherit' });
  return new Promise((resolve) => {
    child.once('error', () => resolve(false));
    child.once('close', (code) => resolve(code === 0));
  });
}

async function main(): Promise<void> {
  const { positionals, values } = parseArgs({
    allowPositionals: true,
    options: { runs: { type: 'string', default: '10' } },
  });
  using _load = takeCores();
  const lines: string[] = [];
  for (let run = 1; run <= Number(values.runs); run += 1) {
    const begin = performance.now();
    const passed = await runTests(positionals);
    if (!passed) process.exitCode = 1;
    const minutes = ((performance.now() - begin) / 60_000).toFixed(1);
    lines.push(`${passed ? '✔' : '✗'} run ${run}: ${minutes} minutes`);
    console.log(`\n${lines.join('\n')}`);
  }
}

main().catch((error: unknown) => {
  console.error(error);
  process.exitCode = 1;
});
