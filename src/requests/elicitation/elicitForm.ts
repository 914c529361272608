import * as vscode from 'vscode';
import { ownValue } from '../../base/ownValue';
import { looksSecret } from '../../base/secrets/secrets';
import { plainLabel } from '../../base/text/text';
import type { AskingServer, ElicitRequest, ElicitResult } from '../../mcp/protocol/clientRequests';
import type { SchemaCheck } from '../../mcp/schema/jsonSchema';
import type { JsonObject } from '../../mcp/protocol/types';
import type { Servers } from '../../mcp/servers';
import type { DocumentInput } from '../../ui/documents/documentInput';
import { readFields, withoutDefaults, type Field } from '../../ui/steps/schemaFields';
import { askForm } from '../../ui/steps/schemaForm';
import type { StepFrame } from '../../ui/steps/stepFrame';
import type { FormDrafts } from './formDrafts';

/** What is needed to fill in a server's form. */
export interface ElicitFormDeps {
  readonly input: DocumentInput;
  readonly schemas: SchemaCheck;
  readonly drafts: FormDrafts;
  readonly servers: Servers;
}

/** Asks the user to fill in a server's form, review it, and send it, which they may also decline or dismiss. */
export async function elicitForm(
  server: AskingServer,
  { message, requestedSchema }: ElicitRequest & { readonly mode: 'form' },
  frame: StepFrame,
  { input, schemas, drafts, servers }: ElicitFormDeps,
): Promise<ElicitResult> {
  const { t } = vscode.l10n;
  const name = plainLabel(server.name, 60);
  // What was typed for one launch is not shown to another server that took over its id.
  const launch = (await servers.get(server.id)?.launchFingerprint()) ?? '';
  const draft = await drafts.get(launch, requestedSchema);
  const { done, declined, values, unfinished } = await askForm({
    title: frame,
    schema: requestedSchema,
    given: draft.values,
    unfinished: draft.unfinished,
    editor: vscode.window.activeTextEditor,
    input,
    schemas,
    giving: {
      intro: message,
      submit: t('Send to {0}', name),
      decline: t('Decline'),
      warning: secretWarning,
    },
  });
  if (done) {
    await drafts.forget(launch, requestedSchema);
    return { action: 'accept', content: values as NonNullable<ElicitResult['content']> };
  }
  const filledIn = worthKeeping(readFields(requestedSchema), values);
  const text = unfinished !== undefined && { unfinished };
  if (text || Object.keys(filledIn).length > 0) {
    await drafts.keep(launch, requestedSchema, { values: filledIn, ...text });
    const kept = t('Your answers for {0} are kept until it asks again.', name);
    vscode.window.setStatusBarMessage(kept, 5000);
  }
  return { action: declined ? 'decline' : 'cancel' };
}

/** Returns what the user filled in, without defaults and anything that looks like a secret. */
function worthKeeping(fields: readonly Field[], values: JsonObject): JsonObject {
  const given = withoutDefaults(fields, values);
  return Object.fromEntries(
    fields.flatMap((field) => {
      const value = ownValue(given, field.name);
      return value === undefined || isSecret(field) ? [] : [[field.name, value]];
    }),
  );
}

function isSecret({ name, title }: Field): boolean {
  return looksSecret(name) || looksSecret(title);
}

/** Servers must not ask for secrets in a form (elicitation, security considerations). */
function secretWarning(field: Field): string | undefined {
  return isSecret(field)
    ? vscode.l10n.t('⚠ This looks like a secret. Servers must not ask for secrets in a form.')
    : undefined;
}
