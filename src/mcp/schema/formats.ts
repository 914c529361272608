import { addFormat } from '@hyperjump/json-schema/experimental';

const time = /^([01]\d|2[0-3]):[0-5]\d:([0-5]\d|60)(\.\d+)?(z|[+-]([01]\d|2[0-3]):[0-5]\d)$/i;
const ipv4 = /^(?:(?:25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)(?:\.(?!$)|$)){4}$/;

/** The formats that the protocol's forms have, and a few more that tools use; others are not checked. */
const formats: Readonly<Record<string, (text: string) => boolean>> = {
  email: (text) => /^[^\s@]+@[^\s@]+$/.test(text),
  uri: isUri,
  date: isDate,
  'date-time': (text) =>
    /^.{10}[t ]/i.test(text) && isDate(text.slice(0, 10)) && isTime(text.slice(11)),
  time: isTime,
  uuid: (text) => /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i.test(text),
  ipv4: (text) => ipv4.test(text),
  ipv6: (text) => /^[\da-f:.]+$/i.test(text) && URL.canParse(`http://[${text}]`),
};

/** Adds these formats to the library. */
export function addFormats(): void {
  for (const [name, isOf] of Object.entries(formats))
    addFormat({
      id: `https://json-schema.org/format/${name}`,
      handler: (value) => typeof value !== 'string' || isOf(value),
    });
}

function isUri(text: string): boolean {
  return /^[a-z][a-z\d+.-]*:[^\s<>"{}|\\^`]*$/i.test(text) && URL.canParse(text);
}

function isDate(text: string): boolean {
  if (!/^\d{4}-\d\d-\d\d$/.test(text)) return false;
  const day = new Date(`${text}T00:00:00Z`);
  // A day that its month does not have becomes one of the next month.
  return !Number.isNaN(day.getTime()) && day.toISOString().startsWith(text);
}

function isTime(text: string): boolean {
  return time.test(text);
}
