import { parseJson } from '../../base/json';
import {
  SecretMask,
  calledIn,
  isSecretBelow,
  looksSecret,
  redactSecrets,
  redactText,
  redacted,
} from '../../base/secrets';
import { decodePercent, plainLabel } from '../../base/text/text';
import type { Translate } from '../../base/translate';

const shownLength = 60;

/** True for a command that is a whole command line, such as `npx -y x`; a path with spaces is not one. */
export function isCommandLine(command: string): boolean {
  return /^\s*[\w.+-]+\s+\S/.test(command);
}

/** Says what is wrong with a command that is a whole command line, such as `npx -y x`; `undefined` for any other. */
export function argumentsInCommand(command: string, t: Translate): string | undefined {
  if (!isCommandLine(command)) return undefined;
  const [program = '', first = '', ...others] = command.trim().split(/\s+/);
  const args = [
    JSON.stringify(plainLabel(first, shownLength)),
    ...(others.length > 0 ? ['…'] : []),
  ].join(', ');
  return t(
    '"command" is the program alone. Its arguments belong in "args": {0}.',
    `"command": "${plainLabel(program, shownLength)}", "args": [${args}]`,
  );
}

/** Returns the replacement for a value, given the name of its variable, header or option. */
export type Replace = (name: string, value: string) => string;

/** Options whose value is a script, of which an assignment is only the beginning: `-c`, `-lc`, `-S` of `env`. */
const ofScripts = /^(?:[a-z]{0,3}c|exec|[cC]ommand|[iv0]{0,3}S|split-string)$/;

/** `name=value`, or `/name:value`; a script that begins with an assignment goes on behind its quotes. */
const assignment =
  /^(?!\w+=(?:"[^"]*"|'[^']*')(?:\s+|\s*[;&|]+\s*)\S)((?:--?|\/(?=[\w.-]+:)|(?=[\w.-]+=))([\w.-]+)[=:])(.+)$/s;
const header = /^(([\w-]+):\s*)(.+)$/s;

/** Returns the arguments of a program with their values replaced. */
export function withArguments(args: readonly unknown[], replace: Replace): readonly unknown[] {
  return args.map((arg, index) => {
    if (typeof arg !== 'string') return arg;
    const before: unknown = args[index - 1];
    const option = typeof before === 'string' ? /^--?([\w.-]+)$/.exec(before)?.[1] : undefined;
    return withArgument(arg, { option, place: `argument ${index + 1}`, replace });
  });
}

/** `--name=value`, `NAME=value` for a program that this one starts, also after its option, and a header after its own. */
function withArgument(
  arg: string,
  at: {
    readonly option: string | undefined;
    readonly place: string;
    readonly replace: Replace;
  },
): string {
  const { option, place, replace } = at;
  const form = /^(?:H|headers?)$/.test(option ?? '') ? header : assignment;
  const [, lead = '', name, value] = (!ofScripts.test(option ?? '') && form.exec(arg)) || [];
  if (name === undefined || value === undefined)
    return replace(option !== undefined && !arg.startsWith('-') ? option : place, arg);
  // What such an option has is a name and a value itself.
  return lead.startsWith('-') && /^(?:H|headers?|e|env)$/.test(name)
    ? lead + withArgument(value, { ...at, option: name })
    : lead + replace(name, value);
}

/**
 * Returns a named value with what looks like a secret in it replaced; `Bearer` and the like are not part of it and stay, to
 * show what is asked for.
 */
export function replaceSecret(name: string, text: string, replace: Replace): string {
  const value = looksSecret(name) ? text : withoutSecretsInside(text, replace);
  if (value === '' || value.includes('${')) return value;
  if (!looksSecret(name) && redactSecrets(value) !== redacted) return value;
  const [, scheme = '', secret = value] = /^(Bearer |Basic |token )(.+)$/is.exec(value) ?? [];
  return scheme + replace(name, secret);
}

/** Replaces the password in a URL, and whatever looks like a secret in its parameters and path, or in JSON or a script. */
function withoutSecretsInside(text: string, replace: Replace): string {
  return /^[a-z][\w+.-]*:\/\//i.test(text)
    ? withoutSecretsOfAddress(text, replace)
    : withoutSecretsOfText(text, replace);
}

/** The user of an address, which may be one of mail or a variable, and the password, which ends at the last `@`. */
const userAndPassword = /^([^/]+:\/\/(?:\$\{[^{}]*\}|(?!\$\{)[^/?#:])*:)([^/?#]+)(?=@)/;

function withoutSecretsOfAddress(address: string, replace: Replace): string {
  return address
    .replace(
      userAndPassword,
      (_whole, lead: string, password: string) =>
        lead + replaceSecret('password', password, replace),
    )
    .replaceAll(/(?<=[?&]([^=&#]+)=)[^&#]+/g, (value: string, name: string) =>
      // Some services name their key just `key`.
      replaceSecret(name === 'key' ? 'api_key' : name, value, replace),
    )
    .replaceAll(/(?<=[^:/]\/)[^/?#]+/g, (segment) => replaceSecret('path', segment, replace));
}

type NamedSecret = readonly [name: string, secret: string];

/** The longest argument that is read as JSON, in UTF-16 units, and how deep it is looked into. */
const longestJson = 100_000;
const deepest = 100;

/** The shortest value that is taken out of a longer text: a shorter one may stand for anything else there. */
const shortest = 4;

/** What is assigned in a script, but by what it runs, or in the words that name a database. */
const assigned =
  /(?<![\w.-])([\w.-]{1,100})=(?:"(?![$`])([^"]+)"|'([^']+)'|((?![$`])[^\s"';&|]+))/g;

/** An address in a script. */
const addressInside = /(?<![\w+.-])[a-z][\w+.-]{0,30}:\/\/[^\s"'`]+/gi;

function withoutSecretsOfText(text: string, replace: Replace): string {
  const isJson = /^\s*[{[]/.test(text) && text.length <= longestJson;
  const value = isJson ? parseJson(text) : undefined;
  if (value === undefined)
    return withoutAssigned(text, replace).replaceAll(addressInside, (address) =>
      withoutSecretsOfAddress(address, replace),
    );
  const names = new Map(secretsBelow('', value).map(([name, secret]) => [secret, name]));
  // As written there, so that what fills it in later is JSON again.
  return text.replaceAll(
    /"((?:[^"\\]|\\.)*)"(\s*:)?/g,
    (whole: string, written: string, colon: string | undefined) => {
      if (colon !== undefined) return whole;
      const secret = parseJson(whole);
      const isLong = typeof secret === 'string' && secret.length >= shortest;
      const name = isLong && !written.includes('${') ? names.get(secret) : undefined;
      return name === undefined
        ? `"${withoutSecretsInside(written, replace)}"`
        : `"${replace(name, written)}"`;
    },
  );
}

function withoutAssigned(text: string, replace: Replace): string {
  return text.replaceAll(
    assigned,
    (whole: string, name: string, double?: string, single?: string, bare?: string) => {
      const secret = double ?? single ?? bare ?? '';
      if (secret.length < shortest || secret.includes('${')) return whole;
      if (!looksSecret(name) && redactSecrets(secret) !== redacted) return whole;
      const at = whole.indexOf(secret, name.length + 1);
      return whole.slice(0, at) + replace(name, secret) + whole.slice(at + secret.length);
    },
  );
}

function secretsBelow(
  name: string,
  value: unknown,
  isSecret = false,
  depth = 0,
): readonly NamedSecret[] {
  if (typeof value === 'string')
    return isSecret || redactSecrets(value) === redacted ? [[name, value]] : [];
  if (typeof value !== 'object' || value === null || depth > deepest) return [];
  return Object.entries(value).flatMap(([key, part]: [string, unknown]) => {
    const called = calledIn(value, key);
    return secretsBelow(called, part, isSecret || isSecretBelow(called, part), depth + 1);
  });
}

/** Finds the values in a program's arguments that look like secrets, in whatever of them: an option, an address, JSON, a script. */
export function secretsOfArguments(args: readonly string[]): string[] {
  const found = new Set<string>();
  const take = (_name: string, value: string) => {
    // A program says the password of an address, or of JSON, as it reads it.
    const read = value.includes('\\') ? parseJson(`"${value}"`) : undefined;
    found.add(value).add(decodePercent(value));
    if (typeof read === 'string') found.add(read);
    return '';
  };
  withArguments(args, (name, value) => {
    replaceSecret(name, value, take);
    return value;
  });
  return [...found];
}

/** A short word, such as `postgres`, is hidden where it is a secret, but may stand anywhere else. */
const plainWord = /^[A-Za-z]{0,11}$/;

/** Returns the arguments of a command line with marks in place of what looks like a secret among them. */
export function maskedArguments(args: readonly string[]): readonly string[] {
  const mask = new SecretMask();
  mask.hide(secretsOfArguments(args).filter((secret) => !plainWord.test(secret)));
  const masked = withArguments(args, (name, value) => replaceSecret(name, value, () => redacted));
  return masked.map((arg) => redactText(mask.apply(String(arg))));
}
