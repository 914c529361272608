import { inEnglish } from '../../../src/base/translate';
import type { PromptDraft } from '../../../src/contracts/promptDraft';
import type { ContentBlock, PromptMessage, Role } from '../../../src/mcp/protocol/types';
import type { PreviewWords } from '../../../src/prompts/preview/showPreview';

/** The smallest possible PNG, in base64. */
export const png =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

/** The header of a WAV file, in base64. */
export const wav = Buffer.from('RIFF\u0024\0\0\0WAVEfmt ', 'latin1').toString('base64');

/** Returns a text message. */
export function say(role: Role, text: string): PromptMessage {
  return { role, content: { type: 'text', text } };
}

/** Returns a message with any content; by default, from the user. */
export function message(content: ContentBlock, role: Role = 'user'): PromptMessage {
  return { role, content };
}

/** Returns a draft of the prompt `review` with these messages. */
export function draft(
  messages: readonly PromptMessage[],
  extra: Partial<PromptDraft> = {},
): PromptDraft {
  return {
    server: { id: 'demo', name: 'demo' },
    prompt: { name: 'review', title: 'Review' },
    messages,
    arguments: {},
    ...extra,
  };
}

/** Messages with every content type in the protocol, one with an unknown type, and one with invalid data. */
export const everyContent: readonly PromptMessage[] = [
  say('user', 'Look at this.'),
  message({ type: 'image', data: png, mimeType: 'image/png' }),
  message({ type: 'audio', data: wav, mimeType: 'audio/wav' }, 'assistant'),
  message({
    type: 'resource',
    resource: { uri: 'file:///src/a.py', mimeType: 'text/x-python', text: 'print(1)\n' },
  }),
  message({
    type: 'resource',
    resource: { uri: 'demo://blob', mimeType: 'application/zip', blob: 'UEsDBA==' },
  }),
  message({
    type: 'resource_link',
    uri: 'docs://readme',
    name: 'readme',
    title: 'Read Me',
    mimeType: 'text/markdown',
    size: 1500,
  }),
  message({ type: 'unknown', value: { type: 'hologram', depth: 3 } }),
  message({ type: 'image', data: '***', mimeType: 'image/png' }),
];

/** The words of a preview in English. */
export const words: PreviewWords = {
  t: inEnglish,
  user: 'User',
  assistant: 'Assistant',
  arguments: 'Arguments',
  image: 'image',
  audio: 'audio',
  binary: 'binary',
  embeddedResource: 'embedded resource',
  resourceLink: 'resource link',
  unreadable: 'unreadable',
  openResource: 'Open Resource',
  open: (file) => `Open ${file}`,
  hidden: (messages) => `Hidden in ${messages}`,
  otherType: (type) => `Really ${type || 'unknown'}`,
  audience: (roles) => `for: ${roles}`,
  priority: (priority) => `priority ${priority}`,
  changed: (time) => `changed ${time}`,
  rest: (characters) => `${characters} more`,
};
