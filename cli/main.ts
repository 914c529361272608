// The command `mcp-workbench`: runs saved calls in a plain terminal, with the client core of the extension.
import { runTest } from './runTest';
import { readOptions, usage } from './options';
import { errorMessage } from '../src/base/errors';

async function main(): Promise<number> {
  const options = readOptions(process.argv.slice(2));
  if (options === 'help') {
    process.stdout.write(usage);
    return 0;
  }
  const interrupted = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM'] as const)
    process.once(signal, () => interrupted.abort());
  return await runTest(options, interrupted.signal);
}

main().then(
  (code) => (process.exitCode = code),
  (error: unknown) => {
    process.stderr.write(`${errorMessage(error)}\n`);
    process.exitCode = 2;
  },
);
