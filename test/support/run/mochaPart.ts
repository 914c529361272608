// A program of its own: `mochaPart.js <folder of out, or file> <timeout in ms> <drawn|plain> [grep]` runs the tests there in plain Node.
import { runAsPart } from './forkPart';
import { built } from '../paths';
import { runMocha, testFiles } from './runMocha';

const [place = '', timeout = '', kind, grep] = process.argv.slice(2);
const files = place.endsWith('.js') ? [place] : testFiles(built(place));
runAsPart(() => runMocha({ files, timeout: Number(timeout), isDrawn: kind === 'drawn', grep }));
