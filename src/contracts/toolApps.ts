import { isRecord } from '../base/json';
import type { Meta, Tool } from '../mcp/protocol/types';
import type { Server } from '../mcp/server';
import type { UserAction } from './questionOutcome';
import type { ToolCall, ToolOutcome } from './toolCalls';

/** The MIME type of the HTML of an app (MCP Apps, UI resource format). */
export const appMimeType = 'text/html;profile=mcp-app';

/** The longest URI of an app that is followed, in UTF-16 units. */
export const maxAppUriLength = 2000;

/** True for URIs of apps. */
export function isAppUri(uri: unknown): uri is string {
  return typeof uri === 'string' && uri.startsWith('ui://') && uri.length <= maxAppUriLength;
}

/** Returns the URI of the app that shows a tool's results, if it has one (MCP Apps, resource discovery). */
export function appUriOf({ _meta }: Tool): string | undefined {
  const { resourceUri } = uiOf(_meta);
  // Servers that were written before the first release of MCP Apps have it there.
  return [resourceUri, _meta?.['ui/resourceUri']].find(isAppUri);
}

/**
 * True unless the server reserves the tool for its apps (MCP Apps, tool visibility): such a tool is
 * never offered to a model.
 */
export function isForModels(tool: Tool): boolean {
  return isVisibleTo('model', tool);
}

/** True unless the server reserves the tool for models (MCP Apps, tool visibility): apps may not call it. */
export function isForApps(tool: Tool): boolean {
  return isVisibleTo('app', tool);
}

function isVisibleTo(who: 'model' | 'app', { _meta }: Tool): boolean {
  const { visibility } = uiOf(_meta);
  return !Array.isArray(visibility) || visibility.includes(who);
}

/** Returns what a server says about the user interface of an entry or a document; its fields are not checked yet. */
export function uiOf(meta: Meta | undefined): Readonly<Record<string, unknown>> {
  const ui = meta?.['ui'];
  return isRecord(ui) ? ui : {};
}

/** The apps of servers: interactive views that come with tools. */
export interface Apps {
  /** Opens the app of a call at the user's request. */
  open(call: ToolCall, ended: Promise<ToolOutcome>, asked: UserAction): Promise<void>;
  /** Opens an app without a call at the user's request; false if the user wants no apps. */
  openUri(server: Server, uri: string, asked: UserAction): Promise<boolean>;
  /** Notes the URIs of what is attached to a message that the user is sending. */
  noteSent(attached: readonly string[], by: UserAction): void;
}
