/** Returns the media type of a response in lower case and without parameters; an empty text if it names none. */
export function mediaTypeOf({ headers }: Pick<Response, 'headers'>): string {
  const [type = ''] = (headers.get('content-type') ?? '').split(';', 1);
  return type.trim().toLowerCase();
}

/** True if the body of a response is a stream of events. */
export function isEventStream(response: Pick<Response, 'headers'>): boolean {
  return mediaTypeOf(response) === 'text/event-stream';
}
