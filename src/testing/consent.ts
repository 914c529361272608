import * as vscode from 'vscode';
import { neverAborted } from '../base/abort';
import { isText, KeptList, type Memento } from '../base/memento';
import { plainLabel } from '../base/text/text';
import type { CallsFile, StepRequest } from '../calls/format/calls';
import { fingerprint } from '../mcp/fingerprint';
import type { Server } from '../mcp/server';
import type { Questions } from '../ui/questions/questions';
import { pickItem } from '../ui/steps/pickItem';
import type { PickLook } from '../ui/rows/picks';

/** The files that are remembered, the latest. */
const maxKept = 200;
/** The most requests that a question shows. */
const maxShown = 50;

interface Row extends PickLook {
  readonly runs?: boolean;
}

/** Which files of saved calls the user agreed to run on which servers; other requests or another launch are asked about anew. */
export class CallsConsent {
  private readonly kept: KeptList<string>;
  private readonly questions: Questions;

  constructor(state: Memento, questions: Questions) {
    this.kept = new KeptList(state, 'savedCallsConsents', maxKept, isText);
    this.questions = questions;
  }

  /** True where the user agrees, now or before. */
  async allows(uri: vscode.Uri, file: CallsFile, server: Server): Promise<boolean> {
    const requests = file.steps.map(({ request, save }) => ({ request, save }));
    const agreed = await fingerprint({
      uri: uri.toString(),
      launch: await server.launchFingerprint(),
      variables: file.variables,
      requests,
    });
    if (this.kept.all.includes(agreed)) return true;
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
            prompt: vscode.l10n.t('You are not asked about its calls again until one changes.'),
            items: rows(file),
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

function rows({ steps }: CallsFile): readonly Row[] {
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
