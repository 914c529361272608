// A standalone program: `mochaPart.js --timeout <ms> --kind <drawn|plain> [--grep pattern] <files>` runs the tests of
// compiled files in plain Node.
import { parseArgs } from 'node:util';
import { runAsPart } from './forkPart';
import { runMocha } from './runMocha';

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: {
    timeout: { type: 'string', default: '' },
    kind: { type: 'string' },
    grep: { type: 'string' },
  },
});
const { timeout, kind, grep } = values;
runAsPart(() =>
  runMocha({ files: positionals, timeout: Number(timeout), isDrawn: kind === 'drawn', grep }),
);
