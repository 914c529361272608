import * as vscode from 'vscode';
import { fileName } from '../../base/text/fileName';
import { isCancellation, UserError } from '../../base/errors';
import { plainLabel } from '../../base/text/text';
import { findRpcError } from '../../mcp/protocol/rpcError';
import { displayName, type Resource, type ResourceTemplate } from '../../mcp/protocol/types';
import type { Server } from '../../mcp/server';
import {
  expandTemplate,
  parseTemplateValue,
  templateVariables,
  type TemplateVariable,
} from '../../mcp/protocol/uriTemplate';
import { askOwn } from '../../ui/questions/askOwn';
import type { Questions } from '../../ui/questions/questions';
import type { QuestionContext, UserAction } from '../../ui/questions/question';
import { runSteps, type Step, type StepValues } from '../../ui/steps/multiStep';
import { askText } from '../../ui/steps/textStep';

type TemplateQuestions = Pick<Questions, 'ask' | 'stillBy'>;

/** The values typed for each template in this session. */
export interface TemplateValues {
  readonly typed: Map<string, StepValues<string>>;
  /** The templates whose servers want the slashes in values as they are. */
  readonly slashes: Set<string>;
}

/**
 * Asks for the variables of a template one at a time and passes the resource to `use`. If that fails, the last step is
 * asked again with the reason; what was typed is kept, both then and for the next time.
 */
export async function fillTemplate(
  server: Server,
  template: ResourceTemplate,
  remembered: TemplateValues,
  use: (resource: Resource, by: UserAction) => Promise<void>,
  { action, questions }: { readonly action: UserAction; readonly questions: TemplateQuestions },
): Promise<void> {
  const what = vscode.l10n.t('open {0}', plainLabel(displayName(template), 60));
  const form = templateForm(template);
  const key = JSON.stringify([server.id, template.uriTemplate]);
  const variables = templateVariables(template.uriTemplate);
  let failure: string | undefined;
  let asked: UserAction | undefined = action;
  do {
    const values = remembered.typed.get(key) ?? new Map<string, string>();
    const at = failure === undefined ? 0 : variables.length - 1;
    const outcome = await askOwn(questions, { server, what, form, asked }, async (question) => {
      const place = { server, template, context: question };
      const steps = variables.map((one) => variableStep(place, one, failure));
      return { ...(await runSteps(steps, { values, at })), by: question.wanted ?? action };
    });
    if (!outcome) return;
    remembered.typed.set(key, outcome.values);
    if (outcome.kind !== 'done') return;
    failure = undefined;
    try {
      await useAsServed(
        (plain) => resourceOf(template, variables, outcome.values, plain),
        { key, slashes: remembered.slashes },
        (resource) => use(resource, outcome.by),
      );
    } catch (error) {
      if (variables.length === 0 || !(error instanceof UserError)) throw error;
      failure = error.message;
      // The server may have taken long to say so.
      asked = questions.stillBy(outcome.by, server.id);
    }
  } while (failure !== undefined);
}

/** Returns the id, unique within the server, of the form that asks for a template's values. */
export function templateForm({ uriTemplate }: ResourceTemplate): string {
  return `template/${uriTemplate}`;
}

/** Tries both forms of slashes in values: the RFC escapes them, but some servers only know them as they are. */
async function useAsServed(
  resourceWith: (plainSlashes: boolean) => Resource,
  { key, slashes }: { readonly key: string; readonly slashes: Set<string> },
  use: (resource: Resource) => Promise<void>,
): Promise<void> {
  const isPlain = slashes.has(key);
  const [first, second] = [resourceWith(isPlain), resourceWith(!isPlain)];
  try {
    await use(first);
  } catch (error) {
    // Only an error response says that something is not there, and servers use many codes for that.
    if (!findRpcError(error) || first.uri === second.uri) throw error;
    await use(second).catch((secondError: unknown) => {
      throw isCancellation(secondError) ? secondError : error;
    });
    if (isPlain) slashes.delete(key);
    else slashes.add(key);
  }
}

/** Stands for a slash while the template is expanded. */
const slashMark = '\uE000';

function resourceOf(
  { uriTemplate, mimeType, annotations }: ResourceTemplate,
  variables: readonly TemplateVariable[],
  values: StepValues<string>,
  plainSlashes: boolean,
): Resource {
  const given = variables.flatMap((variable) => {
    const value = values.get(variable.name);
    const typed = plainSlashes ? value?.replaceAll('/', slashMark) : value;
    return typed === undefined
      ? []
      : [[variable.name, parseTemplateValue(typed, variable)] as const];
  });
  const expanded = expandTemplate(uriTemplate, Object.fromEntries(given));
  const uri = [slashMark, encodeURIComponent(slashMark)].reduce(
    (text, mark) => text.replaceAll(mark, '/'),
    expanded,
  );
  return {
    uri,
    name: fileName({ uri }),
    ...(mimeType !== undefined && { mimeType }),
    ...(annotations && { annotations }),
  };
}

function variableStep(
  {
    server,
    template,
    context,
  }: {
    readonly server: Server;
    readonly template: ResourceTemplate;
    readonly context: QuestionContext;
  },
  variable: TemplateVariable,
  failure: string | undefined,
): Step<string> {
  const { name, required, several } = variable;
  const hint = several
    ? vscode.l10n.t('Separate several values with commas; write pairs as name=value')
    : template.uriTemplate;
  return {
    key: name,
    ask: (place) => {
      const { [name]: own, ...others } = Object.fromEntries(place.values);
      const title = vscode.l10n.t('{0} ({1})', displayName(template), plainLabel(server.name));
      return askText(
        {
          title: { title, actions: [], context },
          name,
          required,
          description: failure ?? [template.description, hint].filter(Boolean).join(' · '),
          suggest: (value, signal) =>
            suggest(server, template, { name, value, several }, { context: others, signal }),
        },
        place,
        own,
      );
    },
  };
}

// If there are several values, the server completes the last one, and the others stay in front of it.
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
