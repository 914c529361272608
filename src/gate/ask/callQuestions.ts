import * as vscode from 'vscode';
import {
  type Coverage,
  type QuestionOutcome,
  QuestionWithdrawn,
  coverages,
  withdrawnBy,
} from '../../contracts/questionOutcome';
import { utf8 } from '../../base/bytes';
import { plainLabel } from '../../base/text/text';
import type { DocumentInput } from '../../ui/documents/documentInput';
import type { Questions } from '../../ui/questions/questions';
import { type QuestionContext, type UserAction, byUser } from '../../ui/questions/question';
import { durationTexts } from '../../ui/decisionText';
import { askLine } from '../../ui/steps/askLine';
import {
  canBeRemembered,
  type Answer,
  type CallQuestion,
  type Proposal,
  type SettledQuestion,
} from './callQuestion';
import {
  type AnswerStep,
  type DefaultChoice,
  type QuestionItem,
  argumentsView,
  isDefaultChoice,
  questionItems,
  showDetailView,
} from './questionItems';
import type { EditedArguments, ToolCall } from '../../contracts/toolCalls';
import { readWrittenObject } from '../../mcp/protocol/inexactNumber';
import { type JsonObject, displayName } from '../../mcp/protocol/types';
import { addSchemaLine, editorSchema } from '../../ui/documents/schemaLine';
import { Command } from '../../ui/ids';
import { pickItem } from '../../ui/steps/pickItem';

/** Asks about a call, and withdraws the question if its server stops or fails in the meantime. */
export async function askWhileRunning(
  questions: Pick<CallQuestions, 'ask'>,
  question: CallQuestion,
  signal: AbortSignal,
): Promise<QuestionOutcome<SettledQuestion>> {
  const ended = new AbortController();
  const { server } = question.call;
  let before = server.state.kind;
  const states = server.onDidChangeState(({ kind }) => {
    // A server that is stopped may only turn out to lack something for its start.
    const isNew = kind !== before;
    before = kind;
    if (isNew && (kind === 'stopped' || kind === 'failed'))
      ended.abort(new QuestionWithdrawn('serverStopped'));
  });
  const either = AbortSignal.any([signal, ended.signal]);
  try {
    const outcome = await questions.ask(question, either);
    // Whatever withdrew the question first is the reason, no matter what has ended since.
    return either.aborted && outcome.kind === 'answered' ? withdrawnBy(either) : outcome;
  } finally {
    states.dispose();
  }
}

/** How the user answered the confirmation; `coverage` is what an approval is to cover. */
export interface Confirmed {
  readonly decision: AnswerStep;
  readonly coverage: Coverage;
}

/**
 * Asks in a quick pick that shows the arguments. Escape denies, and Enter takes the default choice; for the
 * user's own call, Enter runs it, and Escape returns to where it was written if `canGoBack` is set.
 */
export async function confirmToolCall(
  question: Proposal,
  context: QuestionContext,
  options: {
    readonly defaultChoice: DefaultChoice;
    readonly coverage: Coverage;
    readonly isUnfinished: boolean;
  },
): Promise<Confirmed> {
  const { call, canGoBack } = question;
  const { isUnfinished } = options;
  const { origin } = call;
  const isOwn = origin.kind === 'user';
  const defaultChoice = isOwn ? 'allow' : options.defaultChoice;
  // Another default is the user's own: their call, or their setting.
  const action = isOwn ? origin.action : defaultChoice === 'deny' ? undefined : byUser();
  const { place } = context;
  const name = plainLabel(call.tool.name);
  const hasWorkspace = vscode.workspace.workspaceFolders !== undefined;
  let { coverage } = options;
  const stays = ({ choice }: QuestionItem): boolean => {
    switch (choice?.kind) {
      case 'nextExtent':
        coverage = coverages[(coverages.indexOf(coverage) + 1) % coverages.length] ?? 'tool';
        return true;
      case 'denyAll':
        place.declineAll();
        return true;
      default:
        return false;
    }
  };
  const picked = await pickItem<QuestionItem>({
    frame: {
      get title() {
        return title(question, place.waiting);
      },
      actions: [
        {
          icon: new vscode.ThemeIcon('go-to-file'),
          label: vscode.l10n.t('Show Arguments in Editor'),
          ends: 'leave',
        },
      ],
      onDidChange: place.onDidChange,
      context,
    },
    prompt: promptOf(call, name),
    placeholder: isOwn ? ownEnterText(canGoBack, action) : enterText(defaultChoice),
    canGoBack,
    items: () =>
      questionItems(question, {
        coverage,
        waiting: place.waitingOfServer,
        hasWorkspace,
        isUnfinished,
      }),
    isString: ({ choice }) => choice === undefined,
    ...(action && { own: { action, active: (item) => isDefaultChoice(item, defaultChoice) } }),
    stays,
  });
  return { decision: decisionOf(picked, call), coverage };
}

function decisionOf(
  picked: Awaited<ReturnType<typeof pickItem<QuestionItem>>>,
  call: ToolCall,
): AnswerStep {
  if (picked === 'leave') return { kind: 'look', at: argumentsView(call) };
  const choice = typeof picked === 'string' ? undefined : picked.choice;
  if (choice && isDecision(choice)) return choice;
  return { kind: call.origin.kind === 'user' ? 'back' : 'deny' };
}

function isDecision(choice: NonNullable<QuestionItem['choice']>): choice is AnswerStep {
  return choice.kind !== 'nextExtent' && choice.kind !== 'denyAll';
}

/** Asks whether the user's own call is to run, or whether that of another is allowed. */
function promptOf({ origin, arguments: args, meta }: ToolCall, name: string): string {
  const { t } = vscode.l10n;
  const isBare = Object.keys(args).length === 0 && !meta;
  if (origin.kind === 'user')
    return isBare ? t('Run {0}?', name) : t('Run {0} with these arguments?', name);
  return isBare ? t('Allow {0}?', name) : t('Allow {0} with these arguments?', name);
}

/** Says what Enter does with a call of the model, or of another that is not the user. */
function enterText(choice: DefaultChoice): string {
  const { t } = vscode.l10n;
  switch (choice) {
    case 'deny':
      return t('Enter denies.');
    case 'edit':
      return t('Enter edits the arguments.');
    case 'allow':
      return t('Enter allows it once.');
  }
}

function ownEnterText(canGoBack: boolean, action: UserAction | undefined): string {
  const { t } = vscode.l10n;
  // Enter runs only what the user has just wanted.
  if (!action) return '';
  return canGoBack ? t('Enter runs it, Escape goes back.') : t('Enter runs it, Escape cancels.');
}

/** Names a call in a title by its server and its tool. */
function callName({ server, tool, origin }: Proposal['call']): string {
  const agent = origin.kind === 'agent' ? `${plainLabel(origin.label, 40)} › ` : '';
  return `${agent}${plainLabel(server.name, 60)} › ${plainLabel(displayName(tool), 60)}`;
}

function title({ call }: Proposal, waiting: number): string {
  const name = callName(call);
  return waiting > 1 ? vscode.l10n.t('{0} (1 of {1})', name, waiting) : name;
}

/** Arguments as the user left them, to ask about again; `unfinished` is text that is not a JSON object yet. */
interface LeftArguments {
  readonly kind: 'left';
  readonly arguments: JsonObject;
  readonly unfinished: string | undefined;
}

/** Lets the user edit the arguments in a JSON document with the tool's schema; closing it returns to the question. */
async function editArguments(
  { call, proposed, concerns, onEdit }: Proposal,
  {
    coverage,
    unfinished,
  }: { readonly coverage: Coverage; readonly unfinished: string | undefined },
  input: DocumentInput,
  { wanted: permit, signal }: Pick<QuestionContext, 'wanted' | 'signal'>,
): Promise<Answer | LeftArguments> {
  const isOwn = call.origin.kind === 'user';
  const editedBy = (text: string): EditedArguments => {
    const read = readEdited(text);
    return 'object' in read
      ? { values: read.object }
      : { values: call.arguments, unfinished: text };
  };
  const { choice, text, action } = await input.ask({
    name: `${call.tool.name}.json`,
    text: unfinished ?? toJson(call.arguments),
    schema: editorSchema(call.tool.inputSchema),
    // Compared with what is edited, which has its hidden characters as they are sent.
    files: [{ name: 'proposed.json', content: utf8(addSchemaLine(toJson(proposed))) }],
    links: [
      {
        line: 0,
        title: vscode.l10n.t('Show Changes'),
        target: 'proposed.json',
        compare: true,
      },
    ],
    choices: [
      isOwn
        ? { id: 'once', title: `$(play) ${vscode.l10n.t('Run')}`, command: Command.runEdited }
        : {
            id: 'once',
            title: `$(check) ${vscode.l10n.t('Allow Once')}`,
            command: Command.allowEdited,
          },
      ...(canBeRemembered(concerns)
        ? [{ id: 'session', title: durationTexts.session.allow() }]
        : []),
      ...(isOwn ? [] : [{ id: 'deny', title: `$(close) ${vscode.l10n.t('Deny')}` }]),
    ],
    check: (edited, chosen) => {
      const read = readEdited(edited);
      return chosen === 'deny' || 'object' in read ? undefined : read.problem;
    },
    onSave: (edited) => onEdit?.(editedBy(edited)),
    permit,
    signal,
  });
  if (choice === 'deny') return { kind: 'deny' };
  const { values, unfinished: rest } = editedBy(text);
  if (choice === undefined || rest !== undefined) {
    onEdit?.(editedBy(text));
    return { kind: 'left', arguments: values, unfinished: rest };
  }
  return {
    kind: 'allow',
    arguments: values,
    by: action,
    ...(choice === 'session' && { remember: { duration: 'session', coverage } }),
  };
}

function readEdited(text: string): ReturnType<typeof readWrittenObject> {
  const { t } = vscode.l10n;
  return readWrittenObject(text, t, t('This is not a JSON object. Correct it first.'));
}

function toJson(value: JsonObject): string {
  return `${JSON.stringify(value, undefined, 2)}\n`;
}

/** Asks the user about calls, taking turns with all other questions. */
export class CallQuestions {
  private readonly questions: Questions;
  private readonly input: DocumentInput;
  private readonly defaultChoice: () => DefaultChoice;

  constructor(
    questions: Questions,
    input: DocumentInput,
    defaultChoice: CallQuestions['defaultChoice'],
  ) {
    this.questions = questions;
    this.input = input;
    this.defaultChoice = defaultChoice;
  }

  /** Asks about one call; aborting `signal` withdraws the question. */
  ask(question: CallQuestion, signal: AbortSignal): Promise<QuestionOutcome<SettledQuestion>> {
    const { server, tool } = question.call;
    const { input, defaultChoice } = this;
    return this.questions.ask<SettledQuestion>(
      {
        info: {
          kind: 'call',
          server,
          what: vscode.l10n.t('run {0}', plainLabel(tool.name, 60)),
          asked: question.asked,
          span: question.call.span,
        },
        declined: { kind: 'deny' },
        ask: async (context) => {
          if (!(await question.isOpen())) return { kind: 'ruled' };
          const answer = await askUser(question, context, input, defaultChoice);
          // Nobody waits for the answer any longer, and nothing that it allows may be kept.
          return context.signal.aborted ? { kind: 'deny' } : question.settle(answer);
        },
      },
      signal,
    );
  }
}

async function askUser(
  proposed: Proposal,
  context: QuestionContext,
  input: DocumentInput,
  defaultChoice: () => DefaultChoice,
): Promise<Answer> {
  let coverage: Coverage = 'tool';
  let question = proposed;
  /** The text of edited arguments that is not a JSON object yet. */
  let unfinished: string | undefined;
  let unsaid = '';
  for (;;) {
    const confirmed = await confirmToolCall(question, context, {
      defaultChoice: defaultChoice(),
      coverage,
      isUnfinished: unfinished !== undefined,
    });
    const { decision } = confirmed;
    coverage = confirmed.coverage;
    const args = question.call.arguments;
    switch (decision.kind) {
      case 'allow': {
        const { duration } = decision;
        return {
          kind: 'allow',
          arguments: args,
          by: context.wanted,
          ...(duration && { remember: { duration, coverage } }),
        };
      }
      case 'look':
        // The question would cover what the user is looking at.
        await context.setAside(() => showDetailView(decision.at, input, context));
        break;
      case 'edit': {
        const edited = await context.setAside(() =>
          editArguments(question, { coverage, unfinished }, input, context),
        );
        if (edited.kind !== 'left') return edited;
        ({ unfinished } = edited);
        question = { ...question, call: { ...question.call, arguments: edited.arguments } };
        break;
      }
      case 'denyWhy': {
        const reason = await askReason(context, question.call, {
          typed: unsaid,
          left: (text) => (unsaid = text),
        });
        // Escape returns to the choices, where pressing it again denies.
        if (reason === undefined) break;
        return { kind: 'deny', ...(reason && { reason }) };
      }
      case 'back':
        return { kind: 'back', arguments: args, by: context.wanted };
      case 'deny':
        return { kind: 'deny' };
    }
  }
}

/**
 * Asks what to tell the model, starting with the text `typed` before; `left` gets the text of a user who
 * dismisses the box.
 */
function askReason(
  context: QuestionContext,
  call: Proposal['call'],
  { typed, left }: { readonly typed: string; readonly left: (text: string) => void },
): Promise<string | undefined> {
  const { t } = vscode.l10n;
  return askLine({
    frame: { title: t('Deny {0}', callName(call)), actions: [], context },
    prompt: t('Reason to send to the model'),
    value: typed,
    left,
  });
}
