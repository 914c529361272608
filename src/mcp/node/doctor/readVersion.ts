import { truncate, withoutColors } from '../../../base/text/text';
import type { Environment } from '../../platform';

const limitMs = 10_000;
const maxLength = 500;

/** Runs a program that only reports something about itself; resolves with its output, or with why there is none. */
export async function readVersion(
  file: string,
  args: readonly string[],
  env: Environment,
): Promise<{ readonly ok: boolean; readonly text: string }> {
  const { default: spawn } = await import('cross-spawn');
  return new Promise((resolve) => {
    let text = '';
    const child = spawn(file, [...args], {
      env: { ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
      windowsHide: true,
      timeout: limitMs,
      killSignal: 'SIGKILL',
    });
    const end = (ok: boolean, words: string) =>
      resolve({ ok, text: truncate(withoutColors(words).trim(), maxLength) });
    for (const stream of [child.stdout, child.stderr])
      stream?.setEncoding('utf8').on('data', (chunk: string) => {
        text = truncate(text + chunk, maxLength);
      });
    child.once('error', (error) => end(false, error.message));
    child.once('close', (code, signal) => end(code === 0, text || `${code ?? signal}`));
  });
}
