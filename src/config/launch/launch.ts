import { revealHidden } from '../../base/text/text';
import { isLoopback } from '../../mcp/auth/secureUrl';
import type { Inheritance, ServerConfig } from '../../mcp/serverConfig';
import { shownValues } from './shownValues';

/** What would run or be reached, as a person is asked about it. */
export interface Launch {
  readonly serverName: string;
  /** Where it is configured, for people. */
  readonly place: string;
  /** Variables are replaced, but for inputs, which are asked for only after a yes. */
  readonly config: ServerConfig;
  /** As it was written: values that may be secret are compared by this, never stored. */
  readonly written: ServerConfig;
}

/** The exact command line or address on one line, hidden characters shown. */
export function launchLine(config: ServerConfig): string {
  return revealHidden(
    config.type === 'stdio' ? [config.command, ...config.args].map(quote).join(' ') : config.url,
  ).replaceAll('\n', '⏎');
}

/** The whole launch as a text of several lines. */
export function launchText(launch: Launch): string {
  const { serverName, place, config } = launch;
  const all = [
    ['MCP server', serverName],
    ['Configured in', place],
    ...sectionsOf(launch),
    ['Worth knowing', launchWarnings(config).join('\n')],
  ];
  return all
    .flatMap(([title = '', text]) =>
      text ? [`${title}\n${revealHidden(text).replaceAll(/^/gm, '    ')}\n`] : [],
    )
    .join('\n');
}

function sectionsOf({ config, written }: Launch): (readonly [string, string | undefined])[] {
  if (config.type === 'stdio')
    return [
      ['Command line', launchLine(config)],
      ['Working directory', config.cwd],
      ['Environment variables it sets', shownValues(written.type === 'stdio' ? written.env : {})],
      ['File of environment variables', config.envFile],
      ['Environment variables it inherits', inheritedWords[config.inheritEnvironment ?? 'safe']],
    ];
  const { headers = {}, oauth = {} } = written.type === 'stdio' ? {} : written;
  return [
    [config.type === 'sse' ? 'Address (HTTP with server-sent events)' : 'Address', config.url],
    ['Headers it sends', shownValues(headers, () => true)],
    ['Sign-in', shownValues({ ...oauth })],
  ];
}

/** What of a launch a decision is bound to; for a fingerprint only, it may hold secrets. */
export function launchIdentity({ place, config, written }: Launch): unknown {
  if (config.type === 'stdio')
    return { place, ...config, env: written.type === 'stdio' ? written.env : {} };
  const { headers = {}, oauth } = written.type === 'stdio' ? {} : written;
  return { place, ...config, headers, oauth };
}

/** True where others on the way can read what is sent; an address on this machine has no way. */
function isSentInTheOpen(url: string): boolean {
  if (!/^http:/i.test(url)) return false;
  return !URL.canParse(url) || !isLoopback(new URL(url).hostname);
}

/** Sentences about what makes the launch run something else than what it names, if it does. */
export function launchWarnings(config: ServerConfig): string[] {
  if (config.type !== 'stdio')
    return isSentInTheOpen(config.url)
      ? ['The address is not encrypted: others on the way can read what is sent.']
      : [];
  const program =
    config.command
      .split(/[\\/]/)
      .at(-1)
      ?.replace(/\.(?:cmd|exe|bat)$/i, '') ?? '';
  const warnings: string[] = [];
  if (/^(?:npx|bunx|pnpx|uvx|pipx)$/.test(program) && config.args.every((arg) => !pinned.test(arg)))
    warnings.push(
      `${program} runs the newest version of the package at each start: name one to fix it.`,
    );
  if (/^(?:sh|bash|zsh|fish|cmd|powershell|pwsh)$/.test(program))
    warnings.push(`${program} runs its argument as a script of any number of commands.`);
  if (/^(?:sudo|doas|runas)$/.test(program))
    warnings.push(`${program} runs the server with the rights of another user.`);
  const decisive = Object.keys(config.env).filter((name) => decidesWhatRuns.test(name));
  if (decisive.length > 0)
    warnings.push(`${decisive.join(', ')} can make another program run than the one named.`);
  return warnings;
}

const pinned = /^(?:@[\w.-]+\/)?[\w.-]+(?:@|==)v?\d/;

const decidesWhatRuns =
  /^(?:NODE_OPTIONS|NODE_PATH|LD_PRELOAD|LD_LIBRARY_PATH|DYLD_\w+|PYTHON(?:PATH|STARTUP|HOME)|RUBYOPT|PERL5OPT|JAVA_TOOL_OPTIONS|BASH_ENV|ENV|PATH)$/i;

const inheritedWords: Readonly<Record<Inheritance, string>> = {
  safe: '',
  all: "all, secrets too, but the editor's own",
  none: 'none',
};

function quote(argument: string): string {
  return /^[\w@%+=:,./\\-]+$/.test(argument) ? argument : `'${argument.replaceAll("'", `'\\''`)}'`;
}
