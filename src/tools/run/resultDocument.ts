import { utf8 } from '../../base/bytes';
import { asRecord } from '../../base/json';
import { withoutSecrets } from '../../base/secretMask';
import { distinctNames, extensionOf, fileName, sanitize } from '../../base/text/fileName';
import { extensionsOf, sniffMediaType } from '../../base/mediaTypes';
import { escapeMarkdown, fencedMarkdown, inlineCode } from '../../base/text/markdown';
import { jsonText, maxJsonLength, wholeJsonText } from '../../base/text/jsonText';
import { formatBytes, truncate } from '../../base/text/text';
import type { LocalizableMessage, Translate } from '../../base/translate';
import { type Part, partsToRead } from '../../mcp/protocol/content';
import { type CallToolResult, displayName } from '../../mcp/protocol/types';
import type { ToolCall } from '../../contracts/toolCalls';

const maxRows = 500;
const maxColumns = 20;

/**
 * Formats a list of flat objects as a Markdown table with escaped cells; `undefined` for other lists or too many
 * columns.
 */
function markdownTable(
  list: readonly unknown[],
  escape: (text: string) => string,
): string | undefined {
  const rows = list.filter(isFlatObject);
  if (rows.length === 0 || rows.length < list.length) return undefined;
  const columns = [...new Set(rows.flatMap((row) => Object.keys(row)))];
  if (columns.length > maxColumns) return undefined;
  const shown = rows.slice(0, maxRows);
  return [
    line(columns.map((column) => escape(column))),
    line(columns.map(() => '---')),
    ...shown.map((row) => line(columns.map((column) => escape(cell(row[column]))))),
    ...(rows.length > maxRows ? [`\n… ${rows.length - maxRows}`] : []),
  ].join('\n');
}

function line(cells: readonly string[]): string {
  return `| ${cells.join(' | ')} |`;
}

function cell(value: unknown): string {
  if (value === undefined || value === null) return '';
  return typeof value === 'string' ? value : JSON.stringify(value);
}

function isFlatObject(value: unknown): value is Readonly<Record<string, unknown>> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
  return Object.values(value).every((part) => typeof part !== 'object' || part === null);
}

/**
 * A result as a document: plain text as it is, anything richer as Markdown, with media and linked resources as
 * files beside it.
 */
export interface ResultDocument {
  readonly name: string;
  readonly text: string;
  /** True if the text is Markdown, to be shown as a preview. */
  readonly isMarkdown: boolean;
  /** The call that it is the result of, as JSON beside it. */
  readonly call: { readonly name: string; readonly text: string };
  readonly files: readonly { readonly name: string; readonly content: Uint8Array | string }[];
  /** The resources that it links to, by the server's URI. */
  readonly links: readonly { readonly name: string; readonly uri: string }[];
}

/** How much of a text that has its own file is shown in the document, in UTF-16 units. */
const maxBeginning = 5000;

/** The words of a {@link ResultDocument}, in the user's language. */
export interface ResultWords {
  /** Translates what the core says. */
  readonly t: Translate;
  readonly error: string;
  readonly structured: string;
  readonly empty: string;
  readonly arguments: string;
  /** By whom the call was allowed, and when it was sent; empty if that is not known. */
  readonly made: string;
  /** The label of the link to the call. */
  readonly showCall: string;
}

/**
 * Turns a result into a document for the user: what the server sent is shown literally, and only links to the
 * files beside the document work, because a preview opens none of our addresses.
 */
export function resultDocument(
  { server, tool, arguments: args }: ToolCall,
  result: CallToolResult,
  problems: readonly LocalizableMessage[],
  words: ResultWords,
): ResultDocument {
  const parts = partsToRead(result.content);
  const name = sanitize(tool.name);
  const { made } = words;
  const shownArgs = withoutSecrets(args);
  const about = {
    server: server.name,
    tool: tool.name,
    arguments: shownArgs,
    ...(made && { decision: made }),
  };
  const call = { name: `${name}.call.json`, text: jsonText(about, 2) };
  const [only] = parts;
  if (parts.length === 1 && only?.kind === 'text' && isPlain(result, only.text, problems)) {
    const json = prettyJson(only.text);
    return json === undefined
      ? { name: `${name}.txt`, text: only.text, isMarkdown: false, call, files: [], links: [] }
      : { name: `${name}.json`, text: json, isMarkdown: false, call, files: [], links: [] };
  }
  const beside = namesBeside(parts, [`${name}.md`, call.name]);
  const structured = result.structuredContent;
  const sections = [
    `# ${escapeMarkdown(`${server.name} › ${displayName(tool)}`)}`,
    callMarkdown(shownArgs, words, call.name),
    ...(result.isError ? [`**${escapeMarkdown(words.error)}**`] : []),
    ...problems.map((problem) => `> ⚠ ${escapeMarkdown(problem(words.t))}`),
    // Servers repeat structured content as text for older clients: once is enough for a user.
    ...parts
      .slice(0, maxParts)
      .filter((part) => part.kind !== 'text' || !repeats(part.text, structured))
      .map((part) => partMarkdown(part, beside, words.t)),
    ...(parts.length > maxParts ? [`… ${parts.length - maxParts}`] : []),
    ...(structured === undefined ? [] : [structuredMarkdown(structured, words)]),
    ...(parts.length === 0 && structured === undefined ? [escapeMarkdown(words.empty)] : []),
  ];
  return {
    name: `${name}.md`,
    text: `${sections.join('\n\n')}\n`,
    isMarkdown: true,
    call,
    files: [...beside].flatMap(([part, file]) =>
      part.kind === 'link'
        ? []
        : [{ name: file, content: part.kind === 'binary' ? part.bytes : part.text }],
    ),
    links: [...beside].flatMap(([part, file]) =>
      part.kind === 'link' ? [{ name: file, uri: part.uri }] : [],
    ),
  };
}

/** The most parts of a result that its document shows. */
export const maxParts = 500;

/**
 * The longest text inside the document, in UTF-16 units; a longer one gets its own file, which an editor shows
 * better.
 */
export const maxTextInside = 200_000;

type Beside = Exclude<Part, { readonly kind: 'problem' }>;

function isBeside(part: Part): part is Beside {
  switch (part.kind) {
    case 'binary':
    case 'link':
      return true;
    case 'text':
    case 'document':
      return part.text.length > maxTextInside;
    case 'problem':
      return false;
  }
}

function isPlain(
  { structuredContent, isError }: CallToolResult,
  text: string,
  problems: readonly LocalizableMessage[],
): boolean {
  if (isError || problems.length > 0) return false;
  return (
    structuredContent === undefined ||
    (repeats(text, structuredContent) && !tableOf(structuredContent))
  );
}

function callMarkdown(args: unknown, words: ResultWords, callName: string): string {
  const link = `[${escapeMarkdown(words.showCall)}](<./${encodeURIComponent(callName)}>)`;
  const made = words.made.charAt(0).toUpperCase() + words.made.slice(1);
  const head = [...(made ? [escapeMarkdown(made)] : []), link].join(' · ');
  if (Object.keys(asRecord(args)).length === 0) return head;
  const shown = fenced(truncate(jsonText(args, 2), maxBeginning));
  return `${head}\n\n**${escapeMarkdown(words.arguments)}**\n\n${shown}`;
}

/** Names the files beside a document, none of them as one of the `taken` names. */
function namesBeside(
  parts: readonly Part[],
  taken: readonly string[],
): ReadonlyMap<Beside, string> {
  const beside = parts.slice(0, maxParts).filter(isBeside);
  const names = distinctNames([...taken, ...beside.map(nameBeside)]).slice(taken.length);
  return new Map(beside.map((part, index) => [part, names[index] ?? `part-${index}`]));
}

function nameBeside(part: Beside, index: number): string {
  if (part.kind === 'link' || part.kind === 'document') return fileName(part);
  if (part.kind === 'text') return `text-${index + 1}.txt`;
  const { uri, media, mimeType } = part;
  const plain = `${media}-${index + 1}`;
  const named = uri === undefined ? plain : fileName({ uri, mimeType });
  const extension = extensionsOf(mimeType)[0];
  return extensionOf(named) || !extension ? named : `${named}.${extension}`;
}

function partMarkdown(part: Part, beside: ReadonlyMap<Beside, string>, t: Translate): string {
  switch (part.kind) {
    case 'text':
      return textMarkdown(part, beside);
    case 'document':
      return `${inlineCode(part.uri)}\n\n${textMarkdown(part, beside)}`;
    case 'link':
      return [
        `[${escapeMarkdown(part.title ?? part.name)}](${addressOf(part, beside)})`,
        inlineCode(part.uri),
        escapeMarkdown(part.description ?? ''),
      ]
        .filter(Boolean)
        .join(' ');
    case 'binary': {
      const address = addressOf(part, beside);
      const what = escapeMarkdown(`${part.mimeType}, ${formatBytes(part.bytes.length)}`);
      const link = `[${what}](${address})`;
      const shown = part.media === 'image' ? `![${what}](${address})` : player(part, beside);
      return `${shown && `${shown}\n\n`}${link}${part.uri === undefined ? '' : ` ${inlineCode(part.uri)}`}`;
    }
    case 'problem':
      return `> ⚠ ${escapeMarkdown(part.message(t))}`;
  }
}

/**
 * Returns a player for what its bytes, too, say is sound; empty for anything else. It shows how long that is, and plays
 * nothing before the user wants it.
 */
function player(
  part: Part & { readonly kind: 'binary' },
  beside: ReadonlyMap<Beside, string>,
): string {
  if (!sniffMediaType(part.bytes)?.startsWith('audio/')) return '';
  const name = encodeURIComponent(beside.get(part) ?? '');
  return `<audio controls preload="metadata" src="./${name}"></audio>`;
}

function textMarkdown(
  part: Part & { readonly kind: 'text' | 'document' },
  beside: ReadonlyMap<Beside, string>,
): string {
  const name = beside.get(part);
  if (name === undefined) return fenced(part.text);
  const label = escapeMarkdown(`${name}, ${formatBytes(utf8(part.text).length)}`);
  return `${fenced(truncate(part.text, maxBeginning))}\n\n[${label}](${addressOf(part, beside)})`;
}

function addressOf(part: Beside, beside: ReadonlyMap<Beside, string>): string {
  return `<./${encodeURIComponent(beside.get(part) ?? '')}>`;
}

function structuredMarkdown(structured: unknown, words: ResultWords): string {
  const table = tableOf(structured);
  const json = `**${escapeMarkdown(words.structured)}**\n\n${fenced(jsonText(structured, 2))}`;
  return table === undefined ? json : `${table}\n\n${json}`;
}

/** Formats a list of flat objects as a table, even if it is the only list inside an object. */
function tableOf(value: unknown): string | undefined {
  if (Array.isArray(value)) return markdownTable(value, escapeMarkdown);
  if (typeof value !== 'object' || value === null) return undefined;
  const lists = Object.values(value).filter((part) => Array.isArray(part));
  return lists.length === 1 ? markdownTable(lists[0] ?? [], escapeMarkdown) : undefined;
}

function repeats(text: string, structured: unknown): boolean {
  if (structured === undefined) return false;
  const parsed = prettyJson(text);
  return parsed !== undefined && parsed === wholeJsonText(structured, 2);
}

function prettyJson(text: string): string | undefined {
  if (text.length > maxJsonLength || !/^\s*[[{]/.test(text)) return undefined;
  try {
    return wholeJsonText(JSON.parse(text), 2);
  } catch {
    return undefined;
  }
}

function fenced(text: string): string {
  return fencedMarkdown(text, prettyJson(text) === undefined ? 'text' : 'json');
}
