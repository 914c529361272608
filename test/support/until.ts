/**
 * Resolves as soon as `check` returns true, for changes that no event reports: it is called in every turn of the event
 * loop, until the test times out.
 */
export async function until(check: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await check())) await new Promise(setImmediate);
}
