import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { repositoryRoot } from '../../support/paths';

const plugin = join(repositoryRoot, 'tools', 'lint', 'ownPicks.mjs');

describe('the rule of picks', () => {
  for (const [path, may] of [
    ['ui/steps/pickItem.ts', true],
    ['tools/run/pickTool.ts', true],
    ['gate/ask/callQuestions.ts', false],
    ['config/trust/manageTrust.ts', false],
    ['requests/sampling/manageSampling.ts', false],
  ] as const)
    it(`${may ? 'lets' : 'does not let'} ${path} show one by itself`, async () => {
      const { mayShowPick } = (await import(pathToFileURL(plugin).href)) as {
        readonly mayShowPick: (path: string) => boolean;
      };
      assert.ok(existsSync(join(repositoryRoot, 'src', path)));
      assert.equal(mayShowPick(path), may);
    });
});
