import * as vscode from 'vscode';
import { readableText } from '../base/text/text';
import {
  dataBytes,
  type ContentPart,
  type ModelMessage,
  type MessagePart,
} from '../contracts/modelMessages';

type ModelPart =
  | vscode.LanguageModelTextPart
  | vscode.LanguageModelDataPart
  | vscode.LanguageModelToolCallPart
  | vscode.LanguageModelToolResultPart;

/** Converts a conversation to the editor's classes, as a language model takes it. */
export function toModelMessages(
  messages: readonly ModelMessage[],
): vscode.LanguageModelChatMessage[] {
  return messages.map(
    ({ role, parts }) =>
      new vscode.LanguageModelChatMessage(
        role === 'user'
          ? vscode.LanguageModelChatMessageRole.User
          : vscode.LanguageModelChatMessageRole.Assistant,
        parts.map(toModelPart),
      ),
  );
}

/**
 * Converts content to the editor's classes, as a message or the result of a tool holds it. Every text that a model is given
 * passes here: what is hidden in it is visible unless it is as the user or the model typed it.
 */
export function toModelContent(
  part: ContentPart,
): vscode.LanguageModelTextPart | vscode.LanguageModelDataPart {
  return part.kind === 'text'
    ? new vscode.LanguageModelTextPart(part.asTyped ? part.text : readableText(part.text))
    : new vscode.LanguageModelDataPart(dataBytes(part), part.mimeType);
}

function toModelPart(part: MessagePart): ModelPart {
  switch (part.kind) {
    case 'text':
    case 'data':
      return toModelContent(part);
    case 'call':
      return new vscode.LanguageModelToolCallPart(part.id, part.name, part.input);
    case 'answer':
      return new vscode.LanguageModelToolResultPart(part.id, part.content.map(toModelContent));
  }
}
