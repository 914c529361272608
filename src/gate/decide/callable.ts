import type { LocalizableMessage } from '../../base/translate';
import { deepestShown, measureJson } from '../../base/measureJson';
import { wholeJsonText } from '../../base/text/jsonText';
import { wholeDocumentText } from '../../base/text/text';
import { isForApps, isForModels } from '../../contracts/toolApps';
import {
  isOfModels,
  readResourceTool,
  type CallOrigin,
  type ToolCall,
} from '../../contracts/toolCalls';
import { displayName, entryNamed, type Tool } from '../../mcp/protocol/types';
import { toolFingerprint } from '../../mcp/serverIdentity';

/** Returns the tool as its server defines it now, starting the server if needed, or says why there is none. */
export async function currentTool(
  { server, tool, origin, mayBeUnlisted }: ToolCall,
  signal: AbortSignal,
): Promise<Tool | LocalizableMessage> {
  const wasListed = entryNamed(server.tools, tool.name) === tool;
  const outcome = await server.start(signal);
  if (outcome.kind === 'needsSignIn')
    return (t) => t('The server "{0}" needs a sign-in first.', server.name);
  if (outcome.kind !== 'running')
    return (t) => t('"{0}" was not started. {1}', server.name, outcome.message);
  if (tool === readResourceTool) return tool;
  const current = entryNamed(server.tools, tool.name);
  // They were agreed to as the tool was, which may be one that the server does not have.
  if (origin.kind === 'savedCalls') {
    const isSame = current
      ? (await toolFingerprint(current)) === (await toolFingerprint(tool))
      : !wasListed;
    return isSame ? (current ?? tool) : hasChanged({ server, tool });
  }
  if (!current && mayBeUnlisted) return tool;
  return (
    current ?? ((t) => t('The server "{0}" no longer has a tool "{1}".', server.name, tool.name))
  );
}

/** Says that a tool, or the server that it is of, is not what a call of it was decided on. */
export function hasChanged({
  server,
  tool,
}: Pick<ToolCall, 'server' | 'tool'>): LocalizableMessage {
  return (t) =>
    t(
      'The tool "{1}" of "{0}" has changed since the call was allowed, and was not called. Try again.',
      server.name,
      displayName(tool),
    );
}

/** Says why a caller of this kind may not call a tool (MCP Apps, tool visibility); `undefined` if it may. */
export function hiddenFrom(origin: CallOrigin, tool: Tool): LocalizableMessage | undefined {
  if (origin.kind === 'app' && !isForApps(tool))
    return (t) => t('The tool "{0}" is not for apps.', tool.name);
  if (isOfModels(origin) && !isForModels(tool))
    return (t) => t('The tool "{0}" is for apps only.', tool.name);
  return undefined;
}

/** Says why the arguments of a call cannot be shown; `undefined` if they can. */
export function tooDeep({ arguments: args, meta = {} }: ToolCall): LocalizableMessage | undefined {
  return Math.max(measureJson(args).depth, measureJson(meta).depth) > deepestShown
    ? (t) => t('The arguments are nested too deep to be shown.')
    : undefined;
}

/** Says why the user cannot be asked about a call: nobody can allow what is not shown; `undefined` if all of it is. */
export function hiddenPart({ arguments: args }: ToolCall): LocalizableMessage | undefined {
  const text = wholeJsonText(args, 2);
  if (text !== undefined && wholeDocumentText(text) !== undefined) return undefined;
  return (t) =>
    t(
      'The arguments are too long, or nested too deeply, to be shown to the user in full. Nobody was asked, and nothing was sent.',
    );
}
