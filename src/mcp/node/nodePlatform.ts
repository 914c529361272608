import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { errorDetail } from '../../base/errors';
import type { Logger } from '../../base/log';
import type { FileUri, Platform } from '../platform';
import { createOwnEnvironment } from './commands/searchPath';
import { listenForCallback } from './loopbackCallback';
import { workspaceFiles } from './files/workspaceFiles';
import { nodeFiles } from './nodeFiles';
import { createNodePrograms } from './nodePrograms';
import { createNodeTransports } from './nodeTransports';
import { Orphans } from './processes/orphans';
import { SchemaThread } from './schema/schemaThread';
import { createSignInNetwork } from './signInNetwork';
import { thisSystem } from './system';

/** Creates the platform of this machine; processes that were started are noted in `storage`, so that they can be ended. */
export function createNodePlatform(storage: FileUri, log: Logger): Platform {
  const { arch, env } = process;
  const environment = createOwnEnvironment(log);
  const orphans = new Orphans(join(storage.fsPath, 'processes'), log);
  orphans.reap().catch((error: unknown) => log.warn(errorDetail(error)));
  const thread = new SchemaThread();
  return {
    name: `${thisSystem()}-${arch}`,
    env,
    learnEnvironment: environment,
    parallelStarts: Math.max(4, availableParallelism() * 2),
    files: nodeFiles,
    workspaceFiles,
    programs: createNodePrograms(environment),
    openTransports: (mask) => createNodeTransports(orphans, { environment, mask }),
    listenForCallback,
    signInNetwork: createSignInNetwork(),
    runSchemaTask: thread.run,
    dispose: () => thread.dispose(),
  };
}
