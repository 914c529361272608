import { lookup as systemLookup, type LookupAddress } from 'node:dns';
import type { IncomingMessage } from 'node:http';
import type { LookupFunction } from 'node:net';
import { networkInterfaces } from 'node:os';
import { pipeline, Readable, type Duplex } from 'node:stream';
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib';
import { delay } from '../../base/async';
import {
  addressIn,
  isSameAddress,
  nearest,
  reachOf,
  type Reach,
  type SignInNetwork,
  type SignInRoute,
} from '../http/reach';

/** How long the addresses of a host that is not connected to are waited for. */
const locateMs = 2000;

/** Finds all addresses of a host. */
export type FindAddresses = (hostname: string) => Promise<readonly LookupAddress[]>;

const findAddresses: FindAddresses = (hostname) =>
  new Promise((resolve, reject) => {
    systemLookup(hostname, { all: true }, (error, found) =>
      error ? reject(error) : resolve(found),
    );
  });

/** Creates the network of this machine, where each address is looked at before it is connected to. */
export function createSignInNetwork(find: FindAddresses = findAddresses): SignInNetwork {
  return {
    async send(url, init, route) {
      const { signal } = init;
      signal?.throwIfAborted();
      try {
        // No name is looked up where an address stands in place of one.
        const written = addressIn(url.hostname);
        if (written !== undefined && !(await route.admits(reachOfAddress(written))))
          throw new Error(`${url.hostname} is not admitted.`);
        return await sendOne(url, init, guardedLookup(find, url, route), route.name);
      } catch (error) {
        throw failureOf(error, signal);
      }
    },
    async locate(hostname) {
      const written = addressIn(hostname);
      if (written !== undefined) return reachOfAddress(written);
      const found = find(hostname).then(
        (all) => nearest(all.map(({ address }) => reachOfAddress(address))),
        () => undefined,
      );
      return Promise.race([found, delay(locateMs).then(() => undefined)]);
    },
  };
}

/** Returns where an address leads; those of this machine's own interfaces lead to it. */
function reachOfAddress(address: string): Reach {
  const own = Object.values(networkInterfaces()).flatMap((all) => all ?? []);
  return own.some((one) => isSameAddress(one.address, address)) ? 'machine' : reachOf(address);
}

/** Finds the addresses of the host of `url` that are admitted. */
function guardedLookup(find: FindAddresses, url: URL, { admits }: SignInRoute): LookupFunction {
  const admitted = async (hostname: string): Promise<readonly LookupAddress[]> => {
    const all = await find(hostname);
    // A proxy is the user's own choice.
    if (hostname !== url.hostname) return all;
    const kept: LookupAddress[] = [];
    for (const one of all) if (await admits(reachOfAddress(one.address))) kept.push(one);
    return kept;
  };
  return (hostname, options, callback) => {
    admitted(hostname).then(
      (all) => {
        const [first] = all;
        if (!first) callback(new Error(`No address of ${hostname} is admitted.`), '');
        else if (options.all) callback(null, [...all]);
        else callback(null, first.address, first.family);
      },
      (error: unknown) => callback(error as NodeJS.ErrnoException, ''),
    );
  };
}

/*
 * `fetch` takes no `lookup` in an editor, which replaces what it connects with. Without their prefix, these modules are
 * those of the editor, which know its proxies and certificates.
 */
const modules = {
  // oxlint-disable-next-line unicorn/prefer-node-protocol
  'https:': () => import('https'),
  // oxlint-disable-next-line unicorn/prefer-node-protocol
  'http:': () => import('http'),
};

async function sendOne(
  url: URL,
  { method = 'GET', headers: given, body, signal }: RequestInit,
  lookup: LookupFunction,
  pool: string,
): Promise<Response> {
  const { request } = await modules[url.protocol === 'http:' ? 'http:' : 'https:']();
  const headers = new Headers(given);
  if (!headers.has('user-agent')) headers.set('user-agent', 'node');
  if (!headers.has('accept')) headers.set('accept', '*/*');
  const text = typeof body === 'string' || body instanceof URLSearchParams ? String(body) : '';
  if (text !== '') headers.set('content-length', String(Buffer.byteLength(text)));
  const options = {
    method,
    headers: Object.fromEntries(headers),
    lookup,
    // Part of the key by which connections are kept: none is used for another sign-in.
    sessionIdContext: pool,
    ...(signal && { signal }),
  };
  const incoming = await new Promise<IncomingMessage>((resolve, reject) => {
    request(url, options, resolve).once('error', reject).end(text);
  });
  return responseOf(incoming, signal);
}

function responseOf(incoming: IncomingMessage, signal: RequestInit['signal']): Response {
  const { statusCode: status = 0, rawHeaders } = incoming;
  const headers = new Headers();
  for (let at = 0; at + 1 < rawHeaders.length; at += 2)
    headers.append(rawHeaders[at] ?? '', rawHeaders[at + 1] ?? '');
  if (status === 204 || status === 205 || status === 304) {
    incoming.resume();
    return new Response(null, { status, headers });
  }
  const unpacked = unpack(incoming, headers.get('content-encoding'));
  const body = Readable.toWeb(Readable.from(piecesOf(unpacked, signal), { objectMode: false }));
  return new Response(body as ReadableStream, { status, headers });
}

/** No request asks for packed answers, but some come all the same. */
function unpack(incoming: IncomingMessage, encoding: string | null): Readable {
  const through = (by: Duplex): Readable => pipeline(incoming, by, () => {});
  switch (encoding?.trim().toLowerCase()) {
    case 'gzip':
    case 'x-gzip':
      return through(createGunzip());
    case 'deflate':
      return through(createInflate());
    case 'br':
      return through(createBrotliDecompress());
    default:
      return incoming;
  }
}

async function* piecesOf(stream: Readable, signal: RequestInit['signal']): AsyncGenerator<Buffer> {
  try {
    for await (const piece of stream) yield piece as Buffer;
  } catch (error) {
    throw failureOf(error, signal);
  }
}

/** Returns an error as `fetch` has it: the reason why a request was given up, or a `TypeError` with the cause. */
function failureOf(error: unknown, signal: RequestInit['signal']): unknown {
  return signal?.aborted ? signal.reason : new TypeError('fetch failed', { cause: error });
}
