import * as vscode from 'vscode';
import { neverAborted } from '../base/abort';
import { isText, KeptList, type Memento } from '../base/memento';
import { plainLabel } from '../base/text/text';
import type { CallsFile, CallStep, StepRequest } from '../calls/format/calls';
import { fingerprint } from '../mcp/fingerprint';
import type { Server } from '../mcp/server';
import type { Questions } from '../ui/questions/questions';
import { pickItem } from '../ui/steps/pickItem';
import type { PickLook } from '../ui/rows/picks';

/** The runs that are remembered, the latest. */
const maxKept = 200;
/** The most requests that a question shows. */
const maxShown = 50;

interface Row extends PickLook {
  readonly runs?: boolean;
}

/** Which steps of files of saved calls the user agreed to run on which servers; other requests or another launch are asked about anew. */
export class CallsConsent {
  private readonly kept: KeptList<string>;
  private readonly questions: Questions;

  constructor(state: Memento, questions: Questions) {
    this.kept = new KeptList(state, 'savedCallsConsents', maxKept, isText);
    this.questions = questions;
  }

  /** True where the user agrees that these steps of a file run, now or before, or has agreed to all of the file. */
  async allows(
    uri: vscode.Uri,
    file: CallsFile,
    steps: readonly CallStep[],
    server: Server,
  ): Promise<boolean> {
    const launch = await server.launchFingerprint();
    const fingerprintOf = (run: readonly CallStep[]) =>
      fingerprint({
        uri: uri.toString(),
        launch,
        variables: file.variables,
        requests: run.map(({ request, save }) => ({ request, save })),
      });
    const agreed = await fingerprintOf(steps);
    const known = new Set(this.kept.all);
    if (known.has(agreed) || known.has(await fingerprintOf(file.steps))) return true;
    const outcome = await this.questions.ask(
      {
        cause: { kind: 'call', server, what: nameOf(uri), asked: true },
        declined: false,
        ask: async (stage) => {
          const answer = await pickItem<Row>({
            frame: {
              title: vscode.l10n.t('Run {0} on {1}?', nameOf(uri), plainLabel(server.name)),
              actions: [],
              stage,
            },
            prompt: vscode.l10n.t(
              'You are not asked about these requests again until one changes.',
            ),
            items: rows(steps),
            isText: ({ runs }) => runs === undefined,
          });
          return typeof answer !== 'string' && answer.runs === true;
        },
      },
      neverAborted(),
    );
    if (outcome.kind !== 'answered' || !outcome.answer) return false;
    await this.kept.put(agreed, (one) => one === agreed);
    return true;
  }
}

function rows(steps: readonly CallStep[]): readonly Row[] {
  const { t } = vscode.l10n;
  const shown = steps.slice(0, maxShown).map(({ request }) => {
    // All of it, up to what any row has room for.
    return { label: requestText(request), isLaidOut: true };
  });
  const more = steps.length - shown.length;
  return [
    {
      label: steps.length === 1 ? t('Run 1 Request') : t('Run {0} Requests', steps.length),
      iconPath: new vscode.ThemeIcon('run-all'),
      runs: true,
    },
    { label: t('Do Not Run'), iconPath: new vscode.ThemeIcon('circle-slash'), runs: false },
    ...shown,
    ...(more > 0 ? [{ label: t('{0} more', more) }] : []),
  ];
}

/** All that a request holds, in one line. */
function requestText(request: StepRequest): string {
  switch (request.kind) {
    case 'call':
      return `${request.name} ${JSON.stringify(request.arguments)}`;
    case 'prompt':
      return `prompt ${request.name} ${JSON.stringify(request.arguments)}`;
    case 'read':
      return `read ${request.uri}`;
    case 'complete': {
      const { reference, argument, value, context } = request;
      return `complete ${JSON.stringify({ ...reference, argument, value, context })}`;
    }
    case 'list':
      return `list ${request.list}`;
  }
}

function nameOf(uri: vscode.Uri): string {
  return plainLabel(uri.path.split('/').at(-1) ?? uri.path);
}
