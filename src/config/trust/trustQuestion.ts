import * as vscode from 'vscode';
import type { DocumentInput } from '../../ui/documents/documentInput';
import type { Questions } from '../../ui/questions/questions';
import type { Stage } from '../../ui/questions/stage';
import { pickItem } from '../../ui/steps/pickItem';
import type { Launch } from '../launch/launch';
import type { ConfiguredServer } from '../mergeReadings';
import { openConfiguration } from '../places/openConfiguration';
import type { DismissedLaunches } from './dismissedLaunches';
import { confirmLaunch, showLaunch } from './launchDocument';
import { isCut, trustItems, trustTitle, type TrustChoice, type TrustItem } from './trustItems';

/** A launch that waits for a yes or no; `text` says it without secrets, `before` what was trusted earlier. */
export interface TrustQuestion {
  readonly launch: Launch;
  readonly server: ConfiguredServer;
  readonly text: string;
  readonly before: string | undefined;
}

/** Asks the user whether a launch may run; all that wait stand in one question. No when `signal` aborts. */
export type AskTrust = (question: TrustQuestion, signal: AbortSignal) => Promise<boolean>;

/** A launch in the list of those that wait. */
export interface PendingLaunch {
  readonly question: TrustQuestion;
  readonly decide: (trusted: boolean) => void;
  isChecked: boolean;
}

interface TrustParts {
  readonly questions: Questions;
  readonly input: DocumentInput;
  readonly dismissed: DismissedLaunches;
  /** True for a server that the user asked for by hand, so that it is asked about in any case. */
  readonly isWanted: (serverId: string) => boolean;
}

/** Makes {@link AskTrust}. */
export function createTrustQuestion(parts: TrustParts): AskTrust {
  const { questions, dismissed, isWanted } = parts;
  const changed = new vscode.EventEmitter<void>();
  let pending: readonly PendingLaunch[] = [];
  let over = new AbortController();

  const remove = (launch: PendingLaunch) => {
    pending = pending.filter((other) => other !== launch);
    if (pending.length === 0) over.abort();
    else changed.fire();
  };

  const begin = ({ definition }: ConfiguredServer) => {
    over = new AbortController();
    const what = vscode.l10n.t('start for the first time');
    const cause = { kind: 'trust', server: definition, what, asked: false } as const;
    const ask = async (stage: Stage) => {
      const [first] = pending;
      if (first?.question.before !== undefined)
        void showLaunch(first.question, parts.input, stage.signal, true);
      while (pending.length > 0) await askOnce(stage, () => pending, changed.event, parts);
    };
    void questions.ask({ cause, ask }, over.signal).then(() => {
      for (const { decide } of pending) decide(false);
    });
  };

  return (question, signal) => {
    const { id } = question.server.definition;
    if (signal.aborted || (dismissed.has(question) && !isWanted(id))) return Promise.resolve(false);
    return new Promise((resolve) => {
      const launch: PendingLaunch = {
        question,
        isChecked: false,
        decide: (trusted) => {
          signal.removeEventListener('abort', withdraw);
          remove(launch);
          resolve(trusted);
        },
      };
      const withdraw = () => launch.decide(false);
      signal.addEventListener('abort', withdraw);
      pending = [...pending, launch];
      if (pending.length === 1) begin(question.server);
      else changed.fire();
    });
  };
}

/** Shows what waits once and does what the user chose. */
async function askOnce(
  stage: Stage,
  pending: () => readonly PendingLaunch[],
  onDidChange: vscode.Event<void>,
  parts: TrustParts,
): Promise<void> {
  const { input, dismissed } = parts;
  const stays = ({ choice }: TrustItem): boolean => {
    if (choice?.kind === 'check') choice.launch.isChecked = !choice.launch.isChecked;
    else if (choice?.kind === 'configuration') {
      const { reading, definition } = choice.launch.question.server;
      void openConfiguration(reading, definition.name);
    } else return false;
    return true;
  };
  const picked = await pickItem<TrustItem>({
    frame: {
      get title() {
        return trustTitle(pending());
      },
      actions: [],
      onDidChange: (listener) => onDidChange(() => listener()),
      stage,
    },
    placeholder: vscode.l10n.t('Enter starts nothing.'),
    items: () => trustItems(pending()),
    isText: ({ choice }) => choice === undefined,
    active: ({ choice }) => choice?.kind === 'notNow',
    stays,
  });
  const choice: TrustChoice =
    typeof picked === 'string' ? { kind: 'notNow' } : (picked.choice ?? { kind: 'notNow' });
  const all = pending();
  const chosen = all.length === 1 ? all : all.filter(({ isChecked }) => isChecked);
  switch (choice.kind) {
    case 'show':
      // A question over it would cover what is looked at.
      await stage.elsewhere(() => showLaunch(choice.launch.question, input, stage.signal, false));
      return;
    case 'trust':
      for (const launch of chosen) {
        const { question } = launch;
        // What was not seen whole is confirmed where it is.
        const confirmed = isCut(question, all.length)
          ? confirmLaunch(question, stage, input)
          : true;
        if (await confirmed) launch.decide(true);
        else launch.isChecked = false;
      }
      return;
    case 'notHere':
      for (const { question, decide } of chosen) {
        await dismissed.add(question);
        decide(false);
      }
      return;
    default:
      for (const { decide } of all) decide(false);
  }
}
