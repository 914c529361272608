import * as vscode from 'vscode';
import { fileName } from '../../base/text/fileName';
import { UserError } from '../../base/errors';
import { plainLabel } from '../../base/text/text';
import { displayName, type Resource, type ResourceTemplate } from '../../mcp/protocol/types';
import type { Server } from '../../mcp/server';
import {
  expandTemplate,
  parseTemplateValue,
  templateVariables,
  type TemplateVariable,
} from '../../mcp/protocol/uriTemplate';
import { runSteps, type Step, type StepValues } from '../../ui/steps/multiStep';
import { askText } from '../../ui/steps/textStep';

/** What was typed for each template, in this session. */
export type TemplateValues = Map<string, StepValues<string>>;

/**
 * Asks the variables of a template one step at a time and hands the resource to `use`. When that
 * fails, the last step is asked again with the reason; what was typed is there, then and next time.
 */
export async function fillTemplate(
  server: Server,
  template: ResourceTemplate,
  remembered: TemplateValues,
  use: (resource: Resource) => Promise<void>,
): Promise<void> {
  const key = JSON.stringify([server.id, template.uriTemplate]);
  const variables = templateVariables(template.uriTemplate);
  let failure: string | undefined;
  do {
    const steps = variables.map((one) => variableStep(server, template, one, failure));
    const values = remembered.get(key) ?? new Map<string, string>();
    const at = failure === undefined ? 0 : steps.length - 1;
    const outcome = await runSteps(steps, { values, at });
    remembered.set(key, outcome.values);
    if (outcome.kind !== 'done') return;
    failure = undefined;
    try {
      await use(resourceOf(template, variables, outcome.values));
    } catch (error) {
      if (steps.length === 0 || !(error instanceof UserError)) throw error;
      failure = error.message;
    }
  } while (failure !== undefined);
}

function resourceOf(
  { uriTemplate, mimeType, annotations }: ResourceTemplate,
  variables: readonly TemplateVariable[],
  values: StepValues<string>,
): Resource {
  const given = variables.flatMap((variable) => {
    const typed = values.get(variable.name);
    return typed === undefined ? [] : [[variable.name, parseTemplateValue(typed, variable)]];
  });
  const uri = expandTemplate(uriTemplate, Object.fromEntries(given));
  return {
    uri,
    name: fileName({ uri }),
    ...(mimeType !== undefined && { mimeType }),
    ...(annotations && { annotations }),
  };
}

function variableStep(
  server: Server,
  template: ResourceTemplate,
  variable: TemplateVariable,
  failure: string | undefined,
): Step<string> {
  const { name, required, several } = variable;
  const hint = several
    ? vscode.l10n.t('Several values are separated by commas, pairs are written name=value')
    : template.uriTemplate;
  return {
    key: name,
    ask: (place) => {
      const { [name]: own, ...context } = Object.fromEntries(place.values);
      return askText(
        {
          title: vscode.l10n.t('{0} ({1})', displayName(template), plainLabel(server.name)),
          name,
          required,
          description: failure ?? [template.description, hint].filter(Boolean).join(' · '),
          suggest: (value, signal) =>
            suggest(server, template, { name, value, several }, { context, signal }),
        },
        place,
        own,
      );
    },
  };
}

// Of several values the server completes the last one; the others stay in front of it.
async function suggest(
  server: Server,
  { uriTemplate }: ResourceTemplate,
  {
    name,
    value,
    several,
  }: { readonly name: string; readonly value: string; readonly several: boolean },
  {
    context,
    signal,
  }: { readonly context: Readonly<Record<string, string>>; readonly signal: AbortSignal },
) {
  const at = several ? value.lastIndexOf(',') + 1 : 0;
  const completion = await server.complete(
    { type: 'ref/resource', uri: uriTemplate },
    { name, value: value.slice(at).trimStart() },
    context,
    { signal },
  );
  return { ...completion, values: completion.values.map((one) => value.slice(0, at) + one) };
}
