import * as vscode from 'vscode';
import { neverAborted } from '../../base/async';
import { UserError } from '../../base/errors';
import { Emitter } from '../../base/event';
import { asRecord } from '../../base/json';
import { redacted } from '../../base/secrets';
import { plainLabel } from '../../base/text/text';
import type { SchemaCheck } from '../../mcp/schema/jsonSchema';
import { entryNamed, displayName, type JsonObject, type Tool } from '../../mcp/protocol/types';
import type { Server, Servers } from '../../mcp/server';
import { sessionInfo } from '../../mcp/serverState';
import { type AsTask, hasTaskChoice, longestTtl, needsTask } from '../../mcp/session/session';
import type { CallInView, OutcomeView, ToolCall, ToolOutcome } from '../../contracts/toolCalls';
import type { DocumentInput } from '../../ui/documents/documentInput';
import type { ToolGate } from '../../gate/toolGate';
import { askOwn } from '../../ui/questions/askOwn';
import { byUser, type QuestionContext, type UserAction } from '../../ui/questions/question';
import type { Questions } from '../../ui/questions/questions';
import { askLine } from '../../ui/steps/askLine';
import { readFields, withoutDefaults } from '../../ui/steps/schemaFields';
import {
  askForm,
  type FormAnswer,
  type HeldByForm,
  type SchemaForm,
} from '../../ui/steps/schemaForm';
import type { StepFrame } from '../../ui/steps/stepFrame';
import type { RecentCalls } from '../../gate/recentCalls';
import type { LastArguments } from './lastArguments';
import { pickTool, type ToolEntry } from './pickTool';
import { replayable } from '../../audit/callAudit';
import { isToolNode } from '../toolSection';

/** What a user's own tool call needs. */
export interface RunDeps {
  readonly servers: Servers;
  readonly gate: ToolGate;
  readonly last: LastArguments;
  readonly input: DocumentInput;
  readonly questions: Questions;
  readonly schemas: SchemaCheck;
  readonly outcomes: OutcomeView;
  readonly recentCalls: Pick<RecentCalls, 'of'>;
}

/** A call of a user, and how it ended. */
export interface RunResult {
  readonly call: ToolCall;
  readonly outcome: ToolOutcome;
  /** The user's action that led to it; `undefined` if they have turned to something else since. */
  readonly permit: UserAction | undefined;
}

/**
 * Runs the tool of a tree row, the one that `{ server, tool, arguments? }` names, or one that the user picks, and
 * shows the result; asks for the arguments in a form that starts with the given ones.
 */
export async function runToolCommand(
  action: UserAction,
  target: unknown,
  deps: RunDeps,
): Promise<void> {
  const named = findEntry(target, deps.servers);
  const entry = named ?? (await pickTool(action, deps));
  if (!entry) return;
  const by = named ? action : byUser();
  const given = argumentsOf(target);
  if (given) return runAndShow(by, entry, { given }, deps);
  await deps.questions.once({ server: entry.server, form: toolForm(entry) }, (onAnswered) =>
    runAndShow(by, entry, { given: {}, onAnswered }, deps),
  );
}

/** Runs a call of the log again after the user has reviewed its arguments in the form, which adds no defaults. */
export async function replayCall(action: UserAction, row: unknown, deps: RunDeps): Promise<void> {
  const begun = replayable(row);
  if (!begun) return;
  const { server, tool, arguments: args } = begun;
  const entry = findEntry({ server: server.id, tool }, deps.servers);
  if (!entry) return;
  const kept = withoutRedacted('value' in args ? args.value : {});
  await runAndShow(action, entry, { ...kept, isWhole: true }, deps);
}

/** Makes a call of the user once more as it was: they are asked about it, and get to its form from there, or first. */
export async function runAgain(
  action: UserAction,
  { server, tool, arguments: given, asTask, meta }: ToolCall,
  deps: RunDeps,
  { isFilledIn = true } = {},
): Promise<void> {
  const entry = findEntry({ server: server.id, tool: tool.name }, deps.servers);
  const start = { given, isWhole: true, isFilledIn, asTask, meta };
  if (entry) await runAndShow(action, entry, start, deps);
}

/** Calls a tool with arguments that the user has filled in elsewhere, perhaps with all of it in view; `undefined` if they leave the form that leads back from the question. */
export function runFilledIn(
  action: UserAction,
  entry: ToolEntry,
  given: JsonObject,
  deps: RunDeps,
  how: Pick<FormStart, 'inView' | 'asTask' | 'meta'> = {},
): Promise<RunResult | undefined> {
  return runWithForm(action, entry, { given, isWhole: true, isFilledIn: true, ...how }, deps);
}

/**
 * Asks for the arguments of a tool in a form and passes the call through the gate; a user who goes back from
 * there returns to the form, with the arguments as they left them; `undefined` if they leave the form.
 */
export async function runWithForm(
  action: UserAction,
  entry: ToolEntry,
  { onAnswered, inView, meta, ...begin }: FormStart,
  { gate, last, input, questions, schemas }: RunDeps,
  editor = vscode.window.activeTextEditor,
): Promise<RunResult | undefined> {
  const { server, tool } = entry;
  const launchFingerprint = await server.launchFingerprint();
  const title = vscode.l10n.t('{0} ({1})', displayName(tool), server.name);
  const left = last.getLeft(launchFingerprint, tool.name);
  let start = begin.isWhole ? begin : { ...begin, given: { ...left.values, ...begin.given } };
  let { unfinished } = left;
  const fields = readFields(tool.inputSchema);
  const keep = ({ values, ...text }: HeldByForm) =>
    void last.keepLeft(launchFingerprint, tool.name, {
      values: withoutDefaults(fields, values),
      ...text,
    });
  let isFilledIn = begin.isFilledIn === true;
  let asked: UserAction | undefined = action;
  let shown = inView;
  const wish = new TaskWish(begin.asTask);
  for (;;) {
    const what = vscode.l10n.t('run {0}', plainLabel(displayName(tool), 60));
    const about = { server, what, form: toolForm({ tool }), asked };
    const ask = () =>
      askOwn(questions, about, (context) =>
        askForm({
          title: wish.frame(title, entry, context),
          schema: tool.inputSchema,
          ...start,
          // Arguments that are given in full take nothing from another call.
          ...(!start.isWhole && { last: last.get(launchFingerprint, tool.name) }),
          unfinished,
          keep,
          input,
          schemas,
          ...(editor && { editor }),
        }),
      );
    const form = isFilledIn ? filledIn(begin.given, fields) : await ask();
    if (!form) return undefined;
    ({ unfinished } = form);
    if (!isFilledIn) keep({ values: form.values, ...(unfinished !== undefined && { unfinished }) });
    if (!form.done) return undefined;
    // A tool without arguments has no form.
    if (!isFilledIn && form.at) asked = byUser();
    isFilledIn = false;
    if (!(await wish.settle(asked, entry, questions))) {
      start = { given: form.values, isWhole: true, at: form.at };
      continue;
    }
    onAnswered?.();
    const origin = { kind: 'user', action: asked } as const;
    const how = { ...wish.ofCall, ...(meta && { meta }) };
    const call: ToolCall = { server, tool, arguments: form.values, origin, ...how };
    let back: { readonly given: JsonObject; readonly by: UserAction | undefined } | undefined;
    let decidedAt = Date.now();
    const turnedAway = () => questions.turnedAway(decidedAt, server.id);
    const outcome = await gate.run(call, {
      signal: neverAborted(),
      onBack: (args, by) => (back = { given: args, by }),
      onEdit: (edited) => {
        ({ unfinished } = edited);
        keep(edited);
      },
      // A tool without arguments has nothing to go back to.
      canGoBack: form.at !== undefined,
      inView: shown,
      onDecided: () => (decidedAt = Date.now()),
    });
    if (!back) return { call, outcome, permit: turnedAway() ? undefined : asked };
    if (!form.at) return undefined;
    start = { given: back.given, isWhole: true, at: form.at };
    asked = back.by;
    shown = undefined;
  }
}

/** What a form starts with, and at which step; `onAnswered` is called once it is filled in. */
type FormStart = Pick<SchemaForm, 'given' | 'isWhole' | 'notKept' | 'at'> & {
  readonly onAnswered?: () => void;
  /** True if the form is shown only to a user who goes back to it. */
  readonly isFilledIn?: boolean;
  readonly inView?: CallInView | undefined;
  readonly asTask?: AsTask | undefined;
  readonly meta?: ToolCall['meta'] | undefined;
};

/** Returns the answer of a form that was filled in before; a user who goes back begins at its first step. */
function filledIn(values: JsonObject, fields: readonly unknown[]): FormAnswer {
  const at = { kind: 'steps', at: 0 } as const;
  return { done: true, declined: false, values, ...(fields.length > 0 && { at }) };
}

async function runAndShow(
  action: UserAction,
  entry: ToolEntry,
  start: FormStart,
  deps: RunDeps,
): Promise<void> {
  const ran = await runWithForm(action, entry, start, deps);
  if (!ran) return;
  await deps.outcomes.show(ran.call, ran.outcome, ran.permit);
}

/** Returns how a tool may be called as its server is now; without a session, it is not known that there is a choice. */
export function taskChoices(
  { state, definition: { without } }: Server,
  tool: Tool,
): { readonly asTask: boolean; readonly direct: boolean } {
  const info = sessionInfo(state);
  const asTask = info !== undefined && !without?.includes('tasks') && needsTask(tool, info);
  return { asTask, direct: asTask && hasTaskChoice(tool, info) };
}

/** What the buttons of {@link taskChoices} say. */
export const taskTitles = {
  asTask: () => vscode.l10n.t('Run as Task…'),
  direct: () => vscode.l10n.t('Run Without a Task'),
};

/** Asks how long the result of a task is to be kept; `undefined` if the user dismissed it. */
export async function askTaskTtl(
  asked: UserAction | undefined,
  { server, tool }: ToolEntry,
  questions: Pick<Questions, 'ask'>,
): Promise<{ readonly asTask: AsTask; readonly by: UserAction } | undefined> {
  const { t } = vscode.l10n;
  const title = taskTitles.asTask();
  const prompt = t(
    'How many milliseconds {0} is to keep the result (ttl)',
    plainLabel(server.name),
  );
  const text = await askOwn(
    questions,
    { server, what: title, form: toolForm({ tool }), asked },
    (context) =>
      askLine({
        frame: { title, actions: [], context },
        prompt,
        placeholder: t('Leave empty to let the server decide'),
        validate: (typed) =>
          /^\d*$/.test(typed) && Number(typed) <= longestTtl
            ? undefined
            : t('Enter a whole number up to {0}.', longestTtl),
      }),
  );
  return text === undefined ? undefined : { asTask: Number(text), by: byUser() };
}

/** What the user wants of the task that a call may become, which buttons of its form say. */
class TaskWish {
  private chosen: AsTask | 'ask' | undefined;
  private readonly changed = new Emitter<void>();

  constructor(chosen: AsTask | undefined) {
    this.chosen = chosen;
  }

  get ofCall(): Pick<ToolCall, 'asTask'> {
    const { chosen } = this;
    return typeof chosen === 'string' || chosen === undefined ? {} : { asTask: chosen };
  }

  /** The frame of the form, whose title says what was chosen; the same button again takes that back. */
  frame(title: string, { server, tool }: ToolEntry, context: QuestionContext): StepFrame {
    const choices = taskChoices(server, tool);
    const { changed } = this;
    const button = (icon: string, label: string, wish: 'ask' | false) => ({
      icon: new vscode.ThemeIcon(icon),
      label,
      run: () => {
        this.chosen = this.said === label ? undefined : wish;
        changed.fire();
      },
    });
    const buttons = [
      ...(choices.asTask ? [button('checklist', taskTitles.asTask(), 'ask')] : []),
      ...(choices.direct ? [button('play', taskTitles.direct(), false)] : []),
    ];
    const said = () => this.said;
    return {
      get title() {
        return said() === undefined ? title : `${title} · ${said()}`;
      },
      actions: buttons,
      onDidChange: changed.event,
      context,
    };
  }

  private get said(): string | undefined {
    if (this.chosen === undefined) return undefined;
    return this.chosen === false ? taskTitles.direct() : taskTitles.asTask();
  }

  /** Asks what is still open; false if the user dismissed that. */
  async settle(...about: Parameters<typeof askTaskTtl>): Promise<boolean> {
    if (this.chosen !== 'ask') return true;
    const answer = await askTaskTtl(...about);
    if (answer) this.chosen = answer.asTask;
    return answer !== undefined;
  }
}

/** Identifies the form that asks for the arguments of a tool. */
function toolForm({ tool }: Pick<ToolEntry, 'tool'>): string {
  return `tool/${tool.name}`;
}

function findEntry(target: unknown, servers: Servers): ToolEntry | undefined {
  if (isToolNode(target)) return target;
  if (typeof target !== 'object' || target === null || !('tool' in target)) return undefined;
  const { tool: name } = target;
  const id = 'server' in target ? target.server : undefined;
  const server = servers.all.find((each) => each.id === id || each.name === id);
  const tool = server && entryNamed(server.tools, name);
  if (server && tool) return { server, tool };
  throw new UserError(
    vscode.l10n.t(
      'The server "{0}" offers no tool "{1}".',
      plainLabel(String(id)),
      plainLabel(String(name)),
    ),
  );
}

/** Leaves out values that were redacted in the log, so that the form asks for them again. */
function withoutRedacted(value: unknown): Required<Pick<FormStart, 'given' | 'notKept'>> {
  const entries = Object.entries(asRecord(value) as JsonObject);
  const isCut = ([, part]: [string, unknown]) => JSON.stringify(part).includes(redacted);
  return {
    given: Object.fromEntries(entries.filter((entry) => !isCut(entry))),
    notKept: new Set(entries.filter(isCut).map(([name]) => name)),
  };
}

function argumentsOf(target: unknown): JsonObject | undefined {
  if (typeof target !== 'object' || target === null || !('arguments' in target)) return undefined;
  const { arguments: args } = target;
  return asRecord(args) as JsonObject;
}
