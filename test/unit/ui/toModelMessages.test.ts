import assert from 'node:assert/strict';
import type * as vscode from 'vscode';
import type { ContentPart, ModelMessage } from '../../../src/contracts/modelMessages';
import { toModelMessages } from '../../../src/ui/toModelMessages';

const evil = 'a\u{E0041}\u200Bb\u202E';
const shown = 'a⟨U+E0041⟩⟨U+200B⟩b⟨U+202E⟩';
const text = (more: object = {}): ContentPart => ({ kind: 'text', text: evil, ...more });

/** Returns all that a model is given, as JSON. */
const given = (...messages: readonly ModelMessage[]): string =>
  JSON.stringify(toModelMessages(messages) satisfies vscode.LanguageModelChatMessage[]);

describe('what a model is given', () => {
  const places: Readonly<Record<string, ModelMessage>> = {
    'a message of the user': { role: 'user', parts: [text()] },
    'a message of the assistant': { role: 'assistant', parts: [text()] },
    'the result of a call': {
      role: 'user',
      parts: [{ kind: 'answer', id: '1', content: [text()] }],
    },
  };
  for (const [where, message] of Object.entries(places))
    it(`hides nothing that others wrote: ${where}`, () => {
      const all = given(message);
      assert.ok(all.includes(shown) && !all.includes(evil), all);
    });

  it('has the words of the user and its own as they were typed', () => {
    const parts = [text({ asTyped: true })];
    assert.ok(
      given({ role: 'user', parts }, { role: 'assistant', parts }).split(evil).length === 3,
    );
  });
});
