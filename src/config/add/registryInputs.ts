import { asRecord, isRecord, recordsOf, type JsonRecord } from '../../base/json';
import { inputIdOf, inputReference, type ImportedServer, type InputEntry } from './importedServer';

/** Returns a field of a registry entry, which older entries spell with underscores. */
export function field(record: JsonRecord, name: string): unknown {
  return record[name] ?? record[name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)];
}

/** The values that a registry entry describes; those that the user must provide become inputs. */
export class RegistryInputs {
  private readonly name: string;
  private readonly inputs = new Map<string, InputEntry>();

  constructor(name: string) {
    this.name = name;
  }

  /** Returns the value of an argument, variable or header; `undefined` if it is optional and has none. */
  value(key: string, input: JsonRecord): string | undefined {
    const { value, default: initial } = input;
    if (typeof value === 'string') return this.fill(value, asRecord(input['variables']));
    if (field(input, 'isRequired') === true) return this.ask(key, input);
    return typeof initial === 'string' ? initial : undefined;
  }

  /** Fills in the variables that a text contains as `{name}`. */
  fill(text: string, variables: JsonRecord): string {
    // With a dollar sign before it, it is a variable of ours.
    return text.replaceAll(/(?<!\$)\{([^{}]+)\}/g, (mark: string, key: string) => {
      const input = Object.hasOwn(variables, key) ? variables[key] : undefined;
      if (!isRecord(input)) return mark;
      return this.value(key, input) ?? this.ask(key, input);
    });
  }

  /** Returns variables or headers by name. */
  pairs(list: unknown): Readonly<Record<string, string>> {
    const known = recordsOf(list).flatMap((one): [string, string][] => {
      const { name } = one;
      const value = typeof name === 'string' ? this.value(name, one) : undefined;
      return typeof name === 'string' && value !== undefined ? [[name, value]] : [];
    });
    return Object.fromEntries(known);
  }

  /** Returns the server with the inputs collected so far. */
  withServer(server: JsonRecord): ImportedServer {
    const inputs = Array.from(this.inputs.values());
    return { name: this.name, server, ...(inputs.length > 0 && { inputs }) };
  }

  private ask(key: string, input: JsonRecord): string {
    const id = inputIdOf(this.name, key);
    const { description, default: initial, choices } = input;
    const options = Array.isArray(choices)
      ? choices.filter((choice) => typeof choice === 'string')
      : [];
    this.inputs.set(id, {
      id,
      description: typeof description === 'string' ? description : key,
      ...(typeof initial === 'string' && { default: initial }),
      ...(options.length > 0
        ? { type: 'pickString', options }
        : { type: 'promptString', password: field(input, 'isSecret') === true }),
    });
    return inputReference(id);
  }
}
