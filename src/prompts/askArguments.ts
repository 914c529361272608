import * as vscode from 'vscode';
import { plainLabel } from '../base/text';
import { displayName, type PromptArgument } from '../mcp/protocol';
import { runSteps, type Step, type StepsOutcome } from '../ui/multiStep';
import { askText } from '../ui/textStep';
import type { PromptArguments, PromptEntry } from './promptEntry';

/** Asks the arguments of a prompt one step at a time, beginning with `given`; `last` is offered. */
export async function askArguments(
  entry: PromptEntry,
  {
    given,
    last,
    atEnd,
  }: {
    readonly given: PromptArguments;
    readonly last: PromptArguments;
    readonly atEnd: boolean;
  },
): Promise<{ readonly kind: StepsOutcome<string>['kind']; readonly values: PromptArguments }> {
  const steps = (entry.prompt.arguments ?? []).map((argument) =>
    argumentStep(entry, argument, last[argument.name]),
  );
  const { kind, values } = await runSteps(steps, {
    values: new Map(Object.entries(given)),
    atEnd,
  });
  return { kind, values: Object.fromEntries(values) };
}

function argumentStep(
  { server, prompt }: PromptEntry,
  argument: PromptArgument,
  last: string | undefined,
): Step<string> {
  return {
    key: argument.name,
    ask: (place) => {
      const { [argument.name]: own, ...context } = Object.fromEntries(place.values);
      return askText(
        {
          title: vscode.l10n.t('{0} ({1})', displayName(prompt), plainLabel(server.name)),
          name: argument.title || argument.name,
          required: argument.required ?? false,
          ...(argument.description !== undefined && { description: argument.description }),
          ...(last !== undefined && { last }),
          suggest: (value, signal) =>
            server.complete(
              { type: 'ref/prompt', name: prompt.name },
              { name: argument.name, value },
              context,
              { signal },
            ),
        },
        place,
        own,
      );
    },
  };
}
