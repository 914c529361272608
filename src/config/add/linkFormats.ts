import { type JsonRecord, isRecord } from '../../base/json';
import { hasHidden, plainLabel } from '../../base/text/text';
import type { Translate } from '../../base/translate';
import { decodeBase64 } from '../../mcp/protocol/content';
import { inputIdOf, inputReference } from './importedServer';
import { deepestShown, measureJson } from '../../base/measureJson';
import { foreignKeys, readKeys } from '../places/knownKeys';

/** The longest install link that is read, in UTF-16 units. */
export const maxLinkLength = 32_768;

const installStart =
  /^(?:(?!https?:)[a-z][\w+.-]*:\S*?(?:mcp\/install|install-mcp)|https:\/\/(?:(?:www\.)?(?:cursor\.com|lmstudio\.ai)|(?:insiders\.)?vscode\.dev)\/\S*?(?:mcp\/install|install-mcp)|lmstudio:\/\/add_mcp|goose:\/\/extension|[a-z][\w+.-]*:\/\/mcp-workbench\.mcp-workbench\/add)\/?\?/i;

const ownStart = /^[a-z][\w+.-]*:\/\/mcp-workbench\.mcp-workbench\/add\/?\?/i;

const redirectStart =
  /^https:\/\/(?:insiders\.)?vscode\.dev\/redirect\/?\?(?=\S*\burl=vscode(?:-insiders)?(?::|%3A))/i;

/**
 * Reads a link of ours, an install link of VS Code, Cursor, LM Studio or goose, or the web page that redirects to one,
 * and returns the configuration in it; `undefined` if the text is not such a link.
 */
export function readLink(text: string, t: Translate): LinkValue | undefined {
  const isRedirect = redirectStart.test(text);
  if (!isRedirect && !installStart.test(text)) return undefined;
  if (text.length > maxLinkLength) {
    const most = String(maxLinkLength);
    return { problem: t('This link is longer than {0} characters, so it was not read.', most) };
  }
  if (!isRedirect) return readInstallLink(text, t);
  const read = readParameters(text.replace(redirectStart, ''), ['url', 'quality'], [], t);
  if ('problem' in read) return read;
  const link = read.one('url') ?? '';
  return installStart.test(link) ? readInstallLink(link, t) : { problem: damaged(t) };
}

function readInstallLink(link: string, t: Translate): LinkValue {
  const query = link.replace(installStart, '').replace(/#.*$/s, '');
  const read = /^goose:/i.test(link) ? readGooseLink(query, t) : readConfigLink(query, t);
  if (read === undefined) return { problem: damaged(t) };
  if ('problem' in read) return read;
  if (measureJson(read.value).depth > deepestShown) return { problem: damaged(t) };
  if ([link, ...textsOf(read.value)].some((text) => hasHidden(text) || /[\t\r\n]/.test(text)))
    return {
      problem: t('This link contains invisible or control characters. Check where it comes from.'),
    };
  const unknown = ownStart.test(link) ? unknownKey(read.value) : undefined;
  return unknown === undefined ? read : { problem: unknownParameter(unknown, t) };
}

function damaged(t: Translate): string {
  return t('This link is damaged or incomplete. Copy it again from where you found it.');
}

/** The first key that a link of ours cannot have, as it may be the one that matters. */
function unknownKey(value: JsonRecord): string | undefined {
  const known = ['name', 'inputs', ...readKeys, ...foreignKeys];
  return Object.keys(value).find((key) => !known.includes(key));
}

/** All property names and strings of a JSON value. */
function* textsOf(value: unknown): Generator<string> {
  if (typeof value === 'string') yield value;
  else if (Array.isArray(value)) for (const part of value) yield* textsOf(part);
  else if (isRecord(value))
    for (const [name, part] of Object.entries(value)) {
      yield name;
      yield* textsOf(part);
    }
}

/** The content of a link, as JSON in one of the forms that READMEs show; a problem is a whole sentence. */
export type LinkValue = { readonly value: JsonRecord } | { readonly problem: string };

/** The parameters of a link by name: the only value of one that may occur once, or all values. */
export interface LinkParameters {
  one(name: string): string | undefined;
  all(name: string): readonly string[];
}

/** Reads a query with these parameters only: an unknown one is a problem, as it may be the one that matters. */
export function readParameters(
  query: string,
  once: readonly string[],
  repeated: readonly string[],
  t: Translate,
): LinkParameters | { readonly problem: string } {
  const read = new URLSearchParams(query);
  for (const name of read.keys()) {
    if (!once.includes(name) && !repeated.includes(name))
      return { problem: unknownParameter(name, t) };
    if (once.includes(name) && read.getAll(name).length > 1)
      return { problem: t('This link has more than one "{0}".', name) };
  }
  return { one: (name) => read.get(name) ?? undefined, all: (name) => read.getAll(name) };
}

/** Returns the problem of a link that has an unknown parameter. */
export function unknownParameter(name: string, t: Translate): string {
  return t('This link has an unknown parameter: "{0}".', plainLabel(name, 40));
}

/**
 * Reads the query of an install link: JSON itself (VS Code), or JSON or its base64 in `config` (VS Code, Cursor and LM
 * Studio); `undefined` if it cannot be read.
 */
export function readConfigLink(query: string, t: Translate): LinkValue | undefined {
  const whole = readJson(() => decodeURIComponent(query));
  if (whole) return { value: whole };
  if (!new URLSearchParams(query).has('config')) return undefined;
  const read = readParameters(query, ['name', 'config', 'inputs', 'quality'], [], t);
  if ('problem' in read) return read;
  const config = read.one('config') ?? '';
  const value = readJson(() => (config.startsWith('{') ? config : fromBase64(config)));
  if (!value) return undefined;
  const name = read.one('name');
  const inputs = read.one('inputs');
  const list = inputs === undefined ? undefined : parse(() => inputs);
  if (inputs !== undefined && !Array.isArray(list)) return undefined;
  return {
    value: {
      ...value,
      ...(name !== undefined && { name }),
      ...(list !== undefined && { inputs: list }),
    },
  };
}

/** The time for a call that goose writes where nobody chose one, in seconds. */
export const usualGooseSeconds = 300;

/**
 * Reads the query of a goose link, with a command or a URL in parameters and the names of variables that the user
 * fills in; `undefined` if it is incomplete.
 */
export function readGooseLink(query: string, t: Translate): LinkValue | undefined {
  const once = ['cmd', 'url', 'id', 'name', 'description', 'timeout', 'installation_notes'];
  const read = readParameters(query, once, ['arg', 'env', 'header'], t);
  if ('problem' in read) return read;
  const name = read.one('name') ?? read.one('id') ?? '';
  const command = read.one('cmd');
  const url = read.one('url');
  const time = Number(read.one('timeout'));
  const timeouts = time > 0 &&
    time !== usualGooseSeconds && { timeouts: { request: time, total: time } };
  if (name === '' || (command === undefined) === (url === undefined)) return undefined;
  const inputs: JsonRecord[] = [];
  const ask = (key: string, description: string): string => {
    const id = inputIdOf(name, key);
    if (inputs.every((one) => one['id'] !== id))
      inputs.push({ id, type: 'promptString', description: description || key, password: true });
    return inputReference(id);
  };
  const env = read.all('env').map(split);
  const headers = read.all('header').map(split);
  if ([...env, ...headers].some(([key]) => key === '')) return undefined;
  if (url === undefined) {
    const asked = env.map(([key, description]) => [key, ask(key, description)] as const);
    const value = { command, args: read.all('arg'), env: Object.fromEntries(asked) };
    return { value: { name, ...value, ...timeouts, inputs } };
  }
  // Headers can use the variables.
  const filled = headers.map(([key, text]) => {
    const value = text.replaceAll(/\$(?:\{(\w+)\}|(\w+))/g, (mark, braced, plain) => {
      const found = env.find(([variable]) => variable === (braced ?? plain));
      return found ? ask(...found) : mark;
    });
    return [key, value === '' ? ask(key, '') : value];
  });
  return { value: { name, url, headers: Object.fromEntries(filled), ...timeouts, inputs } };
}

function split(text: string): [name: string, rest: string] {
  const at = text.indexOf('=');
  return at < 0 ? [text, ''] : [text.slice(0, at), text.slice(at + 1)];
}

/** Decodes text from base64 in either alphabet, whose plus signs look like spaces in a query. */
function fromBase64(text: string): string {
  const bytes = decodeBase64(text.replaceAll(' ', '+'));
  return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
}

function readJson(text: () => string): JsonRecord | undefined {
  const value = parse(text);
  return isRecord(value) ? value : undefined;
}

function parse(text: () => string): unknown {
  try {
    return JSON.parse(text());
  } catch {
    return undefined;
  }
}
