import assert from 'node:assert/strict';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { repositoryRoot } from '../../support/paths';

interface Layers {
  readonly layerProblem: (
    from: readonly string[],
    to: readonly string[],
    isTypeOnly?: boolean,
  ) => string | undefined;
  readonly moduleProblem: (from: readonly string[], name: string) => string | undefined;
}

const plugin = join(repositoryRoot, 'tools', 'lint', 'layers.mjs');
const rules = async () => (await import(pathToFileURL(plugin).href)) as Layers;
const problem = async (from: string, to: string, isTypeOnly = false) => {
  const { layerProblem } = await rules();
  return layerProblem(from.split('/'), to.split('/'), isTypeOnly);
};

describe('the rule of layers', () => {
  const allowed: readonly [from: string, to: string][] = [
    ['extension', 'mcp/node/nodePlatform'],
    ['main', 'mcp/node/files/compiledFiles'],
    ['workbench', 'api'],
    ['workbench', 'chat/index'],
    ['chat/participant/toolLoop', 'contracts/toolCalls'],
    ['gate/toolGate', 'gate/decide/decide'],
    ['gate/decide/decide', 'gate/decide/policy'],
    ['gate/decide/approvals', 'base/async'],
    ['offer/offeredTools', 'gate/decide/callable'],
    ['servers/index', 'tree/serverTree'],
    ['mcp/connection/connection', 'mcp/lists/catalog'],
    ['mcp/lists/catalog', 'mcp/session/session'],
    ['mcp/node/nodeTransports', 'mcp/connection/connection'],
    ['mcp/session/session', 'mcp/auth/signIn'],
  ];
  for (const [from, to] of allowed)
    it(`lets ${from} import ${to}`, async () => {
      assert.equal(await problem(from, to), undefined);
    });

  const forbidden: readonly [from: string, to: string, why: RegExp][] = [
    ['base/async', 'mcp/server', /stands above/],
    ['mcp/server', 'ui/ids', /stands above/],
    ['contracts/decision', 'ui/ids', /stands above/],
    ['audit/callAudit', 'gate/authorize', /stands above/],
    ['chat/index', 'tools/index', /side by side/],
    ['config/index', 'audit/auditLog', /side by side/],
    ['mcp/session/session', 'mcp/lists/catalog', /stands above/],
    ['mcp/lists/catalog', 'mcp/connection/connection', /stands above/],
    ['mcp/http/limitedFetch', 'mcp/auth/authorization', /stands above/],
    ['mcp/auth/authorization', 'mcp/transport/httpTransports', /stands above/],
    ['mcp/schema/jsonSchema', 'mcp/session/session', /stands above/],
    ['mcp/serverConfig', 'mcp/launch/launchKinds', /stands above/],
    ['mcp/server', 'mcp/configuredServer', /stands above/],
    ['mcp/connection/connection', 'mcp/diagnose', /stands above/],
    ['mcp/session/session', 'mcp/elsewhere/file', /no layer/],
    ['mcp/schema/jsonSchema', 'mcp/node/schema/schemaThread', /only "mcp\/node"/],
    ['mcp/platform', 'mcp/node/nodePlatform', /only "mcp\/node"/],
    ['config/launch/resolveLaunch', 'mcp/node/files/realPath', /only "mcp\/node"/],
    ['workbench', 'mcp/node/nodePlatform', /only "mcp\/node"/],
    ['tools/index', 'somewhere/else', /no layer/],
    ['gate/decide/decide', 'gate/toolGate', /only types from "gate"/],
    ['gate/decide/decide', 'gate/ask/callQuestions', /only types from "gate\/ask"/],
    ['gate/decide/policy', 'ui/settings/readSetting', /only types from "ui\/settings"/],
    ['offer/offeredTools', 'audit/auditLog', /only types from "audit"/],
  ];
  for (const [from, to, why] of forbidden)
    it(`keeps ${from} from ${to}`, async () => {
      assert.match((await problem(from, to)) ?? '', why);
    });
});

describe('what runs without the editor', () => {
  const types: readonly [from: string, to: string][] = [
    ['gate/decide/decide', 'gate/toolGate'],
    ['gate/decide/decide', 'ui/settings/settingRules'],
    ['offer/offeredTools', 'audit/auditLog'],
  ];
  for (const [from, to] of types)
    it(`lets ${from} import types of ${to}`, async () => {
      assert.equal(await problem(from, to, true), undefined);
    });

  it('imports nothing but types from what stands above it, but not even these against the layers', async () => {
    assert.match((await problem('base/async', 'ui/ids', true)) ?? '', /stands above/);
  });
});

describe('the rule of modules', () => {
  const modules: readonly [from: string, name: string, isAllowed: boolean][] = [
    ['mcp/node/nodeFiles', 'node:fs/promises', true],
    ['config/index', 'vscode', true],
    ['config/index', 'jsonc-parser', true],
    ['config/index', 'node:crypto', false],
    ['mcp/session/session', 'path', false],
    ['extension', 'node:os', false],
    ['mcp/session/session', '@modelcontextprotocol/client', true],
    ['apps/view/appView', '@modelcontextprotocol/ext-apps', true],
    ...['base/async', 'calls/runCalls', 'gate/decide/decide', 'browser/loadChunk', 'api'].map(
      (from): [string, string, boolean] => [from, '@modelcontextprotocol/client', false],
    ),
    ...['base/async', 'mcp/server', 'contracts/decision', 'calls/runCalls'].map(
      (from): [string, string, boolean] => [from, 'vscode', false],
    ),
    ['gate/decide/decide', 'vscode', false],
    ['gate/ask/callQuestions', 'vscode', true],
    ['browser/browserPlatform', 'vscode', true],
  ];
  for (const [from, name, isAllowed] of modules)
    it(`${isAllowed ? 'lets' : 'does not let'} ${from} import ${name}`, async () => {
      const { moduleProblem } = await rules();
      assert.equal(moduleProblem(from.split('/'), name) === undefined, isAllowed);
    });
});
