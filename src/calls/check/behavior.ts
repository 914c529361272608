import { isCancellation } from '../../base/errors';
import { plainLabel } from '../../base/text/text';
import { listKinds } from '../../mcp/lists/listSpecs';
import { ErrorCode } from '../../mcp/protocol/rpcError';
import { canonicalJson } from '../../mcp/serverConfig';
import type { Tool } from '../../mcp/protocol/types';
import { textOfResult, type StepAnswered } from '../expect/answer';
import type { StepRequest } from '../format/calls';
import { sendStep, type CallsSession } from '../run/session';
import type { Seen } from './definitions';

/** A name that nothing on any server has. */
const noSuchName = 'mcp-workbench-no-such-name';
const noSuchResource = -32002;

/** Sends a server requests, most of which it should refuse, and checks its answers. */
export async function checkBehavior(
  session: CallsSession,
  signal: AbortSignal,
): Promise<readonly Seen[]> {
  const { server } = session;
  const ask = (request: StepRequest) => sendStep(session, request, signal);
  const capabilities = server.state.kind === 'running' ? server.state.info.capabilities : {};
  return [
    await stable(session),
    capabilities.tools
      ? unknownTool(await ask({ kind: 'call', name: noSuchName, arguments: {} }))
      : skipped('unknownTool', 'The server has no tools.'),
    await badArguments(session, ask),
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
    await cancel(session),
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

/** Calls only a tool that claims to be read-only. */
async function badArguments(
  { server }: CallsSession,
  ask: (request: StepRequest) => Promise<StepAnswered>,
): Promise<Seen> {
  const tool = server.tools.items.find(
    (one) => one.annotations?.readOnlyHint === true && requiredOf(one).length > 0,
  );
  if (!tool)
    return skipped('badArguments', 'No tool says that it only reads and requires an argument.');
  const answer = await ask({ kind: 'call', name: tool.name, arguments: {} });
  const name = plainLabel(tool.name, 100);
  if (answer.kind === 'error')
    return answer.code === undefined
      ? { id: 'badArguments', seen: [`"${name}" gave no answer: ${plainLabel(answer.message)}`] }
      : { id: 'badArguments', seen: [] };
  const { isError } = answer.result as { readonly isError?: boolean };
  const text = plainLabel(textOfResult(answer.result), 100);
  return { id: 'badArguments', seen: isError ? [] : [`"${name}" answered: ${text}`] };
}

function requiredOf({ inputSchema }: Tool): readonly unknown[] {
  const { required } = inputSchema;
  return Array.isArray(required) ? required : [];
}

async function cancel({ server, call }: CallsSession): Promise<Seen> {
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
