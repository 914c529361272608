import { asRecord, isRecord } from '../../base/json';
import { looksSecret, redacted, redactSecrets } from '../../base/secrets/secrets';
import { freeName } from '../freeName';
import {
  inputIdOf,
  inputReference,
  type ImportedServer,
  type McpJsonServer,
} from './importedServer';

/** A value that looks like a key, and the input that takes its place. */
export interface PlainSecret {
  readonly inputId: string;
  /** The name of the variable, header, option or parameter. */
  readonly name: string;
  readonly value: string;
}

/** A server without the secrets that stood in it, and those secrets. */
export interface CleanedServer {
  readonly server: McpJsonServer;
  readonly secrets: readonly PlainSecret[];
}

/** Puts inputs in place of what looks like a key: in variables, headers, arguments, addresses and `oauth`. */
export function takeSecrets({ name: serverName, server }: ImportedServer): CleanedServer {
  const secrets: PlainSecret[] = [];
  const take: Take = (name, value) => {
    const inputId = freeId(inputIdOf(serverName, name), value, secrets);
    if (secrets.every((known) => known.inputId !== inputId)) secrets.push({ inputId, name, value });
    return inputReference(inputId);
  };
  const { env, headers, args, url, oauth } = server;
  return {
    server: {
      ...server,
      ...(env !== undefined && { env: cleanValues(env, take) }),
      ...(headers !== undefined && { headers: cleanValues(headers, take) }),
      ...(Array.isArray(args) && { args: cleanArguments(args, take) }),
      ...(typeof url === 'string' && { url: cleanNamed('url', url, take) }),
      ...(isRecord(oauth) && { oauth: cleanValues(oauth, take) }),
    },
    secrets,
  };
}

/** Keeps a value, and gives the variable that stands for it. */
type Take = (name: string, value: string) => string;

function cleanValues(part: unknown, take: Take): McpJsonServer {
  return Object.fromEntries(
    Object.entries(asRecord(part)).map(([name, value]) => [
      name,
      typeof value === 'string' ? cleanNamed(name, value, take) : value,
    ]),
  );
}

function cleanArguments(args: readonly unknown[], take: Take): readonly unknown[] {
  return args.map((arg, index) => {
    if (typeof arg !== 'string') return arg;
    const before: unknown = args[index - 1];
    const option = typeof before === 'string' ? /^--?([\w.-]+)$/.exec(before)?.[1] : undefined;
    // `--name=value`, `NAME=value` for a program started in turn, and a header behind its option.
    const form = /^(?:H|headers?)$/.test(option ?? '') ? /^(([\w-]+):\s*)(.+)$/s : assignment;
    const [, lead, name, value] = form.exec(arg) ?? [];
    if (lead !== undefined && name !== undefined && value !== undefined)
      return lead + cleanNamed(name, value, take);
    const isValue = option !== undefined && !arg.startsWith('-');
    return cleanNamed(isValue ? option : `argument ${index + 1}`, arg, take);
  });
}

const assignment = /^((?:--?)?([\w.-]+)=)(.+)$/s;

/** A value with its secret taken; `Bearer` and the like are no part of that and tell what is asked for. */
function cleanNamed(name: string, text: string, take: Take): string {
  const value = looksSecret(name) ? text : cleanUrl(text, take);
  if (value === '' || value.includes('${')) return value;
  if (!looksSecret(name) && redactSecrets(value) !== redacted) return value;
  const [, scheme = '', secret = value] = /^(Bearer |Basic |token )(.+)$/is.exec(value) ?? [];
  return scheme + take(name, secret);
}

/** An address without its password, and without what looks like a key in its parameters and path. */
function cleanUrl(text: string, take: Take): string {
  if (!/^[a-z][\w+.-]*:\/\//i.test(text)) return text;
  return text
    .replace(/(?<=^[^/]+:\/\/[^/?#:@]*:)[^/?#@]+(?=@)/, (password) =>
      cleanNamed('password', password, take),
    )
    .replaceAll(/(?<=[?&]([^=&#]+)=)[^&#]+/g, (value: string, name: string) =>
      // Some services call theirs nothing but `key`.
      cleanNamed(name === 'key' ? 'api_key' : name, value, take),
    )
    .replaceAll(/(?<=[^:/]\/)[^/?#]+/g, (segment) => cleanNamed('path', segment, take));
}

/** An id that stands for no other value. */
function freeId(wanted: string, value: string, taken: readonly PlainSecret[]): string {
  return freeName(wanted, (id) => taken.some((one) => one.inputId === id && one.value !== value));
}
