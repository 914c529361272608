import assert from 'node:assert/strict';
import { inEnglish } from '../../../src/base/translate';
import { measureJson } from '../../../src/base/measureJson';
import { mediaKind, extensionsOf } from '../../../src/base/mediaTypes';
import { looksSecret, redactSecrets } from '../../../src/base/secrets';
import { distinctNames, fileName, sanitize } from '../../../src/base/text/fileName';
import { jsonText, maxJsonLength } from '../../../src/base/text/jsonText';
import { fencedMarkdown } from '../../../src/base/text/markdown';
import {
  documentText,
  maxDocumentLength,
  maxPickRows,
  maxTooltipLength,
  narrow,
  plainLabel,
  tooltipText,
} from '../../../src/base/text/text';
import { findMentions, maxMentions } from '../../../src/resources/documents/safeMarkdown';
import { CutTexts } from '../../../src/chat/content/cutTexts';
import { nameTools } from '../../../src/contracts/toolNames';
import { ServerLog, maxLength as maxLogLength } from '../../../src/mcp/connection/serverContents';
import type { Json } from '../../../src/mcp/protocol/types';
import { toParts } from '../../../src/mcp/protocol/content';
import { resultDocument } from '../../../src/tools/run/resultDocument';
import { draft, message, say, words } from '../prompts/drafts';
import {
  maxPaletteEntries,
  maxServerEntries,
  wantedEntries,
} from '../../../src/prompts/palette/wantedEntries';
import { previewText } from '../../../src/prompts/preview/showPreview';
import { promptParts } from '../../../src/prompts/preview/promptParts';
import { questionText } from '../../../src/requests/elicitation';
import { maxAddressLength, readWebAddress } from '../../../src/mcp/http/webAddress';
import {
  QuestionRateLimit,
  maxHeld,
  type HeldQuestions,
} from '../../../src/requests/questionRateLimit';
import { messageSections } from '../../../src/requests/sampling/review/messageSections';
import { topLevel } from '../../../src/resources/tree/nesting';
import { argumentRows } from '../../../src/ui/rows/argumentRows';
import { decide, maxLookAlikes, type Facts } from '../../../src/gate/decide/decide';
import { identityChanges } from '../../../src/gate/decide/approval';
import { findLookAlikes } from '../../../src/gate/decide/lookAlikes';
import { describeText, maxSuggestions, textChoices } from '../../../src/ui/sources/textChoices';
import { readFields } from '../../../src/ui/steps/schemaFields';
import { fakeServer, tool } from '../../support/fakes/fakeServer';
import { processMs, leeway } from '../../support/processes/ownLoad';

const rowsLength = (args: Parameters<typeof argumentRows>[0]) =>
  argumentRows(args, 4).rows.reduce((sum, { label }) => sum + label.length, 0);

const million = 1_000_000;

const nothing = { namesOf: () => Promise.resolve(new Set<string>()) };

/** Long texts with a hidden character at the end, stored as one flat string like those parsed from a message. */
const flat = (text: string) => JSON.parse(JSON.stringify(`${text}\u202E`)) as string;
const latin = flat('k'.repeat(50 * million));
const chinese = flat('漢'.repeat(16 * million));

/** Returns how many characters of a text a model gets at a time. */
const read = (text: string) => {
  const content = { parts: [{ kind: 'text', text }], leftOut: [] } as const;
  const { parts } = new CutTexts().shorten('demo', content, 50_000);
  return parts.reduce((sum, part) => sum + (part.kind === 'text' ? part.text.length : 0), 0);
};

/** The processor time in milliseconds that one message may cost the window on a machine of normal speed. */
const budgetMs = 200;

/** A server's message, what is done with it, and the largest result allowed. */
interface Attack {
  readonly what: string;
  /** Does what the window does, and returns the size of the result. */
  readonly run: () => number | Promise<number>;
  readonly most: number;
}

const deep = JSON.parse(nestedTo(12_000)) as Json;
const hidden = '\u202E'.repeat(million);

const manyFields = {
  type: 'object',
  properties: Object.fromEntries(
    Array.from({ length: 10_000 }, (_, i) => [
      `f${i}`,
      { type: 'string', description: 'x'.repeat(1000) },
    ]),
  ),
};

const call = {
  server: fakeServer(),
  tool: tool({ name: 'x' }),
  arguments: {},
  origin: { kind: 'user', action: undefined },
} as const;
const resultWords = {
  t: inEnglish,
  error: '',
  structured: '',
  empty: '',
  arguments: '',
  made: '',
  showCall: '',
};
const translate = (text: string) => text;

const identity = (inputSchema: object) => ({
  launch: {},
  launchFingerprint: '',
  definition: { name: 'x', inputSchema: inputSchema as Record<string, unknown> },
});

const facts = (lookAlikes: Facts['lookAlikes']): Facts => ({
  policy: 'ask',
  forbiddenBy: undefined,
  onDenyList: false,
  onAskList: false,
  isFilteredOut: false,
  trustsReadOnlyHint: false,
  annotations: undefined,
  approval: undefined,
  changes: [],
  lookAlikes,
  over: undefined,
  taintedSince: undefined,
  validation: { kind: 'valid', notes: [] },
});

function logged(data: unknown): number {
  let length = 0;
  const write = (text: string) => void (length += text.length);
  const log = new ServerLog({ trace: write, debug: write, info: write, warn: write, error: write });
  for (let i = 0; i < 100; i += 1) log.write({ level: 'info', data });
  log.dispose();
  return length;
}

const attacks: readonly Attack[] = [
  {
    what: 'a second of log data of 24 kB, nested',
    run: () => logged(deep),
    most: 100 * maxLogLength,
  },
  { what: 'a second of log texts of 1 MB', run: () => logged(hidden), most: 100 * maxLogLength },
  {
    what: 'a nested value in a result',
    run: () => documentOf({ content: [], structuredContent: deep }),
    most: maxJsonLength,
  },
  {
    what: 'a nested block of an unknown type',
    run: () => {
      const [part] = toParts([{ type: 'unknown', value: deep }]);
      return part?.kind === 'text' ? part.text.length : 0;
    },
    most: maxJsonLength,
  },
  {
    what: 'nested arguments of a call in a request to sample',
    run: () =>
      messageSections(
        [{ role: 'assistant', parts: [{ kind: 'call', id: '1', name: 'x', input: { deep } }] }],
        translate,
      ).reduce((sum, { body }) => sum + (body?.length ?? 0), 0),
    most: maxJsonLength,
  },
  {
    what: 'a nested schema that changed',
    run: () =>
      identityChanges(
        identity({}),
        identity({ deep: JSON.parse(nestedTo(250)) as unknown }),
      ).reduce((sum, { after }) => sum + after.length, 0),
    most: maxJsonLength,
  },
  {
    what: 'nested arguments in a question',
    run: () => rowsLength({ deep }),
    most: 1000,
  },
  {
    what: 'wide arguments in a question',
    run: () => rowsLength({ a: '漢'.repeat(million) }),
    most: 1000,
  },
  {
    what: 'a million numbers in a value',
    run: () =>
      jsonText(
        Array.from({ length: million }, (_, i) => i),
        2,
      ).length,
    most: maxJsonLength,
  },
  {
    what: 'the size of a text of 50 MB',
    run: () => measureJson([latin]).bytes,
    most: 50 * million + 7,
  },
  {
    what: 'a result of 50 MB that a model reads a part of',
    run: () => read(latin),
    most: 50_000,
  },
  {
    what: 'a result of 50 MB of letters of three bytes that a model reads a part of',
    run: () => read(chinese),
    most: 50_000,
  },
  {
    what: 'a long string in a value',
    run: () => jsonText(['"'.repeat(20 * million)], 2).length,
    most: maxJsonLength,
  },
  {
    what: 'what looks like the beginning of a key, repeated',
    run: () => String(redactSecrets('-eyJ'.repeat(15_000))).length,
    most: 60_000,
  },
  {
    what: 'dots and the beginnings of keys',
    run: () => String(redactSecrets('eyJaaaaaaaa.'.repeat(5000))).length,
    most: 60_000,
  },
  {
    what: 'a name with many capitals',
    run: () => Number(looksSecret('aB'.repeat(30_000))),
    most: 1,
  },
  { what: 'twenty thousand questions', run: askTwentyThousand, most: maxHeld },
  {
    what: 'a run of letters in a document',
    run: () => findMentions('a'.repeat(500_000), new Map()).length,
    most: 0,
  },
  {
    what: 'a run of colons in a document',
    run: () => findMentions(`a${':'.repeat(500_000)}`, new Map()).length,
    most: 0,
  },
  {
    what: 'a document of nothing but links',
    run: () => findMentions('a:b '.repeat(million), new Map([['a:b', 1]])).length,
    most: maxMentions,
  },
  {
    what: 'four thousand tools of one name',
    run: () =>
      nameTools([
        {
          id: 'a',
          name: 'a',
          tools: { items: Array.from({ length: 4000 }, () => tool({ name: 'x' })) },
        },
      ]).size,
    most: 4000,
  },
  {
    what: 'thousands of long tool names that begin alike',
    run: () => {
      const names = Array.from({ length: 4000 }, (_, i) => `${'x'.repeat(52)}_${i % 2000}`);
      const items = names.map((name) => tool({ name }));
      return nameTools([{ id: 'a', name: 'a', tools: { items } }]).size;
    },
    most: 4000,
  },
  {
    what: 'four thousand files of one name',
    run: () => new Set(distinctNames(Array.from({ length: 4000 }, () => 'a.txt'))).size,
    most: 4000,
  },
  {
    what: 'a URI of forty thousand segments',
    run: () => topLevel([{ uri: `x://h/${'a/'.repeat(40_000)}b` }]).folders.length,
    most: 1,
  },
  {
    what: 'a thousand URIs of a thousand segments',
    run: () =>
      topLevel(
        Array.from({ length: 1000 }, (_, i) => ({ uri: `x://h/${'a/'.repeat(1000)}${i}/b` })),
      ).folders.length,
    most: 1000,
  },
  {
    what: 'slashes at the end of a URI but one',
    run: () => fileName({ uri: `x:a${'/'.repeat(100_000)}b` }).length,
    most: 120,
  },
  {
    what: 'dots and blanks at the end of a name but one',
    run: () => sanitize(`a${' .'.repeat(50_000)}b`).length,
    most: 120,
  },
  {
    what: 'a name of hidden characters',
    run: () => fileName({ uri: `x://a/${hidden}` }).length,
    most: 120,
  },
  { what: 'a label of 1 MB', run: () => plainLabel(hidden).length, most: 200 },
  {
    what: 'a thousand labels of 100 kB',
    run: () => thousand(() => plainLabel('a b'.repeat(33_000)).length),
    most: 200_000,
  },
  { what: 'a tooltip of 1 MB', run: () => tooltipText(hidden).length, most: maxTooltipLength },
  {
    what: 'a text of 20 MB to read',
    run: () => documentText('a\u202E'.repeat(10 * million)).length,
    most: maxDocumentLength,
  },
  {
    what: 'a fenced text of 20 MB',
    run: () => fencedMarkdown('`a'.repeat(10 * million)).length,
    most: maxDocumentLength + 20,
  },
  {
    what: 'a result of 20 MB of text',
    run: () =>
      documentOf({
        content: [
          { type: 'text', text: 'x'.repeat(20 * million) },
          { type: 'text', text: 'y' },
        ],
      }),
    most: 10_000,
  },
  {
    what: 'a result of a hundred thousand parts',
    run: () =>
      documentOf({
        content: Array.from({ length: 100_000 }, () => ({ type: 'text', text: 'y' }) as const),
      }),
    most: 10_000,
  },
  {
    what: 'a prompt of 20 MB',
    run: () => {
      const made = draft(Array.from({ length: 20 }, () => say('user', 'x'.repeat(million))));
      return previewText(made, promptParts(made), words).text.length;
    },
    most: 2 * maxDocumentLength,
  },
  {
    what: 'a prompt of twenty thousand documents of one name',
    run: () => {
      const document = { type: 'resource', resource: { uri: 'x://a/b.txt', text: 'x' } } as const;
      const made = draft(Array.from({ length: 20_000 }, () => message(document)));
      return new Set(promptParts(made).map(({ file }) => file?.name)).size;
    },
    most: 20_000,
  },
  {
    what: 'a form of ten thousand fields',
    run: () => {
      return questionText(
        'a',
        { mode: 'form', message: 'x', requestedSchema: manyFields } as never,
        translate,
      ).length;
    },
    most: 200_000,
  },
  {
    what: 'an enumeration of a hundred thousand values',
    run: () =>
      readFields({
        properties: { a: { enum: Array.from({ length: 100_000 }, (_, i) => `v${i}`) } },
      }).length,
    most: 1,
  },
  {
    what: 'a hundred thousand suggestions',
    run: () => suggested(Array.from({ length: 100_000 }, (_, i) => `v${i}`)),
    most: maxSuggestions + 1,
  },
  { what: 'suggestions of 1 MB', run: () => describeText(hidden).label.length, most: 120 },
  {
    what: 'an address of 1 MB',
    run: async () =>
      (await readWebAddress(`https://a.example/${'a'.repeat(million)}`))?.href.length ?? 0,
    most: 0,
  },
  {
    what: 'an address as long as may be',
    run: async () =>
      (await readWebAddress(`https://a.example/${'a'.repeat(7000)}`))?.href.length ?? 0,
    most: maxAddressLength,
  },
  {
    what: 'a hundred thousand rows of a pick',
    run: () =>
      narrow(
        Array.from({ length: 100_000 }, (_, i) => `row ${i}`),
        'ROW 9',
        (row) => row,
      ).shown.length,
    most: maxPickRows,
  },
  {
    what: 'ten thousand prompts in the palette',
    run: async () => {
      const prompts = Array.from({ length: 10_000 }, (_, i) => ({
        name: `p${i}`,
        title: hidden.slice(0, 1000),
      }));
      return (
        await wantedEntries(
          [fakeServer({ id: 'a', prompts })],
          { mode: 'all', pins: nothing, publications: nothing },
          [],
        )
      ).length;
    },
    most: maxServerEntries,
  },
  {
    what: 'thousands of prompts of many servers in the palette',
    run: async () => {
      const prompts = Array.from({ length: 200 }, (_, i) => ({ name: `p${i}` }));
      const servers = Array.from({ length: 10 }, (_, i) => fakeServer({ id: `s${i}`, prompts }));
      return (
        await wantedEntries(servers, { mode: 'all', pins: nothing, publications: nothing }, [])
      ).length;
    },
    most: maxPaletteEntries,
  },
  {
    what: 'ten thousand look-alikes',
    run: () => {
      const items = Array.from({ length: 10_000 }, (_, i) =>
        tool({ name: `a_${'_'.repeat(i % 90)}` }),
      );
      const access = decide(
        facts(findLookAlikes('other', 'a', [{ id: 'a', name: 'a', tools: { items } }])),
      );
      return access.kind === 'ask' ? access.concerns.length : 0;
    },
    most: maxLookAlikes + 1,
  },
];

function nestedTo(levels: number): string {
  return `${'['.repeat(levels)}${']'.repeat(levels)}`;
}

function thousand(task: () => number): number {
  let sum = 0;
  for (let i = 0; i < 1000; i += 1) sum += task();
  return sum;
}

function documentOf(result: Partial<Parameters<typeof resultDocument>[1]>): number {
  return resultDocument(call, { content: [], isError: false, ...result }, [], resultWords).text
    .length;
}

function suggested(values: readonly string[]): number {
  const state = { typed: 'v', held: undefined, put: undefined, last: undefined, required: true };
  return textChoices({ ...state, suggested: { values } }).length;
}

async function askTwentyThousand(): Promise<number> {
  const pauses: HeldQuestions[] = [];
  const gate = new QuestionRateLimit({
    maxPerMinute: 20,
    now: () => 0,
    onPause: (held) => pauses.push(held),
  });
  const server = { id: 'a', name: 'a' };
  const answers = Array.from({ length: 20_000 }, () =>
    gate.enter(server, new AbortController().signal),
  );
  const held = pauses[0]?.count ?? Infinity;
  pauses[0]?.end('drop');
  await Promise.all(answers);
  return held;
}

/** Returns the minimum of a few runs, so that other work on the machine does not count. */
async function measure({ run }: Attack): Promise<{ readonly amount: number; readonly ms: number }> {
  let least = Infinity;
  let amount = 0;
  for (let attempt = 0; attempt < 3 && least > budgetMs; attempt += 1) {
    const before = processMs();
    amount = await run();
    least = Math.min(least, (processMs() - before) / leeway());
  }
  return { amount, ms: least };
}

describe('The window is not held by', () => {
  for (const attack of attacks)
    it(attack.what, async () => {
      const { amount, ms } = await measure(attack);
      assert.ok(amount <= attack.most, `${amount} came of it, more than ${attack.most}`);
      assert.ok(ms <= budgetMs, `it took ${Math.round(ms)} ms of the processor`);
    });

  const names = ['constructor', '__proto__', 'toString', 'hasOwnProperty'];
  for (const name of names)
    it(`a media type, a field or a folder that is called ${name}`, () => {
      assert.deepEqual(extensionsOf(name), []);
      assert.equal(mediaKind(name), 'binary');
      const properties = JSON.parse(`{ "${name}": { "type": "string" } }`) as Record<
        string,
        unknown
      >;
      assert.deepEqual(
        readFields({ properties }).map((field) => [field.name, field.kind.kind]),
        [[name, 'text']],
      );
      const { folders } = topLevel([{ uri: `x://h/${name}/a` }, { uri: `x://h/b` }]);
      assert.deepEqual(
        folders.map(({ label }) => label),
        [name],
      );
      assert.equal(fileName({ uri: `x://h/${name}`, mimeType: name }), name);
    });
});
