import type { JsonSchema, PromptArgument } from '../../mcp/protocol/types';
import { type PromptArguments, givenValue } from '../promptEntry';
import * as vscode from 'vscode';
import type { QuestionContext } from '../../ui/questions/question';
import type { PickLook } from '../../ui/rows/picks';
import { askRow } from '../../ui/steps/pickRows';
import type { TextSource } from '../../ui/steps/textStep';
import { type DeliveryTarget, deliveryTargets, targetText } from '../delivery/targets';

/** Where the messages of a prompt go; the user may change it along the way. */
export interface TargetChoice {
  target: DeliveryTarget;
}

/** Returns a row for each target that the user can choose for messages; the current one is marked. */
export function targetRows(
  current: DeliveryTarget,
): (PickLook & { readonly target: DeliveryTarget })[] {
  return deliveryTargets
    .filter((target) => target !== 'return')
    .map((target) => {
      const { label, icon } = targetText(target);
      return {
        label,
        iconPath: new vscode.ThemeIcon(icon),
        ...(target === current && { description: vscode.l10n.t('current') }),
        target,
      };
    });
}

/** Makes a button, shown with the last arguments, that changes where the messages go in this run and later ones. */
export function targetButton(chosen: TargetChoice, context: QuestionContext): TextSource {
  const title = vscode.l10n.t('Where the Messages Go');
  return {
    icon: new vscode.ThemeIcon('arrow-swap'),
    label: vscode.l10n.t('Change Where the Messages Go…'),
    async read() {
      const frame = { title, actions: [], context };
      const row = await askRow({ frame, items: targetRows(chosen.target) });
      if (row) chosen.target = row.target;
      return undefined;
    },
  };
}

/** Returns the note at the last argument that says where the messages go. */
export function targetNote({ target }: TargetChoice): string {
  return vscode.l10n.t('Then: {0}', targetText(target).label);
}

/** Returns the JSON schema that completes and checks a document with all arguments of a prompt. */
export function argumentSchema(args: readonly PromptArgument[]): JsonSchema {
  return {
    type: 'object',
    properties: Object.fromEntries(
      args.map(({ name, title, description, required }) => [
        name,
        {
          type: 'string',
          ...(title && { title }),
          ...(description && { description }),
          ...(required && { minLength: 1 }),
        },
      ]),
    ),
    required: args.filter(({ required }) => required).map(({ name }) => name),
    additionalProperties: false,
  };
}

/** Returns the initial document: the given values, and an empty string for every other required argument. */
export function argumentText(args: readonly PromptArgument[], given: PromptArguments): string {
  const members = args.flatMap(({ name, required }) => {
    const value = givenValue(given, name) ?? (required ? '' : undefined);
    return value === undefined ? [] : [[name, value] as const];
  });
  return `${JSON.stringify(Object.fromEntries(members), undefined, 2)}\n`;
}

/** The reason why a document is rejected; `name` is the argument in question, `message` comes from the parser. */
export type ArgumentsProblem =
  | { readonly kind: 'syntax'; readonly message: string }
  | { readonly kind: 'noObject' }
  | { readonly kind: 'unknown' | 'noText'; readonly name: string };

/** Reads the document back; required arguments may still be missing. */
export function parseArguments(
  text: string,
  args: readonly PromptArgument[],
): { readonly values: PromptArguments } | { readonly problem: ArgumentsProblem } {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    return { problem: { kind: 'syntax', message: (error as Error).message } };
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    return { problem: { kind: 'noObject' } };
  const values = new Map<string, string>();
  for (const [name, given] of Object.entries(value)) {
    if (!args.some((argument) => argument.name === name))
      return { problem: { kind: 'unknown', name } };
    if (typeof given !== 'string') return { problem: { kind: 'noText', name } };
    values.set(name, given);
  }
  return { values: Object.fromEntries(values) };
}

/** Returns the first required argument that is missing or empty, which the steps would ask for again, too. */
export function findMissing(
  args: readonly PromptArgument[],
  values: PromptArguments,
): PromptArgument | undefined {
  return args.find(({ name, required }) => required && !givenValue(values, name));
}
