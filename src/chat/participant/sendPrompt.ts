import * as vscode from 'vscode';
import { within } from '../../base/async';
import { plainLabel } from '../../base/text/text';
import { displayName } from '../../mcp/protocol/types';
import { addressChat, openChat, type PromptChat } from '../../ui/editorChat';
import type { HandedPrompt, NotTaken } from '../../contracts/promptDraft';
import type { KeyboardPermit } from '../../ui/questions/question';
import type { Questions } from '../../ui/questions/questions';
import type { PromptDrafts } from '../content/promptDrafts';

/** How long the open chat, which may be one without participants, may take to pass a prompt on to `@mcp`. */
const maxAnswerMs = 15_000;

/** Sends prompts to `@mcp`, and notices if the open chat does not pass them on. */
export class McpChat implements PromptChat {
  private readonly deps: {
    readonly drafts: PromptDrafts;
    /** True if the chat of the editor has `@mcp`. */
    readonly isOffered: boolean;
    /** Notes that the user is not the one who writes in the box of the chat. */
    readonly questions: Pick<Questions, 'noteAction'>;
    readonly open?: typeof openChat;
    readonly timeoutMs?: number;
  };

  constructor(deps: McpChat['deps']) {
    this.deps = deps;
  }

  async sendPrompt(prompt: HandedPrompt, permit: KeyboardPermit): Promise<NotTaken | undefined> {
    const { drafts, isOffered, questions, open = openChat, timeoutMs = maxAnswerMs } = this.deps;
    if (!isOffered)
      return {
        why: vscode.l10n.t('The chat of this editor has no @mcp.'),
        isTakenNow: () => false,
      };
    const { words, taken } = drafts.keep(prompt, chatName(displayName(prompt.draft.prompt)));
    let isTaken = false;
    void taken.then(() => (isTaken = true));
    const why = await open({ query: `@mcp /prompt ${words}`, submit: true, permit });
    if (why !== undefined) return { why };
    if (await within(taken, timeoutMs)) {
      await addressChat('mcp');
      // The text in the box is ours: nobody is typing there.
      questions.noteAction();
      return undefined;
    }
    const late = vscode.l10n.t(
      'The open chat has not given the prompt "{0}" to @mcp. It may be busy, or a session whose agent answers alone.',
      plainLabel(displayName(prompt.draft.prompt)),
    );
    return { why: late, isTakenNow: () => isTaken };
  }
}

/** Returns a name without characters that have a meaning of their own in the chat. */
export function chatName(name: string): string {
  const plain = plainLabel(name, 60)
    .replaceAll(/[@#/\s]+/g, ' ')
    .trim();
  return plain || '…';
}
