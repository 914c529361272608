import type { Configuration } from '../../../src/config/configuration';
import { StartPolicy } from '../../../src/config/launch/startPolicy';
import type { Readiness, StartOutcome } from '../../../src/mcp/serverState';
import { ConfiguredStarts } from '../../../src/servers/configuredStarts';
import { FakeServers, type FakeServer } from './fakeServer';

/** Creates starts of configured servers that end as `outcomeOf` says, one after the other. */
export function startsThatEnd(
  servers: readonly FakeServer[],
  outcomeOf: () => StartOutcome,
  readiness: Readiness = 'untrusted',
): ConfiguredStarts {
  const configuration = { ready: Promise.resolve(), get: () => ({}) } as unknown as Configuration;
  const launches = { readiness: () => Promise.resolve(readiness) };
  const policy = new StartPolicy({ noteAction: () => {}, noteStarted: () => {} });
  const ending = Object.assign(new FakeServers(...servers), {
    start: () => Promise.resolve([outcomeOf()]),
    beside: () => undefined,
  });
  return new ConfiguredStarts(ending, { configuration, launches }, policy);
}
