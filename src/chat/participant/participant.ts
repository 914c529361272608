import * as vscode from 'vscode';
import { signalOf } from '../../base/abort';
import { errorDetail, errorMessage, UserError } from '../../base/errors';
import { sayBreak, sayFile, sayLine } from '../../ui/rows/chatText';
import { plainLabel } from '../../base/text/text';
import type { Servers } from '../../mcp/servers';
import type { ModelMessage } from '../../contracts/modelMessages';
import { Command } from '../../ui/ids';
import type { Logs } from '../../ui/logs';
import { readChatLimits } from '../offer/chatSettings';
import { toRecord, type TurnRecord } from './conversation';
import { fitTurns } from './fitTurns';
import type { KeptOutcomes } from '../content/keptOutcomes';
import type { KeptTexts } from '../content/keptTexts';
import type { ChatTools } from '../offer/chatTools';
import { offerPrompts } from './offerPrompts';
import { preamble } from './preamble';
import type { PromptDrafts } from '../content/promptDrafts';
import { withMissing } from './references';
import { earlierRecords, earlierTurns, requestMessages } from './requestMessages';
import type { Retries } from './retries';
import { reportNotReady } from '../starts/notReadyNote';
import type { ServerStarts } from '../starts/startServers';
import { answer } from './toolLoop';
import { WaitingLine } from '../calls/waitingLine';
import { createOffer } from '../offer/toolOffer';
import type { ToolCosts } from '../offer/toolCosts';

/** The share of a model's context that earlier turns may take. */
const historyShare = 0.6;

/** The parts that the participant works with. */
export interface ParticipantParts {
  readonly servers: Servers;
  readonly chatTools: ChatTools;
  readonly keptTexts: KeptTexts;
  readonly keptOutcomes: KeptOutcomes;
  readonly drafts: PromptDrafts;
  readonly retries: Retries<vscode.ChatPromptReference>;
  readonly starts: ServerStarts;
  readonly costs: ToolCosts;
  readonly resourceUri: (serverId: string, uri: string) => vscode.Uri;
  readonly logs: Logs;
}

/** Makes the handler of `@mcp`, which lets the selected model answer with the tools of all servers. */
export function createHandler(parts: ParticipantParts): vscode.ChatRequestHandler {
  const { servers, chatTools, drafts, retries, starts, costs, logs } = parts;
  return async (request, context, stream, token) => {
    const { command, prompt } = request;
    const query = `@mcp ${command ? `/${command} ` : ''}${prompt}`;
    const references = withMissing(request.references, retries.take(query));
    const earlier = earlierRecords(context);
    const conversation = earlier[0]?.conversation ?? crypto.randomUUID();
    const origin = { kind: 'chat', conversation, answer: crypto.randomUUID() } as const;
    const found = new Set(earlier.flatMap((record) => record.found));
    const signal = signalOf(token);
    const { model } = request;
    costs.use({ id: model.id, countTokens: (text) => model.countTokens(text) });
    const limits = readChatLimits();
    let asked: readonly ModelMessage[] = [];
    const added: ModelMessage[] = [];
    const record = (ending: TurnRecord['ending']) => {
      const messages = [...asked, ...added];
      return { metadata: { ...toRecord({ conversation, messages, found: [...found], ending }) } };
    };
    const buttons: vscode.Command[] = [];
    const again = (title: string) => {
      retries.keep(query, references);
      return { command: Command.retryRequest, title, arguments: [query, references.length] };
    };
    try {
      const handed = command === 'prompt' ? drafts.find(prompt) : undefined;
      if (command === 'prompt' && !handed) {
        offerPrompts(stream, prompt, servers.all);
        return record('failed');
      }
      // A prompt already contains what its server has to say, and must not start other servers.
      if (!handed) {
        const notReady = await starts.begin(stream, signal);
        const askAgain = () => again(vscode.l10n.t('Ask Again'));
        buttons.push(...reportNotReady(stream, notReady, askAgain));
      }
      const { messages, leftOut, openable, draft } = await requestMessages(
        { prompt, references },
        handed,
      );
      asked = messages;
      const content = draft?.messages.map((message) => message.content) ?? [];
      if (draft) chatTools.rememberResources(origin, draft.server.id, content);
      const history = fitTurns(earlierTurns(context), model.maxInputTokens * historyShare);
      const dropped =
        history.dropped > 0
          ? [
              vscode.l10n.t(
                "{0} earlier turns that do not fit the model's context",
                history.dropped,
              ),
            ]
          : [];
      const missing = [...dropped, ...leftOut.map((what) => what(vscode.l10n.t))];
      for (const what of missing)
        sayLine(stream, vscode.l10n.t('Not sent to the model: {0}', what));
      for (const { name, uri } of openable) sayFile(stream, vscode.Uri.parse(uri), name);
      if (openable.length > 0) sayBreak(stream);
      const before = [preamble(servers.all), ...history.messages, ...messages];
      const ending = await answer(before, added, {
        ...parts,
        ...limits,
        model,
        stream,
        token,
        waiting: new WaitingLine(stream, origin.answer),
        signal,
        origin,
        found,
        buttons,
        offer: createOffer(
          { chatTools, origin, costs, log: logs.extension },
          found,
          limits.maxTools,
        ),
      });
      return record(ending);
    } catch (error) {
      if (token.isCancellationRequested) return record('cancelled');
      if (!(error instanceof UserError)) logs.extension.error(errorDetail(error));
      stream.button(again(vscode.l10n.t('Retry')));
      const message = plainLabel(errorMessage(error, vscode.l10n.t), 1000);
      return { errorDetails: { message }, ...record('failed') };
    } finally {
      for (const button of buttons) stream.button(button);
    }
  };
}

/** Suggests how to continue if an answer used up its rounds. */
export const followups: vscode.ChatFollowupProvider = {
  provideFollowups({ metadata }) {
    return metadata?.['ending'] === 'rounds'
      ? [{ prompt: vscode.l10n.t('Continue'), label: vscode.l10n.t('Continue') }]
      : [];
  },
};
