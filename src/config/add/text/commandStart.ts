/** What stands between a launcher and what it launches. */
export const launchVerb = /^(?:run|exec|dlx|x|tool|start)$/;

const verbs = launchVerb.source.slice(1, -1);
const ending = String.raw`(?:\.(?:exe|cmd))?`;
const program = String.raw`\.(?:[cm]?[jt]s|py|rb|php|jar|dll|exe|cmd|bat|sh)`;
/** An option, and its value where that is none itself. */
const options = String.raw`(?:\s+-\S+(?:\s+[^\s-]\S*)?)*?`;

/** Variables that a command line gives its program, each with the blank behind it. */
export const variables = /^(?:[A-Za-z_]\w*=(?:"[^"\n]*"|'[^'\n]*'|[^\s"']*)[ \t]+)+/;

/**
 * The beginnings of what launches a server and is nothing else. Many programs are called by words of
 * everyday language, and a password may look like a path or a scope: those count with more behind them.
 */
const starts: readonly RegExp[] = [
  new RegExp(String.raw`^(?:npx|pnpx|bunx|uvx)${ending}\s+[-@\w]`),
  new RegExp(
    String.raw`^(?:npm|pnpm|yarn|bun|deno|uv|pipx|docker|podman)${ending}${options}\s+${verbs}\s+[-@\w./]`,
  ),
  new RegExp(String.raw`^(?:go|cargo|dotnet)${ending}\s+run\s+(?:-|\S*[./\\])`),
  new RegExp(
    String.raw`^(?:node|python3?|ruby|php|java|bun|deno|dotnet)${ending}\s+(?:-[\w-]|"[^"\n]+${program}"|\S+${program}(?:\s|$))`,
  ),
  new RegExp(
    String.raw`^(?:\.{0,2}|~|[A-Za-z]:)[\\/](?:\S*${program}(?:\s|$)|\S*(?:mcp|server)\S*)`,
    'i',
  ),
  /^@[a-z\d][\w.-]*\/(?=[\w.-]*(?:mcp|server))[\w.-]+(?:@[\w.-]+)?$/,
  /^@(?=[\w.-]*(?:mcp|modelcontextprotocol))[\w.-]+\/[\w.-]+(?:@[\w.-]+)?$/,
];

/** True for a line that launches a server beyond doubt, though nobody said that it is a command. */
export function isLaunch(line: string): boolean {
  const launch = line.trim().replace(variables, '');
  return starts.some((start) => start.test(launch));
}
