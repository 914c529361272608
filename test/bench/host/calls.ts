/* `node out/bench/host/calls.js`: a thousand saved calls in a real extension host, compared with the goals. */
import { built } from '../../support/paths';
import { measureInHost } from './inHost';

measureInHost('callsHost', {
  bench: [built('bench', 'core', 'benchServer.js'), '{"tools":20}'],
}).catch((error: unknown) => {
  console.error(error);
  process.exitCode = 1;
});
