import { join } from 'node:path';
import type * as Sdk from '../../src/mcp/sdk';
import type * as Headless from '../bench/core/coreEntry';
import { built, repositoryRoot } from './paths';

/** Loads the core as it ships: minified, so that no class or function keeps its name. */
export function loadMinifiedCore(): typeof Headless {
  // The path is computed so that the bundler leaves it for run time.
  return require(built('headless', 'core.js')) as typeof Headless;
}

/** Loads the SDK as it ships. */
export function loadMinifiedSdk(): typeof Sdk {
  return require(join(repositoryRoot, 'dist', 'sdk.js')) as typeof Sdk;
}
