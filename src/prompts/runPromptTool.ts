import * as vscode from 'vscode';
import { asRecord } from '../base/json';
import { plainLabel } from '../base/text/text';
import { offerTool } from '../ui/editorChat';
import { runPromptTool } from './palette/paletteEntry';

/**
 * Registers the tool with which slash commands run prompts in any chat: only prompts that the user published, with
 * arguments that the user is asked for, never the model.
 */
export function registerRunPromptTool(deps: {
  readonly isPublished: (server: string, prompt: string) => boolean;
  /** Runs a prompt; resolves to its messages as text, or to `undefined` if the user did not go on with it. */
  readonly run: (server: string, prompt: string) => Promise<unknown>;
}): vscode.Disposable {
  return offerTool<object>(runPromptTool, {
    prepareInvocation: ({ input }) => ({
      invocationMessage: plainLabel(
        vscode.l10n.t('Running the MCP prompt {0}', read(input).prompt),
      ),
    }),
    async invoke({ input }) {
      const { server, prompt } = read(input);
      if (!deps.isPublished(server, prompt))
        return say('The user has not published this prompt as a slash command');
      const text = await deps.run(server, prompt);
      return typeof text === 'string'
        ? say(text)
        : say('The user did not go on with the prompt: do nothing');
    },
  });
}

function read(input: object): { readonly server: string; readonly prompt: string } {
  const { server, prompt } = asRecord(input);
  return { server: textOf(server), prompt: textOf(prompt) };
}

function say(text: string): vscode.LanguageModelToolResult {
  return new vscode.LanguageModelToolResult([new vscode.LanguageModelTextPart(text)]);
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}
