import * as vscode from 'vscode';
import type { Readiness } from '../mcp/serverState';
import { PutOffError, UserError, errorDetail, errorMessage, isCancellation } from '../base/errors';
import { plainLabel, replaceEach } from '../base/text/text';
import { type Prompt, displayName, entryNamed } from '../mcp/protocol/types';
import type { DocumentInput } from '../ui/documents/documentInput';
import type { Questions } from '../ui/questions/questions';
import { manageWorkspaceTrustCommand } from '../ui/editorCommands';
import { Setting, inputScheme } from '../ui/ids';
import { neverAborted } from '../base/async';
import { runWithKeyboard } from '../ui/keyboard';
import { offer } from '../ui/messages';
import { readSetting } from '../ui/settings/readSetting';
import { FollowedText } from '../ui/sources/followedText';
import type { Logs } from '../ui/logs';
import { findMissing } from './arguments/argumentDocument';
import { type AskedArguments, type HeldArguments, askArguments } from './arguments/askArguments';
import type { PromptDelivery } from './delivery/deliverPrompt';
import { type Delivery, asText } from './delivery/draftText';
import type { PromptDraft } from '../contracts/promptDraft';
import type { StartServer } from '../contracts/startServer';
import { ensureRunning, getPrompt } from './getPrompt';
import {
  type PromptAction,
  type PromptArguments,
  type PromptEntry,
  argumentsKey,
  promptActions,
  promptKey,
} from './promptEntry';
import type { PromptHistory } from './arguments/promptHistory';
import { promptParts } from './preview/promptParts';
import { type PreviewAnswer, showPreview } from './preview/showPreview';
import type { UserAction } from '../ui/questions/question';
import { actionText } from './preview/actionTexts';
import { isRecord } from '../base/json';
import { fingerprint } from '../base/bytes';
import type { Servers } from '../mcp/server';
import { isPromptNode } from './promptSection';

/**
 * Reads what the command was given: a row of the tree, or the arguments of a keybinding, once the configuration has been
 * read. `undefined` if they name no prompt; rejects with a `UserError` if they are invalid or the server does not exist.
 */
export async function parseRunRequest(
  given: unknown,
  servers: Servers,
): Promise<RunRequest | undefined> {
  if (isPromptNode(given)) return { entry: given };
  const command = parseRunCommand(given);
  if (!command) return undefined;
  if ('problem' in command)
    throw new UserError(
      command.problem === 'action'
        ? vscode.l10n.t('A prompt\'s "action" must be one of {0}.', promptActions.join(', '))
        : vscode.l10n.t('A prompt\'s "arguments" must be an object of strings.'),
    );
  await servers.ready;
  const server =
    servers.get(command.server) ?? servers.all.find(({ name }) => name === command.server);
  if (!server)
    throw new UserError(
      vscode.l10n.t(
        'No server "{0}" is configured here, so its prompt "{1}" cannot run.',
        plainLabel(command.server),
        plainLabel(command.prompt),
      ),
    );
  const { prompt: name, server: _server, ...rest } = command;
  // A server that was never started has no list yet; running the prompt starts it and looks again.
  const prompt = entryNamed(server.prompts, name) ?? { name };
  return { ...rest, entry: { server, prompt } };
}

/** A prompt to run as a keybinding or a task specifies it, with the server's id or name. */
interface RunCommand {
  readonly server: string;
  readonly prompt: string;
  readonly arguments?: PromptArguments;
  readonly action?: PromptAction;
}

/** Reads the arguments of the command; `undefined` if they name no prompt, a `problem` if one of them is invalid. */
export function parseRunCommand(
  value: unknown,
): RunCommand | { readonly problem: 'arguments' | 'action' } | undefined {
  if (!isRecord(value)) return undefined;
  const { server, prompt, arguments: args, action } = value;
  if (typeof server !== 'string' || typeof prompt !== 'string') return undefined;
  const known = promptActions.find((name) => name === action);
  if (action !== undefined && known === undefined) return { problem: 'action' };
  if (args !== undefined && !isArguments(args)) return { problem: 'arguments' };
  return {
    server,
    prompt,
    ...(args !== undefined && { arguments: args }),
    ...(known !== undefined && { action: known }),
  };
}

/** Returns a keybinding that runs the prompt, in the form of an entry in `keybindings.json`. */
export function keybindingText(command: string, args: RunCommand): string {
  return JSON.stringify({ key: '', command, args }, undefined, 2);
}

function isArguments(value: unknown): value is PromptArguments {
  return isRecord(value) && Object.values(value).every((text) => typeof text === 'string');
}

/**
 * Returns a fingerprint of what a user has seen in the preview of a draft: what runs, the definition of the prompt,
 * and its messages without the arguments in them, so that different arguments alone need no new preview.
 */
export function seenFingerprint(
  launch: string,
  prompt: Prompt,
  draft: PromptDraft,
): Promise<string> {
  const { messages, arguments: values } = draft;
  return fingerprint({ launch, prompt, messages: withoutArguments(messages, values) });
}

function withoutArguments(value: unknown, values: PromptDraft['arguments']): unknown {
  const names = Object.keys(values).filter((name) => values[name] !== '');
  if (names.length === 0) return value;
  const nameOf = new Map(names.toReversed().map((name) => [values[name] ?? '', name]));
  const strip = (part: unknown): unknown => {
    if (typeof part === 'string')
      return replaceEach(part, nameOf.keys(), (found) => `\0${nameOf.get(found) ?? ''}\0`);
    if (Array.isArray(part)) return part.map(strip);
    if (!isRecord(part)) return part;
    return Object.fromEntries(Object.entries(part).map(([key, one]) => [key, strip(one)]));
  };
  return strip(value);
}

/** The actions that leave the keyboard focus where it is. */
const quiet: ReadonlySet<PromptAction> = new Set(['copy', 'insert', 'return']);

/** Offers to a user who has started working elsewhere that an action that takes the keyboard focus goes ahead. */
async function offerLate(
  action: PromptAction,
  { prompt }: PromptDraft,
): Promise<UserAction | undefined> {
  const { label } = actionText(action);
  const message = vscode.l10n.t(
    'The prompt "{0}" has its messages now.',
    plainLabel(displayName(prompt)),
  );
  return (await offer('info', message, label))?.action;
}

/** What is needed to run prompts. */
export interface RunPromptDeps {
  readonly startServer: StartServer;
  readonly history: PromptHistory;
  readonly input: DocumentInput;
  readonly questions: Questions;
  readonly delivery: PromptDelivery;
  readonly logs: Logs;
  /** Returns what keeps the server from starting, if anything. */
  readonly readiness: (id: string) => Promise<Readiness>;
  readonly resourceUri: (serverId: string, uri: string) => vscode.Uri;
}

/** A request to run a prompt; the user is asked for missing arguments, and a missing action is the one chosen last. */
export interface RunRequest {
  readonly entry: PromptEntry;
  /** The user's action that wants it; `undefined` if a model does. */
  readonly asked?: UserAction | undefined;
  readonly arguments?: PromptArguments;
  readonly action?: PromptAction;
  /** True if the user has just chosen the action, which then applies to the next run, too. */
  readonly isChosen?: boolean;
  /** Called when the server is done: from then on, the same request is a new one. */
  readonly answered?: () => void;
}

/**
 * Runs a prompt, from asking for its arguments to delivering its messages, and offers to retry after a failure.
 * Resolves to the messages as text, or to `undefined` if they were not delivered.
 */
export async function runPrompt(
  request: RunRequest,
  deps: RunPromptDeps,
): Promise<string | undefined> {
  const editor = activeEditor();
  // Followed from here on: forms and previews replace the editor, which then no longer updates its selections.
  const cursors = cursorsOf(editor);
  try {
    return await runFrom({ editor, cursors }, request, deps);
  } finally {
    for (const cursor of cursors) cursor.dispose();
  }
}

async function runFrom(
  { editor, cursors }: Pick<Delivery, 'editor' | 'cursors'>,
  request: RunRequest,
  deps: RunPromptDeps,
): Promise<string | undefined> {
  const { history } = deps;
  const key = await argumentsKey(request.entry);
  const goal = { action: request.action ?? history.nextAction(key) };
  const isKept = request.action === undefined || request.isChosen === true;
  let values = request.arguments ?? history.draft(key);
  let asking = request.arguments === undefined;
  let by = request.asked;
  // The draft in the preview from which the arguments are being edited.
  let shown: PromptDraft | undefined;
  for (;;) {
    try {
      const entry = await currentEntry(request.entry, deps.startServer);
      let asked: AskedArguments = { done: true, values };
      if (asking || findMissing(entry.prompt.arguments ?? [], values)) {
        const last = history.lastArguments(key);
        const { input, questions } = deps;
        const unfinished = history.unfinishedDocument(key);
        const keep = (held: HeldArguments) =>
          void history.keepDraft(key, held.values, held.unfinished);
        const how = { editor, input, questions, goal, keep, asked: by };
        const context = { given: values, unfinished, last, ...how };
        asked = await askArguments(entry, context);
        values = asked.done || !shown ? asked.values : shown.arguments;
        await history.keepDraft(key, values, asked.unfinished);
      }
      // The chosen action is kept even if the user leaves a question or a preview.
      if (isKept) await history.keepAction(key, goal.action);
      asking = true;
      const begunAt = Date.now();
      const draft = asked.done ? await getPrompt(entry, values) : shown;
      request.answered?.();
      if (!draft) return undefined;
      await history.add(promptKey(request.entry), key, values);
      const redirected = (action: PromptAction) => history.keepAction(key, action);
      const delivery = { draft, parts: promptParts(draft), editor, cursors, redirected };
      const how = { first: goal.action, isEdited: shown !== undefined, begunAt, by };
      const end = await conclude(entry, delivery, how, deps);
      if (end === 'closed') return undefined;
      if ('edit' in end) {
        shown = draft;
        by = end.edit;
        continue;
      }
      if (isKept) await history.keepAction(key, end.delivered);
      return asText(delivery.parts);
    } catch (error) {
      if (isCancellation(error)) return undefined;
      request.answered?.();
      await history.keepDraft(key, values);
      if (error instanceof PutOffError) return undefined;
      const again = await offerRetry(error, request.entry, deps);
      if (again === undefined) return undefined;
      by = again.action;
      asking = again.asking;
    }
  }
}

/** Returns the prompt as its server, started if necessary, offers it now; throws a `UserError` if it no longer does. */
async function currentEntry(
  { server, prompt }: PromptEntry,
  startServer: StartServer,
): Promise<PromptEntry> {
  await ensureRunning(server, startServer);
  const current = entryNamed(server.prompts, prompt.name);
  if (current) return { server, prompt: current };
  throw new UserError(
    vscode.l10n.t(
      '"{0}" no longer offers the prompt "{1}". Run MCP Prompt… lists those it offers.',
      plainLabel(server.name),
      plainLabel(displayName(prompt)),
    ),
  );
}

interface HowToConclude {
  readonly first: PromptAction;
  readonly isEdited: boolean;
  /** When the server was asked, in epoch ms. */
  readonly begunAt: number;
  /** The user's action that wants the prompt; `undefined` if a model does. */
  readonly by: UserAction | undefined;
}

/** Delivers the messages where they are to go, after a preview if one is wanted. */
async function conclude(
  { server, prompt }: PromptEntry,
  delivery: Omit<Delivery, 'isAway' | 'leave'>,
  { first, isEdited, begunAt, by }: HowToConclude,
  deps: RunPromptDeps,
): Promise<
  { readonly delivered: PromptAction } | { readonly edit: UserAction | undefined } | 'closed'
> {
  const { questions } = deps;
  const { draft, parts } = delivery;
  let isAway = questions.turnedAway(begunAt, server.id);
  const seen = await seenFingerprint(await server.launchFingerprint(), prompt, draft);
  let isShown = isEdited || isShownFirst(seen, delivery, deps.history);
  let leave: UserAction | undefined = by;
  if (!isShown && questions.workedElsewhere(begunAt) && !quiet.has(first)) {
    leave = await offerLate(first, draft);
    if (!leave) return 'closed';
  }
  for (;;) {
    const previewed: PreviewAnswer = isShown
      ? await showPreview(draft, parts, { ...deps, first, leave: isAway ? undefined : leave })
      : { choice: first, by: undefined };
    if (previewed === undefined) return 'closed';
    const { choice: answer } = previewed;
    if (answer === 'edit') return { edit: previewed.by };
    leave = previewed.by ?? leave;
    // A model has no leave: where its prompt is to open something, that waits for a pause.
    const opens =
      leave ?? (quiet.has(answer) ? undefined : await questions.untilLeave(neverAborted()));
    // A user who has just made a choice is looking for its result.
    isAway &&= !isShown;
    if (await deps.delivery.deliver(answer, { ...delivery, isAway, leave: opens })) {
      // Only messages that were delivered were approved: those that were edited or left are shown again.
      if (isShown) await deps.history.addPreviewed(seen);
      return { delivered: answer };
    }
    // The user changed their mind along the way, so they get the choice again.
    isShown = true;
  }
}

function isShownFirst(
  seen: string,
  { parts }: Pick<Delivery, 'parts'>,
  history: PromptHistory,
): boolean {
  if (parts.some(({ hidden }) => hidden)) return true;
  const mode = readSetting(Setting.promptPreview);
  return mode === 'always' || (mode !== 'never' && !history.wasPreviewed(seen));
}

/** Reports a failure; resolves to `undefined` unless the user wants another try, with `asking` for the arguments first. */
async function offerRetry(
  error: unknown,
  { server, prompt }: PromptEntry,
  { logs, readiness }: Pick<RunPromptDeps, 'logs' | 'readiness'>,
): Promise<{ readonly asking: boolean; readonly action: UserAction } | undefined> {
  if (!(error instanceof UserError)) logs.ofServer(server.id).error(errorDetail(error));
  const retry = vscode.l10n.t('Retry');
  const edit = vscode.l10n.t('Edit Arguments…');
  const showLog = vscode.l10n.t('Show Log');
  const manage = vscode.l10n.t('Manage Workspace Trust');
  const isRestricted = (await readiness(server.id)) === 'restricted';
  const choices = [
    isRestricted ? manage : retry,
    ...(prompt.arguments?.length ? [edit] : []),
    ...(isRestricted ? [] : [showLog]),
  ];
  const pressed = await offer('error', errorMessage(error, vscode.l10n.t), ...choices);
  if (!pressed) return undefined;
  const { button, action } = pressed;
  if (button === retry || button === edit) return { asking: button === edit, action };
  if (button === showLog) logs.show(server.id);
  else await runWithKeyboard(action, manageWorkspaceTrustCommand);
  return undefined;
}

function cursorsOf(editor: vscode.TextEditor | undefined): readonly FollowedText[] {
  if (!editor) return [];
  return editor.selections.map((selection) => new FollowedText(editor.document, selection));
}

/** Returns the editor that the user is working in, unless it is one of our own. */
function activeEditor(): vscode.TextEditor | undefined {
  const editor = vscode.window.activeTextEditor;
  return editor?.document.uri.scheme === inputScheme ? undefined : editor;
}
