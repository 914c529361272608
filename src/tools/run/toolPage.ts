import { stripComments } from 'jsonc-parser';
import * as vscode from 'vscode';
import { asRecord, canonicalJson, ownValue } from '../../base/json';
import { jsonText, wholeJsonText } from '../../base/text/jsonText';
import { wrapShown } from '../../base/text/rows';
import { documentText, plainLabel } from '../../base/text/text';
import type { CallInView, RecentCall, ToolOutcome } from '../../contracts/toolCalls';
import { readWrittenObject } from '../../mcp/protocol/inexactNumber';
import {
  displayName,
  entryNamed,
  metaProblem,
  type JsonObject,
  type JsonSchema,
  type Tool,
} from '../../mcp/protocol/types';
import type { Server } from '../../mcp/server';
import type { AsTask } from '../../mcp/session/session';
import { toolIdentity } from '../../mcp/serverIdentity';
import type { DocumentChoice } from '../../ui/documents/choiceCommands';
import { editorSchema, withMember } from '../../ui/documents/schemaLine';
import { sessionInfo } from '../../mcp/serverState';
import { runCommand } from '../../ui/commands';
import { Command } from '../../ui/ids';
import { showMessage, tellBriefly } from '../../ui/messages';
import type { UserAction } from '../../ui/questions/question';
import { readFields } from '../../ui/steps/schemaFields';
import { addableText, requiredOf } from '../../ui/steps/skeleton';
import { doubleClickMs } from '../../ui/rows/rowClicks';
import { isToolNode } from '../toolSection';
import type { ToolEntry } from './pickTool';
import {
  type RunDeps,
  type RunResult,
  askTaskTtl,
  runFilledIn,
  taskChoices,
  taskTitles,
} from './runToolCommand';
import { copyJson } from '../../ui/clipboard';

/** How long the status bar says that something was copied, in milliseconds. */
const toldMs = 3000;

/** One run of the tool from its page. */
interface PageRun {
  readonly text: string;
  /** When the user last asked for it, in epoch ms. */
  askedAt: number;
  isUnderWay: boolean;
  result?: RunResult;
}

/** The runs from one page, in the order in which they began; of those that are over, only the ones that still matter. */
class PageRuns {
  private all: readonly PageRun[] = [];

  get isAnyUnderWay(): boolean {
    return this.all.some(({ isUnderWay }) => isUnderWay);
  }

  /** The latest run with a result: an earlier one that ends after it does not take its place. */
  get lastEnded(): PageRun | undefined {
    return this.all.findLast(({ result }) => result);
  }

  /** Begins a run; `undefined` for the second click of a double click, or a key that is held: they begin none. */
  begin(text: string, askedAt: number): PageRun | undefined {
    const latest = this.all.at(-1);
    if (latest?.text === text && askedAt - latest.askedAt < doubleClickMs) {
      latest.askedAt = askedAt;
      return undefined;
    }
    const { lastEnded } = this;
    const begun: PageRun = { text, askedAt, isUnderWay: true };
    this.all = [...this.all.filter((one) => one.isUnderWay || one === lastEnded), begun];
    return begun;
  }
}

/**
 * Shows a tool until the user closes it: all its arguments in one document with completion, and above them its
 * definition and what can be done with it, as often as they want.
 */
export async function showToolPage(
  action: UserAction,
  node: unknown,
  deps: RunDeps,
): Promise<void> {
  if (!isToolNode(node)) return;
  const { server, tool } = node;
  const { t } = vscode.l10n;
  // All that is run from here is run as it is shown here.
  const identity = await toolIdentity(server, tool);
  const { last, input, outcomes, questions } = deps;
  const left = last.getLeft(identity.launchFingerprint, tool.name);
  const given = { ...last.get(identity.launchFingerprint, tool.name), ...left.values };
  const placeholders = requiredOf(tool.inputSchema);
  const first = left.unfinished ?? documentOf({ ...placeholders, ...given }, tool, left.meta);
  const changed = new vscode.EventEmitter<void>();
  const runs = new PageRuns();
  const keep = (text: string) => {
    const written = readPage(text, tool);
    const called = last.get(identity.launchFingerprint, tool.name);
    const held =
      'arguments' in written
        ? {
            values: typedIn(written.arguments, placeholders, called),
            meta: written.meta ?? {},
          }
        : { values: given, unfinished: text };
    void last.keepLeft(identity.launchFingerprint, tool.name, held);
  };
  const run = async (by: UserAction, text: string, asTask?: AsTask) => {
    const written = readPage(text, tool);
    if ('problem' in written) return void showMessage('error', written.problem);
    const isAlone = !runs.isAnyUnderWay;
    const begun = runs.begin(text, by.at);
    if (!begun) return;
    keep(text);
    // The tool may be another one by now, and the call is of that one.
    const entry: ToolEntry = { server, tool: entryNamed(server.tools, tool.name) ?? tool };
    // What has to wait for its server, or comes beside another one, is asked about: it may be sent when nobody looks at it.
    const isAtOnce = sessionInfo(server.state) !== undefined && isAlone;
    const { meta } = written;
    const inView = { server, ...written, identity } as CallInView;
    const how = { asTask, meta, ...(isAtOnce && { inView }) };
    const running = runFilledIn(by, entry, written.arguments, deps, how);
    const ran = await running.finally(() => (begun.isUnderWay = false));
    if (!ran) return;
    const end = (outcome: ToolOutcome) => {
      begun.result = { ...ran, outcome };
      if (runs.lastEnded === begun) changed.fire();
    };
    end(ran.outcome);
    if (ran.outcome.kind === 'background') void ran.outcome.ended.then(end);
    await outcomes.show(ran.call, ran.outcome, ran.permit);
  };
  try {
    const { text } = await input.ask({
      name: `${displayName(tool)}.arguments.jsonc`,
      text: first,
      permit: action,
      schema: pageSchema(tool),
      files: [{ name: definitionFile, content: documentText(jsonText(tool, 2)) }],
      links: [{ line: 0, title: t('Definition'), target: definitionFile }],
      get choices() {
        const result = runs.lastEnded?.result;
        return [
          ...runChoices(server, tool, { run, questions }),
          ...(result ? choicesOf(result, deps) : []),
          { id: 'definition', title: t('Copy Definition'), act: () => copyDefinition(tool) },
        ];
      },
      onDidChangeChoices: changed.event,
      onSave: keep,
    });
    if (text !== first) keep(text);
  } finally {
    changed.dispose();
  }
}

/** Returns the ways to call a tool as its server is now. */
function runChoices(
  server: Server,
  tool: Tool,
  {
    run,
    questions,
  }: Pick<RunDeps, 'questions'> & {
    readonly run: (by: UserAction, text: string, asTask?: AsTask) => Promise<void>;
  },
): readonly DocumentChoice[] {
  const { t } = vscode.l10n;
  const choices = taskChoices(server, tool);
  const asTask: DocumentChoice = {
    id: 'runAsTask',
    title: taskTitles.asTask(),
    act: async (by, text) => {
      const wanted = await askTaskTtl(by, { server, tool }, questions);
      if (wanted) await run(wanted.by, text, wanted.asTask);
    },
  };
  const direct: DocumentChoice = {
    id: 'runDirectly',
    title: taskTitles.direct(),
    act: (by, text) => run(by, text, false),
  };
  return [
    {
      id: 'run',
      title: `$(play) ${t('Run on {0}', plainLabel(server.name, 60))}`,
      command: Command.sendReviewed,
      act: (by, text) => run(by, text),
    },
    ...(choices.asTask ? [asTask] : []),
    ...(choices.direct ? [direct] : []),
  ];
}

/** The member of the document that is sent beside the arguments, unless the tool has an argument of this name. */
const metaName = '_meta';

function hasMeta({ inputSchema }: Tool): boolean {
  return ownValue(asRecord(inputSchema['properties']), metaName) === undefined;
}

/** Returns the schema of the document, in which there may be more than the arguments. */
function pageSchema(tool: Tool): JsonSchema {
  const schema = editorSchema(tool.inputSchema);
  if (!hasMeta(tool)) return schema;
  const description = vscode.l10n.t('Sent with the request, beside the arguments.');
  return withMember(schema, { name: metaName, schema: { type: 'object', description } });
}

/** What a page says to send, or why it cannot be sent. */
type WrittenPage =
  { readonly arguments: JsonObject; readonly meta?: JsonObject } | { readonly problem: string };

function readPage(text: string, tool: Tool): WrittenPage {
  const { t } = vscode.l10n;
  const read = readWrittenObject(stripComments(text), t, t('This is not a JSON object.'));
  if ('problem' in read) return read;
  const { [metaName]: meta, ...rest } = read.object;
  if (meta === undefined || !hasMeta(tool)) return { arguments: read.object };
  const problem = metaProblem(meta, t);
  if (problem !== undefined) return { problem };
  const written = asRecord(meta) as JsonObject;
  return { arguments: rest, ...(Object.keys(written).length > 0 && { meta: written }) };
}

/** Returns what can be done with the last call of a page, and with what came back if it was sent. */
function choicesOf(
  { call, outcome }: RunResult,
  { outcomes, recentCalls }: Pick<RunDeps, 'outcomes' | 'recentCalls'>,
): readonly DocumentChoice[] {
  const { t } = vscode.l10n;
  const sent = recentCalls.of(outcome);
  const last: DocumentChoice = {
    id: 'result',
    title: t('Last Result'),
    act: (by) => outcomes.show(call, outcome, by),
  };
  if (!sent) return [last];
  return [
    last,
    {
      id: 'save',
      title: t('Save as Test…'),
      act: async (by) => void (await runCommand(by, Command.saveAsTest, outcome)),
    },
    { id: 'copy', title: t('Copy as JSON'), act: () => copyCall(sent, outcome) },
  ];
}

/** Copies a call and what came back, or the call alone if that is too much, and says so. */
async function copyCall({ tool, arguments: args, meta }: RecentCall, outcome: ToolOutcome) {
  const { t } = vscode.l10n;
  const call = { tool: tool.name, arguments: args, ...(meta && { _meta: meta }) };
  const whole = wholeJsonText({ ...call, ...answerOf(outcome) }, 2);
  await copyJson(whole ?? JSON.stringify(call, undefined, 2));
  const label = plainLabel(displayName(tool));
  const told =
    whole === undefined
      ? t('Copied the call of {0} without its result, which is too large', label)
      : t('Copied the call of {0}', label);
  tellBriefly(told, toldMs);
}

function answerOf(outcome: ToolOutcome): object {
  if (outcome.kind === 'result') return { result: outcome.result };
  if (outcome.kind !== 'failed') return {};
  const { code, message } = outcome;
  return { error: { ...(code !== undefined && { code }), message: message(vscode.l10n.t) } };
}

async function copyDefinition(tool: Tool): Promise<void> {
  await copyJson(JSON.stringify(tool, undefined, 2));
  const label = plainLabel(displayName(tool));
  tellBriefly(vscode.l10n.t('Copied the definition of {0}', label), toldMs);
}

const definitionFile = 'definition.json';

/** Returns what somebody typed; a placeholder is that, too, where a value of the last call would stand without it. */
function typedIn(values: JsonObject, placeholders: JsonObject, called: JsonObject): JsonObject {
  const isTyped = ([name, value]: readonly [string, unknown]) =>
    ownValue(called, name) !== undefined ||
    canonicalJson(value) !== canonicalJson(ownValue(placeholders, name));
  return Object.fromEntries(Object.entries(values).filter(isTyped));
}

/** How much of a description stands above the arguments, and how wide: all of it is in the definition. */
const maxAbout = 1000;
const aboutRoom = { first: 800, others: 800 };

/** Writes what the server says of its tool, the values, and which other arguments there are. */
function documentOf(args: JsonObject, tool: Tool, meta?: JsonObject): string {
  const { description = '', inputSchema } = tool;
  const values = { ...args, ...(meta && hasMeta(tool) && { [metaName]: meta }) };
  const names = readFields(inputSchema).map(({ name }) => name);
  if (hasMeta(tool)) names.push(metaName);
  const others = names.filter((name) => ownValue(values, name) === undefined);
  const about = plainLabel(description, maxAbout);
  const lines = [
    '{',
    ...(about === '' ? [] : wrapShown(about, aboutRoom).map((line) => `  // ${line.trimEnd()}`)),
    ...JSON.stringify(values, undefined, 2).split('\n').slice(1, -1),
    ...(others.length === 0 ? [] : [`  ${addableText(others, vscode.l10n.t)}`]),
    '}',
  ];
  return lines.length === 2 ? '{}\n' : `${lines.join('\n')}\n`;
}
