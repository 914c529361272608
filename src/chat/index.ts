import * as vscode from 'vscode';
import type { Disposable } from '../base/disposable';
import { plainLabel } from '../base/text';
import { displayName } from '../mcp/protocol';
import type { SendToChat } from '../mcp/promptDraft';
import type { Servers } from '../mcp/servers';
import type { RunTool } from '../mcp/toolCalls';
import { openChat } from '../ui/editorCommands';
import { Participant } from '../ui/ids';
import type { Logs } from '../ui/logs';
import { createHandler } from './participant';
import { PromptDrafts } from './promptDrafts';

/** The chat participant `@mcp`, and a way to hand it the messages of a prompt. */
export function register(deps: {
  readonly servers: Servers;
  readonly run: RunTool;
  readonly logs: Logs;
}): Disposable & { readonly sendToChat: SendToChat } {
  const drafts = new PromptDrafts();
  const participant = vscode.chat.createChatParticipant(
    Participant.mcp,
    createHandler({ ...deps, drafts }),
  );
  participant.iconPath = new vscode.ThemeIcon('plug');
  return {
    async sendToChat(draft, { submit = true } = {}) {
      const name = plainLabel(displayName(draft.prompt), 60).replaceAll(/[@#/]/g, ' ').trim();
      await openChat({ query: `@mcp /prompt ${name} #${drafts.keep(draft)}`, submit });
    },
    dispose: () => participant.dispose(),
  };
}
