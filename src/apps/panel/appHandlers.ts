import * as vscode from 'vscode';
import { inEnglish } from '../../base/translate';
import { BurstLimit } from '../../base/pace';
import type { CallGate } from '../../gate/toolGate';
import type { Disposable } from '../../base/disposable';
import type { Logger } from '../../base/log';
import { addressLabel } from '../../base/text/address';
import { plainLabel, truncate } from '../../base/text/text';
import type { ToolOutcome } from '../../contracts/toolCalls';
import { type CallToolResult, type ReadResourceResult, entryNamed } from '../../mcp/protocol/types';
import type { Server } from '../../mcp/server';
import type { App } from '../page/app';
import type { AppHandlers } from '../view/appBridge';

/** The largest resource that an app is given, in UTF-16 units. */
export const maxResourceLength = 20_000_000;

/** Reads a resource from an app's own server; rejects with an error whose message the app may see. */
export async function readOwn(
  server: Server,
  uri: string,
  signal: AbortSignal,
): Promise<ReadResourceResult> {
  const result = await server.readResource(uri, { signal });
  const length = result.contents.reduce(
    (sum, { text = '', blob = '' }) => sum + text.length + blob.length,
    0,
  );
  if (length > maxResourceLength)
    throw new Error(`The resource is larger than ${maxResourceLength} characters.`);
  return result;
}

/** What handles the requests of apps. */
export interface AppRequests {
  readonly gate: CallGate;
  /** Asks the user about a page that an app wants to open; true once it is open. */
  readonly visit: (server: Server, url: string, signal: AbortSignal) => Promise<boolean>;
  /** Asks the user about a message of an app, and puts it into the chat as a draft; true if the user accepted it. */
  readonly draft: (server: Server, text: string, signal: AbortSignal) => Promise<boolean>;
}

const longestLine = 2000;

/** Answers the requests of one app, only about its own server, and with the same gate and questions as all others. */
export function createAppHandlers(
  server: Server,
  app: App,
  { gate, visit, draft }: AppRequests,
  logger: Logger,
): Disposable & Pick<AppHandlers, 'runTool' | 'readResource' | 'openLink' | 'sendMessage' | 'log'> {
  const burst = new BurstLimit(logger, 'messages of an app');
  const { uri, fingerprint, canChange } = app;
  // The gate logs the tool calls.
  const note = (what: string) => logger.info(`${server.name}: the app ${uri} ${what}.`);
  return {
    async runTool(name, args, signal) {
      await server.start(signal);
      const tool = entryNamed(server.tools, name);
      if (!tool) throw new Error(`The server has no tool "${name}".`);
      const origin = { kind: 'app', uri, fingerprint, canChange } as const;
      return resultOf(await gate.run({ server, tool, arguments: args, origin }, { signal }));
    },
    readResource: (wanted, signal) => {
      note(`reads ${plainLabel(wanted)}`);
      return readOwn(server, wanted, signal);
    },
    async openLink(url, signal) {
      note(`wants to open ${addressLabel(url)}`);
      if (!(await visit(server, url, signal))) throw new Error('The user did not open the page.');
    },
    async sendMessage(text, signal) {
      note('wants to write a message');
      if (!(await draft(server, text, signal))) throw new Error('The user declined the message.');
    },
    log(level, text) {
      if (!burst.take()) return;
      const line = `${uri}: ${truncate(text, longestLine)}`;
      if (/^(warning|error|critical|alert|emergency)$/.test(level)) logger.warn(line);
      else logger.info(line);
    },
    dispose: () => burst.dispose(),
  };
}

async function resultOf(outcome: ToolOutcome): Promise<CallToolResult> {
  switch (outcome.kind) {
    case 'result':
      return outcome.result;
    case 'background':
      return resultOf(await outcome.ended);
    default:
      throw new Error(endingText(outcome));
  }
}

/** Returns why there is no result, as a sentence for an app. */
export function endingText(
  outcome: Exclude<ToolOutcome, { kind: 'result' | 'background' }>,
): string {
  switch (outcome.kind) {
    case 'denied':
      return outcome.decidedBy.kind === 'user'
        ? 'The user denied the call.'
        : 'A rule of the user denies the call.';
    case 'withdrawn':
      return 'The question about the call was withdrawn.';
    case 'failed':
      return outcome.message(inEnglish);
    case 'cancelled':
      return 'The call was cancelled.';
  }
}

/** Returns what an app is told about where it is shown. */
export function surroundings(version: string) {
  return {
    locale: vscode.env.language,
    timeZone: Intl.DateTimeFormat().resolvedOptions().timeZone,
    userAgent: `mcp-workbench/${version}`,
    platform: vscode.env.uiKind === vscode.UIKind.Web ? ('web' as const) : ('desktop' as const),
  };
}
