/*
 * `node out/bench/host/development.js`: a saved source file and a flood of messages in a real extension host, compared with
 * the goals.
 */
import { measureInHost } from './inHost';

measureInHost('developmentHost', {}).catch((error: unknown) => {
  console.error(error);
  process.exitCode = 1;
});
