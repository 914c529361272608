import { isCancellation } from '../../base/errors';
import { plainLabel } from '../../base/text/text';
import { listKinds } from '../../mcp/lists/listSpecs';
import { ErrorCode } from '../../mcp/protocol/rpcError';
import { canonicalJson } from '../../mcp/serverConfig';
import { entryNamed } from '../../mcp/protocol/types';
import type { StepAnswered } from '../expect/answer';
import type { StepRequest } from '../format/calls';
import { sendStep, type CallsSession } from '../run/session';
import type { Seen } from './definitions';

const noSuchResource = -32002;

/**
 * Sends a server requests, most of which it should refuse, and checks its answers. Nobody is asked about them, so no tool
 * of the server is called, whatever it says of itself: only names that it does not have, and could not know before.
 */
export async function checkBehavior(
  { server, ...rest }: CallsSession,
  signal: AbortSignal,
): Promise<readonly Seen[]> {
  const noSuchName = `mcp-workbench-${crypto.randomUUID()}`;
  const session: CallsSession = {
    ...rest,
    server,
    call: async (name, args, stop) => {
      if (entryNamed(server.tools, name)) throw new Error(`A check calls no tool: ${name}`);
      return rest.call(name, args, stop);
    },
  };
  const ask = (request: StepRequest) => sendStep(session, request, signal);
  const capabilities = server.state.kind === 'running' ? server.state.info.capabilities : {};
  return [
    await stable(session),
    capabilities.tools
      ? unknownTool(await ask({ kind: 'call', name: noSuchName, arguments: {} }))
      : skipped('unknownTool', 'The server has no tools.'),
    capabilities.prompts
      ? refused(
          'unknownPrompt',
          [ErrorCode.invalidParams],
          await ask({ kind: 'prompt', name: noSuchName, arguments: {} }),
        )
      : skipped('unknownPrompt', 'The server has no prompts.'),
    capabilities.resources
      ? refused(
          'unknownResource',
          [noSuchResource, ErrorCode.invalidParams],
          await ask({ kind: 'read', uri: `${noSuchName}://none` }),
        )
      : skipped('unknownResource', 'The server has no resources.'),
    await cancel(session, noSuchName),
  ];
}

async function stable({ server }: CallsSession): Promise<Seen> {
  const seen: string[] = [];
  for (const kind of listKinds) {
    const before = server[kind].items;
    await server[kind].refresh();
    const after = server[kind].items;
    if (canonicalJson(before) !== canonicalJson(after))
      seen.push(`The list of ${kind} was another at the second reading.`);
  }
  return { id: 'stable', seen };
}

function unknownTool(answer: StepAnswered): Seen {
  if (answer.kind === 'error') return refused('unknownTool', [ErrorCode.invalidParams], answer);
  const { isError } = answer.result as { readonly isError?: boolean };
  return isError
    ? {
        id: 'unknownTool',
        verdict: 'advice',
        seen: ['It is answered with a result that says isError.'],
      }
    : { id: 'unknownTool', seen: ['It is answered with a result that is no error.'] };
}

function refused(
  id: 'unknownTool' | 'unknownPrompt' | 'unknownResource',
  codes: readonly number[],
  answer: StepAnswered,
): Seen {
  if (answer.kind === 'result') return { id, seen: ['It is answered with a result.'] };
  const { code, message } = answer;
  if (code === undefined) return { id, seen: [`There was no answer: ${plainLabel(message)}`] };
  if (codes.includes(code)) return { id, seen: [] };
  const seen = [`It is answered with the error ${code}: ${plainLabel(message)}`];
  return { id, seen, verdict: 'advice' };
}

async function cancel({ server, call }: CallsSession, noSuchName: string): Promise<Seen> {
  const withdrawn = new AbortController();
  const asked = call(noSuchName, {}, withdrawn.signal).then(
    () => undefined,
    (error: unknown) => (isCancellation(error) ? undefined : error),
  );
  queueMicrotask(() => withdrawn.abort());
  await asked;
  await server.tools.refresh();
  const { error } = server.tools;
  return {
    id: 'cancel',
    seen: error === undefined ? [] : [`The next request failed: ${plainLabel(error)}`],
  };
}

function skipped(id: Seen['id'], reason: string): Seen {
  return { id, seen: [reason], verdict: 'skipped' };
}
