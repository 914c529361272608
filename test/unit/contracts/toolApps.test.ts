import assert from 'node:assert/strict';
import { appUriOf, isForApps, isForModels, maxAppUriLength } from '../../../src/contracts/toolApps';
import type { Tool } from '../../../src/mcp/protocol/types';

const tool = (_meta: Tool['_meta']): Tool => ({
  name: 'tool',
  inputSchema: { type: 'object' },
  ...(_meta && { _meta }),
});

describe('the app of a tool', () => {
  const longest = `ui://${'a'.repeat(maxAppUriLength - 5)}`;
  const table: readonly [_meta: Tool['_meta'], uri: string | undefined][] = [
    [undefined, undefined],
    [{}, undefined],
    [{ ui: null }, undefined],
    [{ ui: 'ui://a' }, undefined],
    [{ ui: { resourceUri: 'ui://a' } }, 'ui://a'],
    [{ 'ui/resourceUri': 'ui://old' }, 'ui://old'],
    [{ ui: { resourceUri: 'ui://new' }, 'ui/resourceUri': 'ui://old' }, 'ui://new'],
    [{ ui: { resourceUri: 7 }, 'ui/resourceUri': 'ui://old' }, 'ui://old'],
    [{ ui: { resourceUri: 'https://evil.example/app.html' } }, undefined],
    [{ ui: { resourceUri: 'file:///etc/passwd' } }, undefined],
    [{ ui: { resourceUri: 'javascript:alert(1)//ui://a' } }, undefined],
    [{ ui: { resourceUri: longest } }, longest],
    [{ ui: { resourceUri: `${longest}a` } }, undefined],
  ];
  for (const [_meta, uri] of table)
    it(`is ${String(uri).slice(0, 20)} with the metadata ${JSON.stringify(_meta)?.slice(0, 80)}`, () => {
      assert.equal(appUriOf(tool(_meta)), uri);
    });
});

describe('a tool', () => {
  const table: readonly [_meta: Tool['_meta'], forModels: boolean, forApps: boolean][] = [
    [undefined, true, true],
    [{}, true, true],
    [{ ui: { resourceUri: 'ui://a' } }, true, true],
    [{ ui: { visibility: ['model', 'app'] } }, true, true],
    [{ ui: { visibility: ['model'] } }, true, false],
    [{ ui: { visibility: 'app' } }, true, true],
    [{ ui: null }, true, true],
    [{ ui: { visibility: ['app'] } }, false, true],
    [{ ui: { visibility: [] } }, false, false],
  ];
  for (const [_meta, forModels, forApps] of table)
    it(`is ${forModels ? '' : 'not '}for models and ${forApps ? '' : 'not '}for apps with the metadata ${JSON.stringify(_meta)}`, () => {
      assert.equal(isForModels(tool(_meta)), forModels);
      assert.equal(isForApps(tool(_meta)), forApps);
    });
});
