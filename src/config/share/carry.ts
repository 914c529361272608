import { asRecord, type JsonRecord } from '../../base/json';
import { plainLabel } from '../../base/text/text';
import { namesText, type Translate } from '../../base/translate';
import type { ServerConfig } from '../../mcp/serverConfig';
import type { ImportedServer } from '../add/importedServer';
import {
  shellVariable,
  type Application,
  type AppCapabilities,
  type VariablePlace,
} from '../applications/application';
import {
  partsOfVariable,
  placeKinds,
  placeValue,
  variable,
  type PlaceValues,
} from '../launch/variables';

/** A server as the file of an application can express it. */
export interface CarriedServer {
  /** The server with the application's own variables; absent if the application cannot have it at all. */
  readonly found?: ImportedServer;
  /** What changed, and what is still to be done, in whole sentences. */
  readonly notes: readonly string[];
}

/** The keys that a server cannot do without, and the one whose named values can be left out, by kind. */
const partsOf = {
  stdio: { needed: ['command', 'args'], byName: 'env' },
  http: { needed: ['url'], byName: 'headers' },
  sse: { needed: ['url'], byName: 'headers' },
} as const satisfies Readonly<Record<ServerConfig['type'], object>>;

/** Converts a server without secrets into what an application can express. */
export function carry(
  { name, server, inputs = [] }: ImportedServer,
  { label, carries }: Pick<Application, 'label' | 'carries'>,
  places: PlaceValues,
  t: Translate,
): CarriedServer {
  const shown = plainLabel(name, 40);
  const type = carries.kinds.find((kind) => kind === server['type']);
  if (type === undefined)
    return { notes: [t('{0} cannot be exported: {1} has no servers of its kind.', shown, label)] };
  const filler = new Filler(carries, places);
  const { needed, byName } = partsOf[type];
  const entry: Record<string, unknown> = { type };
  const lost: string[] = [];
  for (const [key, value] of Object.entries(server)) {
    if (key === 'type') continue;
    if (key === 'timeouts') {
      const times = timesOf(value, carries.times, lost);
      if (Object.keys(times).length > 0) entry[key] = times;
      continue;
    }
    if (key === byName) {
      const filled = filler.values(key, asRecord(value), lost);
      if (Object.keys(filled).length > 0) entry[key] = filled;
      continue;
    }
    const isNeeded = needed.some((one) => one === key);
    const isCarried = isNeeded || carries.keys?.includes(key) === true;
    const filled = isCarried ? filler.value(key, value) : undefined;
    if (filled !== undefined) entry[key] = filled;
    else if (isNeeded)
      return {
        notes: [t('{0} cannot be exported: {1} cannot fill in its {2}.', shown, label, key)],
      };
    else lost.push(key);
  }
  const used = inputs.filter(({ id }) => filler.inputs.has(id));
  return {
    found: { name, server: entry, ...(used.length > 0 && { inputs: used }) },
    notes: [
      ...(lost.length > 0
        ? [t('{0}: {1} cannot take {2}, so it is left out.', shown, label, namesText(lost, t))]
        : []),
      ...(filler.asked.size > 0
        ? [
            t(
              '{0} needs {1} to be set in the environment of {2}.',
              shown,
              namesText(filler.asked, t),
              label,
            ),
          ]
        : []),
    ],
  };
}

/** Returns the times of a server as they are read again from an application's file; the others are added to `lost`. */
function timesOf(value: unknown, times: AppCapabilities['times'] = {}, lost: string[]): JsonRecord {
  const { start, request, total } = asRecord(value);
  // With others, progress does not restart the wait.
  const call = total ?? request;
  if (call !== undefined && !times.call) lost.push('timeouts.request');
  if (start !== undefined && !times.start) lost.push('timeouts.start');
  return {
    ...(start !== undefined && times.start && { start }),
    ...(call !== undefined && times.call && { request: call, total: call }),
  };
}

/** Replaces the variables in a server's texts with what an application understands. */
class Filler {
  /** The ids of the inputs that stay. */
  readonly inputs = new Set<string>();
  /** The environment variables that take the place of inputs. */
  readonly asked = new Set<string>();
  private readonly carries: Application['carries'];
  private readonly places: PlaceValues;

  constructor(carries: Application['carries'], places: PlaceValues) {
    this.carries = carries;
    this.places = places;
  }

  /** Fills in named values, leaving out those that cannot be filled in and adding their names to `lost`. */
  values(part: 'env' | 'headers', values: JsonRecord, lost: string[]): JsonRecord {
    const filled = Object.entries(values).flatMap(([key, value]) => {
      const text = ['string', 'number'].includes(typeof value)
        ? this.text(`${value as string | number}`, part, key)
        : undefined;
      if (text === undefined) lost.push(key);
      return text === undefined ? [] : [[key, text] as const];
    });
    return Object.fromEntries(filled);
  }

  /** Fills in any other part of a server; `undefined` if that is not possible. */
  value(part: string, value: unknown): unknown {
    if (typeof value === 'string') return this.text(value, part, '');
    if (Array.isArray(value)) {
      const all = value.map((one: unknown) => this.value(part, one));
      return all.includes(undefined) ? undefined : all;
    }
    if (typeof value !== 'object' || value === null) return value;
    const all = Object.entries(value).map(([key, one]) => [key, this.value(part, one)] as const);
    return all.some(([, one]) => one === undefined) ? undefined : Object.fromEntries(all);
  }

  private text(text: string, part: string, key: string): string | undefined {
    let isWhole = true;
    const filled = text.replaceAll(variable, (mark, called: string, at: number) => {
      const around = { before: text.slice(0, at), after: text.slice(at + mark.length) };
      const value = this.fill(mark, called, { part, key, around });
      if (value === undefined) isWhole = false;
      return value ?? mark;
    });
    return isWhole ? filled : undefined;
  }

  private fill(mark: string, called: string, place: VariablePlace): string | undefined {
    const [kind, rest] = partsOfVariable(called);
    if (placeKinds.includes(kind)) return placeValue(kind, rest, this.places);
    if (kind === 'input') return this.input(mark, rest ?? '', place);
    const [name = '', ...initial] = (kind === 'env' ? (rest ?? '') : called).split(':-');
    const written = this.carries.variable(name, place);
    if (initial.length === 0) return written;
    // Only applications that write variables as a shell does support default values.
    return written === shellVariable(name) ? `\${${name}:-${initial.join(':-')}}` : undefined;
  }

  private input(mark: string, id: string, place: VariablePlace): string | undefined {
    if (this.carries.inputs) {
      this.inputs.add(id);
      return mark;
    }
    const { before, after } = place.around;
    const isOwn = place.part === 'env' && before + after === '';
    const name = isOwn ? place.key : id.replaceAll(/\W+/g, '_').toUpperCase();
    const written = this.carries.variable(name, place);
    if (written !== undefined) this.asked.add(name);
    return written;
  }
}
