import { setTimeout as delay } from 'node:timers/promises';

const everyMs = 50;

/**
 * Calls `ask` until it returns something other than `undefined`; throws an error that names `what` if that takes longer
 * than `limitMs`.
 */
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
