import { isRecord } from '../base/json';
import type { Meta, Tool } from '../mcp/protocol/types';
import type { Server } from '../mcp/server';

/** The MIME type of the HTML of an app (MCP Apps, UI resource format). */
export const appMimeType = 'text/html;profile=mcp-app';

/** The longest URI of an app that is followed, in UTF-16 units. */
export const maxAppUriLength = 2000;

/** True for URIs of apps. */
export function isAppUri(uri: unknown): uri is string {
  return typeof uri === 'string' && uri.startsWith('ui://') && uri.length <= maxAppUriLength;
}

/** The URI of the app that shows what a tool gives, where it has one (MCP Apps, resource discovery). */
export function appUriOf({ _meta }: Tool): string | undefined {
  const { resourceUri } = uiOf(_meta);
  // Servers that were written before the first release of the extension have it there.
  return [resourceUri, _meta?.['ui/resourceUri']].find(isAppUri);
}

/**
 * True unless the server keeps the tool for its apps (MCP Apps, tool visibility): such a tool is
 * never offered to a model.
 */
export function isForModels(tool: Tool): boolean {
  return isVisibleTo('model', tool);
}

/** True unless the server keeps the tool for models (MCP Apps, tool visibility): apps may not call it. */
export function isForApps(tool: Tool): boolean {
  return isVisibleTo('app', tool);
}

function isVisibleTo(who: 'model' | 'app', { _meta }: Tool): boolean {
  const { visibility } = uiOf(_meta);
  return !Array.isArray(visibility) || visibility.includes(who);
}

/** What a server says of the user interface of an entry or a document: fields that are still to be looked at. */
export function uiOf(meta: Meta | undefined): Readonly<Record<string, unknown>> {
  const ui = meta?.['ui'];
  return isRecord(ui) ? ui : {};
}

/** Opens the app at a URI, which is a resource of a scheme of its own; false where the user wants no apps. */
export type AppOpener = (server: Server, uri: string) => Promise<boolean>;
