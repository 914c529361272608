/* `npm run bench:development`: a saved source and a flood of messages in a real extension host, beside the goals. */
import { built } from '../../support/paths';
import { measureInHost } from './inHost';

measureInHost('developmentHost', {
  flood: [built('fixtures', 'hostile', 'flood.js')],
}).catch((error: unknown) => {
  console.error(error);
  process.exitCode = 1;
});
