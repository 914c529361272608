import assert from 'node:assert/strict';
import { inEnglish } from '../../../../src/base/translate';
import {
  companionFiles,
  companionManifest,
  readParts,
  withoutListed,
} from '../../../../src/prompts/palette/companionManifest';
import {
  paletteEntry,
  skillFile,
  slashCommand,
} from '../../../../src/prompts/palette/paletteEntry';
import { wantedEntries } from '../../../../src/prompts/palette/wantedEntries';
import { fakeServer } from '../../../support/fakes/fakeServer';

const review = {
  name: 'code_review',
  description: 'Reviews code',
  arguments: [{ name: 'code', required: true }, { name: 'language' }],
};
const server = fakeServer({ id: 'demo', prompts: [review, { name: 'other' }] });
const key = review.name;
const chosen = (...names: readonly string[]) => ({ namesOf: async () => new Set(names) });
const wanted = (published: readonly string[], mode: 'off' | 'all' | 'ask' = 'off') =>
  wantedEntries([server], { mode, pins: chosen(), publications: chosen(...published) }, []);

describe('a prompt as a slash command', () => {
  it('is a skill by itself, whatever is in the palette', async () => {
    for (const mode of ['off', 'ask'] as const) {
      const entries = await wanted([key], mode);
      const parts = { w: { seen: '2026-11-01', entries } };
      const { contributes } = companionManifest(parts, '1.0.1', 'shown', inEnglish);
      assert.deepEqual(contributes.commands, []);
      const [skill] = contributes.chatSkills;
      assert.match(skill?.path ?? '', /^\.\/skills\/demo-code-review-[0-9a-f]{6}\/SKILL\.md$/);
      assert.match(skill?.when ?? '', /^shown =~ \/,[0-9a-f]{12},\/$/);
      assert.deepEqual(Object.keys(companionFiles(parts, inEnglish)), [
        'README.md',
        skill?.path.slice(2),
      ]);
      assert.deepEqual(
        readParts(JSON.parse(JSON.stringify({ mcpWorkbenchPrompts: parts }))),
        parts,
      );
    }
  });

  it('goes with its prompt, and when it is withdrawn', async () => {
    assert.deepEqual(await wanted([]), []);
    const gone = fakeServer({ id: 'demo', prompts: [{ name: 'other' }] });
    const setting = { mode: 'off', pins: chosen(), publications: chosen(key) } as const;
    assert.deepEqual(await wantedEntries([gone], setting, await wanted([key])), []);
  });

  it('stays where the palette is cleared', async () => {
    const entries = await wanted([key], 'all');
    assert.equal(entries.length, 2);
    const left = withoutListed({ w: { seen: '2026-11-01', entries } });
    assert.deepEqual(left['w']?.entries, await wanted([key]));
  });

  it('has the model call our tool, and no word of the server but in its quoted header', () => {
    const slash = slashCommand({ name: 'demo' }, review, 'abcdef012345');
    const text = skillFile(slash, { server: 'demo', prompt: 'code_review' });
    const [, header = '', body = ''] = text.split(/^---$/m);
    assert.match(header, /^name: demo-code-review-abcdef$/m);
    assert.match(header, /^description: "Reviews code \(demo\)"$/m);
    assert.match(header, /^argument-hint: "code \[language\]"$/m);
    assert.match(header, /^disable-model-invocation: true$/m);
    assert.match(body, /`mcpWorkbench_runPrompt`/);
    assert.match(body, /\{"server":"demo","prompt":"code_review"\}/);
    assert.doesNotMatch(body, /Reviews code/);
  });

  for (const name of ['../../etc', 'a"\n---\nname: b', '日本語', '-', 'x'.repeat(500)])
    it(`has a name that is a folder and a word: ${JSON.stringify(name.slice(0, 20))}`, async () => {
      const nasty = { name, description: `"\n---\nuser-invocable: false\n${'y'.repeat(500)}` };
      const entry = await paletteEntry({ server, prompt: nasty }, { isPublished: true });
      assert.match(entry.slash?.name ?? '', /^[a-z0-9][a-z0-9-]{0,63}$/);
      const text = skillFile(entry.slash ?? assert.fail(), entry);
      const [, header = ''] = text.split(/^---$/m);
      assert.equal(header.trim().split('\n').length, 5, header);
    });
});
