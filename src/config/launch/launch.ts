import { revealHidden } from '../../base/text/text';
import { isLoopback } from '../../mcp/auth/secureUrl';
import type { Inheritance, ServerConfig } from '../../mcp/serverConfig';
import { decisiveWarnings } from './decisiveVariables';
import { boundValues, showValues, type LaunchValues, type Values } from './launchValues';

/** What would run or be reached, as a person is asked about it. */
export interface Launch {
  readonly serverName: string;
  /** Where it is configured, for people. */
  readonly place: string;
  /**
   * What runs once it is trusted: the program as the file that it is, variables replaced, and the values
   * of its file of variables among the others. Inputs alone are not filled in before a yes.
   */
  readonly config: ServerConfig;
  /** As it was written, without the file of variables. */
  readonly written: ServerConfig;
  /** What the marks of hidden values are made with: the same as long as they are compared. */
  readonly markKey?: string;
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

function sectionsOf(launch: Launch): (readonly [string, string | undefined])[] {
  const { config, markKey = '' } = launch;
  const { own, ofFile } = valuesOf(launch);
  if (config.type === 'stdio')
    return [
      ['Command line', launchLine(config)],
      ['Working directory', config.cwd],
      ['Environment variables it sets', showValues(own, markKey)],
      ['File of environment variables', fileText(config.envFile, showValues(ofFile, markKey))],
      ['Environment variables it inherits', inheritedWords[config.inheritEnvironment ?? 'safe']],
    ];
  const { written } = launch;
  const oauth = { written: oauthOf(written), config: oauthOf(config) };
  return [
    [config.type === 'sse' ? 'Address (HTTP with server-sent events)' : 'Address', config.url],
    ['Headers it sends', showValues(own, markKey)],
    ['Sign-in', showValues(oauth, markKey)],
  ];
}

function fileText(file: string | undefined, values: string): string | undefined {
  return file === undefined ? undefined : [file, values].filter(Boolean).join('\n');
}

/** The variables or headers of a launch, and apart from them what its file of variables adds. */
function valuesOf({ config, written }: Launch): {
  readonly own: LaunchValues;
  readonly ofFile: LaunchValues;
} {
  const all = configured(config);
  const names = configured(written);
  const part = (isOwn: boolean) =>
    Object.fromEntries(
      Object.entries(all).filter(([name]) => Object.hasOwn(names, name) === isOwn),
    );
  return {
    own: { written: names, config: part(true) },
    ofFile: { written: {}, config: part(false) },
  };
}

function configured(config: ServerConfig): Values {
  return config.type === 'stdio' ? config.env : config.headers;
}

function oauthOf(config: ServerConfig): Values {
  return config.type === 'stdio' ? {} : { ...config.oauth };
}

/** What of a launch a decision is bound to; for a fingerprint only, it may hold secrets. */
export function launchIdentity({ place, config, written }: Launch): unknown {
  const values = boundValues({ written: configured(written), config: configured(config) });
  if (config.type === 'stdio') return { place, ...config, env: values };
  const oauth = boundValues({ written: oauthOf(written), config: oauthOf(config) });
  return { place, ...config, headers: values, oauth };
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
  return [...warnings, ...decisiveWarnings(Object.keys(config.env))];
}

const pinned = /^(?:@[\w.-]+\/)?[\w.-]+(?:@|==)v?\d/;

const inheritedWords: Readonly<Record<Inheritance, string>> = {
  safe: '',
  all: "all, secrets too, but the editor's own",
  none: 'none',
};

function quote(argument: string): string {
  return /^[\w@%+=:,./\\-]+$/.test(argument) ? argument : `'${argument.replaceAll("'", `'\\''`)}'`;
}
