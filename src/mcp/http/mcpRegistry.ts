import { causesOf, isTimeout, UserError } from '../../base/errors';
import { asRecord, isRecord, recordsOf, type JsonRecord } from '../../base/json';
import { addressLabel } from '../../base/text/address';
import { wordsLabel } from '../../base/text/text';
import { parseObject } from '../protocol/parseObject';
import { followRedirects, sameOriginOnly } from './followRedirects';
import { limitedFetch } from './limitedFetch';
import { sendRequest } from './pageFetch';
import { assertOpenUrl, type Fetch } from './secureUrl';

/** An answer of a registry may be as large as this, in bytes. */
export const maxRegistryBytes = 4_000_000;
/** So many servers of one page are read; this is also how many are asked for. */
export const maxRegistryEntries = 50;
/** So many pages of one search are read. */
export const maxRegistryPages = 40;
/** A longer cursor is not sent back, in UTF-16 units. */
export const maxRegistryCursor = 2000;
/** So much of what is searched for is sent, in UTF-16 units. */
export const maxSearchLength = 200;
/** So many pages are kept for the registry to say that they have not changed. */
export const maxKeptPages = 50;
/** A longer address, name or version in an entry is not one of a registry, in UTF-16 units. */
const longestOrigin = 1000;
/** A registry has so long to answer, in milliseconds. */
export const registryAnswerMs = 15_000;

/** A server as a registry lists it: texts are the publisher's, of any length, and not escaped. */
export interface ListedServer {
  /** The unique name, whose part before the slash is the publisher's, as the registry has verified it. */
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly version: string;
  /** How it can be launched: the registries of its packages, and `http` or `sse` for what is reached by a URL. */
  readonly kinds: readonly string[];
  readonly status: 'active' | 'deprecated';
  readonly statusMessage: string;
  /** The day of the last update, as in 2026-11-29; empty if the registry does not say. */
  readonly updated: string;
  /** Its `server.json`, with the fields that say how it is launched alone. */
  readonly entry: JsonRecord;
}

/** Where a configured server came from, as its entry notes it: a registry, and the name and version that it had there. */
export interface RegistryOrigin {
  /** The address of the registry, as {@link McpRegistry.address}. */
  readonly url: string;
  readonly name: string;
  readonly version: string;
}

/** What a search in the registry at `url` has found. */
export interface SearchedRegistry {
  readonly url: string;
  readonly servers: readonly ListedServer[];
}

/** Reads `registry` of a server's entry; `undefined` if it names no server of a registry. */
export function readOrigin(entry: unknown): RegistryOrigin | undefined {
  const { url, name, version } = asRecord(asRecord(entry)['registry']);
  const texts = [url, name, version].map(textOf);
  if (texts.some((text) => text === '' || text.length > longestOrigin)) return undefined;
  const [address = '', server = '', number = ''] = texts;
  return serverName.test(server) ? { url: address, name: server, version: number } : undefined;
}

/** Some of the servers that a search found, in the registry's order. */
export interface RegistryPage {
  readonly servers: readonly ListedServer[];
  /** How many entries were no servers, or are withdrawn. */
  readonly leftOut: number;
  /** Reads the next page; `undefined` if there is none, or if the search has become too long. */
  readonly more: ((signal: AbortSignal) => Promise<RegistryPage>) | undefined;
}

/** Finds servers in an MCP registry by its API, version 0.1, and asks for nothing before it is told to. */
export class McpRegistry {
  /** The address of its API, in one spelling. */
  readonly address: string;
  /** Where it is, as a user knows it: the host, with its port, as a label. */
  readonly label: string;
  private readonly list: URL;
  private readonly send: Fetch;
  private readonly answerMs: number;
  private readonly kept = new Map<string, { readonly tag: string; readonly answer: JsonRecord }>();

  /** @param address where the API is, without `/v0.1`; throws a `UserError` for one that nothing may be loaded from. */
  constructor(address: string, send: Fetch = sendRequest, answerMs = registryAnswerMs) {
    const base = address.trim().replace(/\/{0,8}(?:v0\.1\/{0,8})?$/, '');
    if (!URL.canParse(base))
      throw new UserError((t) =>
        t('The address of the MCP registry is not a URL: {0}', addressLabel(address)),
      );
    this.list = new URL(`${base}/v0.1/servers`);
    assertOpenUrl(this.list, (t) => t('The address of the MCP registry'));
    this.address = base;
    this.label = addressLabel(this.list.host);
    this.send = limitedFetch(maxRegistryBytes, followRedirects(send, sameOriginOnly));
    this.answerMs = answerMs;
  }

  /** Finds the servers whose names contain a text, in their latest versions. */
  find(text: string, signal: AbortSignal): Promise<RegistryPage> {
    return this.readPage({ text: text.slice(0, maxSearchLength), seen: new Set() }, '', signal);
  }

  /**
   * Reads one version of a server, or the latest one by `latest`; `undefined` if the registry has no such server, or has
   * withdrawn it.
   */
  async version(
    name: string,
    version: string,
    signal: AbortSignal,
  ): Promise<ListedServer | undefined> {
    const path = [name, 'versions', version].map(encodeURIComponent).join('/');
    const answer = await this.load(new URL(`${this.list.href}/${path}`), signal);
    if (!answer || officialMeta(answer)['status'] === 'deleted') return undefined;
    const listed = readListed(answer);
    const isIt = listed?.name === name && (version === 'latest' || listed.version === version);
    if (!isIt) throw this.noRegistry();
    return listed;
  }

  private async readPage(
    search: { readonly text: string; readonly seen: Set<string> },
    cursor: string,
    signal: AbortSignal,
  ): Promise<RegistryPage> {
    const url = new URL(this.list);
    const query = { search: search.text, version: 'latest', limit: String(maxRegistryEntries) };
    url.search = new URLSearchParams({ ...query, ...(cursor && { cursor }) }).toString();
    const answer = await this.load(url, signal);
    if (!Array.isArray(answer?.['servers'])) throw this.noRegistry();
    const listed = answer['servers'].slice(0, maxRegistryEntries);
    const servers = listed.flatMap((one: unknown) => readListed(one) ?? []);
    const next = asRecord(answer['metadata'])['nextCursor'];
    search.seen.add(cursor);
    const hasMore =
      typeof next === 'string' &&
      next !== '' &&
      next.length <= maxRegistryCursor &&
      // A registry that leads in a circle has no more to say.
      !search.seen.has(next) &&
      search.seen.size < maxRegistryPages;
    return {
      servers,
      leftOut: answer['servers'].length - servers.length,
      more: hasMore ? (until) => this.readPage(search, next, until) : undefined,
    };
  }

  /** Loads an object; `undefined` where the registry has nothing. */
  private async load(url: URL, signal: AbortSignal): Promise<JsonRecord | undefined> {
    const key = url.href;
    const kept = this.kept.get(key);
    const headers = { accept: 'application/json', ...(kept && { 'if-none-match': kept.tag }) };
    const limit = AbortSignal.any([signal, AbortSignal.timeout(this.answerMs)]);
    try {
      const init = { headers, signal: limit, credentials: 'omit' } as const;
      const response = await this.send(url, init);
      const { status } = response;
      if (status === 304 && kept) return kept.answer;
      if (status !== 200) {
        void response.body?.cancel().catch(() => {});
        if (status === 404) return undefined;
        throw this.failed(status);
      }
      const answer = parseObject(await response.text());
      if (!answer) throw this.noRegistry();
      this.keep(key, response.headers.get('etag'), answer);
      return answer;
    } catch (error) {
      if (signal.aborted || error instanceof UserError) throw error;
      if (isTimeout(error)) throw this.silent(error);
      throw this.unreached(error);
    }
  }

  private keep(key: string, tag: string | null, answer: JsonRecord): void {
    this.kept.delete(key);
    if (tag === null) return;
    this.kept.set(key, { tag, answer });
    const [oldest] = this.kept.keys();
    if (this.kept.size > maxKeptPages && oldest !== undefined) this.kept.delete(oldest);
  }

  private noRegistry(): UserError {
    return new UserError((t) =>
      t(
        '{0} did not answer as an MCP registry (version 0.1 of its API). "mcpWorkbench.registry" sets the address.',
        this.label,
      ),
    );
  }

  private failed(status: number): UserError {
    return new UserError((t) =>
      t(
        'The MCP registry at {0} failed with HTTP {1}. Try again later.',
        this.label,
        String(status),
      ),
    );
  }

  private silent(cause: unknown): UserError {
    const seconds = Math.ceil(this.answerMs / 1000);
    return new UserError(
      (t) =>
        t(
          'The MCP registry at {0} did not answer within {1} seconds.',
          this.label,
          String(seconds),
        ),
      { cause },
    );
  }

  private unreached(error: unknown): UserError {
    const reason = wordsLabel(causesOf(error).at(-1)?.message ?? String(error));
    return new UserError(
      (t) =>
        t('Could not reach the MCP registry at {0}: {1}. Check the network.', this.label, reason),
      { cause: error },
    );
  }
}

/** The fields of an entry that are for launching it; nothing else that a registry sends is taken for a configuration. */
const launchFields = ['$schema', 'name', 'description', 'version', 'packages', 'remotes'] as const;

/** A name as the registry gives it: that of a publisher, a slash and that of a server. */
const serverName = /^[\w.-]{1,150}\/[\w.-]{1,150}$/;

/** Reads one entry of a page; `undefined` if it is no server, or one that was withdrawn. */
function readListed(value: unknown): ListedServer | undefined {
  const { server } = asRecord(value);
  if (!isRecord(server)) return undefined;
  const name = textOf(server['name']);
  const said = officialMeta(value);
  const status = said['status'];
  if (!serverName.test(name) || status === 'deleted') return undefined;
  const packages = recordsOf(server['packages']).map((one) => textOf(one['registryType']));
  const remotes = recordsOf(server['remotes']).map((one) =>
    one['type'] === 'sse' ? 'sse' : 'http',
  );
  const known = launchFields.filter((key) => Object.hasOwn(server, key));
  return {
    name,
    title: textOf(server['title']),
    description: textOf(server['description']),
    version: textOf(server['version']),
    kinds: [...new Set([...packages, ...remotes])].filter(Boolean),
    status: status === 'deprecated' ? 'deprecated' : 'active',
    statusMessage: textOf(said['statusMessage']),
    updated: /^\d{4}-\d\d-\d\d(?=T)/.exec(textOf(said['updatedAt']))?.[0] ?? '',
    entry: Object.fromEntries(known.map((key) => [key, server[key]])),
  };
}

/** What the registry itself says of an entry. */
function officialMeta(entry: unknown): JsonRecord {
  return asRecord(asRecord(asRecord(entry)['_meta'])['io.modelcontextprotocol.registry/official']);
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}
