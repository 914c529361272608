import * as vscode from 'vscode';
import { errorDetail } from '../../base/errors';
import type { DocumentInput } from '../../ui/documents/documentInput';
import type { Logs } from '../../ui/logs';
import type { Questions } from '../../ui/questions/questions';
import type { QuestionContext } from '../../ui/questions/question';
import { pickItem } from '../../ui/steps/pickItem';
import { launchText, withHeadings } from '../launch/launch';
import type { LocatedDefinition } from '../mergeLayers';
import { openConfiguration } from '../places/openConfiguration';
import {
  type TrustChoice,
  type TrustItem,
  inListOrder,
  isCut,
  trustItems,
  trustTitle,
  type TrustQuestion,
  type PendingLaunch,
  type TrustAnswer,
} from './trustItems';
import { plainLabel } from '../../base/text/text';
import { QuietTime } from '../../ui/questions/typing';
import { backToQuestion } from '../../ui/documents/choiceCommands';
import { Command } from '../../ui/ids';

const beforeName = 'before.mcp-review';
const nowName = 'now.mcp-review';
const allName = 'all.mcp-review';
/** The line below the heading of each launch if there are several. */
const rule = '─'.repeat(60);

type ShowLaunch = (
  question: TrustQuestion,
  input: DocumentInput,
  by: Pick<QuestionContext, 'wanted' | 'signal'>,
) => Promise<void>;

/** Shows all of a launch in a document until that is closed. */
async function showLaunch(
  question: TrustQuestion,
  input: DocumentInput,
  { wanted: permit, signal }: Pick<QuestionContext, 'wanted' | 'signal'>,
): Promise<void> {
  await input.ask({
    name: nameOf(question),
    text: wholeText(question),
    ...comparison([question]),
    readOnly: true,
    choices: [backToQuestion()],
    permit,
    signal,
  });
}

/** Shows how a launch has changed, with a link to all of it, until the document is closed. */
async function showChangedLaunch(
  question: TrustQuestion,
  input: DocumentInput,
  { wanted: permit, signal }: Pick<QuestionContext, 'wanted' | 'signal'>,
): Promise<void> {
  const { now, before } = comparable(question);
  await input.ask({
    name: nowName,
    text: now,
    files: [
      { name: beforeName, content: before },
      { name: allName, content: wholeText(question) },
    ],
    comparedWith: beforeName,
    links: [{ line: 0, title: vscode.l10n.t('Show All'), target: allName }],
    readOnly: true,
    choices: [backToQuestion()],
    permit,
    signal,
  });
}

/** Asks the user to confirm launches in one document that shows all of each; resolves to true if they did. */
async function confirmLaunches(
  questions: readonly TrustQuestion[],
  input: DocumentInput,
  { wanted: permit, signal }: Pick<QuestionContext, 'wanted' | 'signal'>,
): Promise<boolean> {
  const { t } = vscode.l10n;
  const [first, ...others] = questions;
  if (!first) return true;
  const count = questions.length;
  const { choice } = await input.ask({
    name: others.length === 0 ? nameOf(first) : `${t('{0} servers', count)}.mcp-review`,
    text: numbered(questions.map(wholeText)),
    ...comparison(questions),
    readOnly: true,
    choices: [
      {
        id: 'trust',
        title: `$(shield) ${others.length === 0 ? t('Trust and Start') : t('Trust and Start {0} Servers', count)}`,
        command: Command.trustAndStart,
      },
      backToQuestion(),
    ],
    permit,
    signal,
  });
  return choice === 'trust';
}

/** Joins texts below headings that nothing in a text can pass for, as its own words are indented. */
function numbered(texts: readonly string[]): string {
  const count = texts.length;
  if (count === 1) return texts.join('');
  const heading = (index: number) => vscode.l10n.t('Server {0} of {1}', index + 1, count);
  return texts.map((text, index) => `${heading(index)}\n${rule}\n${text}`).join('\n');
}

function nameOf({ launch }: TrustQuestion): string {
  return `${plainLabel(launch.serverName, 60)}.mcp-review`;
}

/** Returns everything that runs: a document to look at or confirm hides nothing. */
function wholeText({ launch }: TrustQuestion): string {
  return launchText(launch, vscode.l10n.t);
}

/** Returns what a document needs to show how launches have changed, if any has. */
function comparison(questions: readonly TrustQuestion[]) {
  if (questions.every(({ before }) => before === undefined)) return {};
  const all = questions.map(comparable);
  return {
    files: [
      { name: beforeName, content: numbered(all.map(({ before }) => before)) },
      { name: nowName, content: numbered(all.map(({ now }) => now)) },
    ],
    links: [
      { line: 0, title: vscode.l10n.t('Show Changes'), target: beforeName, compare: nowName },
    ],
  };
}

/** What was kept has no secrets: it is compared with the current launch without them, if that shows a difference. */
function comparable(question: TrustQuestion) {
  const { text, before } = question;
  const isComparable = before !== undefined && before !== text;
  const { t } = vscode.l10n;
  const now = isComparable ? withHeadings(text, t) : wholeText(question);
  return { now, before: before === undefined ? now : withHeadings(before, t) };
}

/** Asks the user whether a launch may run; all waiting launches share one question. */
export type AskTrust = (question: TrustQuestion, signal: AbortSignal) => Promise<TrustAnswer>;

interface TrustQuestionDeps {
  readonly questions: Questions;
  readonly input: DocumentInput;
  readonly logs: Pick<Logs, 'extension'>;
}

/** Makes {@link AskTrust}. */
export function createTrustQuestion(deps: TrustQuestionDeps): AskTrust {
  const { questions, input, logs } = deps;
  const changed = new vscode.EventEmitter<void>();
  let pending: readonly PendingLaunch[] = [];
  let over = new AbortController();
  /** Closes the document in which a launch is being looked at. */
  let looking = new AbortController();
  const look = () => (looking = new AbortController()).signal;

  const remove = (launch: PendingLaunch) => {
    pending = pending.filter((other) => other !== launch);
    if (pending.length === 0) over.abort();
    else changed.fire();
  };

  const begin = ({ definition }: LocatedDefinition) => {
    const own = new AbortController();
    over = own;
    const what = vscode.l10n.t('start for the first time');
    const cause = {
      kind: 'trust',
      server: definition,
      what,
      isFor: (id: string) => pending.some(({ question }) => question.server.definition.id === id),
      recall: () => looking.abort(),
    } as const;
    const waiting = { all: () => pending, onDidChange: changed.event, look };
    const ask = async (context: QuestionContext) => {
      const ended = AbortSignal.any([own.signal, context.signal]);
      while (!ended.aborted) await new TrustRound(context, { ...waiting, ended }, input).ask();
    };
    questions
      .ask({ info: cause, ask }, own.signal)
      .catch((error: unknown) => logs.extension.error(errorDetail(error)))
      .finally(() => {
        // A launch that has come in since the last one was decided on has a question of its own.
        if (over === own) for (const { decide } of pending) decide('withdrawn');
      });
  };

  return (question, signal) => {
    if (signal.aborted) return Promise.resolve('withdrawn');
    return new Promise((resolve) => {
      const launch: PendingLaunch = {
        question,
        signal,
        isChecked: false,
        isListed: false,
        decide: (answer) => {
          signal.removeEventListener('abort', withdraw);
          remove(launch);
          resolve(answer);
        },
      };
      const withdraw = () => launch.decide('withdrawn');
      signal.addEventListener('abort', withdraw);
      pending = [...pending, launch];
      if (pending.length === 1) begin(question.server);
      else {
        changed.fire();
        // The question may be hidden, and it is about one more launch now.
        questions.showStart(question.server.definition.id);
      }
    });
  };
}

/** The waiting launches, and how they are looked at. */
interface WaitingLaunches {
  readonly all: () => readonly PendingLaunch[];
  readonly onDidChange: vscode.Event<void>;
  /** Begins to show some in a document; returns a signal that aborts when the question is to be shown instead. */
  readonly look: () => AbortSignal;
  /** Aborts when the question is about none of them anymore: none is left, or it was withdrawn. */
  readonly ended: AbortSignal;
}

type RowChoices = readonly (TrustChoice | undefined)[];

/** The question as it is shown once, and what the user chose then. */
class TrustRound {
  private readonly context: QuestionContext;
  private readonly waiting: WaitingLaunches;
  private readonly input: DocumentInput;
  /** What the rows choose, and what they did before a launch came or went, by their places. */
  private choices: RowChoices = [];
  private before: RowChoices = [];
  /** The time after that, in which a click may be meant for what was at its place. */
  private readonly moved: QuietTime;

  constructor(context: QuestionContext, waiting: WaitingLaunches, input: DocumentInput) {
    this.context = context;
    this.waiting = waiting;
    this.input = input;
    this.moved = new QuietTime(context.clock);
  }

  /** Shows the question and does what the user chose. */
  async ask(): Promise<void> {
    const choice = await this.pick();
    // Nobody has said no, and what has come in since has a question of its own.
    if (this.waiting.ended.aborted) return;
    const all = this.waiting.all();
    const chosen = all.length === 1 ? all : inListOrder(all.filter(({ isChecked }) => isChecked));
    switch (choice.kind) {
      case 'show':
        return this.show(choice.launch, showLaunch);
      case 'changes':
        return this.show(choice.launch, showChangedLaunch);
      case 'trust':
        return this.start(chosen, all);
      case 'notHere':
        return decideAll(chosen, 'notHere');
      default:
        return decideAll(all, 'notNow');
    }
  }

  private async pick(): Promise<TrustChoice> {
    const { waiting, context } = this;
    const picked = await pickItem<TrustItem>({
      frame: {
        get title() {
          return trustTitle(waiting.all());
        },
        actions: [],
        onDidChange: (listener) =>
          waiting.onDidChange(() => {
            if (!this.moved.isOn) this.before = this.choices;
            this.moved.shown();
            listener();
          }),
        context,
      },
      placeholder: vscode.l10n.t('Enter starts nothing.'),
      items: () => {
        const items = trustItems(waiting.all());
        this.choices = items.map(({ choice }) => choice);
        return items;
      },
      isString: ({ choice }) => choice === undefined,
      stays: (item) => this.stays(item),
    });
    return (typeof picked === 'string' ? undefined : picked.choice) ?? { kind: 'notNow' };
  }

  /** Does what a row stands for; true if the question stays. */
  private stays({ choice }: TrustItem): boolean {
    const all = this.waiting.all();
    if (!this.isMeant(choice)) return true;
    switch (choice?.kind) {
      case 'check':
        choice.launch.isChecked = !choice.launch.isChecked;
        for (const launch of all) launch.isListed = true;
        return true;
      case 'checkAll':
      case 'uncheckAll':
        for (const launch of all) {
          launch.isChecked = choice.kind === 'checkAll';
          launch.isListed = true;
        }
        return true;
      case 'configuration':
        this.openConfiguration(choice.launch);
        return true;
      case 'trust':
      case 'notHere':
        return all.length > 1 && !all.some(({ isChecked }) => isChecked);
      default:
        return false;
    }
  }

  /** False for a click that may be meant for what was at this place a moment ago. */
  private isMeant(choice: TrustChoice | undefined): boolean {
    if (!choice || !this.moved.isOn) return true;
    // What is checked was checked by the user; a single launch needs no check.
    if (!('launch' in choice)) return choice.kind === 'notNow' || this.waiting.all().length > 1;
    const isIt = (one: TrustChoice | undefined) =>
      one?.kind === choice.kind && 'launch' in one && one.launch === choice.launch;
    return this.before.findIndex(isIt) === this.choices.findIndex(isIt);
  }

  private openConfiguration({ question: { server } }: PendingLaunch): void {
    // Above the file, it would cover lines, and keys meant for it would go into them.
    const { wanted } = this.context;
    this.context.makeRoom();
    if (wanted) void openConfiguration(wanted, server.layer, server.definition.name);
  }

  private async show({ question, signal }: PendingLaunch, show: ShowLaunch): Promise<void> {
    const { context, waiting, input } = this;
    // The question would cover what the user looks at.
    await context.setAside(() =>
      show(question, input, {
        wanted: context.wanted,
        signal: AbortSignal.any([context.signal, signal, waiting.look()]),
      }),
    );
  }

  private async start(
    chosen: readonly PendingLaunch[],
    all: readonly PendingLaunch[],
  ): Promise<void> {
    const { context, waiting, input } = this;
    const leftOut = all.filter((launch) => launch.isListed && !chosen.includes(launch));
    // What was not shown in full is confirmed where it is.
    const cut = chosen.filter(({ question }) => isCut(question, all.length));
    decideAll(
      chosen.filter((launch) => !cut.includes(launch)),
      'start',
    );
    if (cut.length === 0) return decideAll(leftOut, 'notNow');
    // If one of them is no longer wanted, the user is asked about the others again.
    const signal = AbortSignal.any([
      context.signal,
      waiting.look(),
      ...cut.map((launch) => launch.signal),
    ]);
    const { wanted } = context;
    const questions = cut.map(({ question }) => question);
    if (await context.setAside(() => confirmLaunches(questions, input, { wanted, signal }))) {
      decideAll(cut, 'start');
      decideAll(leftOut, 'notNow');
    }
  }
}

function decideAll(launches: readonly PendingLaunch[], answer: TrustAnswer): void {
  for (const { decide } of launches) decide(answer);
}
