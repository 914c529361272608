// A program of its own: `mochaPart.js <folder of out> <timeout in ms> <drawn|plain> [grep]` runs the tests of one folder in plain Node.
import { runAsPart } from './forkPart';
import { built } from '../paths';
import { runMocha } from './runMocha';

const [folder = '', timeout = '', kind, grep] = process.argv.slice(2);
runAsPart(() =>
  runMocha({ directory: built(folder), timeout: Number(timeout), isDrawn: kind === 'drawn', grep }),
);
