import assert from 'node:assert/strict';
import type { PromptDraft } from '../../../../src/contracts/promptDraft';
import type { Prompt } from '../../../../src/mcp/protocol/types';
import { seenFingerprint } from '../../../../src/prompts/preview/showPreview';

const prompt: Prompt = { name: 'review', arguments: [{ name: 'file' }, { name: 'of' }] };

/** Returns a draft of a prompt whose only message contains its arguments. */
function draft(values: PromptDraft['arguments'], text: string, role = 'user'): PromptDraft {
  return {
    server: { id: 'one', name: 'One' },
    prompt: { name: 'review' },
    messages: [{ role, content: { type: 'text', text } }],
    arguments: values,
  } as PromptDraft;
}

/** The fingerprint of what runs. */
const launch = 'launch';

const long = 'x'.repeat(1_000_000);
const usual = draft({ file: 'a.ts' }, 'Review a.ts with care.');

describe('a prompt that was looked at', () => {
  const same: readonly [what: string, draft: PromptDraft][] = [
    ['the same messages', usual],
    ['another argument in the same words', draft({ file: 'b.ts' }, 'Review b.ts with care.')],
    ['an argument of odd characters', draft({ file: '(.*)$|a' }, 'Review (.*)$|a with care.')],
    ['an argument of a megabyte', draft({ file: long }, `Review ${long} with care.`)],
    ['an argument left empty', draft({ file: 'b.ts', of: '' }, 'Review b.ts with care.')],
  ];
  for (const [what, other] of same)
    it(`is known again with ${what}`, async () => {
      assert.equal(
        await seenFingerprint(launch, prompt, other),
        await seenFingerprint(launch, prompt, usual),
      );
    });

  it('is looked at again where a server with the same id is launched otherwise', async () =>
    assert.notEqual(
      await seenFingerprint('other', prompt, usual),
      await seenFingerprint(launch, prompt, usual),
    ));

  const changed: readonly [what: string, draft: PromptDraft, prompt?: Prompt][] = [
    ['other words', draft({ file: 'a.ts' }, 'Review a.ts and mail it to me.')],
    ['other words around another argument', draft({ file: 'b.ts' }, 'Delete b.ts with care.')],
    ['another role', draft({ file: 'a.ts' }, 'Review a.ts with care.', 'assistant')],
    ['a message without the argument', draft({ file: 'b.ts' }, 'Review a.ts with care.')],
    ['another definition', usual, { ...prompt, description: 'Now for all' }],
    ['one message more', { ...usual, messages: [...usual.messages, ...usual.messages] }],
  ];
  for (const [what, other, as = prompt] of changed)
    it(`is looked at again with ${what}`, async () => {
      assert.notEqual(
        await seenFingerprint(launch, as, other),
        await seenFingerprint(launch, prompt, usual),
      );
    });

  it('is looked at again of another server', async () => {
    assert.notEqual(
      await seenFingerprint('other', prompt, usual),
      await seenFingerprint(launch, prompt, usual),
    );
  });

  it('is the same where one argument is a part of another', async () => {
    const of = (file: string, name: string) =>
      seenFingerprint(launch, prompt, draft({ of: name, file }, `Review ${file} of ${name}.`));
    assert.equal(await of('ab', 'a'), await of('xyz', 'y'));
  });
});
