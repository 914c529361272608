/** The variable that is set for programs that run in Wine instead of on Windows. */
export const wineVariable = 'MCP_WORKBENCH_WINE';

/** The variable with the file for the counts of a part that no channel leads back from. */
export const resultVariable = 'MCP_WORKBENCH_PART_RESULT';

/** The oldest version of the editor, on Windows: it is the one whose Node runs in Wine. */
export const onWindows = 'windows';

/** The variable that names the version of the editor to run, or {@link onWindows}; the newest runs without it. */
export const versionVariable = 'MCP_WORKBENCH_EDITOR';

/** A test that cannot pass in Wine, by a part of its full title, and what Wine lacks for it. */
export interface WineLimit {
  readonly title: string;
  readonly reason: string;
}

const commandLines =
  'counts processes by their command lines, of which it has only the name of the program';
const chatBox =
  'needs what is typed in the chat, of which that editor, the oldest, tells extensions nothing';
const linter = 'runs the linter, whose program here is that of Linux';
const links = 'needs a link, which it says to have made, but has not';

/** All that is skipped in Wine; the table in `test/windows/README.md` has the same rows. */
export const wineLimits: readonly WineLimit[] = [
  {
    title: 'The checker of schemas needs nothing of Node',
    reason: 'bundles with the build tool, whose program here is that of Linux',
  },
  {
    title: 'takes no more time than the text is long, whatever that repeats',
    reason: 'reads the code with a parser, whose program here is that of Linux',
  },
  {
    title: 'the diagnosis of a server whose certificate is not trusted',
    reason: 'makes its certificate with `openssl`, which is not there',
  },
  {
    title: 'a hostile answer over HTTP after two thousand progress notifications',
    reason: 'sends more than 1,024 pieces at once, which its sockets refuse',
  },
  {
    title: 'a program of Windows gets an argument with the name of a variable',
    reason: 'its command prompt reads `%` as that of Windows 2000 did',
  },
  { title: 'servers end with their process when they are stopped', reason: commandLines },
  { title: 'servers get another process when they are restarted', reason: commandLines },
  { title: 'servers stop, start and restart as many as are selected', reason: commandLines },
  { title: 'is not written through a link:', reason: links },
  { title: 'is not written below a link of a folder:', reason: links },
  { title: 'of the user’s own, outside of the workspace, may be a link', reason: links },
  { title: 'where it is a link out of its folder', reason: links },
  { title: 'a bundle that is added is unpacked when its server is written', reason: commandLines },
  { title: 'onto a folder with a link in it or hidden names are saved only', reason: links },
  {
    title: 'a bundle that is added stays',
    reason: 'needs the folder that the test before it finds, which is skipped',
  },
  { title: 'of a folder of many repositories are not', reason: links },
  { title: 'a path through a link', reason: links },
  { title: 'names something in it by a step up after a link', reason: links },
  { title: 'says what of it is used, and not the rest of the text', reason: links },
  { title: 'the folder of a bundle stays, with all around it', reason: links },
  { title: 'the command mcp-workbench follows no link out of', reason: links },
  { title: 'the command mcp-workbench writes a report where its caller says', reason: links },
  { title: 'named by its modules, of the environment', reason: links },
  { title: 'named by the browser that it starts, of the environment', reason: links },
  { title: 'named by a place of a tool', reason: links },
  { title: 'gets no folder of the workspace from a list that it inherits', reason: links },
  { title: 'not with one that names a link to it there', reason: links },
  { title: 'reads nothing through a link that leads out of the folder', reason: links },
  {
    title: 'the place that Copilot keeps for the user is the workspace’s where a link',
    reason: links,
  },
  { title: 'the editor’s own extensions in a window of tests', reason: links },
  { title: 'the rules about types', reason: linter },
  { title: 'the rule of the linter about', reason: linter },
  { title: 'the rule of translated sentences', reason: linter },
  { title: 'the rule against decisions by names', reason: linter },
  {
    title: 'the configuration that is saved adds a server and leaves the others alone',
    reason: commandLines,
  },
  {
    title:
      'the configuration that changes restarts a running server with it, and ends it when it is gone',
    reason: commandLines,
  },
  {
    title: "starts the user's own server in the home folder",
    reason: 'compares where a process runs with the home folder of this machine',
  },
  {
    title: 'shows where it leads, signs in with the browser, and signs out',
    reason: 'waits for a page that the oldest editor does not show on Linux either',
  },
  { title: 'a message that somebody writes in the chat', reason: chatBox },
  { title: 'keeps the keyboard and every letter in the chat while', reason: chatBox },
];

/** Returns why a test is skipped that runs in Wine, or drives an editor there; `undefined` if it is not. */
export function skippedInWine(title: string, env = process.env): string | undefined {
  if (!env[wineVariable] && env[versionVariable] !== onWindows) return undefined;
  return wineLimits.find((limit) => title.includes(limit.title))?.reason;
}
