/* The client core as in the package: minified, with the SDK in its own chunk and without an editor. */
export { createLimiter } from '../../../src/base/async';
export { silentLogger } from '../../../src/base/log';
export { Authorization } from '../../../src/mcp/auth/authorization';
export type { ConnectionDeps } from '../../../src/mcp/connection/connectionDeps';
export { createServers } from '../../../src/mcp/createServers';
export { createNodeTransports } from '../../../src/mcp/node/nodeTransports';
export type { ServerDefinition } from '../../../src/mcp/serverConfig';
export { defaultLimits } from '../../../src/mcp/serverConfig';
export { TrafficRecorder } from '../../../src/mcp/traffic/trafficRecorder';
export { noMemory } from '../../../src/mcp/lists/catalog';
