import { toDisposable, type Disposable } from '../base/disposable';
import { ErrorCode, RpcError } from '../mcp/protocol/rpcError';
import type { ContentBlock, JsonObject } from '../mcp/protocol/types';
import type { Server, Servers } from '../mcp/server';
import { sessionInfo } from '../mcp/serverState';
import type { CallOrigin } from '../contracts/toolCalls';
import { plainLabel } from '../base/text/text';
import { perKind, type PerKind } from '../mcp/protocol/content';

const keptConversations = 100;
const keptUris = 5000;
const longestUri = 2000;

/** Knows which server a model reads a resource from: one that gave its URI, or else one that the model names. */
export class ResourceServers {
  private readonly servers: Servers;
  /** The ids of the servers that gave a URI, by conversation and URI. */
  private readonly given = new Map<string, Map<string, Set<string>>>();

  constructor(servers: Servers) {
    this.servers = servers;
  }

  /** Remembers the URIs in a server's content, since a link may lead to a resource that the server does not list. */
  remember(origin: CallOrigin, serverId: string, content: readonly ContentBlock[]): void {
    const key = conversationOf(origin);
    const uris = this.given.get(key) ?? new Map<string, Set<string>>();
    for (const block of content) {
      const uri = resourceUriFor(block);
      if (uri !== undefined && uri.length <= longestUri)
        uris.set(uri, new Set([...(uris.get(uri) ?? []), serverId]));
    }
    if (uris.size === 0) return;
    this.given.set(key, uris);
    forgetOldest(uris, keptUris);
    forgetOldest(this.given, keptConversations);
  }

  /** Returns the servers that are known to have resources, or that named some in this conversation. */
  readable(origin: CallOrigin): readonly Server[] {
    const uris = this.given.get(conversationOf(origin));
    const named = new Set([...(uris?.values() ?? [])].flatMap((ids) => [...ids]));
    return this.servers.all.filter((server) => named.has(server.id) || hasResources(server));
  }

  /** Returns the server to read `uri` from, or a sentence that asks the model for the server's name. */
  find({ server: wanted }: JsonObject, uri: string, origin: CallOrigin): Server | string {
    const readable = this.readable(origin);
    const isNamed = typeof wanted === 'string';
    const named = isNamed
      ? readable.filter(({ id, name }) => id === wanted || name === wanted)
      : readable;
    // A model takes these words for ours, and the names may come from a file in the workspace.
    const ids = readable.map(({ id }) => plainLabel(id)).join(', ');
    if (isNamed && named.length === 0)
      return `There is no server "${wanted}" with resources; there are: ${ids}.`;
    const given = this.given.get(conversationOf(origin))?.get(uri);
    const owners = named.filter(
      ({ id, resources }) => given?.has(id) || resources.items.some((each) => each.uri === uri),
    );
    // A URI goes to a server that did not give it only if the model names that server.
    const candidates = owners.length > 0 || !isNamed ? owners : named;
    const [only] =
      candidates.length === 1 ? candidates : candidates.filter(({ id }) => id === wanted);
    return only ?? `Name the server to read ${uri} from; there are: ${ids}.`;
  }
}

/** A resource, and the server that has it. */
export interface ResourceOwner {
  readonly server: Server;
  /** The URI as that server knows it. */
  readonly uri: string;
}

/** The resources that are watched for one reader: those it subscribed to, and those that its open requests listen to. */
export class WatchedResources implements Disposable {
  private readonly deps: {
    /** How many are watched at most. */
    readonly most: number;
    readonly mayWatch: () => boolean;
    /** Watches one; throws if there is no such resource. */
    readonly watch: (address: string) => Disposable;
  };
  private readonly watched = new Map<string, Disposable>();
  private readonly subscribed = new Set<string>();
  private readonly listened = new Set<ReadonlySet<string>>();

  constructor(deps: WatchedResources['deps']) {
    this.deps = deps;
  }

  subscribe(address: string): void {
    if (!this.deps.mayWatch()) return;
    this.watch(address);
    this.subscribed.add(address);
  }

  unsubscribe(address: string): void {
    this.subscribed.delete(address);
    this.release(address);
  }

  /** Remembers what a request listens to until that ends, and watches as much of it as can be watched now. */
  listen(addresses: Iterable<string>): Disposable {
    const wanted = new Set(addresses);
    this.listened.add(wanted);
    this.watchListened();
    return toDisposable(() => {
      this.listened.delete(wanted);
      for (const address of wanted) this.release(address);
      // There may be room now for what others listen to.
      this.watchListened();
    });
  }

  /** Watches what is listened to and was not watched yet, as it could not be or was not allowed. */
  watchListened(): void {
    if (!this.deps.mayWatch()) return;
    for (const address of [...this.listened].flatMap((one) => [...one])) {
      try {
        this.watch(address);
      } catch {
        // One that there is not, or that is too many, is not heard of.
      }
    }
  }

  /** Watches nothing any longer; what is listened to can be watched again. */
  unwatchAll(): void {
    this.subscribed.clear();
    const all = [...this.watched.values()];
    this.watched.clear();
    for (const one of all) one.dispose();
  }

  dispose(): void {
    this.listened.clear();
    this.unwatchAll();
  }

  private watch(address: string): void {
    if (this.watched.has(address)) return;
    const { most, watch } = this.deps;
    if (this.watched.size >= most)
      throw new RpcError(ErrorCode.internal, `At most ${most} resources can be subscribed to.`);
    this.watched.set(address, watch(address));
  }

  private release(address: string): void {
    const isWanted = [...this.listened, this.subscribed].some((one) => one.has(address));
    if (isWanted) return;
    const released = this.watched.get(address);
    this.watched.delete(address);
    released?.dispose();
  }
}

function hasResources({ state, resources, resourceTemplates }: Server): boolean {
  return (
    sessionInfo(state)?.capabilities.resources !== undefined ||
    resources.items.length > 0 ||
    resourceTemplates.items.length > 0
  );
}

const noAddress = () => undefined;

const addresses: PerKind<string | undefined> = {
  text: noAddress,
  image: noAddress,
  audio: noAddress,
  resource: ({ resource }) => resource.uri,
  resource_link: ({ uri }) => uri,
  unknown: noAddress,
};

function resourceUriFor(block: ContentBlock): string | undefined {
  return perKind(block, addresses);
}

function conversationOf(origin: CallOrigin): string {
  return 'conversation' in origin ? origin.conversation : origin.kind;
}

function forgetOldest(map: Map<string, unknown>, size: number): void {
  for (const oldest of map.keys()) {
    if (map.size <= size) break;
    map.delete(oldest);
  }
}
