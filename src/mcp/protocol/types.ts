/*
 * The protocol's data as this client guarantees it after reading: what a server sent wrongly was
 * discarded or repaired (see `entries.ts` and `results.ts`), so that no feature has to check again.
 */

import { isRecord } from '../../base/json';
import { plainLabel, revealHidden, withoutColors } from '../../base/text/text';
import type { Translate } from '../../base/translate';

/** A JSON value. */
export type Json = null | boolean | number | string | readonly Json[] | JsonObject;

/** A JSON object. */
export interface JsonObject {
  readonly [key: string]: Json | undefined;
}

/** A JSON Schema as the server wrote it; draft 2020-12 unless `$schema` says otherwise. */
export type JsonSchema = Readonly<Record<string, unknown>>;

/** Free-form metadata of a message or an entry (`_meta`). */
export type Meta = Readonly<Record<string, unknown>>;

/** Who a message in a conversation is from, or a piece of content is for. */
export type Role = 'user' | 'assistant';

/** The severities of server log messages, the least severe first (RFC 5424). */
export const loggingLevels = [
  'debug',
  'info',
  'notice',
  'warning',
  'error',
  'critical',
  'alert',
  'emergency',
] as const;

/** One of {@link loggingLevels}. */
export type LoggingLevel = (typeof loggingLevels)[number];

/** An image to show beside an entry; its URL is never fetched. */
export interface Icon {
  readonly src: string;
  readonly mimeType?: string;
  readonly sizes?: readonly string[];
  readonly theme?: string;
}

/** Hints on how content or a resource is meant to be used; `lastModified` is ISO 8601. */
export interface Annotations {
  readonly audience?: readonly Role[];
  readonly priority?: number;
  readonly lastModified?: string;
}

interface Described {
  readonly name: string;
  readonly title?: string;
  readonly description?: string;
  readonly icons?: readonly Icon[];
  readonly _meta?: Meta;
}

/** What a server claims about its tool: hints from an untrusted party, never a reason not to ask the user. */
export interface ToolAnnotations {
  readonly title?: string;
  readonly readOnlyHint?: boolean;
  readonly destructiveHint?: boolean;
  readonly idempotentHint?: boolean;
  readonly openWorldHint?: boolean;
}

/** A function that a model or a user may call. */
export interface Tool extends Described {
  readonly inputSchema: JsonSchema;
  readonly outputSchema?: JsonSchema;
  readonly annotations?: ToolAnnotations;
  readonly execution?: { readonly taskSupport?: 'forbidden' | 'optional' | 'required' };
}

/** One argument of a prompt; its value is a string on the wire. */
export interface PromptArgument {
  readonly name: string;
  readonly title?: string;
  readonly description?: string;
  readonly required?: boolean;
}

/** A message template that a user may run. */
export interface Prompt extends Described {
  readonly arguments?: readonly PromptArgument[];
}

/** A document that a server offers; `uri` is kept exactly as the server wrote it, `size` is in bytes. */
export interface Resource extends Described {
  readonly uri: string;
  readonly mimeType?: string;
  readonly size?: number;
  readonly annotations?: Annotations;
}

/** A family of documents addressed by an RFC 6570 URI template. */
export interface ResourceTemplate extends Described {
  readonly uriTemplate: string;
  readonly mimeType?: string;
  readonly annotations?: Annotations;
}

/** One document of a resource: text, or bytes in base64; never both. */
export interface ResourceContents {
  readonly uri: string;
  readonly mimeType?: string;
  readonly text?: string;
  readonly blob?: string;
  readonly _meta?: Meta;
}

interface Block {
  readonly annotations?: Annotations;
  readonly _meta?: Meta;
}

/**
 * A piece of a prompt message or a tool result; `unknown` keeps what this client does not know, and `isWhole` says that it
 * is a whole result that had no content.
 */
export type ContentBlock =
  | (Block & { readonly type: 'text'; readonly text: string })
  | (Block & { readonly type: 'image' | 'audio'; readonly data: string; readonly mimeType: string })
  | (Block & { readonly type: 'resource'; readonly resource: ResourceContents })
  | (Block & Resource & { readonly type: 'resource_link' })
  | { readonly type: 'unknown'; readonly value: unknown; readonly isWhole?: true };

/** One message of a prompt. */
export interface PromptMessage {
  readonly role: Role;
  readonly content: ContentBlock;
}

/** The answer to `prompts/get`. */
export interface GetPromptResult {
  readonly description?: string;
  readonly messages: readonly PromptMessage[];
  readonly _meta?: Meta;
}

/** The answer to `resources/read`; `ttlMs` says how long it may be kept (2026-07-28). */
export interface ReadResourceResult {
  readonly contents: readonly ResourceContents[];
  readonly ttlMs?: number;
  readonly _meta?: Meta;
}

/** The answer to `tools/call`; `structuredContent` is any JSON value. */
export interface CallToolResult {
  readonly content: readonly ContentBlock[];
  readonly structuredContent?: unknown;
  readonly isError: boolean;
  readonly _meta?: Meta;
}

/** What a `completion/complete` request is about. */
export type CompletionReference =
  | { readonly type: 'ref/prompt'; readonly name: string }
  | { readonly type: 'ref/resource'; readonly uri: string };

/** Suggested values for an argument, not limited to the protocol's 100; `total` counts all that exist. */
export interface Completion {
  readonly values: readonly string[];
  readonly total?: number;
  readonly hasMore?: boolean;
}

/** How far a request has progressed; `message` is the server's own text. */
export interface Progress {
  readonly progress: number;
  readonly total?: number;
  readonly message?: string;
}

/** A place that a server is told to work in, usually a `file:` URI of a workspace folder. */
export interface Root {
  readonly uri: string;
  readonly name?: string;
}

/** The name and version of a server or a client. */
export interface Implementation {
  readonly name: string;
  readonly version: string;
  readonly title?: string;
}

/** The capabilities that a server declared. */
export interface ServerCapabilities {
  readonly tools?: { readonly listChanged?: boolean };
  readonly prompts?: { readonly listChanged?: boolean };
  readonly resources?: { readonly listChanged?: boolean; readonly subscribe?: boolean };
  readonly completions?: object;
  readonly logging?: object;
  readonly tasks?: {
    readonly list?: object;
    readonly requests?: { readonly tools?: { readonly call?: object } };
  };
  readonly extensions?: Readonly<Record<string, unknown>>;
}

/** Returns the name to show for an entry: its title without colors, else the one in its annotations, else its name as it is. */
export function displayName(entry: {
  readonly name: string;
  readonly title?: string;
  readonly annotations?: { readonly title?: string } | Annotations;
}): string {
  const hinted =
    entry.annotations && 'title' in entry.annotations ? entry.annotations.title : undefined;
  return withoutColors(entry.title || '') || withoutColors(hinted || '') || entry.name;
}

/** Returns the full name to show for an entry, and its `name` if that is different. */
export function wholeNames(entry: Parameters<typeof displayName>[0]): readonly string[] {
  // What is beside the name loses its colors; the name does not, as it may differ from another in nothing else.
  return [...new Set([displayName(entry), entry.name].map(revealHidden))];
}

/** Finds the entry that currently has a name; lists change, so look it up when it is needed. */
export function entryNamed<T extends { readonly name: string }>(
  { items }: { readonly items: readonly T[] },
  name: unknown,
): T | undefined {
  return items.find((entry) => entry.name === name);
}

/** The prefix of the protocol's own fields in `_meta`. */
export const protocolMeta = 'io.modelcontextprotocol';

/** True for a field of `_meta` that the protocol has, and that this client writes itself. */
export function isProtocolMeta(field: string): boolean {
  return field === 'progressToken' || field.startsWith(`${protocolMeta}/`);
}

/** Says in a sentence why a value cannot be the `_meta` of a request that a user writes; `undefined` if it can. */
export function metaProblem(meta: unknown, t: Translate): string | undefined {
  if (!isRecord(meta)) return t('"_meta" must be an object.');
  const own = Object.keys(meta).find(isProtocolMeta);
  return own === undefined
    ? undefined
    : t('"{0}" in "_meta" is written by this client. Remove it.', plainLabel(own, 60));
}
