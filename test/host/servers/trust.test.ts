import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as vscode from 'vscode';
import type { Launch } from '../../../src/config/launch/launch';
import type { ConfiguredServer } from '../../../src/config/mergeReadings';
import type { Reading } from '../../../src/config/reading';
import { createTrust } from '../../../src/config/trust/trust';
import type { TrustQuestion } from '../../../src/config/trust/trustQuestion';
import { TrustStore } from '../../../src/config/trust/trustStore';
import { parseServerConfig } from '../../../src/mcp/serverConfig';
import { defaultLimits } from '../../../src/mcp/serverLimits';

const reading: Reading = {
  scope: 'user',
  label: 'User Settings',
  entries: [],
  inputs: undefined,
  problems: [],
};

function launchOf(...args: string[]): Launch {
  const parsed = parseServerConfig({ command: 'node', args });
  assert.ok('config' in parsed);
  const { config } = parsed;
  return { serverName: 'demo', place: 'User Settings', config, written: config };
}

function serverOf({ config }: Launch): ConfiguredServer {
  const source = { label: reading.label };
  const definition = { id: 'demo', name: 'demo', config, source, limits: defaultLimits };
  return { reading, definition };
}

describe('the trust in a launch', () => {
  const { signal } = new AbortController();
  let folder = '';
  let asked: TrustQuestion[] = [];
  let answer = true;

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'mcp-workbench-trust-'));
    asked = [];
    answer = true;
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));

  /** As a window of its own. */
  const open = () => {
    const store = new TrustStore(vscode.Uri.file(folder));
    const trust = createTrust({
      store,
      ask: (question) => {
        asked.push(question);
        return Promise.resolve(answer);
      },
      trustAll: () => false,
    });
    return {
      store,
      check: (launch: Launch) => trust.check(serverOf(launch), launch, signal),
      isTrusted: (launch: Launch) => trust.isTrusted(serverOf(launch), launch),
    };
  };

  it('is asked for once, over windows too', async () => {
    assert.equal(await open().check(launchOf('a.js')), undefined);
    assert.equal(await open().check(launchOf('a.js')), undefined);
    assert.equal(asked.length, 1);
    assert.equal(asked[0]?.before, undefined);
  });

  it('is asked for again with the text of before when the launch changed', async () => {
    const { check } = open();
    await check(launchOf('a.js'));
    await check(launchOf('b.js'));
    assert.equal(asked.length, 2);
    assert.match(asked[1]?.before ?? '', /node a\.js/);
  });

  it('is not remembered as a no, and refuses with a sentence', async () => {
    const { check, isTrusted } = open();
    answer = false;
    assert.match((await check(launchOf('a.js'))) ?? '', /not trusted/);
    assert.equal(await isTrusted(launchOf('a.js')), false);
    answer = true;
    assert.equal(await check(launchOf('a.js')), undefined);
    assert.equal(asked.length, 2);
  });

  it('of many launches given by two windows at once loses none', async () => {
    const launches = Array.from({ length: 10 }, (_, index) => launchOf(`${index}.js`));
    const [one, other] = [open(), open()];
    await Promise.all(
      launches.flatMap((launch) => [one.check(launch), other.check({ ...launch, place: 'Other' })]),
    );
    assert.equal((await open().store.readAll()).length, 20);
  });

  it('can be withdrawn', async () => {
    const { store, check, isTrusted } = open();
    await check(launchOf('a.js'));
    assert.equal(await isTrusted(launchOf('a.js')), true);
    for (const decision of await store.readAll()) await store.remove(decision);
    assert.equal(await isTrusted(launchOf('a.js')), false);
  });

  it('keeps no value that came from the environment', async () => {
    const { check, store } = open();
    const launch = launchOf('--token', 'hush');
    const written = launchOf('--token', '${env:TOKEN}').config;
    await check({ ...launch, written });
    const [decision] = await store.readAll();
    assert.doesNotMatch(JSON.stringify(decision), /hush/);
    assert.match(decision?.text ?? '', /\$\{env:TOKEN\}/);
  });

  it('keeps no argument that looks like a secret', async () => {
    const { check, store } = open();
    await check(launchOf('serve', '--api-key', 'hush-1', '--port=80'));
    const [decision] = await store.readAll();
    assert.doesNotMatch(JSON.stringify(decision), /hush/);
    assert.match(decision?.text ?? '', /serve --api-key .*redacted.* --port=80/);
  });
});
