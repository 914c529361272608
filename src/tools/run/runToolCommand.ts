import * as vscode from 'vscode';
import { UserError } from '../../base/errors';
import { asRecord } from '../../base/json';
import { redacted } from '../../base/secrets/secrets';
import { plainLabel } from '../../base/text/text';
import type { SchemaCheck } from '../../mcp/schema/jsonSchema';
import { displayName, type JsonObject } from '../../mcp/protocol/types';
import type { Servers } from '../../mcp/servers';
import type { RunTool, ToolCall, ToolOutcome } from '../../contracts/toolCalls';
import type { DocumentInput } from '../../ui/documents/documentInput';
import { askOwn } from '../../ui/questions/askOwn';
import type { Questions } from '../../ui/questions/questions';
import { askForm } from '../../ui/steps/schemaForm';
import type { LastArguments } from './lastArguments';
import { pickTool, type ToolEntry } from './pickTool';
import { replayable } from '../../audit/toolLog';
import { isToolNode } from '../toolSection';

/** What a person's own call of a tool needs. */
export interface RunningParts {
  readonly servers: Servers;
  readonly run: RunTool;
  readonly last: LastArguments;
  readonly input: DocumentInput;
  readonly questions: Questions;
  readonly schemas: SchemaCheck;
  /** Shows the person how a call ended. */
  readonly show: (call: ToolCall, outcome: ToolOutcome) => Promise<void>;
}

/** A call of a person, and how it ended. */
export interface RunResult {
  readonly call: ToolCall;
  readonly outcome: ToolOutcome;
}

/**
 * Runs a tool that the person picks, the one of a tree row, or the one that `{ server, tool, arguments? }`
 * names, and shows the result; the arguments are asked in a form that begins with those that are given.
 */
export async function runToolCommand(target: unknown, parts: RunningParts): Promise<void> {
  const entry = findEntry(target, parts.servers) ?? (await pickTool(parts.servers));
  const ran = entry && (await runWithForm(entry, argumentsOf(target), parts));
  if (ran) await parts.show(ran.call, ran.outcome);
}

/** Runs a call of the log again, its arguments gone through in the form first. */
export async function replayCall(row: unknown, parts: RunningParts): Promise<void> {
  const begun = replayable(row);
  if (!begun) return;
  const { server, tool, arguments: args } = begun;
  const value = 'value' in args ? args.value : {};
  await runToolCommand({ server: server.id, tool, arguments: withoutRedacted(value) }, parts);
}

/** Asks for the arguments of a tool in a form and passes the call through the gate. */
export async function runWithForm(
  { server, tool }: ToolEntry,
  given: JsonObject,
  { run, last, input, questions, schemas }: RunningParts,
  editor = vscode.window.activeTextEditor,
): Promise<RunResult | undefined> {
  const launchPrint = await server.launchPrint();
  const title = vscode.l10n.t('{0} ({1})', displayName(tool), server.name);
  const what = vscode.l10n.t('run {0}', plainLabel(displayName(tool), 60));
  const form = await askOwn(questions, { server, what }, (stage) =>
    askForm({
      title: { title, actions: [], stage },
      schema: tool.inputSchema,
      given,
      last: last.get(launchPrint, tool.name),
      input,
      schemas,
      ...(editor && { editor }),
    }),
  );
  if (!form) return undefined;
  await last.keep(launchPrint, tool.name, form.values);
  if (!form.done) return undefined;
  const call = { server, tool, arguments: form.values, origin: { kind: 'person' } } as const;
  return { call, outcome: await run(call, { signal: new AbortController().signal }) };
}

function findEntry(target: unknown, servers: Servers): ToolEntry | undefined {
  if (isToolNode(target)) return target;
  if (typeof target !== 'object' || target === null || !('tool' in target)) return undefined;
  const { tool: name } = target;
  const id = 'server' in target ? target.server : undefined;
  const server = servers.all.find((each) => each.id === id || each.name === id);
  const tool = server?.tools.items.find((each) => each.name === name);
  if (server && tool) return { server, tool };
  throw new UserError(
    vscode.l10n.t(
      'The server {0} offers no tool {1}.',
      plainLabel(String(id)),
      plainLabel(String(name)),
    ),
  );
}

/** What was taken out of the log is asked for anew. */
function withoutRedacted(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return {};
  const whole = ([, part]: [string, unknown]) => !JSON.stringify(part).includes(redacted);
  return Object.fromEntries(Object.entries(value).filter(whole));
}

function argumentsOf(target: unknown): JsonObject {
  if (typeof target !== 'object' || target === null || !('arguments' in target)) return {};
  const { arguments: args } = target;
  return asRecord(args) as JsonObject;
}
