import { parseJson } from '../../base/json';
import { SecretMask } from '../../base/secretMask';
import { changePasswords } from '../../base/secretOptions';
import {
  asNumber,
  changeAddresses,
  changeNamed,
  isSecretBelow,
  type NamedSecret,
  redactSecrets,
  redactText,
  redacted,
  secretsInJson,
  withoutPasswords,
} from '../../base/secrets';
import { textEnd } from '../../base/text/jsonText';
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

/** `name=value`, or `/name:value`; a script that begins with an assignment goes on behind its quotes, or with a command. */
const assignment =
  /^(?!\w+=(?:(?:"(?:[^"\\]|\\.)*"|'[^']*')(?:\s+|\s*[;&|]+\s*)\S|[^\s"']+(?:\s+exec\s|[;&|]+\s)))((?:--?|\/(?=[\w.-]+:)|(?=[\w.-]+=))([\w.-]+)[=:])(.+)$/s;
const header = /^(([\w-]+):\s*)(.+)$/s;

/** Returns the arguments of a program with their values replaced. */
export function withArguments(
  args: readonly unknown[],
  replace: Replace,
  command: unknown,
): readonly unknown[] {
  return withoutPasswords(args, command, replace, (arg, called, index) => {
    const before: unknown = args[index - 1];
    const option = typeof before === 'string' ? /^--?([\w.-]+)$/.exec(before)?.[1] : undefined;
    return withArgument(arg, called || `argument ${index + 1}`, replace, option);
  });
}

/** `--name=value`, `NAME=value` for a program that this one starts, also after its option, and a header after its own. */
function withArgument(arg: string, called: string, replace: Replace, option = ''): string {
  const form = /^(?:H|headers?)$/.test(option) ? header : assignment;
  const [, lead = '', name, value] = (!ofScripts.test(option) && form.exec(arg)) || [];
  if (name === undefined || value === undefined) return replace(called, arg);
  // What such an option has is a name and a value itself.
  return lead.startsWith('-') && /^(?:H|headers?|e|env)$/.test(name)
    ? lead + withArgument(value, name, replace, name)
    : lead + replace(name, value);
}

/**
 * Returns a named value with what looks like a secret in it replaced; `Bearer` and the like are not part of it and stay, to
 * show what is asked for.
 */
export function replaceSecret(name: string, text: string, replace: Replace): string {
  const isNamed = isSecretBelow(name, asNumber(text));
  const isWhole = isNamed && !text.includes('${');
  const value = isWhole ? text : withoutSecretsInside(text, replace);
  if (value === '') return value;
  if (value.includes('${'))
    return value.replaceAll(/\$\{[^{}]*\}|(?:[^$]|\$(?!\{))+/g, (part) =>
      redactSecrets(part) === redacted ? replaceSecret(name, part, replace) : part,
    );
  if (!isNamed && redactSecrets(value) !== redacted) return value;
  const [, scheme = '', secret = value] = /^(Bearer |Basic |token )(.+)$/is.exec(value) ?? [];
  return scheme + replace(name, secret);
}

/** Replaces the password in a URL, and whatever looks like a secret in its parameters and path, or in JSON or a script. */
function withoutSecretsInside(text: string, replace: Replace): string {
  return /^(?:[a-z][\w+.-]*:\/\/|(?:unix|pipe):)/i.test(text)
    ? withoutSecretsOfAddress(text, replace)
    : withoutSecretsOfText(text, replace);
}

function withoutSecretsOfAddress(address: string, replace: Replace): string {
  return changeAddresses(address, (name, value) =>
    // Some services name their key just `key`.
    replaceSecret(name === 'key' ? 'api_key' : name, value, replace),
  ).replaceAll(/(?<=[^:/]\/)[^/?#]+/g, (segment) => replaceSecret('path', segment, replace));
}

/** The shortest value that is taken out of a longer text: a shorter one may stand for anything else there. */
const shortest = 4;

/** What is assigned in a script, but by what it runs, or in the words that name a database. */
const assigned =
  /(?<![\w.-])([\w.-]{1,100})=(?:"(?![$`])((?:[^"\\]|\\[^])+)"|'([^']+)'|((?![$`])[^\s"';&|]+))/g;

/** An address in a script. */
const addressInside = /(?<![\w+.-])[a-z][\w+.-]{0,30}:\/\/[^\s"'`\\]+/gi;

/** What is in quotes in JSON, and its name, if it has one. */
const quoted = /(?:"([^"\\]{1,100})\\*"\s{0,20}:\s{0,20}\\*)?"((?:[^"\\]|\\+[^"\\])+)(?=\\*")/g;

function withoutSecretsOfText(text: string, replace: Replace): string {
  const pieces: string[] = [];
  let done = 0;
  for (const secret of secretsInJson(text)) {
    const { name, from, to, kind } = secret;
    const value = text.slice(from, to);
    pieces.push(
      withoutAssigned(text.slice(done, from), replace),
      kind === 'group' ? withoutTexts(value, secret, replace) : unlessShort(name, value, replace),
    );
    done = to;
  }
  return pieces.join('') + withoutAssigned(text.slice(done), replace);
}

/** Replaces all values in a list or an object that is called like a secret. */
function withoutTexts(group: string, { name, run }: NamedSecret, replace: Replace): string {
  const quote = `${run}"`;
  const part = /"|-?\d[\w.+-]*/g;
  const pieces: string[] = [];
  let called = name;
  let done = 0;
  for (let found = part.exec(group); found; found = part.exec(group)) {
    const isText = found[0] === '"';
    const from = isText ? part.lastIndex : found.index;
    const to = isText ? textEnd(group, from, run) : part.lastIndex;
    const end = isText && group.startsWith(quote, to) ? to + quote.length : to;
    const value = group.slice(from, to);
    part.lastIndex = end;
    if (isText && /^\s{0,20}:/.test(group.slice(end, end + 21))) called = value;
    else {
      pieces.push(group.slice(done, from), unlessShort(called, value, replace));
      done = to;
    }
  }
  return pieces.join('') + group.slice(done);
}

function unlessShort(name: string, value: string, replace: Replace): string {
  return value.length < shortest || value.includes('${') ? value : replace(name, value);
}

/** Replaces a value without the quotes that it is in. */
function unquoted(name: string, written: string, replace: Replace): string {
  const [, quote = '', value = ''] = /^(\\{0,9}["']?)([^]*?)\1$/.exec(written) ?? [];
  const isOpen = value.length < shortest || /^[$`]/.test(value);
  return isOpen ? written : quote + replaceSecret(name, value, replace) + quote;
}

/** Replaces what is assigned, behind an option or in a header, in addresses and in quotes. */
function withoutAssigned(text: string, replace: Replace): string {
  const named = changeNamed(text, (name, value, isAssigned) =>
    isAssigned ? value : unquoted(name, value, replace),
  );
  return changePasswords(named, (value) => unlessShort('password', value, replace))
    .replaceAll(
      assigned,
      (whole: string, name: string, double?: string, single?: string, bare?: string) => {
        const secret = double ?? single ?? bare ?? '';
        if (!isSecretBelow(name, asNumber(secret)) && redactSecrets(secret) !== redacted)
          return whole;
        const at = whole.indexOf(secret, name.length + 1);
        const shown = unlessShort(name, secret, replace);
        return whole.slice(0, at) + shown + whole.slice(at + secret.length);
      },
    )
    .replaceAll(addressInside, (address) => withoutSecretsOfAddress(address, replace))
    .replaceAll(quoted, (whole: string, name: string | undefined, value: string) =>
      value.includes('${') || redactSecrets(value) !== redacted
        ? whole
        : whole.slice(0, -value.length) + replace(name ?? 'value', value),
    );
}

/** Finds the values in a program's arguments that look like secrets, in whatever of them: an option, an address, JSON, a script. */
export function secretsOfArguments(args: readonly string[], command: string): string[] {
  const found = new Set<string>();
  const take = (_name: string, value: string) => {
    // A program says the password of an address, or of JSON, as it reads it.
    const read = value.includes('\\') ? parseJson(`"${value}"`) : undefined;
    found.add(value).add(decodePercent(value));
    if (typeof read === 'string') found.add(read);
    return '';
  };
  withArguments(
    args,
    (name, value) => {
      replaceSecret(name, value, take);
      return value;
    },
    command,
  );
  return [...found];
}

/** A short word, such as `postgres`, is hidden where it is a secret, but may stand anywhere else. */
const plainWord = /^[A-Za-z]{0,11}$/;

/** Returns the arguments of a command line with marks in place of what looks like a secret among them. */
export function maskedArguments(args: readonly string[], command: string): readonly string[] {
  const mask = new SecretMask();
  mask.hide(secretsOfArguments(args, command).filter((secret) => !plainWord.test(secret)));
  const masked = withArguments(
    args,
    (name, value) => replaceSecret(name, value, () => redacted),
    command,
  );
  return masked.map((arg) => redactText(mask.apply(String(arg))));
}

/** Returns an address with marks in place of what looks like a secret in it. */
export function maskedAddress(url: string): string {
  return replaceSecret('', url, () => redacted);
}
