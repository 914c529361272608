/* `node out/bench/host/tree.js`: thousands of resources in a real extension host, compared with the goals. */
import { built } from '../../support/paths';
import { measureInHost } from './inHost';

/** A demo server with this many resources. */
const server = (resources: number, page: number) => [
  built('fixtures', 'demoServer', 'main.js'),
  '--resources',
  String(resources),
  '--page-size',
  String(page),
];

measureInHost('treeHost', { ten: server(10_000, 500), hundred: server(100_000, 1000) }).catch(
  (error: unknown) => {
    console.error(error);
    process.exitCode = 1;
  },
);
