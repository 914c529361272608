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
import { entryNamed, type Tool } from '../../mcp/protocol/types';

/** Returns the tool as its server defines it now, starting the server if needed, or says why there is none. */
export async function currentTool(
  { server, tool, origin, mayBeUnlisted }: ToolCall,
  signal: AbortSignal,
): Promise<Tool | LocalizableMessage> {
  const outcome = await server.start(signal);
  if (outcome.kind === 'needsSignIn')
    return (t) => t('The server "{0}" needs a sign-in first.', server.name);
  if (outcome.kind !== 'running')
    return (t) => t('"{0}" was not started. {1}', server.name, outcome.message);
  if (tool === readResourceTool) return tool;
  const current = entryNamed(server.tools, tool.name);
  // Saved calls may test how a server responds to the name of a tool that it does not have.
  if (!current && (origin.kind === 'savedCalls' || mayBeUnlisted)) return tool;
  return (
    current ?? ((t) => t('The server "{0}" no longer has a tool "{1}".', server.name, tool.name))
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
export function tooDeep({ arguments: args }: ToolCall): LocalizableMessage | undefined {
  return measureJson(args).depth > deepestShown
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
