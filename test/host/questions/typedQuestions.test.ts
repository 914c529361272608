import assert from 'node:assert/strict';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as vscode from 'vscode';
import { AgentTrust } from '../../../src/agents/agentTrust';
import { askApp } from '../../../src/apps/consent/askApp';
import { askDraft } from '../../../src/apps/consent/askDraft';
import { silentLogger } from '../../../src/base/log';
import { parseCalls } from '../../../src/calls/format/parseCalls';
import { createHandOverOffer } from '../../../src/chat/editor/offerHandOver';
import type { Launch } from '../../../src/config/launch/launch';
import { askServer } from '../../../src/config/add/askServer';
import { createTrustQuestion } from '../../../src/config/trust/trustQuestion';
import type { JsonObject } from '../../../src/mcp/protocol/types';
import { parseServerConfig } from '../../../src/mcp/launch/launchKinds';
import { defaultLimits } from '../../../src/mcp/serverConfig';
import { elicitVisit } from '../../../src/requests/elicitation';
import { readWebAddress } from '../../../src/mcp/http/webAddress';
import { askConsent } from '../../../src/requests/sampling/permissions';
import { askWorkspaceRoots } from '../../../src/roots/askRoot';
import type { RootEntry } from '../../../src/roots/rootChoices';
import { askVisit } from '../../../src/servers/signIn/browserVisits';
import { EditorIdentity } from '../../../src/servers/signIn/createSignIn';
import { CallsConsent } from '../../../src/testing/consent';
import { confirmToolCall } from '../../../src/gate/ask/callQuestions';
import type { DefaultChoice } from '../../../src/gate/ask/questionItems';
import type { CallOrigin } from '../../../src/contracts/toolCalls';
import type { DocumentInput } from '../../../src/ui/documents/documentInput';
import { QuestionQueue } from '../../../src/ui/questions/queue';
import type { Questions } from '../../../src/ui/questions/questions';
import { byUser, type Question, type QuestionKind } from '../../../src/ui/questions/question';
import { askChoice } from '../../../src/ui/steps/choiceStep';
import { reviewValues } from '../../../src/ui/steps/formReview';
import { confirm as confirmOwn } from '../../../src/ui/steps/confirm';
import { pickItem } from '../../../src/ui/steps/pickItem';
import { askRow } from '../../../src/ui/steps/pickRows';
import type { StepFrame } from '../../../src/ui/steps/stepFrame';
import { askText } from '../../../src/ui/steps/textStep';
import { fakeApp } from '../../support/fakes/fakeApp';
import { fakeServer, fakeServers, tool } from '../../support/fakes/fakeServer';
import { createMemento } from '../../support/fakes/memento';
import { setSetting } from '../../support/host/toolsSteps';
import { watchPicks } from '../../support/host/shownPicks';
import { repositoryRoot } from '../../support/paths';
import { poll } from '../../support/poll';

const server = { id: 'demo', name: 'demo' };
const { createQuickPick } = vscode.window;
const { signal } = new AbortController();
/** Longer than keys are ever ignored. */
const lateMs = 10_000;

/** The questions of a window whose clock is stopped. */
class Window {
  time = 0;
  readonly queue = new QuestionQueue({
    now: () => this.time,
    quietMs: 700,
    whenDrawn: (then) => then(),
    mayShow: () => true,
  });
  readonly questions = this.queue as unknown as Questions;

  async ask<T>(
    kind: QuestionKind,
    ask: (frame: StepFrame) => Promise<T>,
    { asked = true } = {},
  ): Promise<T | string> {
    const question: Question<T> = {
      info: { kind, server, what: 'decide', asked: asked ? byUser() : undefined },
      ask: (context) => ask({ title: 'demo', actions: [], context }),
    };
    const outcome = await this.queue.ask(question, signal);
    return outcome.kind === 'answered' ? outcome.answer : outcome.kind;
  }
}

function confirm(window: Window, origin: CallOrigin, defaultChoice: DefaultChoice) {
  const asked = tool();
  const args = { path: 'a.txt', all: 'for this session' };
  const call = { server: fakeServer({ tools: [asked] }), tool: asked, arguments: args, origin };
  const options = { defaultChoice, coverage: 'tool', isUnfinished: false } as const;
  return window.ask('call', async ({ context }) => {
    assert.ok(context);
    const question = { call, proposed: args, concerns: [], canGoBack: false };
    return (await confirmToolCall(question, context, options)).decision;
  });
}

function trust(window: Window, names: readonly string[]) {
  const ask = createTrustQuestion({
    logs: { extension: silentLogger },
    questions: window.questions,
    input: {} as DocumentInput,
  });
  const answers = names.map((name) => {
    const parsed = parseServerConfig({ command: 'node', args: ['start.js', name] });
    assert.ok('config' in parsed);
    const { config } = parsed;
    const place = 'User Settings';
    const launch: Launch = { serverName: name, place, config, written: config };
    const layer = { scope: 'user', label: place, entries: [], problems: [] } as const;
    const definition = { id: name, name, config, source: { label: place }, limits: defaultLimits };
    const located = { layer: { ...layer, inputs: undefined }, definition };
    return ask({ launch, server: located, text: `node ${name}`, before: undefined }, signal);
  });
  return Promise.all(answers);
}

interface Kind {
  /** The file in `src` that asks it. */
  readonly file: string;
  readonly begin: (window: Window) => Promise<unknown>;
  readonly byDefault: unknown;
  /** Set if Enter may grant something, because all of it is the user's own. */
  readonly isOwn?: true;
}

function review(values: JsonObject) {
  return (window: Window) =>
    window.ask('form', (frame) => {
      const kind = { kind: 'text' } as const;
      const field = { name: 'name', title: 'name', kind, schema: {}, required: false };
      const recipient = { intro: '', submit: 'Send', decline: 'Decline', warning: () => undefined };
      const begins = { begun: {}, problem: undefined };
      return reviewValues({ frame, ...recipient, fields: [field], values, ...begins });
    });
}

/** Each asks a question and resolves to the answer; `byDefault` is the only answer that Enter may give. */
const kinds: Readonly<Record<string, Kind>> = {
  'saved calls that the user runs': {
    file: 'testing/consent.ts',
    begin: async (window) => {
      const steps = [{ name: 'a', call: 'delete', arguments: { everything: true } }];
      const { file } = parseCalls(JSON.stringify({ from: 'demo', steps }));
      assert.ok(file);
      const consent = new CallsConsent(createMemento(), window.questions, {} as DocumentInput);
      const uri = vscode.Uri.file('/a.mcp-calls.jsonc');
      const asked = { uri, file, steps: file.steps, definitions: {}, asked: byUser() };
      return consent.allows({ ...asked, server: fakeServer() }, signal);
    },
    byDefault: false,
  },
  'a server of a link': {
    file: 'config/add/askServer.ts',
    begin: (window) => {
      const link =
        'vscode:mcp/install?%7B%22name%22%3A%22linked%22%2C%22command%22%3A%22node%22%7D';
      return window.ask('form', ({ context }) => {
        assert.ok(context);
        const ways = { readBundle: async () => undefined, onSearch: () => {} };
        return askServer(context, ways, link);
      });
    },
    byDefault: undefined,
  },
  'what is to be replaced, or opened though it is large': {
    file: 'ui/steps/confirm.ts',
    begin: (window) =>
      confirmOwn(window.questions, byUser(), {
        question: 'Replace them?',
        about: ['.vscode/settings.json', 'replace'],
        yes: 'Replace',
      }),
    byDefault: false,
  },
  'roots of a workspace': {
    file: 'roots/askRoot.ts',
    begin: (window) =>
      askWorkspaceRoots(window.questions, [{ uri: 'file:///home', name: 'home' } as RootEntry]),
    byDefault: false,
  },
  'an app': {
    file: 'apps/consent/askApp.ts',
    begin: async (window) => {
      const about = { server: fakeServer(), app: fakeApp(), asked: byUser() };
      const kept = { granted: async () => undefined, remember: async () => {} };
      const parts = { questions: window.questions, input: {} as DocumentInput };
      const outcome = await askApp({ ...about, ...kept }, parts);
      return outcome.kind === 'answered' && outcome.answer;
    },
    byDefault: { kind: 'decline' },
  },
  'an agent': {
    file: 'agents/agentTrust.ts',
    begin: (window) => {
      const entry = { id: 'a', label: 'Claude Code', secretHash: '', createdAt: 0 };
      const hello = { entry: 'a', secret: '', folder: '/home', program: 'claude', pid: 1 };
      const client = { name: 'claude', version: '1' };
      const agents = new AgentTrust(createMemento(), window.questions);
      return agents.ask({ entry, hello, client }, signal);
    },
    byDefault: false,
  },
  'a message of an app': {
    file: 'apps/consent/askDraft.ts',
    begin: ({ questions }) =>
      askDraft(fakeServer(), 'Do it now', { questions, input: {} as DocumentInput }, signal),
    byDefault: false,
  },
  'servers for another client': {
    file: 'chat/editor/offerHandOver.ts',
    begin: async (window) => {
      await setSetting('provideToEditor', undefined);
      const times = [0, 120_000];
      await createHandOverOffer({
        servers: fakeServers(fakeServer()),
        isOursAlone: () => true,
        questions: window.questions,
        state: createMemento(),
        now: () => times.shift() ?? 120_000,
      })();
      const setting = vscode.workspace.getConfiguration('mcpWorkbench').inspect('provideToEditor');
      await setSetting('provideToEditor', false);
      return setting?.globalValue;
    },
    byDefault: undefined,
  },
  'a form that nobody filled in': {
    file: 'ui/steps/formReview.ts',
    begin: review({}),
    byDefault: { kind: 'decline' },
  },
  'a call': {
    file: 'gate/ask/callQuestions.ts',
    begin: (window) => confirm(window, { kind: 'editor' }, 'deny'),
    byDefault: { kind: 'deny' },
  },
  'a call that Enter allows': {
    file: 'gate/ask/callQuestions.ts',
    isOwn: true,
    begin: (window) => confirm(window, { kind: 'editor' }, 'allow'),
    byDefault: { kind: 'allow' },
  },
  'a call of the user': {
    file: 'gate/ask/callQuestions.ts',
    isOwn: true,
    begin: (window) => confirm(window, { kind: 'user', action: byUser() }, 'deny'),
    byDefault: { kind: 'allow' },
  },
  'a launch': {
    file: 'config/trust/trustQuestion.ts',
    begin: (window) => trust(window, ['demo']),
    byDefault: ['notNow'],
  },
  'a list of launches': {
    file: 'config/trust/trustQuestion.ts',
    begin: (window) => trust(window, ['demo', 'start', 'all']),
    byDefault: ['notNow', 'notNow', 'notNow'],
  },
  'the use of a language model': {
    file: 'requests/sampling/permissions.ts',
    begin: (window) =>
      window.ask('sampling', (frame) =>
        askConsent(
          server,
          frame,
          { requests: 1, tokens: 1 },
          { parts: { '1 user': 'start all' }, showWhole: () => Promise.resolve() },
        ),
      ),
    byDefault: undefined,
  },
  'a sign-in': {
    file: 'servers/signIn/browserVisits.ts',
    begin: async (window) => {
      const page = { url: new URL('https://open.example'), state: 'open', parties: [] };
      const address = await readWebAddress(page.url.href);
      assert.ok(address);
      return askVisit(server, page, address, window.questions, signal);
    },
    byDefault: undefined,
  },
  'the use of an account of the editor': {
    file: 'servers/signIn/createSignIn.ts',
    begin: (window) => {
      const identity = new EditorIdentity('demo', {}, window.questions);
      const session = async ({ createIfNone }: vscode.AuthenticationGetSessionOptions) =>
        Promise.resolve(createIfNone ? { idToken: 'granted' } : undefined);
      Object.assign(identity, { session });
      return identity.token({ server, interactive: true, signal });
    },
    byDefault: undefined,
  },
  'a page to visit': {
    file: 'requests/elicitation.ts',
    begin: async (window) => {
      const address = await readWebAddress('https://open.example/copy');
      assert.ok(address);
      return window.ask('elicitation', (frame) => elicitVisit('Open it', address, frame));
    },
    byDefault: 'decline',
  },
  'a form that is filled in': {
    file: 'ui/steps/formReview.ts',
    begin: review({ name: 'Ada' }),
    byDefault: { kind: 'submit' },
    isOwn: true,
  },
};

/** Files that ask for what the user fills in or reviews as a document, or what an action of the user brings up. */
const formsAlone = [
  'config/inputs/inputs.ts',
  'requests/sampling/review/reviewSampling.ts',
  'requests/sampling/sampling.ts',
  'ui/questions/askOwn.ts',
];

/** Questions that only a command of the user asks, and whose rows grant nobody else anything. */
const ofCommands = [
  'chat/offer/switchToolSet.ts',
  'gate/send/showRunning.ts',
  'requests/questionFrame.ts',
  'requests/sampling/manageSampling.ts',
  'requests/sampling/review/reviewSampling.ts',
  'servers/removeServer.ts',
];

/**
 * Returns letters, beginnings, words and whole labels: of each kind one for each row that comes first with it, whether
 * rows stay in order or those that match earlier go before others. Every row is the first match of one of them.
 */
function textsOf(items: readonly vscode.QuickPickItem[]): ReadonlySet<string> {
  const labels = items
    .filter(({ kind }) => kind !== vscode.QuickPickItemKind.Separator)
    .map(({ label }) => label.toLowerCase());
  const words = labels.flatMap((label) => label.split(/\s+/));
  const beginnings = words.map((word) => word.slice(0, 2));
  const texts = new Set<string>();
  for (const kind of [words.flatMap((word) => word.split('')), beginnings, words, labels]) {
    const firsts = new Map<string, string>();
    for (const text of kind.filter((each) => each !== '')) {
      const places = labels.map((label) => label.indexOf(text));
      const earliest = Math.min(...places.filter((place) => place >= 0));
      const first = `${places.findIndex((place) => place >= 0)} ${places.indexOf(earliest)}`;
      if (!firsts.has(first)) firsts.set(first, text);
    }
    for (const text of firsts.values()) texts.add(text);
  }
  return texts;
}

/** Resolves when the window has done everything so far and has reported it. */
async function settled(): Promise<void> {
  await vscode.commands.executeCommand('setContext', 'mcpWorkbench.test', 1);
}

/** Returns the files of `src` whose text matches, in order, with `/` on every system. */
async function filesWith(pattern: RegExp): Promise<string[]> {
  const source = join(repositoryRoot, 'src');
  const found: string[] = [];
  for (const file of await readdir(source, { recursive: true }))
    if (file.endsWith('.ts') && pattern.test(await readFile(join(source, file), 'utf8')))
      found.push(file.replaceAll('\\', '/'));
  return found.toSorted();
}

describe('every question', () => {
  it('is among those that these tests ask, or only a command of the user asks it', async () => {
    const asking = await filesWith(/import \{[^}]*\bpickItem\b/);
    const known = [...Object.values(kinds).map(({ file }) => file), ...ofCommands];
    assert.deepEqual(asking, [...new Set(known)].toSorted());
  });

  it('that the user did not begin is among those that these tests ask, or a form', async () => {
    // What `askOwn` asks needs an action of the user.
    const asking = await filesWith(/\bquestions\s*\.ask[<(]/);
    const known = new Set(Object.values(kinds).map(({ file }) => file));
    const others = asking.filter((file) => !known.has(file));
    assert.deepEqual(others, formsAlone.toSorted());
  });

  it('has no default where no row of it grants nothing, so that Enter takes none', async () => {
    const window = new Window();
    const picks = watchPicks();
    const items = [{ label: 'Grant' }, { label: 'Grant More' }];
    const answers: unknown[] = [];
    const asked = window.ask('trust', (frame) => pickItem({ frame, items }));
    void asked.then((answer) => answers.push(answer));
    // The editor calls no row of it active, so there is none to wait for.
    const shown = await poll('the question', 20_000, () => Promise.resolve(picks.open[0]));
    for (let times = 0; times < 3; times += 1) {
      window.time += lateMs;
      window.queue.view?.enter();
      await settled();
    }
    assert.deepEqual(answers, []);
    shown.click('Grant');
    assert.equal(((await asked) as vscode.QuickPickItem).label, 'Grant');
    picks.dispose();
  });

  for (const [name, { begin, byDefault, isOwn }] of Object.entries(kinds))
    it(`grants nothing on Enter alone, ${isOwn ? 'but what is the user’s own' : 'whoever asked for it'}: ${name}`, async () => {
      const window = new Window();
      const answered = begin(window);
      let answer: { readonly is: unknown } | undefined;
      void answered.then((is) => (answer = { is }));
      await poll('the question', 20_000, () => Promise.resolve(window.queue.view));
      await poll('its end', 20_000, async () => {
        window.time += lateMs;
        window.queue.view?.enter();
        await settled();
        return answer;
      });
      assert.deepEqual(answer, { is: byDefault });
    });
});

describe('what is typed into a question', function () {
  this.timeout(120_000);
  let pick: vscode.QuickPick<vscode.QuickPickItem> | undefined;

  before(() => {
    vscode.window.createQuickPick = <T extends vscode.QuickPickItem>() => {
      const created = createQuickPick<T>();
      pick = created;
      return created;
    };
  });
  after(() => {
    vscode.window.createQuickPick = createQuickPick;
  });

  for (const [name, { begin, byDefault }] of Object.entries(kinds))
    for (const isLate of [false, true])
      it(`takes nothing but the default of ${name}: parts of all its labels, with Enter, ${isLate ? 'later' : 'as it comes up'}`, async () => {
        const window = new Window();
        let isOpen = false;
        const answers: unknown[] = [];
        const open = async () => {
          isOpen = true;
          void begin(window).then((answer) => {
            answers.push(answer);
            isOpen = false;
          });
          await settled();
          await settled();
        };
        const enter = async () => {
          if (isLate) window.time += lateMs;
          window.queue.view?.enter();
          await settled();
        };
        await open();
        assert.ok(pick);
        const texts = textsOf(pick.items);
        assert.ok(texts.size > pick.items.length);
        let isQuick = false;
        for (const text of texts) {
          if (!isOpen) await open();
          if (isLate) window.time += lateMs;
          pick.value = text;
          // Enter comes right after the last letter in every other turn, otherwise when the window has filtered its
          // rows.
          isQuick = !isQuick;
          if (!isQuick) await settled();
          await enter();
          await enter();
          for (const answer of answers.splice(0)) assert.deepEqual(answer, byDefault, text);
          if (!isLate) assert.ok(isOpen, `“${text}” decided as the question came up`);
        }
        window.time += lateMs;
        if (isOpen) window.queue.view?.escape();
        await settled();
      });
});

/** Forms that text is typed into, and what Enter gives if nothing was typed. */
const forms: Readonly<
  Record<string, { ask: (frame: StepFrame) => Promise<unknown>; readonly gives: unknown }>
> = {
  'a text': {
    ask: (title) =>
      askText(
        { title, name: 'name', required: false },
        { number: 1, count: 1, canGoBack: false, keep: () => {} },
      ),
    gives: { kind: 'next', value: undefined },
  },
  'a choice': {
    ask: (title) => {
      const options = ['red', 'blue'].map((value) => ({ value, title: value }));
      const question = { title, name: 'color', required: true, options, multiple: false };
      const place = { number: 1, count: 1, canGoBack: false };
      return askChoice({ ...question, last: 'red' }, place, { value: 'red', begun: 'red' });
    },
    gives: { kind: 'next', value: 'red' },
  },
  rows: {
    ask: (frame) => askRow({ frame, items: [{ label: 'red' }, { label: 'blue' }] }),
    gives: { label: 'red' },
  },
};

describe('what is typed for something else', function () {
  this.timeout(60_000);

  for (const [name, { ask, gives }] of Object.entries(forms))
    it(`stays out of ${name} coming up by itself, and no Enter is taken`, async () => {
      const window = new Window();
      const picks = watchPicks();
      const answers: unknown[] = [];
      const answered = window
        .ask('elicitation', ask, { asked: false })
        .then((answer) => answers.push(answer));
      const shown = await picks.next(/^demo/);
      const { pick } = shown;
      const enter = () => {
        const { view: face } = window.queue;
        if (face?.mode === 'decision') face.enter();
        else shown.accept();
      };
      for (const text of ['b', 'bl']) {
        pick.value = text;
        await poll('the box to be as it was', 20_000, () =>
          Promise.resolve(pick.value === '' || undefined),
        );
        enter();
      }
      assert.match(pick.placeholder ?? '', /^Not taken/);
      assert.deepEqual(pick.selectedItems, []);
      window.queue.view?.escape();
      await settled();
      assert.deepEqual(answers, []);
      await poll('the first row to be the active one', 20_000, () =>
        Promise.resolve(pick.activeItems[0] === pick.items[0] || undefined),
      );
      window.time += lateMs;
      enter();
      await answered;
      assert.deepEqual(answers, [gives]);
      picks.dispose();
    });
});

describe('a second click', function () {
  this.timeout(60_000);

  it('on a row that was chosen decides nothing of the question that comes up below it', async () => {
    const window = new Window();
    const picks = watchPicks();
    const rows = [{ label: 'one' }, { label: 'two' }];
    const chosen = window.ask('form', (frame) => askRow({ frame, items: rows }));
    (await picks.next(/^demo$/)).click('two');
    assert.equal(await chosen, rows[1]);
    const decisions = [{ label: 'Keep', grantsNothing: true as const }, { label: 'Remove' }];
    const decided: unknown[] = [];
    const deciding = window
      .ask('form', (frame) => pickItem({ frame, items: decisions }))
      .then((answer) => decided.push(answer));
    const question = await picks.next(/^demo$/);
    question.click('Remove');
    await settled();
    assert.deepEqual(decided, []);
    // The editor does not report a click on a row that it considers selected already.
    assert.deepEqual(question.pick.selectedItems, []);
    window.time += lateMs;
    question.click('Remove');
    await deciding;
    assert.deepEqual(
      decided.map((row) => (row as vscode.QuickPickItem).label),
      ['Remove'],
    );
    picks.dispose();
  });
});
