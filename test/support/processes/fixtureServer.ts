import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { built } from '../paths';

/** An HTTP server in a separate process, which ends when this is disposed. */
export interface FixtureServer extends AsyncDisposable {
  readonly url: string;
}

/** Starts a server of `test/fixtures` that prints its URL as its first line; rejects if it ends before that. */
export function startFixture(name: string, args: readonly string[] = []): Promise<FixtureServer> {
  return startProgram(built('fixtures', name, 'main.js'), args);
}

/** Starts any program that prints the URL at which it listens as its first line; rejects if it ends before that. */
export async function startProgram(
  path: string,
  args: readonly string[] = [],
): Promise<FixtureServer> {
  const child = spawn(process.execPath, [path, ...args], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const exited = once(child, 'exit');
  const end = () => child.kill();
  process.once('exit', end);
  const [url] = (await Promise.race([
    once(createInterface(child.stdout), 'line'),
    exited.then(() => Promise.reject(new Error(`${path} ended before it listened.`))),
  ])) as [string];
  return {
    url,
    async [Symbol.asyncDispose]() {
      process.off('exit', end);
      end();
      await exited;
    },
  };
}
