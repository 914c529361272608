import * as vscode from 'vscode';
import { addressAsRead, addressLabel } from '../base/text/address';
import { maxTooltipLength, plainLabel, truncate } from '../base/text/text';
import {
  type AskingServer,
  type ElicitRequest,
  type ElicitResult,
  RequestRefused,
} from '../mcp/protocol/serverRequests';
import { ErrorCode } from '../mcp/protocol/rpcError';
import { maxAddressLength, readWebAddress, type WebAddress } from '../mcp/http/webAddress';
import type { QuestionOutcome } from '../contracts/questionOutcome';
import type { Questions } from '../ui/questions/questions';
import type { StepFrame } from '../ui/steps/stepFrame';
import { createReader } from '../ui/documents/wholeText';
import { questionFrame } from './questionFrame';
import type { Translate } from '../base/translate';
import { type Field, readFields, withoutDefaults } from '../ui/steps/schemaFields';
import { sheetText } from './sheet';
import { ownValue } from '../base/json';
import { looksSecret } from '../base/secrets';
import type { SchemaCheck } from '../mcp/schema/jsonSchema';
import type { JsonObject, JsonSchema } from '../mcp/protocol/types';
import type { Servers } from '../mcp/server';
import type { DocumentInput } from '../ui/documents/documentInput';
import { type FormAnswer, askForm } from '../ui/steps/schemaForm';
import { Latest } from '../base/async';
import { measureJson } from '../base/measureJson';
import { fingerprint } from '../base/bytes';
import { copyAddresses } from '../ui/clipboard';
import { openAddress } from '../ui/editorCommands';
import { showMessage, tellBriefly } from '../ui/messages';
import { type PickLook, separator } from '../ui/rows/picks';
import { siteRows, visitRows, wholeRows } from '../ui/rows/siteRows';
import { pickItem } from '../ui/steps/pickItem';

/** The values of at most this many forms are kept, and at most this many bytes in all. */
const maxDrafts = 50;
export const maxDraftBytes = 1_000_000;

/** The values given so far, and a document that could not be parsed yet. */
type FormDraft = Pick<FormAnswer, 'values' | 'unfinished'>;

/** The contents of forms that were not sent, for when the same server, launched the same way, asks for the same again. */
export class FormDrafts {
  private readonly drafts = new Map<string, FormDraft>();
  private readonly latest = new Latest<readonly [key: string, kept: object]>(
    { maxItems: maxDrafts, maxBytes: maxDraftBytes },
    ([key, kept]) => {
      // A newer draft of the same form stays.
      if (this.drafts.get(key) === kept) this.drafts.delete(key);
    },
  );

  async get(launch: string, schema: JsonSchema): Promise<FormDraft> {
    return this.drafts.get(await fingerprint([launch, schema])) ?? { values: {} };
  }

  /** Keeps a draft unless it is larger than {@link maxDraftBytes}; the oldest ones are discarded to make room. */
  async keep(launch: string, schema: JsonSchema, draft: FormDraft): Promise<void> {
    const { bytes } = measureJson(draft);
    if (bytes > maxDraftBytes) return;
    const key = await fingerprint([launch, schema]);
    const kept = { ...draft };
    this.drafts.set(key, kept);
    this.latest.add([key, kept], bytes);
  }

  async forget(launch: string, schema: JsonSchema): Promise<void> {
    this.drafts.delete(await fingerprint([launch, schema]));
  }
}

/** What is needed to fill in a server's form. */
interface ElicitFormDeps {
  readonly input: DocumentInput;
  readonly schemas: SchemaCheck;
  readonly drafts: FormDrafts;
  readonly servers: Servers;
}

/** Asks the user to fill in a server's form, review it, and send it, which they may also decline or dismiss. */
async function elicitForm(
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
    const kept = t('Your answers for "{0}" are kept until it asks again.', name);
    tellBriefly(kept, 5000);
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

/** At most this many fields are described; a form with more is one document. */
const maxFields = 100;

/** Returns all that a server says in a question, for reading: the message, its address, and what each field is. */
export function questionText(serverName: string, request: ElicitRequest, t: Translate): string {
  const fields = request.mode === 'form' ? readFields(request.requestedSchema) : [];
  return sheetText(
    [t('{0} asks', plainLabel(serverName, 60))],
    [
      { heading: t('Question'), body: request.message },
      ...(request.mode === 'url'
        ? [{ heading: t('Address'), body: addressAsRead(request.url) }]
        : []),
      ...fields.slice(0, maxFields).map(({ title, description }) => ({
        heading: t('Field: {0}', plainLabel(title)),
        ...(description !== undefined && { body: truncate(description, maxTooltipLength) }),
      })),
    ],
  ).text;
}

/** What is needed to ask the user something for a server. */
export interface ElicitationDeps extends ElicitFormDeps {
  readonly questions: Questions;
}

type Outcome = QuestionOutcome<ElicitResult>;

/** Puts a server's question to the user; it is cancelled if they neither accept nor decline. */
export function answerElicitation(
  server: AskingServer,
  request: ElicitRequest,
  signal: AbortSignal,
  deps: ElicitationDeps,
): Promise<Outcome> {
  return request.mode === 'form'
    ? askInTurn(server, request, signal, deps, (frame) => elicitForm(server, request, frame, deps))
    : answerVisit(server, request, signal, deps);
}

async function answerVisit(
  server: AskingServer,
  request: ElicitRequest & { readonly mode: 'url' },
  signal: AbortSignal,
  deps: ElicitationDeps,
): Promise<Outcome> {
  const address = await readAddress(server, request);
  const outcome = await askInTurn(server, request, signal, deps, async (frame) => ({
    action: await elicitVisit(request.message, address, frame),
  }));
  const goes = outcome.kind === 'answered' && outcome.answer.action === 'accept';
  // Up to 2025-11-25, the server reports by the id that the visit is over; in later revisions, nobody does.
  if (!goes || request.elicitationId !== undefined) return outcome;
  return { ...outcome, answer: { action: await untilVisited(server, address, signal) } };
}

/** Asks when it is the question's turn. */
function askInTurn(
  server: AskingServer,
  request: ElicitRequest,
  signal: AbortSignal,
  { questions, input }: ElicitationDeps,
  ask: (frame: StepFrame) => Promise<ElicitResult>,
): Promise<Outcome> {
  const { t } = vscode.l10n;
  const what = request.mode === 'form' ? t('answer a form') : t('visit a page');
  return questions.ask(
    {
      info: { kind: 'elicitation', server, what },
      declined: { action: 'decline' },
      ask: (context) => {
        const name = `${plainLabel(server.name, 60)}.txt`;
        const make = () => questionText(server.name, request, t);
        const showWhole = createReader(name, make, context.signal, input);
        return ask(questionFrame(server, context, showWhole));
      },
    },
    signal,
  );
}

type VisitItem = PickLook & { readonly choice?: 'open' | 'copy' | 'decline' };

/** Reads the address of a question; for one that is never opened, warns the user and throws a `RequestRefused`. */
async function readAddress(
  server: AskingServer,
  { url }: ElicitRequest & { readonly mode: 'url' },
): Promise<WebAddress> {
  const address = await readWebAddress(url);
  if (address) return address;
  const { t } = vscode.l10n;
  const [name, shown] = [plainLabel(server.name, 60), addressLabel(url)];
  const isTooLong = url.length > maxAddressLength;
  void showMessage(
    'warning',
    isTooLong
      ? t(
          '"{0}" wanted to open an address that is too long, so it was not opened: {1}',
          name,
          shown,
        )
      : t(
          '"{0}" wanted to open an address that is not https, so it was not opened: {1}',
          name,
          shown,
        ),
  );
  throw new RequestRefused(
    isTooLong
      ? `The address is longer than ${maxAddressLength} characters.`
      : 'The address is not an https: URL.',
    ErrorCode.invalidParams,
  );
}

/** Shows the address that a server wants the user to visit, and opens it only if they say so. */
export async function elicitVisit(
  message: string,
  address: WebAddress,
  frame: StepFrame,
): Promise<ElicitResult['action']> {
  const { t } = vscode.l10n;
  const items = visitItems(address);
  for (;;) {
    const picked = await pickItem<VisitItem>({
      frame,
      name: t('visit a page'),
      prompt: message,
      placeholder: t('Enter declines.'),
      items,
      isString: ({ choice }) => choice === undefined,
    });
    if (picked === 'decline') return 'decline';
    if (typeof picked === 'string') return 'cancel';
    if (picked.choice === 'decline') return 'decline';
    if (picked.choice === 'copy') {
      await copyAddresses(address.href);
      tellBriefly(t('Copied the address'), 3000);
    } else if (await openAddress(address)) return 'accept';
  }
}

/**
 * Waits until the user says that they are done on a page for which no server says so. If the question is withdrawn
 * in the meantime, their agreement to go there still counts.
 */
async function untilVisited(
  server: AskingServer,
  { site }: WebAddress,
  signal: AbortSignal,
): Promise<ElicitResult['action']> {
  const { t } = vscode.l10n;
  const goOn = t('Continue');
  const told = showMessage(
    'info',
    t('Finish on {0} to continue {1}.', addressLabel(site), plainLabel(server.name, 60)),
    goOn,
    t('Cancel'),
  );
  const withdrawn = new Promise<typeof goOn>((resolve) =>
    signal.addEventListener('abort', () => resolve(goOn), { once: true }),
  );
  const pressed = told.then((one) => one?.button);
  return (await Promise.race([pressed, withdrawn])) === goOn ? 'accept' : 'cancel';
}

function visitItems(address: WebAddress): readonly VisitItem[] {
  const { t } = vscode.l10n;
  return [
    separator(t('Site')),
    ...siteRows(address),
    separator(t('Full address')),
    ...wholeRows(address.href),
    separator(t('Your decision')),
    ...visitRows(),
    {
      label: t('Decline'),
      iconPath: new vscode.ThemeIcon('circle-slash'),
      choice: 'decline',
      grantsNothing: true,
    },
  ];
}
