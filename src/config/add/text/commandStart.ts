import type { JsonRecord } from '../../../base/json';

/** The word between a launcher and what it launches. */
export const launchVerb = /^(?:run|exec|dlx|x|tool|start)$/;

const verbs = launchVerb.source.slice(1, -1);
const ending = String.raw`(?:\.(?:exe|cmd))?`;
const program = String.raw`\.(?:[cm]?[jt]s|py|rb|php|jar|dll|exe|cmd|bat|sh)`;
/** Options, each with the next word as its value unless that is an option, too. */
const options = String.raw`(?:\s+-\S+(?:\s+[^\s-]\S*)?)*?`;

/** The variables that a command line sets for its program, each with the blanks after it. */
export const variables = /^(?:[A-Za-z_]\w*=(?:"[^"\n]*"|'[^'\n]*'|[^\s"']*)[ \t]+)+/;

/**
 * The beginnings of lines that can only launch a server. Many programs are named like everyday words, and a password
 * may look like a path or a scope: those count only with more after them.
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

/** A path in quotes in front of a line, as one with blanks has to be, and as Windows copies each. */
const quotedPath = /^(["'])((?:\.{0,2}|~|[A-Za-z]:)[\\/][^"'\n]*)\1(?=\s|$)/;

/** True if a line certainly launches a server, even though nobody said that it is a command. */
export function isLaunch(line: string): boolean {
  const launch = line
    .trim()
    .replace(variables, '')
    .replace(quotedPath, (_all, _quote, path: string) => path.replaceAll(/\s/g, '_'));
  return starts.some((start) => start.test(launch));
}

/** A path from the current folder: one that says so, or that of a program in source or built. */
const fromHere = new RegExp(
  String.raw`^(?:\.{1,2}[\\/]|\w[^\s:]*${program}$)|\$\{workspaceFolder`,
  'i',
);

/** True if what a server launches is found only from a folder of the workspace. */
export function isFromFolder({ command, args, cwd }: JsonRecord): boolean {
  const words: readonly unknown[] = [
    command,
    cwd,
    ...(Array.isArray(args) ? (args as unknown[]) : []),
  ];
  return words.some((word) => typeof word === 'string' && fromHere.test(word));
}
