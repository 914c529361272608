import type {
  Confinement,
  HttpServerConfig,
  Inheritance,
  ServerConfig,
  StdioServerConfig,
} from '../../../mcp/serverConfig';
import type { LaunchHeading, LaunchRules } from './launchRules';
import { UserError } from '../../../base/errors';
import { looksSecret } from '../../../base/secrets';
import { addressLabel } from '../../../base/text/address';
import { plainLabel } from '../../../base/text/text';
import { inEnglish, listText, type Translate } from '../../../base/translate';
import { hasLookAlikes, isLoopback } from '../../../mcp/http/secureUrl';
import { noAddress } from '../../../mcp/launch/addressKind';
import { secretsOfArguments } from '../../../mcp/launch/commandArguments';
import { isServerAddress, socketAddress } from '../../../mcp/transport/socketAddress';
import { boundValues, isWorthHiding, namedValues, showValues } from '../launchValues';
import { decisiveWarnings, isDecisive, namesAddress } from '../decisiveVariables';
import { completeProcess } from './completeProcess';

const fetching = /^(?:npx|bunx|pnpx|uvx|pipx|dnx|docker|podman)$/;

/** Describes what a confined process can do, line by line; `undefined` if it is not confined. */
function confinementText(confinement: Confinement | undefined, t: Translate): string | undefined {
  if (!confinement) return undefined;
  const { writable, hidden, hasNetwork } = confinement;
  return [
    writable.length > 0
      ? t('Writes only in {0}', listText(writable, t))
      : t('Writes no files but temporary ones'),
    ...(hidden.length > 0 ? [t('Cannot read {0}', listText(hidden, t))] : []),
    hasNetwork
      ? t('Can use the network and services of this machine')
      : t('Cannot use the network'),
  ].join('\n');
}

/** Returns warnings about what a sandbox cannot enforce here, or about what keeps the program from working in it. */
function sandboxWarnings(
  { sandbox, confinement }: StdioServerConfig,
  program: string,
  t: Translate,
): readonly string[] {
  if (!sandbox) return [];
  if (!confinement)
    return [
      t(
        'Its configuration wants it confined to a sandbox. Here it runs unconfined, with all your rights.',
      ),
    ];
  const { unkept, letsCreate, hasNetwork, writable } = confinement;
  return [
    ...(writable.length > 0
      ? [t('Other programs may run or follow what it writes, such as scripts and build files.')]
      : []),
    ...(letsCreate
      ? [
          t(
            'It can create what does not exist yet, such as a Git repository in a new folder: {0} cannot prevent that.',
            confinement.tool,
          ),
        ]
      : []),
    ...(unkept.length > 0
      ? [
          t(
            'Part of its sandbox cannot be kept here, so it runs without it: {0}.',
            unkept.join('; '),
          ),
        ]
      : []),
    ...(!hasNetwork && fetching.test(program)
      ? [
          t(
            '{0} can fetch nothing in its sandbox: without "network.allowedDomains" that has no network.',
            program,
          ),
        ]
      : []),
  ];
}

/** The rules for launching a process. */
const processRules: LaunchRules<StdioServerConfig> = {
  complete: completeProcess,
  local: (config) => config,
  decides(config) {
    const { scriptRunner, decisive } = startedBy(config);
    return ({ key, name = '', text }) => {
      if (key === 'env') return isDecisive(name) ? text : '';
      if (key === 'args') return scriptRunner !== undefined || decisive.has(text) ? text : '';
      // It is made from the rest.
      return key === 'confinement' || key === 'foldersLeftOut' ? '' : text;
    };
  },
  recipient: ({ command, args, cwd, envFile, env }, launched) => {
    const decisive = Object.entries({ ...launched?.env, ...env }).filter(
      // A program sends its secrets where such a variable leads.
      ([name, value]) => isDecisive(name) || namesAddress(name, value),
    );
    return { command, args, cwd, envFile, env: Object.fromEntries(decisive) };
  },
  sends: ({ command }, value, t) =>
    t(
      'It gives the stored value of "{0}", which you entered for another launch, to {1}.',
      value,
      plainLabel(programOf(command), 60),
    ),
  values: ({ env }) => env,
  parts: (config, written, { line, own, ofFile, markKey }, t) => [
    { heading: config.confinement?.tool ?? 'commandLine', text: line, isUsual: true },
    { heading: 'sandbox', text: confinementText(config.confinement, t) },
    {
      heading: 'debugger',
      text:
        config.debug &&
        t(
          'Opens a port on this machine for {0}: while it runs, programs here can run any code in it.',
          config.debug,
        ),
    },
    { heading: 'workingDirectory', text: config.cwd, isUsual: written.cwd === undefined },
    { heading: 'variables', text: showValues(own, markKey, t) },
    {
      heading: 'variablesFile',
      text: fileText(config.envFile, showValues(ofFile, markKey, t)),
    },
    {
      heading: 'inheritedVariables',
      text: inheritedText(config.inheritEnvironment ?? 'safe', t),
    },
  ],
  // What it does not get elsewhere makes it no other launch.
  bound: (config, _written, values) => ({ ...config, foldersLeftOut: undefined, env: values }),
  warnings,
  lineSecrets: ({ args, command }) => secretsOfArguments(args, command),
  secrets: ({ env }) => namedValues(env, isWorthHiding),
  asWritten: (config, written, keep) => ({
    ...config,
    command: keep.text(config.command, written.command),
    args: config.args.map((arg, index) => keep.text(arg, written.args[index])),
    env: keep.values(config.env, written.env),
  }),
};

/** Programs whose arguments may be a script: all of them, or those with an option for `code` before what they run. */
interface ScriptRunner {
  readonly programs: RegExp;
  readonly code?: RegExp;
  /** What has the other arguments go to the program that is run. */
  readonly ends?: RegExp;
  /** What may stand before the options. */
  readonly verb?: RegExp;
}

const scriptRunners: readonly ScriptRunner[] = [
  { programs: /^(?:(?:ba|da|z|k|mk|fi|c|tc|a)?sh|nu|cmd|powershell|pwsh)$/i },
  {
    programs: /^(?:node|nodejs|tsx|ts-node)$/i,
    code: /^(?:(?:-[ep]|-pe|--eval|--print)(?:=|$)|(?:--[\w-]+=)?data:)/,
  },
  { programs: /^(?:npx|npm|pnpm|pnpx)$/i, verb: /^(?:exec|x|dlx)$/, code: /^(?:-c|--call)(?:=|$)/ },
  { programs: /^bun$/i, code: /^(?:-[ep]|--eval|--print|exec)(?:=|$)/ },
  { programs: /^deno$/i, code: /^(?:eval$|data:)/ },
  {
    programs: /^(?:python|pypy|py)[\d.]*$/i,
    code: /^-[bBdEiIOPqsSuvx]*c/,
    ends: /^-[bBdEiIOPqsSuvx]*m/,
  },
  { programs: /^(?:perl|ruby)[\d.]*$/i, code: /^-[acdlnpstuvwWTUXS\d]*[eE]/ },
  { programs: /^php[\d.]*$/i, code: /^(?:-[rBRE]|--run$|--process-)/ },
  {
    programs: /^(?:lua[\d.]*|luajit|R|Rscript|osascript|julia)$/i,
    code: /^(?:-[eE]|--eval|--print)/,
  },
];

/** Programs that start the one that is named among their arguments. */
const starters =
  /^(?:env|sudo|doas|nice|ionice|nohup|time|timeout|stdbuf|setsid|taskset|strace|xargs|busybox|toybox|wsl|cross-env|dotenv|dotenvx|direnv|npx|npm|pnpm|pnpx|yarn|bunx|corepack|uv|poetry|pipenv|pdm|rye|pixi)$/i;

/** Others like them that name an image, a host or an environment first: what comes behind it may be the program. */
const enclosing = /^(?:docker|podman|nerdctl|ssh|conda|mamba|micromamba|mise|asdf|hatch)$/i;

/** Options that no value follows, whatever the program. */
const switches = /^(?:--|--no-.*|--[^=]+=.*|-y|--yes)$/s;

/** What is no program behind one that starts others: a variable, how long or how nice it is to be, or a verb. */
const noProgram = /^(?:\w+=|[\d.]+[smhd]?$|(?:run|exec|x|dlx)$)/;

/** Returns the program that runs its arguments as a script, if one does, and the arguments that decide anyway what runs. */
function startedBy({ command, args }: Pick<StdioServerConfig, 'command' | 'args'>): {
  readonly scriptRunner?: string;
  readonly decisive: ReadonlySet<string>;
} {
  let program = programOf(command);
  const decisive = new Set<string>();
  if (runsScript(program, args, 0)) return { scriptRunner: program, decisive };
  let mayBeValue = false;
  for (const [index, arg] of args.entries()) {
    const isEnclosing = enclosing.test(program);
    if (!isEnclosing && !starters.test(program)) break;
    if (/^env$/i.test(program) && /^(?:-[iv0]*S|--split-string)/.test(arg))
      return { scriptRunner: program, decisive };
    const isProgram = !arg.startsWith('-') && !noProgram.test(arg);
    const isNamed = isProgram && !isEnclosing;
    if (isNamed || isDecisive(/^(\w+)=/.exec(arg)?.[1] ?? '')) decisive.add(arg);
    if (isProgram) {
      const named = programOf(arg);
      if (runsScript(named, args, index + 1)) return { scriptRunner: named, decisive };
      const isStarter = starters.test(named) || enclosing.test(named);
      if (isStarter || !(mayBeValue || isEnclosing)) program = named;
    }
    mayBeValue = arg.startsWith('-') && !switches.test(arg);
  }
  return { decisive };
}

/** So many arguments behind a program are searched for code, anew for each program: more options are taken to have some. */
const mostSearched = 200;

function runsScript(program: string, args: readonly string[], from: number): boolean {
  const runner = scriptRunners.find(({ programs }) => programs.test(program));
  if (!runner?.code) return runner !== undefined;
  let mayBeValue = false;
  for (let at = from; at < args.length; at += 1) {
    const arg = args[at] ?? '';
    if (at - from === mostSearched || runner.code.test(arg)) return true;
    if (at === from && runner.verb?.test(arg)) continue;
    if (runner.ends?.test(arg) || (!arg.startsWith('-') && !mayBeValue)) return false;
    mayBeValue = arg.startsWith('-') && !switches.test(arg);
  }
  return false;
}

const pinned = /^(?:@[\w.-]+\/)?[\w.-]+(?:@|==)v?\d/;

function warnings(config: StdioServerConfig, t: Translate): readonly string[] {
  const { command, args, env } = config;
  const program = programOf(command);
  const found: string[] = [...sandboxWarnings(config, program, t)];
  if (/^(?:npx|bunx|pnpx|uvx|pipx)$/.test(program) && args.every((arg) => !pinned.test(arg)))
    found.push(
      t(
        '{0} fetches the latest version of the package at every start. Pin one (…@1.2.3) to keep it from changing.',
        program,
      ),
    );
  const { scriptRunner } = startedBy(config);
  if (scriptRunner !== undefined)
    found.push(t('{0} runs its argument as a script of any number of commands.', scriptRunner));
  if (/^(?:sudo|doas|runas)$/.test(program))
    found.push(t('{0} runs the server with the rights of another user.', program));
  return [...found, ...decisiveWarnings(Object.keys(env), t)];
}

/** Returns the name of a program without its folder and without the extension that Windows adds. */
function programOf(command: string): string {
  const name = command.split(/[\\/]/).at(-1) ?? '';
  return name.replace(/\.(?:cmd|exe|bat)$/i, '');
}

function inheritedText(inheritance: Inheritance, t: Translate): string {
  switch (inheritance) {
    case 'safe':
      return '';
    case 'all':
      return t("all, secrets too, but the editor's own");
    case 'none':
      return t('none');
  }
}

function fileText(file: string | undefined, values: string): string | undefined {
  return file === undefined ? undefined : [file, values].filter(Boolean).join('\n');
}

/** Makes the rules for a server at an address, which is shown under `heading`. */
const addressRules = (heading: LaunchHeading): LaunchRules<HttpServerConfig> => ({
  async complete(config, { surroundings, isOpen }) {
    if (!isOpen(config.url)) refuseOthers(config.url, surroundings.t);
    return config;
  },
  check({ url }, t) {
    // An input that is not given yet may stand for all of it.
    if (!url.includes('${')) refuseOthers(url, t);
  },
  local({ url }) {
    const socket = socketAddress(url);
    return socket && { type: 'http', url: socket.path, headers: {} };
  },
  decides:
    () =>
    ({ key, name, text }) => {
      if (key === 'url') return placeIn(text);
      // What proves the client's identity is sent to the issuer.
      return key === 'oauth' && name === 'issuer' ? text : '';
    },
  recipient: ({ url, oauth }) => ({ url, issuer: oauth?.issuer }),
  sends: ({ url }, value, t) =>
    t(
      'It sends the stored value of "{0}", which you entered for another launch, to {1}.',
      value,
      URL.canParse(url) && !socketAddress(url)
        ? addressLabel(new URL(url).host)
        : addressLabel(url),
    ),
  values: ({ headers }) => headers,
  parts: (config, written, { line, own, markKey }, t) => [
    { heading, text: line, isUsual: true },
    { heading: 'socket', text: socketText(config.url, t) },
    { heading: 'headers', text: showValues(own, markKey, t) },
    { heading: 'signIn', text: showValues(signInValues(config, written), markKey, t) },
  ],
  bound: (config, written, values) => ({
    ...config,
    headers: values,
    oauth: boundValues(signInValues(config, written)),
  }),
  warnings: ({ url }, t) => [
    ...(isSentInTheOpen(url)
      ? [t('The address is not encrypted: others on the way can read what is sent.')]
      : []),
    ...hostWarnings(url, t),
    ...(controlling.test(socketAddress(url)?.path ?? '')
      ? [t('Whoever reaches this socket can control containers, and through them this machine.')]
      : []),
  ],
  lineSecrets: ({ url }) => secretsOfArguments([url], ''),
  secrets: ({ headers, oauth }) => [
    // `Bearer` and the like are not part of the secret.
    ...namedValues(headers, () => true).map((value) => value.replace(/^\w+ (?=\S+$)/, '')),
    ...namedValues({ ...oauth }, (name) => looksSecret(name) || name === 'assertion'),
  ],
  asWritten: (config, written, keep) => ({
    ...config,
    url: keep.text(config.url, written.url),
    headers: keep.values(config.headers, written.headers),
  }),
});

function signInValues(config: HttpServerConfig, written: HttpServerConfig) {
  return { written: { ...written.oauth }, config: { ...config.oauth } };
}

/** Throws a `UserError` for what is no address of a server, now that its variables are filled in. */
function refuseOthers(url: string, t: Translate = inEnglish): void {
  if (!isServerAddress(url)) throw new UserError(noAddress(t));
}

/** Sockets that run containers with any rights. */
const controlling = /(?:^|\/)(?:docker|podman|containerd|crio?|buildkitd)[\w.-]*(?:\.sock)?$/i;

function socketText(url: string, t: Translate): string | undefined {
  const socket = socketAddress(url);
  return (
    socket &&
    t('{0}: whichever program listens there gets what is sent, on this machine.', socket.path)
  );
}

/** Returns the beginning of an address, which decides where it leads, with all that a URL parser skips before the host. */
function placeIn(url: string): string {
  if (/^(?:unix|pipe):/i.test(url)) return /^[^?#]*/.exec(url)?.[0] ?? '';
  return /^[^:/?#\\]*:?[/\\\s]*[^/?#\\]*/.exec(url)?.[0] ?? '';
}

/** True if others on the network can read what is sent; an address on this machine is not reached over one. */
function isSentInTheOpen(url: string): boolean {
  if (!/^http:/i.test(url)) return false;
  return !URL.canParse(url) || !isLoopback(new URL(url).hostname);
}

/** Returns what makes an address look like one of somebody else. */
function hostWarnings(url: string, t: Translate): readonly string[] {
  if (!URL.canParse(url) || socketAddress(url)) return [];
  const { hostname, username, password } = new URL(url);
  const shown = addressLabel(hostname);
  return [
    ...(hasLookAlikes(hostname)
      ? [t('The domain contains look-alike characters: it is {0}.', shown)]
      : []),
    ...(username || password ? [t('The text before @ is not the site: that is {0}.', shown)] : []),
  ];
}

const rules: { readonly [C in ServerConfig as C['type']]: LaunchRules<C> } = {
  stdio: processRules,
  http: addressRules('address'),
  sse: addressRules('sseAddress'),
};

/** Returns the rules for how a server is launched. */
export function rulesOf<C extends ServerConfig>({ type }: C): LaunchRules<C> {
  return rules[type] as unknown as LaunchRules<C>;
}
