import * as vscode from 'vscode';
import { plainLabel, wordsLabel } from '../../base/text/text';
import { displayName, type PromptArgument } from '../../mcp/protocol/types';
import type { DocumentInput } from '../../ui/documents/documentInput';
import { Command } from '../../ui/ids';
import { askOwn } from '../../ui/questions/askOwn';
import type { Questions } from '../../ui/questions/questions';
import type { QuestionContext, UserAction } from '../../ui/questions/question';
import { restLabel } from '../../ui/rows/labels';
import {
  heldAfter,
  runSteps,
  type Held,
  type Step,
  type StepValues,
} from '../../ui/steps/multiStep';
import { textSources } from '../../ui/sources/textSources';
import { askText, type TextQuestion } from '../../ui/steps/textStep';
import { askWithReader } from '../../ui/documents/wholeText';
import {
  type ArgumentsProblem,
  type TargetChoice,
  argumentSchema,
  argumentText,
  findMissing,
  parseArguments,
  targetButton,
  targetNote,
} from './argumentDocument';
import { givenValue, type PromptArguments, type PromptEntry } from '../promptEntry';

/** The values that the questions for arguments begin with, and what they may use. */
export interface ArgumentsContext {
  /** The values given so far, which the user goes through again. */
  readonly given: PromptArguments;
  /** The text of an arguments document that the user left while it could not be parsed. */
  readonly unfinished?: string | undefined;
  /** Called with the current values after each step and whenever the document is saved. */
  readonly keep?: (held: HeldArguments) => void;
  /** The values of the last run, offered as choices. */
  readonly last: PromptArguments;
  /** The editor whose selection and text are offered. */
  readonly editor: vscode.TextEditor | undefined;
  readonly input: DocumentInput;
  readonly questions: Pick<Questions, 'ask'>;
  /** The user's action that asks for them; `undefined` if a model wants the prompt. */
  readonly asked?: UserAction | undefined;
  /** Where the messages go; the user can change it at any step that no required argument follows. */
  readonly chosen: TargetChoice;
}

/** The arguments given so far; `done` is false if the user dismissed the form, possibly with an `unfinished` document. */
export interface AskedArguments {
  readonly done: boolean;
  readonly values: PromptArguments;
  readonly unfinished?: string;
}

/** The contents of an arguments form, kept for another time. */
export type HeldArguments = Held<PromptArguments>;

/** Asks for the arguments of a prompt, one at a time or all in one document. */
export async function askArguments(
  entry: PromptEntry,
  context: ArgumentsContext,
): Promise<AskedArguments> {
  const { server, prompt } = entry;
  const what = vscode.l10n.t('run {0}', plainLabel(displayName(prompt), 60));
  const about = { server, what, form: promptForm(entry), asked: context.asked };
  let held: HeldArguments = { values: context.given };
  const keep = (now: HeldArguments) => {
    held = now;
    context.keep?.(now);
  };
  const asked = await askOwn(context.questions, about, (question) =>
    askInTurn(entry, { ...context, keep }, question),
  );
  return asked ?? { done: false, ...held };
}

/** Returns the id, unique within the server, of the form that asks for a prompt's arguments. */
export function promptForm({ prompt }: PromptEntry): string {
  return `prompt/${prompt.name}`;
}

async function askInTurn(
  entry: PromptEntry,
  context: ArgumentsContext,
  question: QuestionContext,
): Promise<AskedArguments> {
  const args = entry.prompt.arguments ?? [];
  const { keep } = context;
  let { given: values, unfinished } = context;
  const held = (answered: StepValues<string>) =>
    heldAfter<PromptArguments>(Object.fromEntries(answered), values, unfinished);
  for (;;) {
    const outcome = await runSteps(
      args.map((argument, index) =>
        argumentStep(entry, argument, context, question, !args.slice(index + 1).some(isRequired)),
      ),
      {
        values: new Map(Object.entries(values)),
        rest: (left) => restLabel(left, () => true),
        onAnswer: (answered) => keep?.(held(answered)),
      },
    );
    const left = held(outcome.values);
    if (outcome.kind !== 'leave') return { done: outcome.kind === 'done', ...left };
    const { kind, ...edited } = await question.setAside(() =>
      editArguments(entry, left, context, question),
    );
    if (kind !== 'back') return { done: kind === 'done', ...edited };
    ({ values, unfinished } = edited);
  }
}

function isRequired({ required = false }: PromptArgument): boolean {
  return required;
}

function argumentStep(
  { server, prompt }: PromptEntry,
  argument: PromptArgument,
  { last, editor, input, chosen }: ArgumentsContext,
  question: QuestionContext,
  mayBeLast: boolean,
): Step<string> {
  const name = argument.title || argument.name;
  const { description = '' } = argument;
  const { name: key, required = false } = argument;
  const lastValue = givenValue(last, key);
  return {
    key,
    required,
    ask: (place) => {
      const others = [...place.values].filter(([other]) => other !== key);
      const text: Omit<TextQuestion, 'title'> = {
        name,
        required,
        description,
        ...(lastValue !== undefined && { last: lastValue }),
        sources: [
          ...textSources(name, editor, input),
          ...(mayBeLast ? [targetButton(chosen, question)] : []),
        ],
        ...(place.number === place.count && { next: () => targetNote(chosen) }),
        ...(place.count > 1 && {
          leave: {
            icon: new vscode.ThemeIcon('json'),
            label: vscode.l10n.t('Edit All Arguments as JSON'),
          },
        }),
        suggest: (value, signal) =>
          server.complete(
            { type: 'ref/prompt', name: prompt.name },
            { name: key, value },
            Object.fromEntries(others),
            { signal },
          ),
      };
      const title = vscode.l10n.t('{0} ({1})', displayName(prompt), server.name);
      const whole = { title, actions: [], context: question };
      return askWithReader(whole, { name: `${name}.txt`, text: description }, input, (frame) =>
        askText({ ...text, title: frame }, place, place.values.get(key)),
      );
    },
  };
}

async function editArguments(
  { prompt }: PromptEntry,
  { values: given, unfinished }: HeldArguments,
  { input, keep }: Pick<ArgumentsContext, 'input' | 'keep'>,
  { wanted: permit, signal }: Pick<QuestionContext, 'wanted' | 'signal'>,
): Promise<HeldArguments & { readonly kind: 'done' | 'back' | 'cancel' }> {
  const args = prompt.arguments ?? [];
  const heldBy = (text: string): HeldArguments => {
    const parsed = parseArguments(text, args);
    return 'values' in parsed ? parsed : { values: given, unfinished: text };
  };
  const answer = await input.ask({
    name: `${plainLabel(displayName(prompt), 60)}.json`,
    text: unfinished ?? argumentText(args, given),
    schema: argumentSchema(args),
    choices: [
      {
        id: 'done',
        title: `$(check) ${vscode.l10n.t('Use These Arguments')}`,
        command: Command.useArguments,
      },
      { id: 'back', title: vscode.l10n.t('Ask One by One') },
    ],
    check: (text, choice) => {
      const parsed = parseArguments(text, args);
      if ('problem' in parsed) return sentence(parsed.problem);
      const missing = choice === 'done' ? findMissing(args, parsed.values) : undefined;
      return (
        missing && vscode.l10n.t('"{0}" is required. Enter a value.', plainLabel(missing.name))
      );
    },
    onSave: (text) => keep?.(heldBy(text)),
    permit,
    signal,
  });
  return {
    kind: answer.choice === 'done' || answer.choice === 'back' ? answer.choice : 'cancel',
    ...heldBy(answer.text),
  };
}

function sentence(problem: ArgumentsProblem): string {
  switch (problem.kind) {
    case 'syntax':
      return vscode.l10n.t('This is not valid JSON: {0}', wordsLabel(problem.message));
    case 'noObject':
      return vscode.l10n.t('Arguments must be an object with a string for each name.');
    case 'unknown':
      return vscode.l10n.t('The prompt has no argument "{0}".', plainLabel(problem.name));
    case 'noText':
      return vscode.l10n.t('"{0}" must be a string in quotes.', plainLabel(problem.name));
  }
}
