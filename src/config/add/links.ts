import { isRecord, type JsonRecord } from '../../base/json';
import { deepestShown, measureJson } from '../../base/measureJson';
import { hasHidden } from '../../base/text/text';
import type { Translate } from '../../base/translate';
import {
  readConfigLink,
  readGooseLink,
  readParameters,
  unknownParameter,
  type LinkValue,
} from './linkFormats';
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
