import type { McpJsonServer } from '../importedServer';

/** The parts of a command that launches a container, up to what the container itself gets. */
export interface ContainerRun {
  readonly image: string | undefined;
  /** The variables without a value, which the container gets from the process that launches it. */
  readonly passedOn: readonly string[];
}

const launcher = /^(?:.*[\\/])?(?:docker|podman)(?:\.exe)?$/i;

/** Options that take no value; every other one includes its value or takes the next word. */
const flags =
  /^--(?:detach|disable-content-trust|help|init|interactive|no-healthcheck|no-hosts|oom-kill-disable|privileged|publish-all|quiet|read-only|replace|rm|rmi|sig-proxy|tls-verify|tty)$/;
/** Short options, which can be combined if all but the last take no value. */
const short = /^-[Pdiqt]*(?:([A-Za-z])=?(.*))?$/s;

/** Reads `docker run` or `podman run`; `undefined` if the command does not launch a container. */
export function readContainerRun({ command, args }: McpJsonServer): ContainerRun | undefined {
  if (typeof command !== 'string' || !launcher.test(command) || !Array.isArray(args))
    return undefined;
  const all = args.map(String);
  const global = readOptions(all);
  const [verb, ...rest] = global.rest[0] === 'container' ? global.rest.slice(1) : global.rest;
  if (verb !== 'run') return undefined;
  const run = readOptions(rest);
  const passedOn = run.options.flatMap(([name, value]) =>
    /^-(?:e|-env)$/.test(name) && /^[A-Za-z_]\w*$/.test(value) ? [value] : [],
  );
  return { image: run.rest[0], passedOn: [...new Set(passedOn)] };
}

/** The options with their values, and the words from the first one that is not an option. */
function readOptions(words: readonly string[]) {
  const options: (readonly [name: string, value: string])[] = [];
  let at = 0;
  for (; words[at]?.startsWith('-'); at += 1) {
    const word = words[at] ?? '';
    const [, letter, attached = ''] = (!word.startsWith('--') && short.exec(word)) || [];
    const [, long, assigned] = /^(--[^=]+)(?:=(.*))?$/s.exec(word) ?? [];
    const name = letter === undefined ? long : `-${letter}`;
    if (name === undefined || flags.test(name)) continue;
    const own = letter === undefined ? assigned : attached || undefined;
    options.push([name, own ?? words[at + 1] ?? '']);
    if (own === undefined) at += 1;
  }
  return { options, rest: words.slice(at) };
}
