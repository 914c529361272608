/**
 * Resolves as soon as `check` holds, for what no event tells: it is looked at in every turn of the
 * event loop, and the time limit of the test is the end of it.
 */
export async function until(check: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await check())) await new Promise(setImmediate);
}
