import * as vscode from 'vscode';
import { UserError } from '../base/errors';
import { StoredList, type Memento, isString } from '../base/memento';
import { maxLooked, wrapIndented } from '../base/text/rows';
import { plainLabel, wholeDocumentText } from '../base/text/text';
import { fileAddress } from '../base/uri/fileAddress';
import { resolvedRoots } from '../calls/savedAnswers';
import type { CallStep, CallsFile, GivenAnswers, StepRequest } from '../calls/format/calls';
import { toolFingerprint } from '../mcp/serverIdentity';
import { fingerprint } from '../base/bytes';
import { type Json, type JsonObject, entryNamed } from '../mcp/protocol/types';
import type { Server } from '../mcp/server';
import { backToQuestion } from '../ui/documents/choiceCommands';
import type { DocumentInput } from '../ui/documents/documentInput';
import type { Questions } from '../ui/questions/questions';
import type { QuestionContext, UserAction } from '../ui/questions/question';
import { pickItem } from '../ui/steps/pickItem';
import type { PickLook } from '../ui/rows/picks';
import { wholeJsonText } from '../base/text/jsonText';
import { fillAnswers, FillBudget, fillKnown, fillRequest } from '../calls/format/variables';

/** A request in words: what it asks for, and everything that it sends. */
interface RequestText {
  readonly name: string;
  readonly given?: Json;
  /** What is sent beside that, which no argument can pass for. */
  readonly meta?: JsonObject;
}

/**
 * Returns the requests of steps in the order in which they run, filled with variables whose values are known
 * in advance because no earlier step saves them, and with roots where they lead from `folder`, the URL of the folder of
 * the file; throws a `UserError` if these make them too long.
 */
export function requestTexts(
  { variables, answers }: Pick<CallsFile, 'variables' | 'answers'>,
  steps: readonly Pick<CallStep, 'request' | 'save' | 'answers'>[],
  folder: string,
): readonly RequestText[] {
  const known = { ...variables };
  const budget = new FillBudget();
  const fill = (value: Json) => fillKnown(value, known, budget);
  const given = (some: GivenAnswers | undefined): readonly RequestText[] => {
    if (!some) return [];
    const filled = fillAnswers(some, fill);
    const roots = filled.roots && { roots: resolvedRoots(filled.roots, folder) };
    return [{ name: 'answers', given: { ...filled, ...roots } }];
  };
  return [
    ...given(answers),
    ...steps.flatMap(({ request, save, answers: own }) => {
      const texts = [textOf(fillRequest(request, fill)), ...given(own)];
      for (const name of Object.keys(save)) delete known[name];
      return texts;
    }),
  ];
}

/** Returns a request in one line. */
export function inOneLine({ name, given, meta }: RequestText): string {
  const sent = given === undefined ? name : `${name} ${JSON.stringify(given)}`;
  return meta ? `${sent} _meta ${JSON.stringify(meta)}` : sent;
}

/**
 * Returns requests as an editor shows them: a numbered list, with what each of them sends in indented lines;
 * `undefined` if that would not be all of it.
 */
export function inLines(requests: readonly RequestText[]): string | undefined {
  const parts: string[] = [];
  for (const [index, { name, given, meta }] of requests.entries()) {
    const lines: (string | undefined)[] = [`${index + 1}. ${name}`];
    if (given !== undefined) lines.push(wholeJsonText(given, 2));
    if (meta) lines.push('_meta', wholeJsonText(meta, 2));
    if (lines.includes(undefined)) return undefined;
    parts.push(lines.join('\n'));
  }
  return wholeDocumentText(parts.join('\n\n'));
}

function textOf(request: StepRequest): RequestText {
  const { meta } = request;
  return { ...bareTextOf(request), ...(meta && { meta }) };
}

/** The names of tools that alone would read like another kind of request. */
const likeOthers = /\s|^(?:answers|complete)$/;

function bareTextOf(request: StepRequest): RequestText {
  switch (request.kind) {
    case 'call': {
      const { name } = request;
      const shown = likeOthers.test(name) ? `call ${JSON.stringify(name)}` : name;
      return { name: shown, given: request.arguments };
    }
    case 'prompt':
      return { name: `prompt ${request.name}`, given: request.arguments };
    case 'read':
      return { name: `read ${request.uri}` };
    case 'complete': {
      const { reference, argument, value, context } = request;
      return { name: 'complete', given: { ...reference, argument, value, context } };
    }
    case 'list':
      return { name: `list ${request.list}` };
  }
}

/** At most this many runs are remembered, the latest ones. */
const maxKept = 200;
/** At most this many rows show the requests in a question; anything longer is reviewed in an editor. */
const maxRows = 40;

interface Asked {
  readonly uri: vscode.Uri;
  readonly file: CallsFile;
  readonly steps: readonly CallStep[];
  readonly server: Server;
  /** What the tools of the file are now, as {@link toolDefinitions} returns it. */
  readonly definitions: Readonly<Record<string, string>>;
  /** Present if the user has just asked for the run. */
  readonly asked?: UserAction | undefined;
  /** True if a model may have asked for the run. */
  readonly mayBeOfModel?: boolean | undefined;
  /** What the user has agreed to in this run, each session of which is looked at by itself; their answer is added. */
  readonly agreed?: Set<string> | undefined;
}

/** What it takes to say whether a server may be told of the roots of a file. */
type RootsAsked = Pick<Asked, 'uri' | 'file' | 'server' | 'agreed'>;

/** For which runs the user agrees: for those that they or changes begin, or also for those that a model may begin. */
type Reach = 'own' | 'all';

/** The requests of a question: in its rows, and in an editor where the rows have no room for all of them. */
interface ShownRequests {
  readonly rows: readonly Row[];
  readonly document?: string;
}

interface Row extends PickLook {
  /** For which runs the row agrees, none if `false`; absent for one that is only read. */
  readonly runs?: Reach | false;
}

/**
 * The saved calls that the user agreed to run on each server; if the requests, the launch or the definition of a tool
 * change, the user is asked again.
 */
export class CallsConsent {
  private readonly kept: StoredList<string>;
  private readonly questions: Questions;
  private readonly input: DocumentInput;

  constructor(state: Memento, questions: Questions, input: DocumentInput) {
    this.kept = new StoredList(state, 'savedCallsConsents', { max: maxKept, isEntry: isString });
    this.questions = questions;
    this.input = input;
  }

  /**
   * True if the user agrees to run these steps, or has already agreed to them or to the whole file; false once
   * `signal` aborts. Where a model may have begun the run, it is asked about once in each, unless the user agreed to that
   * as well, or the steps call only tools that say that they change nothing. Rejects with a `UserError` if the user
   * cannot be shown all of them.
   */
  async allows(asked: Asked, signal: AbortSignal): Promise<boolean> {
    if (!(await this.allowsSteps(asked, signal))) return false;
    const { file, agreed } = asked;
    if (!file.answers?.roots) return true;
    const roots = await rootsFingerprint(asked);
    agreed?.add(roots);
    await this.kept.put(roots, (one) => one === roots);
    return true;
  }

  /** True if the user has already agreed to steps of a file with these roots, so that its server may be told of them. */
  async knowsRoots(asked: RootsAsked): Promise<boolean> {
    const roots = await rootsFingerprint(asked);
    return asked.agreed?.has(roots) === true || this.kept.all.includes(roots);
  }

  private async allowsSteps(asked: Asked, signal: AbortSignal): Promise<boolean> {
    const { uri, file, steps, server, definitions, agreed } = asked;
    const launch = await server.launchFingerprint();
    const fingerprintOf = (run: readonly CallStep[], reach: Reach) =>
      fingerprint({
        ...(reach === 'all' && { reach }),
        uri: uri.toString(),
        launch,
        session: file.session,
        variables: file.variables,
        definitions: hasOpenName(run)
          ? definitions
          : calledTools(run).map((name) => [name, definitions[name]]),
        requests: run.map(({ request, save, answers }) => ({ request, save, answers })),
        answers: file.answers,
      });
    const own = await fingerprintOf(steps, 'own');
    if (agreed?.has(own) === true) return true;
    const known = new Set(this.kept.all);
    const isWide = asked.mayBeOfModel === true && !onlyReads(server, steps);
    for (const run of [steps, file.steps])
      if (known.has(await fingerprintOf(run, isWide ? 'all' : 'own'))) return true;
    const shown = shownRequests(requestTexts(file, steps, folderUrl(uri)));
    const outcome = await this.questions.ask(
      {
        info: { kind: 'call', server, what: nameOf(uri), asked: asked.asked },
        declined: false,
        ask: (question) => ask({ ...asked, isWide }, shown, this.input, question),
      },
      signal,
    );
    if (outcome.kind !== 'answered' || outcome.answer === false) return false;
    agreed?.add(own);
    const all = outcome.answer === 'all' ? [await fingerprintOf(steps, 'all')] : [];
    for (const fresh of [own, ...all]) await this.kept.put(fresh, (one) => one === fresh);
    return true;
  }
}

/** Returns the fingerprint of what a server is told of roots by a file: where they are, and who hears of them. */
async function rootsFingerprint({ uri, file, server }: RootsAsked): Promise<string> {
  return fingerprint({
    uri: uri.toString(),
    launch: await server.launchFingerprint(),
    variables: file.variables,
    roots: file.answers?.roots ?? [],
  });
}

/**
 * Returns the fingerprints of the definitions of the tools that steps call, as the server has them now: of all its tools
 * if a step names one by a variable.
 */
export async function toolDefinitions(
  server: Server,
  steps: readonly Pick<CallStep, 'request'>[],
): Promise<Readonly<Record<string, string>>> {
  const found: (readonly [string, string])[] = [];
  const open = hasOpenName(steps) ? server.tools.items.map(({ name }) => name) : [];
  for (const name of [...calledTools(steps), ...open])
    found.push([name, await toolDefinition(server, name)]);
  return Object.fromEntries(found);
}

/** Returns the fingerprint of the definition of a tool as the server has it now; empty if its list has none. */
export async function toolDefinition(server: Server, name: string): Promise<string> {
  const tool = entryNamed(server.tools, name);
  return tool ? toolFingerprint(tool) : '';
}

/** True if steps call no tool but those that say that they change nothing. */
function onlyReads(server: Server, steps: readonly CallStep[]): boolean {
  return calledTools(steps).every(
    (name) => entryNamed(server.tools, name)?.annotations?.readOnlyHint === true,
  );
}

function hasOpenName(steps: readonly Pick<CallStep, 'request'>[]): boolean {
  return calledTools(steps).some((name) => name.includes('${'));
}

function calledTools(steps: readonly Pick<CallStep, 'request'>[]): readonly string[] {
  const names = steps.flatMap(({ request }) => (request.kind === 'call' ? [request.name] : []));
  return [...new Set(names)].toSorted();
}

/** Asks the user; requests that do not fit in the rows can be approved only in the editor that shows them in full. */
async function ask(
  { uri, steps, server, isWide }: Asked & { readonly isWide: boolean },
  { rows, document }: ShownRequests,
  input: DocumentInput,
  question: QuestionContext,
): Promise<Reach | false> {
  const { t } = vscode.l10n;
  const count = steps.length;
  const run = count === 1 ? t('Run 1 Request') : t('Run {0} Requests', count);
  const review =
    count === 1 ? t('Review and Run 1 Request…') : t('Review and Run {0} Requests…', count);
  const title = t('Run {0} on {1}?', nameOf(uri), plainLabel(server.name));
  const items: readonly Row[] = [
    {
      label: t('Do Not Run'),
      iconPath: new vscode.ThemeIcon('circle-slash'),
      runs: false,
      grantsNothing: true,
    },
    {
      label: document === undefined ? run : review,
      iconPath: new vscode.ThemeIcon('run-all'),
      runs: 'own',
    },
    ...(isWide
      ? [
          {
            label:
              document === undefined
                ? t('Run Now and Whenever a Model Runs Tests')
                : t('Review, Then Run Now and Whenever a Model Runs Tests…'),
            iconPath: new vscode.ThemeIcon('run-all'),
            runs: 'all' as const,
          },
        ]
      : []),
    ...rows,
  ];
  for (;;) {
    const answer = await pickItem<Row>({
      frame: { title, actions: [], context: question },
      prompt: isWide
        ? t(
            'A model of the editor may have begun this run of tests: the editor does not say. Run above a step is always your own.',
          )
        : t('You are not asked about these requests again until one changes, or a tool does.'),
      placeholder: t('Enter does not run them.'),
      items,
      isString: ({ runs }) => runs === undefined,
    });
    if (typeof answer === 'string' || !answer.runs) return false;
    if (document === undefined) return answer.runs;
    const { choice } = await question.setAside(() =>
      input.ask({
        name: `${nameOf(uri)}.mcp-review`,
        text: document,
        readOnly: true,
        choices: [{ id: 'run', title: `$(run-all) ${run}` }, backToQuestion()],
        permit: question.wanted,
        signal: question.signal,
      }),
    );
    if (choice === 'run') return answer.runs;
  }
}

/** Returns as many rows of the requests as there is room for, and a document if those are not all. */
function shownRequests(requests: readonly RequestText[]): ShownRequests {
  const all = requests.flatMap((request) => wrapIndented(inOneLine(request)));
  const isCut = all.length > maxRows || requests.some((one) => inOneLine(one).length > maxLooked);
  const rows: readonly Row[] = all.slice(0, maxRows).map((label) => ({ label, isLaidOut: true }));
  if (!isCut) return { rows };
  const document = inLines(requests);
  // Nobody agrees to what they cannot read.
  if (document === undefined)
    throw new UserError((t) =>
      t('The requests are too long, or nested too deeply, to be shown in full. Nothing was sent.'),
    );
  return { rows: [...rows, { label: '…' }], document };
}

/** Returns the URL of the folder that a file of saved calls is in. */
export function folderUrl({ scheme, path, authority }: vscode.Uri): string {
  return fileAddress(path.slice(0, path.lastIndexOf('/') + 1), scheme === 'file' ? authority : '');
}

function nameOf(uri: vscode.Uri): string {
  return plainLabel(uri.path.split('/').at(-1) ?? uri.path);
}
