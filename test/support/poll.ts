import { setTimeout as delay } from 'node:timers/promises';

const everyMs = 50;

/** Asks until there is an answer; throws an error that names what was awaited when there is none within the limit. */
export async function poll<T>(
  what: string,
  limitMs: number,
  ask: () => Promise<T | undefined>,
): Promise<T> {
  const deadline = Date.now() + limitMs;
  for (;;) {
    const answer = await ask();
    if (answer !== undefined) return answer;
    if (Date.now() > deadline) throw new Error(`Waited ${limitMs / 1000} s for ${what}.`);
    await delay(everyMs);
  }
}
