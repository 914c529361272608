import { join } from 'node:path';
import type * as Sdk from '../../src/mcp/sdk';
import type * as Headless from '../bench/core/coreEntry';
import { built, repositoryRoot } from './paths';

/** Loads the core as the package holds it: minified, so that no class or function has its own name. */
export function loadMinifiedCore(): typeof Headless {
  // The path is computed, so that the bundler leaves it to run time.
  return require(built('headless', 'core.js')) as typeof Headless;
}

/** Loads the SDK as the package holds it. */
export function loadMinifiedSdk(): typeof Sdk {
  return require(join(repositoryRoot, 'dist', 'sdk.js')) as typeof Sdk;
}
