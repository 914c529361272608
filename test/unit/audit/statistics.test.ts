import assert from 'node:assert/strict';
import type { AuditRecord, CallBegun, CallEnded } from '../../../src/audit/auditLog';
import { logSessions } from '../../../src/audit/logSessions';
import {
  figuresOf,
  maxStatisticRows,
  sparkline,
  statisticsText,
} from '../../../src/audit/statistics';

const now = Date.parse('2026-11-29T12:00:00Z');
const hour = 3_600_000;

/** A call so many hours ago, with its end if there is one. */
function call(
  id: string,
  hoursAgo: number,
  fields: Partial<CallBegun> = {},
  end?: Partial<CallEnded>,
): readonly AuditRecord[] {
  const time = new Date(now - hoursAgo * hour).toISOString();
  const begun: CallBegun = {
    kind: 'callBegun',
    id,
    time,
    session: 'window',
    server: { id: 'demo', name: 'demo' },
    tool: 'echo',
    origin: 'chat',
    launchFingerprint: '',
    toolFingerprint: '',
    arguments: { value: {} },
    argumentBytes: 40,
    edited: false,
    decision: 'allowed',
    decidedBy: { kind: 'user', how: 'click' },
    ...fields,
  };
  const ended: CallEnded = { kind: 'callEnded', id, time, outcome: 'result', ...end };
  return end ? [begun, ended] : [begun];
}

/** The lines of the document, without the blanks that align them. */
const linesOf = (records: readonly AuditRecord[]) =>
  statisticsText(records, now)
    .text.split('\n')
    .map((line) => line.replaceAll(/ {2,}/g, ' '));

describe('the statistics of tool calls', () => {
  const times = Array.from({ length: 100 }, (_, at) =>
    call(`t${at}`, 1, {}, { durationMs: (at + 1) * 10, resultBytes: 0 }),
  ).flat();
  const counted = (records: readonly AuditRecord[]) =>
    logSessions(records).flatMap(({ entries }) =>
      entries.flatMap((entry) => (entry.kind === 'call' ? [entry as never] : [])),
    );

  it('have the median and the 95th percentile of the times that were measured', () => {
    const { calls, p50, p95 } = figuresOf(counted(times));
    assert.deepEqual({ calls, p50, p95 }, { calls: 100, p50: 500, p95: 950 });
  });

  const endings: readonly [
    title: string,
    end: Partial<CallEnded> | undefined,
    failed: number,
    timed: boolean,
  ][] = [
    ['that was answered', { outcome: 'result', durationMs: 7 }, 0, true],
    ['of a tool that failed', { outcome: 'toolError', durationMs: 7 }, 1, true],
    ['that failed', { outcome: 'failed', durationMs: 7 }, 1, true],
    ['that was cancelled', { outcome: 'cancelled', durationMs: 7 }, 0, false],
    ['that was lost', { outcome: 'lost' }, 1, false],
    ['that has not ended', undefined, 0, false],
    ['whose time another program broke', { durationMs: 'x' as never }, 0, false],
    ['whose time is negative', { durationMs: -7 }, 0, false],
  ];
  for (const [title, end, failed, isTimed] of endings)
    it(`count a call ${title}`, () => {
      const figures = figuresOf(counted(call('1', 1, {}, end)));
      assert.deepEqual(
        [figures.calls, figures.failed, figures.p50 !== undefined],
        [1, failed, isTimed],
      );
    });

  it('count what was not sent apart, without its size', () => {
    const figures = figuresOf(counted(call('1', 1, { decision: 'denied' })));
    assert.deepEqual(figures, {
      calls: 0,
      failed: 0,
      refused: 1,
      p50: undefined,
      p95: undefined,
      tokens: 0,
    });
  });

  it('are of a day, a week and all, by server, tool and who wanted the calls', () => {
    const end = { durationMs: 200, resultBytes: 360 };
    const lines = linesOf([
      ...call('1', 24 * 20, {}, end),
      ...call('2', 48, { tool: 'add', origin: 'user' }, { ...end, outcome: 'toolError' }),
      ...call(
        '3',
        1,
        { origin: 'agent', agent: 'Claude Code', server: { id: 'b', name: 'other' } },
        end,
      ),
    ]);
    const figures = 'calls: 1 · p50 0.20 s · p95 0.20 s · ≈ 100 tokens';
    const failed = 'calls: 1 · failed: 1 · p50 0.20 s · p95 0.20 s · ≈ 100 tokens';
    const headings = lines.flatMap((line, at) =>
      line.startsWith('──') ? [[line, lines[at + 2]]] : [],
    );
    assert.deepEqual(
      headings.map(([title, all]) => [title?.split(' since')[0], all]),
      [
        ['── Last 24 hours ──', figures],
        [
          '── Last 7 days ──',
          figures.replace('1', '2').replace('p50', 'failed: 1 · p50').replace('100', '200'),
        ],
        [
          '── All,',
          figures.replace('1', '3').replace('p50', 'failed: 1 · p50').replace('100', '300'),
        ],
      ],
    );
    for (const [name, its] of [
      ['other', figures],
      ['other › echo', figures],
      ['Claude Code', figures],
      ['demo › add', failed],
      ['you', failed],
      ['a model, for @mcp', figures],
    ]) {
      const rows = `\n${name} ████████████\n ${its}\n`;
      assert.ok(lines.join('\n').includes(rows), `${rows} among\n${lines.join('\n')}`);
    }
  });

  it('lead from each name to its entries, and to no other', () => {
    const other = { id: 'x', name: 'demo-2 "quoted"' };
    const records = [
      ...call('1', 1),
      ...call('2', 1, { tool: 'echo2' }),
      ...call('3', 1, { server: other }),
      ...call('4', 1, { origin: 'agent', agent: 'Codex' }),
      ...call('5', 1, { origin: 'savedCalls', server: other }),
    ];
    const { text, links } = statisticsText(records, now);
    const lines = text.split('\n');
    const found = new Map(
      links.map(({ line, length, filter }) => [
        lines[line]?.slice(0, length),
        logSessions(records, filter).flatMap(({ entries }) => entries).length,
      ]),
    );
    assert.deepEqual(Object.fromEntries(found), {
      demo: 3,
      'demo-2 "quoted"': 2,
      'demo › echo': 2,
      'demo › echo2': 1,
      'demo-2 "quoted" › echo': 2,
      'a model, for @mcp': 3,
      Codex: 1,
      'saved calls or a check': 1,
    });
  });

  it('have so many rows in a list at most, and say how many more there are', () => {
    const records = Array.from({ length: maxStatisticRows + 3 }, (_, at) =>
      call(String(at), 1, { tool: `tool ${at}` }),
    ).flat();
    const { text, links } = statisticsText(records, now);
    assert.equal(text.split('\n').filter((line) => line === 'and 3 more').length, 3);
    assert.ok(links.length <= 9 * maxStatisticRows);
  });

  it('show what is hidden in a name, and break no line', () => {
    const lines = linesOf(call('1', 1, { tool: 'a\n── \u202E' }));
    assert.ok(
      lines.some((line) => /^demo › a.*U\+202E/.test(line)),
      lines.join('\n'),
    );
  });

  it('call a tool as the log does, and align what stands behind names of any script', () => {
    const { text } = statisticsText(
      [...call('1', 1, { title: '掷骰子' }), ...call('2', 1, { tool: 'add', title: 'Add' })],
      now,
    );
    assert.match(text, /^demo › 掷骰子 {2}█+/m);
    assert.match(text, /^demo › Add {5}█+/m);
  });

  it('say that there is nothing yet', () => {
    assert.ok(linesOf([]).includes('No call has been logged yet.'));
  });

  it('leave out a call whose time cannot be read', () => {
    assert.ok(linesOf(call('1', 1, { time: 'soon' })).includes('No call has been logged yet.'));
  });

  const charts: readonly [title: string, times: readonly number[], chart: string][] = [
    ['nothing', [], '····'],
    ['one', [0], '█···'],
    ['the last moment', [100], '···█'],
    ['more and less', [0, 30, 30, 60, 60, 60, 60], '▂▄█·'],
  ];
  for (const [title, at, chart] of charts)
    it(`draw ${title}`, () => assert.equal(sparkline(at, 0, 100, 4), chart));
});
