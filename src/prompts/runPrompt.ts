import * as vscode from 'vscode';
import type { Launches } from '../config/launch/prepare';
import {
  PutOffError,
  UserError,
  errorDetail,
  errorMessage,
  isCancellation,
  CancelledError,
} from '../base/errors';
import { plainLabel, wordsLabel } from '../base/text/text';
import { displayName } from '../mcp/protocol/types';
import type { DocumentInput } from '../ui/documents/documentInput';
import type { Questions } from '../ui/questions/questions';
import { manageWorkspaceTrustCommand } from '../ui/editorCommands';
import { Setting, inputScheme } from '../ui/ids';
import { neverAborted, signalOf } from '../base/async';
import { runWithKeyboard } from '../ui/keyboard';
import { showMessage, withProgress } from '../ui/messages';
import { readSetting } from '../ui/settings/readSetting';
import { FollowedText } from '../ui/sources/followedText';
import type { Logs } from '../ui/logs';
import { findMissing, targetRows } from './arguments/argumentDocument';
import {
  type AskedArguments,
  type ArgumentsContext,
  askArguments,
  promptForm,
} from './arguments/askArguments';
import type { PromptDelivery } from './delivery/deliverPrompt';
import { type Delivery, asText } from './delivery/draftText';
import type { PromptDraft } from '../contracts/promptDraft';
import type { Starts } from '../contracts/starts';
import { type PromptArguments, type PromptEntry, argumentsKey, promptKey } from './promptEntry';
import type { PromptHistory } from './arguments/promptHistory';
import { promptParts } from './preview/promptParts';
import { type PreviewAnswer, seenFingerprint, showPreview } from './preview/showPreview';
import type { UserAction } from '../ui/questions/question';
import type { PickPrompt } from './pickPrompt';
import type { Walkthrough } from '../ui/walkthrough';
import { showPick } from '../ui/rows/picks';
import { type DeliveryTarget, movesKeyboard, targetText } from './delivery/targets';
import type { Servers } from '../mcp/server';
import { type RunRequest, currentEntry, parseRunRequest } from './runRequest';
import type { ResourceUris } from '../ui/resourceUri';

/** Offers to a user who has started working elsewhere that a delivery that takes the keyboard focus goes ahead. */
async function offerLate(
  target: DeliveryTarget,
  { prompt }: PromptDraft,
): Promise<UserAction | undefined> {
  const { label } = targetText(target);
  const message = vscode.l10n.t(
    'The prompt "{0}" has its messages now.',
    plainLabel(displayName(prompt)),
  );
  return (await showMessage('info', message, label))?.action;
}

/** What is needed to run prompts. */
export interface RunPromptDeps {
  readonly starts: Pick<Starts, 'start'>;
  readonly history: PromptHistory;
  readonly input: DocumentInput;
  readonly questions: Questions;
  readonly delivery: PromptDelivery;
  readonly logs: Logs;
  readonly launches: Pick<Launches, 'readiness'>;
  readonly resources: ResourceUris;
}

/** Runs prompts: those that are named, and those that the user picks. */
export class PromptRuns {
  readonly pick: PickPrompt;
  private readonly servers: Servers;
  private readonly deps: RunPromptDeps;
  private readonly walkthrough: Pick<Walkthrough, 'done'>;

  constructor(
    servers: Servers,
    pick: PickPrompt,
    deps: RunPromptDeps,
    walkthrough: Pick<Walkthrough, 'done'>,
  ) {
    this.servers = servers;
    this.pick = pick;
    this.deps = deps;
    this.walkthrough = walkthrough;
  }

  /** Runs the prompt that a command was given, or that the user picks; resolves to its messages, if they were delivered. */
  async run(asked: UserAction | undefined, given: unknown): Promise<string | undefined> {
    const request = await parseRunRequest(given, this.servers);
    const entry = request?.entry ?? (asked && (await this.pick(asked)));
    if (!entry) return undefined;
    if (request?.arguments || request?.target) return this.begin({ ...request, entry, asked });
    return this.deps.questions.once({ server: entry.server, form: promptForm(entry) }, (answered) =>
      this.begin({ entry, answered, asked }),
    );
  }

  /** Runs a prompt after asking what to do with its messages. */
  async runWith(asked: UserAction, given: unknown): Promise<void> {
    const { t } = vscode.l10n;
    const request = await parseRunRequest(given, this.servers);
    const entry = request?.entry ?? (await this.pick(asked, t('Send MCP Prompt To')));
    if (!entry) return;
    const title = t('Send “{0}” To', plainLabel(displayName(entry.prompt), 60));
    const current = this.deps.history.nextTarget(await argumentsKey(entry));
    const row = await showPick(asked, targetRows(current), { title });
    if (row) await this.begin({ ...request, entry, target: row.target, isChosen: true, asked });
  }

  private async begin(request: RunRequest): Promise<string | undefined> {
    const answer = await runPrompt(request, this.deps);
    this.walkthrough.done('prompts');
    return answer;
  }
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

/** What one turn of a run begins with: the first, one after the arguments are to be edited, or one after a failure. */
interface Turn {
  /** True if the user goes through the arguments even if none is missing. */
  readonly asking: boolean;
  /** The user's action that wants the prompt; `undefined` if a model does. */
  readonly by: UserAction | undefined;
  /** The draft in the preview from which the arguments are being edited. */
  readonly shown: PromptDraft | undefined;
}

async function runFrom(
  { editor, cursors }: Pick<Delivery, 'editor' | 'cursors'>,
  request: RunRequest,
  deps: RunPromptDeps,
): Promise<string | undefined> {
  const { history } = deps;
  const key = await argumentsKey(request.entry);
  const chosen = { target: request.target ?? history.nextTarget(key) };
  const isKept = request.target === undefined || request.isChosen === true;
  let values = request.arguments ?? history.draft(key);
  let again: Turn = {
    asking: request.arguments === undefined,
    by: request.asked,
    shown: undefined,
  };
  for (;;) {
    const { by, shown } = again;
    try {
      const entry = await currentEntry(request.entry, deps.starts, by);
      const asked = await askMissing(entry, { ...again, key, values, editor, chosen }, deps);
      if (asked) {
        ({ values } = asked);
        await history.keepDraft(key, values, asked.unfinished);
      }
      // The chosen target is kept even if the user leaves a question or a preview.
      if (isKept) await history.keepTarget(key, chosen.target);
      const begunAt = Date.now();
      const draft = asked?.done === false ? shown : await getPrompt(entry, values);
      request.answered?.();
      if (!draft) return undefined;
      await history.add(promptKey(request.entry), key, values);
      const redirected = (target: DeliveryTarget) => history.keepTarget(key, target);
      const delivery = { draft, parts: promptParts(draft), editor, cursors, redirected };
      const how = { first: chosen.target, isEdited: shown !== undefined, begunAt, by };
      const end = await conclude(entry, delivery, how, deps);
      if (end === 'closed') return undefined;
      if ('edit' in end) {
        again = { asking: true, by: end.edit, shown: draft };
        continue;
      }
      if (isKept) await history.keepTarget(key, end.delivered);
      return asText(delivery.parts);
    } catch (error) {
      if (isCancellation(error)) return undefined;
      request.answered?.();
      await history.keepDraft(key, values);
      if (error instanceof PutOffError) return undefined;
      const retry = await offerRetry(error, request.entry, deps);
      if (retry === undefined) return undefined;
      again = { asking: retry.asking, by: retry.action, shown };
    }
  }
}

/**
 * Asks for the arguments; `undefined` if none is missing and the user need not go through them. Arguments that were being
 * edited and are left are those of the draft in the preview again.
 */
async function askMissing(
  entry: PromptEntry,
  {
    key,
    values,
    editor,
    chosen,
    asking,
    by,
    shown,
  }: Turn &
    Pick<ArgumentsContext, 'editor' | 'chosen'> & {
      readonly key: string;
      readonly values: PromptArguments;
    },
  { history, input, questions }: Pick<RunPromptDeps, 'history' | 'input' | 'questions'>,
): Promise<AskedArguments | undefined> {
  if (!asking && !findMissing(entry.prompt.arguments ?? [], values)) return undefined;
  const asked = await askArguments(entry, {
    given: values,
    unfinished: history.unfinishedDocument(key),
    last: history.lastArguments(key),
    editor,
    input,
    questions,
    chosen,
    keep: (held) => void history.keepDraft(key, held.values, held.unfinished),
    asked: by,
  });
  return asked.done || !shown ? asked : { ...asked, values: shown.arguments };
}

interface HowToConclude {
  readonly first: DeliveryTarget;
  readonly isEdited: boolean;
  /** When the server was asked, in epoch ms. */
  readonly begunAt: number;
  /** The user's action that wants the prompt; `undefined` if a model does. */
  readonly by: UserAction | undefined;
}

/** Delivers the messages where they are to go, after a preview if one is wanted. */
async function conclude(
  { server, prompt }: PromptEntry,
  delivery: Omit<Delivery, 'isAway' | 'permit'>,
  { first, isEdited, begunAt, by }: HowToConclude,
  deps: RunPromptDeps,
): Promise<
  { readonly delivered: DeliveryTarget } | { readonly edit: UserAction | undefined } | 'closed'
> {
  const { questions } = deps;
  const { draft, parts } = delivery;
  let isAway = questions.turnedAway(begunAt, server.id);
  const seen = await seenFingerprint(await server.launchFingerprint(), prompt, draft);
  let isShown = isEdited || isShownFirst(seen, delivery, deps.history);
  let permit: UserAction | undefined = by;
  if (!isShown && questions.workedElsewhere(begunAt) && movesKeyboard(first)) {
    permit = await offerLate(first, draft);
    if (!permit) return 'closed';
  }
  for (;;) {
    const previewed: PreviewAnswer = isShown
      ? await showPreview(draft, parts, { ...deps, first, permit: isAway ? undefined : permit })
      : { choice: first, by: undefined };
    if (previewed === undefined) return 'closed';
    const { choice: answer } = previewed;
    if (answer === 'edit') return { edit: previewed.by };
    permit = previewed.by ?? permit;
    // A model has no permit: where its prompt is to open something, that waits for a pause.
    const opens =
      permit ??
      (movesKeyboard(answer) ? await questions.untilPermitted(neverAborted()) : undefined);
    // A user who has just made a choice is looking for its result.
    isAway &&= !isShown;
    if (await deps.delivery.deliver(answer, { ...delivery, isAway, permit: opens })) {
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
  { logs, launches }: Pick<RunPromptDeps, 'logs' | 'launches'>,
): Promise<{ readonly asking: boolean; readonly action: UserAction } | undefined> {
  if (!(error instanceof UserError)) logs.ofServer(server.id).error(errorDetail(error));
  const retry = vscode.l10n.t('Retry');
  const edit = vscode.l10n.t('Edit Arguments…');
  const showLog = vscode.l10n.t('Show Log');
  const manage = vscode.l10n.t('Manage Workspace Trust');
  const isRestricted = (await launches.readiness(server.id)) === 'restricted';
  const choices = [
    isRestricted ? manage : retry,
    ...(prompt.arguments?.length ? [edit] : []),
    ...(isRestricted ? [] : [showLog]),
  ];
  const pressed = await showMessage('error', errorMessage(error, vscode.l10n.t), ...choices);
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
/** Gets the messages of a prompt, which the user can cancel; throws a `UserError` if there are none. */
async function getPrompt(
  { server, prompt }: PromptEntry,
  values: PromptArguments,
): Promise<PromptDraft> {
  const names = [plainLabel(displayName(prompt)), plainLabel(server.name)] as const;
  const title = vscode.l10n.t('Getting the prompt {0} from {1}', ...names);
  const result = await withProgress(
    { location: vscode.ProgressLocation.Notification, title, cancellable: true },
    async (progress, token) => {
      return await server.getPrompt(prompt.name, values, {
        signal: signalOf(token, new CancelledError()),
        onProgress: ({ message }) => progress.report({ message: wordsLabel(message ?? '') }),
      });
    },
  );
  if (result.messages.length === 0)
    throw new UserError(
      vscode.l10n.t(
        'The prompt "{0}" from {1} returned no messages, so there is nothing to send.',
        ...names,
      ),
    );
  return {
    server: { id: server.id, name: server.name },
    prompt: { name: prompt.name, ...(prompt.title !== undefined && { title: prompt.title }) },
    ...(result.description !== undefined && { description: result.description }),
    messages: result.messages,
    arguments: values,
  };
}
