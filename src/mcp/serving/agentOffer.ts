import type { Event } from '../../base/event';
import type {
  CallToolResult,
  Completion,
  CompletionReference,
  GetPromptResult,
  Implementation,
  JsonObject,
  Progress,
  Prompt,
  ReadResourceResult,
  Resource,
  ResourceTemplate,
  Tool,
} from '../protocol/types';

/** A request of an agent, while it is answered. */
export interface OfferedRequest {
  /** Aborts when the agent no longer wants the answer. */
  readonly signal: AbortSignal;
  readonly onProgress: (progress: Progress) => void;
  /** Tells the agent what its request waits for. */
  readonly onWait: (why: string) => void;
}

/**
 * What one agent is offered, under names and addresses that are unique among all servers. What rejects with an `RpcError`
 * reaches the agent as it is; everything else, as an internal error with its message.
 */
export interface AgentOffer {
  /** What the agent is told once, as it connects. */
  instructions(): Promise<string>;
  /** Says who the agent claims to be. */
  noteClient(client: Implementation): void;
  listTools(signal: AbortSignal): Promise<readonly Tool[]>;
  callTool(name: string, args: JsonObject, how: OfferedRequest): Promise<CallToolResult>;
  listPrompts(): Promise<readonly Prompt[]>;
  getPrompt(
    name: string,
    args: Readonly<Record<string, string>>,
    how: OfferedRequest,
  ): Promise<GetPromptResult>;
  complete(
    ref: CompletionReference,
    argument: { readonly name: string; readonly value: string },
    context: Readonly<Record<string, string>>,
    how: OfferedRequest,
  ): Promise<Completion>;
  listResources(): Promise<readonly Resource[]>;
  listTemplates(): Promise<readonly ResourceTemplate[]>;
  readResource(uri: string, how: OfferedRequest): Promise<ReadResourceResult>;
  subscribe(uri: string): Promise<void>;
  unsubscribe(uri: string): void;
  readonly onDidChange: Event<'tools' | 'prompts' | 'resources'>;
  /** Fires with the address of a resource that the agent has subscribed to, as the agent knows it. */
  readonly onDidUpdateResource: Event<string>;
}
