/** The variable that is set for programs that run in Wine instead of on Windows. */
export const wineVariable = 'MCP_WORKBENCH_WINE';

/** The variable with the file for the counts of a part that no channel leads back from. */
export const resultVariable = 'MCP_WORKBENCH_PART_RESULT';

/** A test that cannot pass in Wine, by the start of its full title, and what Wine lacks for it. */
export interface WineLimit {
  readonly title: string;
  readonly reason: string;
}

/** All that is skipped in Wine; the table in `test/windows/README.md` has the same rows. */
export const wineLimits: readonly WineLimit[] = [
  {
    title: 'The checker of schemas needs nothing of Node',
    reason: 'bundles with the build tool, whose program here is that of Linux',
  },
  {
    title: 'the diagnosis of a server whose certificate is not trusted',
    reason: 'makes its certificate with `openssl`, which is not there',
  },
  {
    title: 'a hostile answer over HTTP after two thousand progress notifications',
    reason: 'sends more than 1,024 pieces at once, which its sockets refuse',
  },
];

/** Returns why a test is skipped where it runs; `undefined` if it is not. */
export function skippedInWine(title: string, env = process.env): string | undefined {
  if (!env[wineVariable]) return undefined;
  return wineLimits.find((limit) => title.startsWith(limit.title))?.reason;
}
