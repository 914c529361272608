import { DisposableStore, type Disposable } from '../base/disposable';
import { Emitter } from '../base/event';
import { isRecord } from '../base/json';
import { plainLabel, shownText, truncate } from '../base/text/text';
import { readResourceTool, type CallOrigin, type ToolOutcome } from '../contracts/toolCalls';
import { revealEntry } from '../contracts/modelSchema';
import { nameEntries, type NamedEntry } from '../contracts/toolNames';
import type { CallGate } from '../gate/toolGate';
import { ErrorCode, RpcError } from '../mcp/protocol/rpcError';
import type {
  CallToolResult,
  Completion,
  CompletionReference,
  GetPromptResult,
  Implementation,
  JsonObject,
  Prompt,
  ReadResourceResult,
  Resource,
  ResourceTemplate,
  Tool,
} from '../mcp/protocol/types';
import type { Server, Servers } from '../mcp/server';
import { sessionInfo } from '../mcp/serverState';
import type { AgentOffer, OfferedRequest } from '../mcp/serving/agentPort';
import {
  searchToolDefinitions,
  searchToolNames,
  toolForAgent,
  toolsText,
  type OfferedTool,
  type OfferedTools,
} from '../offer/offeredTools';
import { failed, noResource, noTool, outcomeWords, say } from '../offer/outcomeWords';
import {
  WatchedResources,
  type ResourceOwner,
  type ResourceServers,
} from '../offer/resourceServers';
import { type AgentAccess, noLongerAllowed, notAllowed } from './agentAccess';
import { AgentAddresses, watchLists } from './entries';
import { embeddedResource } from '../mcp/protocol/content';

/** What the offer to one agent is made of. */
export interface AgentOfferDeps {
  readonly servers: Servers;
  readonly gate: CallGate;
  readonly tools: Pick<OfferedTools, 'all' | 'find' | 'onDidSelect'>;
  /** With more tools than this, the agent gets a search in their place. */
  readonly maxTools: () => number;
  readonly resources: ResourceServers;
  readonly origin: CallOrigin;
  readonly access: AgentAccess;
  readonly connection: OfferedConnection;
}

/** The connection that an offer is made to, which keeps what its agent does within bounds. */
export interface OfferedConnection {
  /** Counts a request of the agent; throws if it makes too many. */
  countRequest(): void;
  /** Counts a call that no server gets; throws if it makes too many. */
  countCall(): void;
  /** Takes a place among the calls of the agent; throws if it has too many, or may make none any longer. */
  beginCall(server: Server, tool: Tool): AgentCallPlace;
  noteClient(client: Implementation): void;
}

/** The place of a call among those of its agent, until it is disposed of. */
export interface AgentCallPlace extends Disposable {
  /** Called when the user is asked about the call, and when they have decided. */
  readonly asks: (isAsked: boolean) => void;
}

/** How much of what servers say about themselves an agent is told, in UTF-16 units: of one, and of all together. */
export const maxToldOfServer = 2000;
export const maxAllInstructions = 20_000;

/** At most this many resources are watched for one agent. */
export const maxAgentSubscriptions = 200;

const about =
  'These are the tools, prompts and resources of the MCP servers of a VS Code window, under the names server__tool. ' +
  'The user may be asked about a call in that window before it runs, and may change its arguments.';

/** All that the servers of this window have, for one agent; each call passes the gate. */
export class WindowOffer implements AgentOffer, Disposable {
  private readonly deps: AgentOfferDeps;
  private readonly addresses: AgentAddresses;
  private readonly store = new DisposableStore();
  private readonly changed = this.store.add(new Emitter<'tools' | 'prompts' | 'resources'>());
  readonly onDidChange = this.changed.event;
  private readonly updated = this.store.add(new Emitter<string>());
  readonly onDidUpdateResource = this.updated.event;
  private readonly watched = this.store.add(
    new WatchedResources({
      most: maxAgentSubscriptions,
      mayWatch: () => this.deps.access.isAllowed,
      watch: (address) => this.watch(address),
    }),
  );

  /** The tools as the agent was last told of them, which serves again until they change. */
  private listed: { all: AgentOfferDeps['tools']['all']; tools: readonly Tool[] } | undefined;

  constructor(deps: AgentOfferDeps) {
    this.deps = deps;
    this.addresses = new AgentAddresses(deps.servers);
    this.store.add(watchLists(deps.servers, (kind) => this.changed.fire(kind)));
    this.store.add(deps.tools.onDidSelect(() => this.changed.fire('tools')));
  }

  /** The user has decided: the agent asks for everything again, and hears of what it listens to. */
  announceAll(): void {
    this.watched.watchListened();
    for (const kind of ['tools', 'prompts', 'resources'] as const) this.changed.fire(kind);
  }

  /** The user lets the agent use the servers no longer. */
  withdraw(): void {
    this.watched.unwatchAll();
    this.announceAll();
  }

  async instructions(): Promise<string> {
    if (!this.deps.access.isAllowed) return about;
    const said = this.deps.servers.all.flatMap(({ name, state }) => {
      const text = sessionInfo(state)?.instructions;
      return text ? [`## ${plainLabel(name)}\n${shownText(text, maxToldOfServer)}`] : [];
    });
    return truncate([about, ...said].join('\n\n'), maxAllInstructions);
  }

  noteClient(client: Implementation): void {
    this.deps.connection.noteClient(client);
  }

  listTools(how: OfferedRequest): Promise<readonly Tool[]> {
    return this.listFor(how, () => {
      const { all } = this.deps.tools;
      if (all.size > this.deps.maxTools()) return searchToolDefinitions;
      if (this.listed?.all !== all)
        this.listed = { all, tools: [...all.values()].map(toolForAgent) };
      return this.listed.tools;
    });
  }

  async callTool(name: string, args: JsonObject, how: OfferedRequest): Promise<CallToolResult> {
    await this.requireAllowed(how);
    const { tools } = this.deps;
    switch (name) {
      case searchToolNames.find:
        this.deps.connection.countCall();
        return say(toolsText(tools.find(args)));
      case searchToolNames.call: {
        const { name: wanted, arguments: given = {} } = args;
        const real = typeof wanted === 'string' ? wanted : '';
        const found = tools.all.get(real);
        if (found && isRecord(given)) return this.callOffered(found, given, how);
        const why = found
          ? 'The arguments of the tool must be an object.'
          : `There is no tool "${real}". Find the names of tools with ${searchToolNames.find}.`;
        return { ...say(why), isError: true };
      }
      case searchToolNames.read: {
        const address = typeof args['uri'] === 'string' ? args['uri'] : '';
        const owner = this.findOwner(address);
        const got = owner ? await this.read(address, owner, how) : noResource(address);
        if (typeof got === 'string') return { ...say(got), isError: true };
        const content = got.map((resource) => ({ type: 'resource' as const, resource }));
        return { content, isError: false };
      }
      default: {
        const offered = tools.all.get(name);
        if (offered) return this.callOffered(offered, args, how);
        throw new RpcError(ErrorCode.invalidParams, noTool(name));
      }
    }
  }

  private async callOffered(
    { server, tool }: OfferedTool,
    args: JsonObject,
    how: OfferedRequest,
  ): Promise<CallToolResult> {
    const outcome = await this.passGate(server, tool, args, how);
    if (outcome.kind !== 'result') return failed(outcome);
    this.deps.resources.remember(this.deps.origin, server.id, outcome.result.content);
    if (!outcome.edited) return outcome.result;
    const text = `The user changed the arguments of this call to ${JSON.stringify(outcome.arguments)}`;
    return { ...outcome.result, content: [...outcome.result.content, { type: 'text', text }] };
  }

  listPrompts(how: OfferedRequest): Promise<readonly Prompt[]> {
    return this.listFor(how, () =>
      [...this.prompts.values()].map(({ name, entry }) => ({ ...revealEntry(entry), name })),
    );
  }

  async getPrompt(
    name: string,
    args: Readonly<Record<string, string>>,
    how: OfferedRequest,
  ): Promise<GetPromptResult> {
    await this.requireAllowed(how);
    const { server, entry } = this.promptNamed(name);
    const got = await this.deps.access.whileAllowed(how, (rest) =>
      server.getPrompt(entry.name, args, rest),
    );
    const content = got.messages.map((message) => message.content);
    this.deps.resources.remember(this.deps.origin, server.id, content);
    return got;
  }

  async complete(
    ref: CompletionReference,
    argument: { readonly name: string; readonly value: string },
    context: Readonly<Record<string, string>>,
    how: OfferedRequest,
  ): Promise<Completion> {
    await this.requireAllowed(how);
    if (ref.type === 'ref/prompt') {
      const { server, entry } = this.promptNamed(ref.name);
      return this.deps.access.whileAllowed(how, (rest) =>
        server.complete({ ...ref, name: entry.name }, argument, context, rest),
      );
    }
    const { server, uri } = this.ownerOf(ref.uri);
    return this.deps.access.whileAllowed(how, (rest) =>
      server.complete({ ...ref, uri }, argument, context, rest),
    );
  }

  listResources(how: OfferedRequest): Promise<readonly Resource[]> {
    return this.listFor(how, () => this.addresses.resources.map(revealEntry));
  }

  listTemplates(how: OfferedRequest): Promise<readonly ResourceTemplate[]> {
    return this.listFor(how, () => this.addresses.templates.map(revealEntry));
  }

  async readResource(address: string, how: OfferedRequest): Promise<ReadResourceResult> {
    await this.requireAllowed(how);
    const got = await this.read(address, this.ownerOf(address), how);
    if (typeof got === 'string') throw new RpcError(ErrorCode.internal, got);
    return { contents: got };
  }

  /** Resolves with the contents of a resource, or with what the agent is told of why it has none. */
  private async read(
    address: string,
    { server, uri }: ResourceOwner,
    how: OfferedRequest,
  ): Promise<ReadResourceResult['contents'] | string> {
    const outcome = await this.passGate(server, readResourceTool, { uri }, how);
    if (outcome.kind !== 'result') return outcomeWords(outcome);
    return outcome.result.content.flatMap((block) => {
      const resource = embeddedResource(block);
      return resource ? [{ ...resource, uri: resource.uri === uri ? address : resource.uri }] : [];
    });
  }

  async subscribe(address: string, how: OfferedRequest): Promise<void> {
    await this.requireAllowed(how);
    this.watched.subscribe(address);
  }

  unsubscribe(address: string): void {
    this.watched.unsubscribe(address);
  }

  listen(addresses: readonly string[]): Disposable {
    this.deps.connection.countRequest();
    this.deps.access.askAbout();
    return this.watched.listen(addresses.slice(0, maxAgentSubscriptions));
  }

  private watch(address: string): Disposable {
    const { server, uri } = this.ownerOf(address);
    const store = new DisposableStore();
    store.add(server.subscribe(uri));
    store.add(
      server.onDidUpdateResource((changed) => {
        if (changed === uri) this.updated.fire(address);
      }),
    );
    return store;
  }

  dispose(): void {
    this.store.dispose();
  }

  private get prompts(): ReadonlyMap<string, NamedEntry<Server, Prompt>> {
    return nameEntries(this.deps.servers.all, ({ prompts }) => prompts.items);
  }

  private promptNamed(name: string): NamedEntry<Server, Prompt> {
    const prompt = this.prompts.get(name);
    if (!prompt) throw new RpcError(ErrorCode.invalidParams, `There is no prompt "${name}".`);
    return prompt;
  }

  private ownerOf(address: string): ResourceOwner {
    const found = this.findOwner(address);
    if (found) return found;
    throw new RpcError(ErrorCode.invalidParams, noResource(address), { uri: address });
  }

  private findOwner(address: string): ResourceOwner | undefined {
    const found = this.addresses.find(address);
    if (found) return found;
    const server = this.deps.resources.find({}, address, this.deps.origin);
    return typeof server === 'string' ? undefined : { server, uri: address };
  }

  /** Counts a request, and has the user asked about an agent that they have not allowed, whatever it wants first. */
  private isLetIn(how: OfferedRequest, isForList: boolean): Promise<boolean> {
    this.deps.connection.countRequest();
    return this.deps.access.isLetIn(how, isForList);
  }

  private async requireAllowed(how: OfferedRequest): Promise<void> {
    if (!(await this.isLetIn(how, false))) throw new RpcError(ErrorCode.internal, notAllowed);
  }

  /** Returns a list, which is empty for an agent that may not use the servers. */
  private async listFor<T>(how: OfferedRequest, list: () => readonly T[]): Promise<readonly T[]> {
    return (await this.isLetIn(how, true)) ? list() : [];
  }

  private async passGate(
    server: Server,
    tool: Tool,
    args: JsonObject,
    { onWait, ...how }: OfferedRequest,
  ): Promise<ToolOutcome> {
    const { gate, origin, access, connection } = this.deps;
    const place = connection.beginCall(server, tool);
    const { withdrawn } = access;
    // Nothing has run before it is there, also of a call about which nobody is asked.
    if (server.state.kind !== 'running') onWait('Its server is being started in VS Code.');
    try {
      const outcome = await gate.run(
        { server, tool, arguments: args, origin },
        {
          ...how,
          signal: AbortSignal.any([how.signal, withdrawn]),
          onAsk: () => {
            place.asks(true);
            onWait('The user is asked about this call in VS Code.');
          },
          onDecided: () => place.asks(false),
        },
      );
      if (outcome.kind === 'withdrawn' || outcome.kind === 'cancelled') return outcome;
      // The agent still waits for what the user has put into the background.
      const work = outcome.kind === 'background' ? outcome.ended : Promise.resolve(outcome);
      return await access.unlessWithdrawn(work, withdrawn, () => ({
        kind: 'failed',
        message: () => noLongerAllowed,
      }));
    } finally {
      place.dispose();
    }
  }
}
