import { isList } from '../../base/json';
import type { JsonObject, Meta, Role, Root } from './types';

/** The server that asks, as the user knows it. */
export interface AskingServer {
  readonly id: string;
  readonly name: string;
}

/** One message of a sampling request or its answer; content blocks as they came over the wire. */
export interface SamplingMessage {
  readonly role: Role;
  readonly content: unknown;
}

/** A server's request for a language model's answer (`sampling/createMessage`). */
export interface CreateMessageRequest {
  readonly messages: readonly SamplingMessage[];
  readonly systemPrompt?: string;
  readonly maxTokens: number;
  readonly temperature?: number;
  readonly stopSequences?: readonly string[];
  readonly includeContext?: 'none' | 'thisServer' | 'allServers';
  readonly modelPreferences?: {
    readonly hints?: readonly { readonly name?: string }[];
    readonly costPriority?: number;
    readonly speedPriority?: number;
    readonly intelligencePriority?: number;
  };
  readonly tools?: readonly unknown[];
  readonly toolChoice?: unknown;
  readonly metadata?: JsonObject;
  readonly _meta?: Meta;
}

/** The answer to a {@link CreateMessageRequest}. */
export interface CreateMessageResult {
  readonly role: Role;
  readonly content: unknown;
  readonly model: string;
  readonly stopReason?: string;
}

/** A server's question to the user (`elicitation/create`): a form, or a page to visit. */
export type ElicitRequest =
  | {
      readonly mode: 'form';
      readonly message: string;
      readonly requestedSchema: Readonly<Record<string, unknown>>;
    }
  | {
      readonly mode: 'url';
      readonly message: string;
      readonly url: string;
      readonly elicitationId?: string;
    };

/** The user's answer; `content` only with `accept` of a form. */
export interface ElicitResult {
  readonly action: 'accept' | 'decline' | 'cancel';
  readonly content?: Readonly<Record<string, string | number | boolean | readonly string[]>>;
}

/**
 * Answers a server's requests to its client, whether they came as requests (up to 2025-11-25) or
 * inside an `input_required` result (2026-07-28). A capability is declared to servers only if its
 * method is implemented. `signal` aborts when the request is cancelled.
 */
export interface ServerRequestHandlers {
  listRoots?(server: AskingServer, signal: AbortSignal): Promise<readonly Root[]>;
  createMessage?(
    server: AskingServer,
    request: CreateMessageRequest,
    signal: AbortSignal,
  ): Promise<CreateMessageResult>;
  elicit?(server: AskingServer, request: ElicitRequest, signal: AbortSignal): Promise<ElicitResult>;
  /** Returns the MIME types of the apps that can be shown (MCP Apps); empty or absent if none can. */
  appTypes?(): readonly string[];
}

/** What this client can do for servers, and may be said to lack, to try what one does with a lesser client. */
export const clientAbilities = [
  'roots',
  'sampling',
  'elicitation',
  'tasks',
  'apps',
  'extensions',
] as const;

/** One of {@link clientAbilities}; `extensions` are all of them, also those that have an ability of their own. */
export type ClientAbility = (typeof clientAbilities)[number];

/** Returns the abilities that a value names, in a list or alone. */
export function readAbilities(value: unknown): readonly ClientAbility[] {
  const named: readonly unknown[] = isList(value) ? value : [value];
  return clientAbilities.filter((ability) => named.includes(ability));
}

/** Returns `requests` without those that these abilities answer. */
export function requestsWithout(
  requests: ServerRequestHandlers,
  without: readonly ClientAbility[],
): ServerRequestHandlers {
  if (without.length === 0) return requests;
  const kept = { ...requests };
  if (without.includes('roots')) delete kept.listRoots;
  if (without.includes('sampling')) delete kept.createMessage;
  if (without.includes('elicitation')) delete kept.elicit;
  if (without.includes('apps')) delete kept.appTypes;
  return kept;
}

/** Returns `only` for a session that shall have no other answers, with the roots of `usual` if it has none of its own. */
export function withUsualRoots(
  only: ServerRequestHandlers,
  usual: ServerRequestHandlers,
): ServerRequestHandlers {
  if (only.listRoots || !usual.listRoots) return only;
  return {
    ...only,
    listRoots: async (...asked) => (await usual.listRoots?.(...asked)) ?? [],
  };
}

/** Refuses a server's request with a JSON-RPC error; `code` -1 is the protocol's "user rejected". */
export class RequestRefused extends Error {
  override readonly name = 'RequestRefused';
  readonly code: number;

  constructor(message: string, code = -1) {
    super(message);
    this.code = code;
  }

  /** False if the server or the window went away before the user decided, so that asking again may help. */
  get isFinal(): boolean {
    return true;
  }
}
