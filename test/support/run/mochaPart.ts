// A program of its own: `mochaPart.js <folder of out> <timeout in ms> [grep]` runs the tests of one folder in plain Node.
import { runAsPart } from './forkPart';
import { built } from '../paths';
import { runMocha } from './runMocha';

const [folder = '', timeout = '', grep] = process.argv.slice(2);
runAsPart(() => runMocha({ directory: built(folder), timeout: Number(timeout), grep }));
